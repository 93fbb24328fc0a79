/* SPDX-License-Identifier: Apache-2.0
 *
 * The recursive super-helix (paper 003, 2.4): one free step of a tree of helices in linear time. A
 * chain is the tree in which the parent of element e is e - 1.
 *
 * The step is that of the composite super-helix (super_helix_assembly.h), term by term, and solved
 * as exactly: a chain gets the same velocities but for rounding, the same stability, and the same
 * law of energy. (The paper's recursion computes accelerations explicitly and may want smaller
 * steps; this one eliminates the rates from the implicit equations.) From tips to root the three
 * curvature rates of each element are eliminated, which leaves the parent's end an articulated
 * inertia and a wrench; from root to tips they are found again.
 *
 * Contacts ask for many columns of the inverse of A, by factors in the shape of linalg/ldl.h, and
 * there the composite form is the better one, as the paper says. Long strands and plants that touch
 * nothing are what this one is for; as a body_group (helix_tree_group.h) it has no factors.
 *
 * Stations are the root (0) and the ends of the elements (e + 1).
 */
#ifndef RODS_HELIX_TREE_H
#define RODS_HELIX_TREE_H

#include "rods/rod.h"

#define HELIX_TREE_ROOT UINT32_MAX /* the parent of an element that begins at the root */

typedef struct helix_tree_source {
    const char *name; /* of the object, for errors */
    uint32_t elements;
    bool free_root;               /* the root has unknowns, before those of the curvatures */
    const uint32_t *parent;       /* [elements] an element before, or HELIX_TREE_ROOT */
    const quat *offset;           /* [elements] from the end of the parent, or from the root, to the
                                     beginning of the element; NULL: none turns */
    const double *lengths;        /* [elements] m */
    const double *natural;        /* [elements][3] 1/m; NULL: straight */
    const rod_material *material; /* [elements] */
} helix_tree_source;

/* Const after its creation. */
typedef struct helix_tree helix_tree;

/* The source is copied. Errors name the element: those of rods_check_source (rods/rod.h), a parent
 * that does not come before its child, an offset that is no rotation. */
status helix_tree_create(const helix_tree_source *source, const allocator *from, helix_tree **out,
                         error *err);
void helix_tree_destroy(helix_tree *t);

/* Doubles of a state, one flat block: q [unknowns], v [unknowns], then its own; for a chain the
 * same as a super-helix has. And of a work. */
size_t helix_tree_unknowns(const helix_tree *t);
size_t helix_tree_state_count(const helix_tree *t);
size_t helix_tree_work_count(const helix_tree *t);

/* At rest with the curvatures `kappa` [elements][3], or the natural ones if it is NULL. */
void helix_tree_rest(const helix_tree *t, const pose *root, const double *kappa, double *state);

/* Where arc length s is: it runs through the elements in their order, whatever they grow from, so
 * that element e begins at the sum of the lengths before it. The end of an element belongs to it,
 * and what is beyond it by rounding, too. s becomes the length from the element's beginning. */
uint32_t helix_tree_find_element(const helix_tree *t, double *s);

/* The velocities v_free [unknowns] of the step, at the beginning of the work. All loads are on the
 * tree, in any order, at the s of helix_tree_find_element. False if numbers left the range of
 * double; the work is lost then. */
bool helix_tree_predict(const helix_tree *t, const body_input *in, const double *state,
                        double *work);

/* The state at t + h of a tree that moved with v [unknowns]; it may take the place of the one at t.
 */
void helix_tree_advance(const helix_tree *t, const body_input *in, const double *state,
                        const double *v, double *next);

/* Both with v_free. False as in predict: then nothing is written. */
bool helix_tree_step(const helix_tree *t, const body_input *in, const double *state, double *work,
                     double *next);

/* A material point (s, y, z) of an element; s beyond its ends is taken there. The cost is that of
 * the elements between it and the root. */
body_place helix_tree_find_place(const helix_tree *t, const double *state, uint32_t element, v3 X);

/* The places of all stations, [elements + 1]. */
void helix_tree_find_stations(const helix_tree *t, const double *state, pose *out);

/* The rows of body_jacobian (mechanics/body_group.h) for a point of an element, by a work that
 * helix_tree_predict has filled. */
void helix_tree_jacobian(const helix_tree *t, const double *work, uint32_t element, v3 X,
                         double *linear, double *angular, v3 *v_0, v3 *omega_0);

body_energy helix_tree_energy(const helix_tree *t, const body_input *in, const double *state,
                              double *work);

/* The slope of the potential energy over q [unknowns], as body_gradient has it. */
void helix_tree_gradient(const helix_tree *t, const body_input *in, const double *state,
                         double *work, double *out);

#endif

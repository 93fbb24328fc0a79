/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the super-clothoid share: the model, where things are in a state and a work,
 * and the way along a rod.
 *
 * The rate of one end of an element moves everything beyond that element as a rigid body, by the
 * screw (turn, lift) that moves a point r, from the root, with lift + turn x r. Within the element
 * the screw grows from nothing (clothoid.h). An inner joint is an end of two elements: its unknowns
 * move by the sum of both.
 */
#ifndef RODS_SUPER_CLOTHOID_GROUP_H
#define RODS_SUPER_CLOTHOID_GROUP_H

#include "rods/clothoid.h"
#include "rods/reduced_rod.h"
#include "rods/reduced_rod_state.h"
#include "rods/rod.h"

typedef struct super_clothoid {
    body_group base;
    const allocator *from;
    size_t size; /* of this block: the arrays follow the struct */
    uint32_t elements;
    uint32_t first;         /* unknown of the first curvature: 0, or 6 after those of a free root */
    double *lengths;        /* [rods][elements] */
    double *natural;        /* [rods][elements + 1][3] */
    rod_material *material; /* [rods] */
} super_clothoid;

static inline const super_clothoid *super_clothoid_of(const body_group *g)
{
    return (const super_clothoid *)g;
}

/* A triple of curvatures for every joint. */
static inline reduced_rod_state super_clothoid_view(const super_clothoid *g, const double *state,
                                                    size_t body)
{
    return reduced_rod_split_state(state + body * g->base.state_count, (size_t)g->elements + 1,
                                   g->first);
}

/* One rod of a group. */
typedef struct clothoid_rod {
    const super_clothoid *g;
    const double *state;
    size_t body;
    const rod_material *material;
    const double *lengths; /* [elements] */
    const double *natural; /* [elements + 1][3] */
    reduced_rod_state is;
} clothoid_rod;

clothoid_rod super_clothoid_rod(const super_clothoid *g, const double *state, size_t body);

/* An element now. */
typedef struct clothoid_element {
    clothoid curve;
    m3 R;                /* the frame where it begins */
    v3 r;                /* where it begins, from the root */
    v3 turn[6], lift[6]; /* of all beyond it, by its ends */
} clothoid_element;

/* The same element in the last step. */
typedef struct clothoid_memory {
    clothoid curve;
    v3 rate[2];        /* of the curvatures at its ends */
    m3 Q;              /* its frame then, seen in the frame of now */
    v3 velocity, spin; /* of its beginning: in the frame of now, in the frame of then */
} clothoid_memory;

/* How a frame moves through the last step, in space. */
typedef struct clothoid_carriage {
    m3 R;
    v3 velocity, spin;
} clothoid_carriage;

/* Element e between joints with the curvatures kappa. */
static inline clothoid super_clothoid_curve(const clothoid_rod *rod, const double *kappa, size_t e)
{
    return (clothoid){{v3_load(kappa + 3 * e), v3_load(kappa + 3 * e + 3)}, rod->lengths[e]};
}

/* A section of an element that begins at R, r: its screws about the root, in space. */
void super_clothoid_spread(const clothoid_point *at, const m3 *R, v3 r, v3 turn[6], v3 lift[6]);

/* The element that begins at R, r; both move on to its end. */
clothoid_element super_clothoid_pass(const clothoid *curve, m3 *R, v3 *r);

/* Element e, which ends at R, r; both go back to its beginning. */
clothoid_element super_clothoid_pass_back(const clothoid *curve, m3 *R, v3 *r);

clothoid_carriage super_clothoid_carry_root(const clothoid_rod *rod);

/* Element e, which begins at the carriage; that moves on to its end. R is the frame of now. */
clothoid_memory super_clothoid_recall(const clothoid_rod *rod, size_t e, const m3 *R,
                                      clothoid_carriage *at);

/* The velocity of a section by the rates of its element's ends: in the frame of the element, where
 * that begins with `spin`. */
v3 super_clothoid_velocity(const clothoid_memory *m, const clothoid_point *at);

/* Its own turning, alike. */
v3 super_clothoid_turning(const clothoid_memory *m, const clothoid_point *at);

/* A work: factors, v_free, then in doubles */
enum {
    SUPER_CLOTHOID_ROOT = 9, /* the root's position, velocity, angular velocity */
    SUPER_CLOTHOID_ELEMENT = sizeof(clothoid_element) / sizeof(double),
    SUPER_CLOTHOID_MEMORY = sizeof(clothoid_memory) / sizeof(double),
};

static inline double *super_clothoid_work_root(const super_clothoid *g, const double *work,
                                               size_t body)
{
    return (double *)body_v_free(&g->base, work, body) + g->base.unknowns;
}

static inline clothoid_element *super_clothoid_work_elements(const super_clothoid *g,
                                                             const double *work, size_t body)
{
    return (clothoid_element *)(super_clothoid_work_root(g, work, body) + SUPER_CLOTHOID_ROOT);
}

/* A linear density of force, f = begin at the beginning of an element, end at its end. */
typedef struct clothoid_forcing {
    v3 begin, end;
} clothoid_forcing;

/* Of weight, fields and, over h, the drag of the air on a rod at rest. */
clothoid_forcing super_clothoid_forcing(const clothoid_rod *rod, const body_input *in, size_t e);

/* out += the generalised force of the loads, and of weight and fields if asked for. */
void super_clothoid_add_forces(const clothoid_rod *rod, const body_input *in, bool weight,
                               double *out);

/* The functions of body_group.h. */
void super_clothoid_predict(const body_group *g, const body_input *in, const double *state,
                            double *work, size_t begin, size_t end);
body_place super_clothoid_find_place(const body_group *g, const double *state, uint32_t body, v3 X);
void super_clothoid_jacobian(const body_group *g, const double *work, uint32_t body, v3 X,
                             double *linear, double *angular, v3 *v_0, v3 *omega_0);
body_energy super_clothoid_energy(const body_group *g, const body_input *in, const double *state,
                                  uint32_t body);
void super_clothoid_gradient(const body_group *g, const body_input *in, const double *state,
                             uint32_t body, double *out);

#endif

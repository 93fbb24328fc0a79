/* SPDX-License-Identifier: Apache-2.0
 *
 * Thin elastic rods: what they are made of, and the models that can stand for them.
 *
 * A rod is its centreline r(s) and its material frame R(s) = (n0, n1, n2), n0 = r' the tangent. The
 * frame turns along the rod by r' = n0, R' = R [kappa]x with the twist kappa_0 and the material
 * curvatures kappa_1, kappa_2 (paper 003, 2.1-2.3). Its energy per length is
 *     1/2 (kappa - natural)^T diag(twist, bend[0], bend[1]) (kappa - natural),
 * bend[0] belongs to kappa_1, the curvature about n1. A root frame is the identity when the rod
 * leaves its root along x.
 *
 * Every model is a body_group (mechanics/body_group.h). In reduced models the velocity of a free
 * root, linear then angular in space, comes first among a body's velocities; what has its place in
 * q is 0, as turns do not add up: the pose is elsewhere in the state. In nodal models
 * (rods/nodal_rod.h) a free root is a node like the others, and a clamped one is no unknown.
 */
#ifndef RODS_ROD_H
#define RODS_ROD_H

#include "base/memory.h"
#include "mechanics/body_group.h"

typedef struct rod_material {
    double density; /* kg/m */
    double bend[2]; /* N m^2: E I about n1 and n2 */
    double twist;   /* N m^2: G J */
    double stretch; /* N: E A; helices and clothoids do not stretch and do not read it */
    double radius;  /* m */
    double damping; /* s: a curvature rate k gives the moment damping * stiffness * k */
    double drag;    /* kg/(m s): the air's force per length is drag * (air - velocity) */
} rod_material;

typedef struct rods_source {
    const char *name; /* of the object, for errors */
    uint32_t rods, elements;
    bool free_root;               /* the root moves by itself and has unknowns, before the others */
    const double *lengths;        /* [rods][elements] m */
    const double *natural;        /* [rods][elements][3]; NULL: straight */
    const rod_material *material; /* [rods] */
    const double *scale;          /* [rods][elements] on the stiffnesses of the material, of
                                     super-helices alone; NULL: 1 everywhere */
} rods_source;

typedef struct rod_model {
    const char *name, *doc;
    /* Errors name the rod: lengths, stiffnesses and densities that are not finite and positive,
     * natural curvatures that are not finite, damping or drag below zero. */
    status (*create)(const rods_source *source, const allocator *from, body_group **out,
                     error *err);
    /* At rest with the root at `root` [rods] and the curvatures `kappa` [rods][elements][3], or the
     * natural ones if it is NULL. */
    void (*place)(const body_group *g, const pose *root, const double *kappa, double *state);
} rod_model;

extern const rod_model rod_models[];
extern const size_t rod_model_count;

/* NULL if there is none; the first of the table is the default. */
const rod_model *rod_model_find(const char *name);

/* What every model asks of its source. */
status rods_check_source(const rods_source *source, error *err);

/* And what models with a dense matrix ask: few enough elements for its numbers to be counted. */
status rods_check_dense_source(const rods_source *source, error *err);

/* What rods_check_source asks of each rod; errors call it `one`. */
status rods_check_each(const rods_source *source, const char *one, error *err);

#endif

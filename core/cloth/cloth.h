/* SPDX-License-Identifier: Apache-2.0
 *
 * What every cloth has, with a fabric or without, and what does not change while it moves: masses,
 * gravity, pins, the rest shape. Elasticity is sheet.h; without it nodes move independently.
 */
#ifndef CLOTH_CLOTH_H
#define CLOTH_CLOTH_H

#include "base/memory.h"
#include "base/status.h"
#include "math/v3.h"

#include <stdint.h>

typedef struct cloth {
    size_t nodes, triangles;
    uint32_t *triangle; /* 3 node numbers each */
    double *rest;       /* 3 per node: the shape without stress, m */
    double *area;       /* per node: a third of the rest area of its triangles, m^2 */
    double *mass;       /* per node, kg */
    bool mass_is_given; /* else density * area */
} cloth;

status cloth_init(cloth *c, const allocator *from, size_t nodes, size_t triangles, error *err);
void cloth_destroy(cloth *c, const allocator *from);

/* Keeps the shape, and spreads the triangles' rest areas over their nodes. */
void cloth_set_rest_shape(cloth *c, const double *rest);

/* Masses from areas; does nothing when masses were given. */
void cloth_set_density(cloth *c, double density);

/* The first node whose mass is not a positive finite number, or c->nodes. */
size_t cloth_find_bad_mass(const cloth *c);

/* Free motion of nodes [begin, end) over dt:
 *     free node    v_free = v + dt gravity                       inverse mass 1/m
 *     pinned node  v_free = (target - x) fraction / dt           inverse mass 0
 * `fraction` is how much of the way to its target a pinned node goes in this step. */
typedef struct cloth_motion {
    const double *x, *v;        /* 3 per node */
    const double *pin, *target; /* 1 and 3 per node */
    v3 gravity;
    double dt, fraction;
    double *v_free, *inverse_mass; /* out */
} cloth_motion;

void cloth_predict(const cloth *c, const cloth_motion *m, size_t begin, size_t end);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Points against simple convex shapes that move rigidly over a step.
 *
 * The point's way is seen in the shape's own coordinates, y0 at the beginning of the step and y1 at
 * its end. A contact is the tangent plane of the shape, blown up by the point's thickness, where
 * the way first enters it, or comes nearest: (y - point) . normal >= 0. Because the shape is
 * convex, a point on the right side of that plane at the end of the step is outside the shape, and
 * a way that misses the shape is not disturbed by the plane.
 */
#ifndef COLLIDE_SHAPE_H
#define COLLIDE_SHAPE_H

#include "math/quat.h"

#include <stdint.h>

typedef enum collide_kind { COLLIDE_PLANE = 1, COLLIDE_SPHERE = 2 } collide_kind;

typedef struct collide_shape {
    collide_kind kind;
    double radius; /* of a sphere */
} collide_shape;

/* A shape's way over one step. */
typedef struct collide_motion {
    m3 R0, R1; /* rotations at the beginning and at the end */
    v3 p0, p1;
    bool moves;
} collide_motion;

collide_motion collide_motion_make(const pose *begin, const pose *end);

static inline v3 collide_world_to_begin(const collide_motion *m, v3 x)
{
    return m3_tmul_v3(&m->R0, v3_sub(x, m->p0));
}

static inline v3 collide_world_to_end(const collide_motion *m, v3 x)
{
    return m3_tmul_v3(&m->R1, v3_sub(x, m->p1));
}

/* Into the coordinates at the end of the step of a shape that moved without turning. */
static inline v3 collide_world_to_shifted(const collide_motion *m, v3 x)
{
    return m3_tmul_v3(&m->R0, v3_sub(x, m->p1));
}

static inline v3 collide_begin_to_world(const collide_motion *m, v3 y)
{
    return v3_add(m3_mul_v3(&m->R0, y), m->p0);
}

static inline v3 collide_end_to_world(const collide_motion *m, v3 y)
{
    return v3_add(m3_mul_v3(&m->R1, y), m->p1);
}

/* How far a point of the world that is fixed to the shape moves over the step. */
double collide_motion_length(const collide_motion *m, v3 x);

typedef struct collide_contact {
    v3 point;  /* on the blown-up surface, in the shape's coordinates */
    v3 normal; /* unit, outward */
} collide_contact;

/* Signed distance of y to the surface blown up by `thickness`. */
double collide_distance(const collide_shape *shape, v3 y, double thickness);

/* False if the way stays farther than `margin` from the blown-up surface. */
bool collide_way(const collide_shape *shape, v3 y0, v3 y1, double thickness, double margin,
                 collide_contact *contact);

#endif

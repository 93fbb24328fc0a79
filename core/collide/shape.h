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

typedef enum collide_kind {
    COLLIDE_PLANE = 1,
    COLLIDE_SPHERE = 2,
    COLLIDE_CAPSULE = 3,
    COLLIDE_BOX = 4,
    COLLIDE_MESH = 5 /* see collide/mesh.h; here only its motion */
} collide_kind;

typedef struct collide_shape {
    collide_kind kind;
    double radius; /* of a sphere or a capsule */
    v3 half;       /* half extents of a box; of a capsule only z, half the length of its axis */
} collide_shape;

/* A shape's way over one step. A turn that a round shape does not show (any turn of a sphere, one
 * of a capsule about its axis) moves its surface along itself. */
typedef struct collide_motion {
    m3 R0, R1; /* rotations at the beginning and at the end */
    m3 Rs;     /* at the end, without the turn that does not show */
    v3 p0, p1;
    bool moves;
} collide_motion;

collide_motion collide_motion_make(const pose *begin, const pose *end, collide_kind kind);

/* Does the shape have turns that do not show, and normals that change with them? */
static inline bool collide_is_round(collide_kind kind)
{
    return kind == COLLIDE_SPHERE || kind == COLLIDE_CAPSULE;
}

static inline v3 collide_world_to_begin(const collide_motion *m, v3 x)
{
    return m3_tmul_v3(&m->R0, v3_sub(x, m->p0));
}

static inline v3 collide_world_to_end(const collide_motion *m, v3 x)
{
    return m3_tmul_v3(&m->R1, v3_sub(x, m->p1));
}

/* Into the coordinates at the end of the step of a shape without the turn that does not show. */
static inline v3 collide_world_to_shown(const collide_motion *m, v3 x)
{
    return m3_tmul_v3(&m->Rs, v3_sub(x, m->p1));
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
    v3 moved;  /* that point at the end of the step: another only if the shape itself changes */
    v3 normal; /* unit, outward */
} collide_contact;

/* Signed distance of y to the surface blown up by `thickness`. */
double collide_distance(const collide_shape *shape, v3 y, double thickness);

/* False: the way stays farther than `margin` from the blown-up surface. */
bool collide_way(const collide_shape *shape, v3 y0, v3 y1, double thickness, double margin,
                 collide_contact *contact);

#endif

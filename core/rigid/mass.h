/* SPDX-License-Identifier: Apache-2.0
 *
 * Moments of simple shapes, of what fills them and of their surfaces: the one gives a homogeneous
 * body its mass and inertia, the other its drag in air that pulls evenly at its skin.
 *
 * With x from the centre and dm an element of volume or area,
 *     total = int dm,    inertia = int (|x|^2 I - x x^T) dm,
 * and the axes of the shapes below are principal ones: the diagonal says it all.
 */
#ifndef RIGID_MASS_H
#define RIGID_MASS_H

#include "base/status.h"
#include "math/v3.h"

#include <stdint.h>

typedef enum rigid_kind { RIGID_SPHERE = 1, RIGID_BOX = 2, RIGID_CAPSULE = 3 } rigid_kind;

typedef struct rigid_shape {
    rigid_kind kind;
    v3 half;            /* m: a box's half sides */
    double radius;      /* m: of a sphere, or of a capsule, */
    double half_length; /* m: whose caps have their centres at x = +- half_length */
} rigid_shape;

typedef struct rigid_moments {
    double total; /* m^3, or m^2 of a surface */
    v3 inertia;   /* m^5, or m^4 */
} rigid_moments;

/* Sides and radii that are not finite and positive are refused, so are half lengths below zero;
 * `name` and `body` say whose they are. */
status rigid_check_shape(const rigid_shape *shape, const char *name, uint32_t body, error *err);

/* Of a shape that passed. */
rigid_moments rigid_find_solid(const rigid_shape *shape);
rigid_moments rigid_find_surface(const rigid_shape *shape);

#endif

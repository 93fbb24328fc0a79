/* SPDX-License-Identifier: Apache-2.0
 *
 * The point of a triangle that is nearest to a given one, and the part of the triangle it lies on.
 *
 * If the foot of the perpendicular lies inside, it is the nearest point; if not, the nearest point
 * of the three sides is. Also right for needles and triangles without area, which have only sides.
 */
#ifndef COLLIDE_TRIANGLE_H
#define COLLIDE_TRIANGLE_H

#include "math/v3.h"

#include <stdint.h>

typedef struct triangle {
    v3 corner[3];
} triangle;

enum { TRIANGLE_FACE = 7 };

typedef struct triangle_nearest {
    double share[3]; /* of the corners in the point; they sum to 1 */
    uint32_t part;   /* bits of the corners that have a share: a face, a side or a corner */
    v3 point;
    double distance2; /* squared */
} triangle_nearest;

/* Twice the area along the normal; the side where the corners turn counterclockwise is in front. */
static inline v3 triangle_area_vector(const triangle *t)
{
    return v3_cross(v3_sub(t->corner[1], t->corner[0]), v3_sub(t->corner[2], t->corner[0]));
}

/* Is it more than a line, and far enough from one for a normal? */
bool triangle_has_area(const triangle *t);

/* The point with these shares. */
static inline v3 triangle_point(const triangle *t, const double share[3])
{
    const v3 *c = t->corner;
    return v3_add(v3_add(v3_scale(share[0], c[0]), v3_scale(share[1], c[1])),
                  v3_scale(share[2], c[2]));
}

triangle_nearest triangle_find_nearest(const triangle *t, v3 y);

/* The nearest point of the three sides. */
triangle_nearest triangle_find_nearest_on_sides(const triangle *t, v3 y);

#endif

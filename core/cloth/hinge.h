/* SPDX-License-Identifier: Apache-2.0
 *
 * The angle between two triangles, and its gradient.
 *
 * With the edge e = b - a and the normals n0 = e x (c - a), n1 = (d - a) x e of the two triangles
 *     theta = atan2(n0 x n1 . e / |e|, n0 . n1),
 * zero when they lie in a plane, positive when c and d are on the side away from the normals. A
 * corner that moves by its triangle's height turns it by one radian, and motions of the whole do
 * not change the angle, so that
 *     grad_c = -|e| n0 / |n0|^2,    grad_d = -|e| n1 / |n1|^2,
 *     grad_a = -(1 - s) grad_c - (1 - t) grad_d,    grad_b = -s grad_c - t grad_d
 * where s and t say how far along the edge c and d are.
 */
#ifndef CLOTH_HINGE_H
#define CLOTH_HINGE_H

#include "math/trig.h"
#include "math/v3.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cloth_hinge_angle {
    double angle;    /* in [-pi, pi] */
    v3 gradient[4];  /* over a, b, c, d */
    bool is_defined; /* false, all zero, when a triangle has collapsed to a line */
} cloth_hinge_angle;

static inline cloth_hinge_angle cloth_hinge_measure(const uint32_t node[4], const double *x)
{
    const v3 a = v3_load(x + 3 * (size_t)node[0]);
    const v3 e = v3_sub(v3_load(x + 3 * (size_t)node[1]), a);
    const v3 c = v3_sub(v3_load(x + 3 * (size_t)node[2]), a);
    const v3 d = v3_sub(v3_load(x + 3 * (size_t)node[3]), a);
    const v3 n0 = v3_cross(e, c), n1 = v3_cross(d, e);
    const double ee = v3_dot(e, e), n00 = v3_dot(n0, n0), n11 = v3_dot(n1, n1);
    cloth_hinge_angle h = {.is_defined = ee > 0.0 && n00 > 0.0 && n11 > 0.0};
    if (!h.is_defined) return h;
    const double length = sqrt(ee), s = v3_dot(c, e) / ee, t = v3_dot(d, e) / ee;
    const v3 by_c = v3_scale(-length / n00, n0), by_d = v3_scale(-length / n11, n1);
    h.angle = trig_atan2(v3_dot(v3_cross(n0, n1), e) / length, v3_dot(n0, n1));
    h.gradient[0] = v3_add(v3_scale(s - 1.0, by_c), v3_scale(t - 1.0, by_d));
    h.gradient[1] = v3_add(v3_scale(-s, by_c), v3_scale(-t, by_d));
    h.gradient[2] = by_c;
    h.gradient[3] = by_d;
    return h;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The local frame of a contact: rows N, T1, T2, right-handed and orthonormal. A world vector x has
 * the local coordinates (x_N, x_T1, x_T2) = F x, and x = F^T (x_N, x_T1, x_T2).
 */
#ifndef MATH_FRAME_H
#define MATH_FRAME_H

#include "math/m3.h"

/* From a unit normal. T1 is orthogonal to the coordinate axis that N points along least, so no
 * normal is a bad case. */
static inline m3 frame_from_normal(v3 N)
{
    const double x = fabs(N.x), y = fabs(N.y), z = fabs(N.z);
    v3 T1;
    if (x <= y && x <= z) {
        T1 = (v3){0.0, N.z, -N.y};
    } else if (y <= z) {
        T1 = (v3){-N.z, 0.0, N.x};
    } else {
        T1 = (v3){N.y, -N.x, 0.0};
    }
    T1 = v3_normalize(T1);
    return (m3){{N, T1, v3_cross(N, T1)}};
}

#endif

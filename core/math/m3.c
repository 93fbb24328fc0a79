/* SPDX-License-Identifier: Apache-2.0 */
#include "math/m3.h"

bool m3_invert(const m3 *A, m3 *inverse)
{
    const v3 *r = A->row;
    const v3 c0 = v3_cross(r[1], r[2]), c1 = v3_cross(r[2], r[0]), c2 = v3_cross(r[0], r[1]);
    const double det = v3_dot(r[0], c0);
    const double scale = 1.0 / det;
    const m3 columns = {{v3_scale(scale, c0), v3_scale(scale, c1), v3_scale(scale, c2)}};
    if (!isfinite(det) || !m3_is_finite(&columns)) return false;
    *inverse = m3_transpose(&columns);
    return true;
}

sym3 sym3_rotate(const sym3 *A, const m3 *R)
{
    const v3 *r = R->row;
    const v3 a0 = sym3_mul_v3(A, r[0]), a1 = sym3_mul_v3(A, r[1]), a2 = sym3_mul_v3(A, r[2]);
    return (sym3){v3_dot(r[0], a0), v3_dot(r[0], a1), v3_dot(r[0], a2),
                  v3_dot(r[1], a1), v3_dot(r[1], a2), v3_dot(r[2], a2)};
}

bool sym3_solve(const sym3 *A, v3 b, v3 *x)
{
    /* A = L D L^T with unit lower L */
    const double d0 = A->xx;
    const double l10 = A->xy / d0, l20 = A->xz / d0;
    const double d1 = A->yy - l10 * A->xy;
    const double l21 = (A->yz - l20 * A->xy) / d1;
    const double d2 = A->zz - l20 * A->xz - l21 * l21 * d1;
    if (!(d0 > 0.0 && d1 > 0.0 && d2 > 0.0)) return false;
    const double y1 = b.y - l10 * b.x;
    const double y2 = b.z - l20 * b.x - l21 * y1;
    const double z = y2 / d2;
    const double y = y1 / d1 - l21 * z;
    *x = (v3){b.x / d0 - l10 * y - l20 * z, y, z};
    return true;
}

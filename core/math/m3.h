/* SPDX-License-Identifier: Apache-2.0
 *
 * 3x3 matrices, general (row by row) and symmetric (six numbers).
 */
#ifndef MATH_M3_H
#define MATH_M3_H

#include "math/v3.h"

typedef struct m3 {
    v3 row[3];
} m3;

typedef struct sym3 {
    double xx, xy, xz, yy, yz, zz;
} sym3;

static inline m3 m3_identity(void)
{
    return (m3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
}

static inline m3 m3_diagonal(double d)
{
    return (m3){{{d, 0.0, 0.0}, {0.0, d, 0.0}, {0.0, 0.0, d}}};
}

/* A x */
static inline v3 m3_mul_v3(const m3 *A, v3 x)
{
    return (v3){v3_dot(A->row[0], x), v3_dot(A->row[1], x), v3_dot(A->row[2], x)};
}

/* A^T x */
static inline v3 m3_tmul_v3(const m3 *A, v3 x)
{
    return v3_add(v3_add(v3_scale(x.x, A->row[0]), v3_scale(x.y, A->row[1])),
                  v3_scale(x.z, A->row[2]));
}

static inline m3 m3_transpose(const m3 *A)
{
    const v3 *r = A->row;
    return (m3){{{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}}};
}

/* A B */
static inline m3 m3_mul(const m3 *A, const m3 *B)
{
    return (m3){{m3_tmul_v3(B, A->row[0]), m3_tmul_v3(B, A->row[1]), m3_tmul_v3(B, A->row[2])}};
}

static inline m3 m3_add(const m3 *A, const m3 *B)
{
    return (m3){
        {v3_add(A->row[0], B->row[0]), v3_add(A->row[1], B->row[1]), v3_add(A->row[2], B->row[2])}};
}

static inline double m3_det(const m3 *A)
{
    return v3_dot(A->row[0], v3_cross(A->row[1], A->row[2]));
}

static inline bool m3_is_finite(const m3 *A)
{
    return v3_is_finite(A->row[0]) && v3_is_finite(A->row[1]) && v3_is_finite(A->row[2]);
}

/* A^-1 by cofactors; false, and nothing written, when A is singular or not finite, or when its
 * determinant or its inverse leaves the range of double. */
bool m3_invert(const m3 *A, m3 *inverse);

static inline sym3 sym3_diagonal(double d) { return (sym3){d, 0.0, 0.0, d, 0.0, d}; }

static inline double sym3_trace(const sym3 *A) { return A->xx + A->yy + A->zz; }

static inline v3 sym3_mul_v3(const sym3 *A, v3 x)
{
    return (v3){A->xx * x.x + A->xy * x.y + A->xz * x.z, A->xy * x.x + A->yy * x.y + A->yz * x.z,
                A->xz * x.x + A->yz * x.y + A->zz * x.z};
}

static inline m3 sym3_to_m3(const sym3 *A)
{
    return (m3){{{A->xx, A->xy, A->xz}, {A->xy, A->yy, A->yz}, {A->xz, A->yz, A->zz}}};
}

/* R A R^T */
sym3 sym3_rotate(const sym3 *A, const m3 *R);

/* Solves A x = b for positive definite A by LDL^T; false, and nothing written, when a pivot is not
 * positive. */
bool sym3_solve(const sym3 *A, v3 b, v3 *x);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors and matrices of three `real`s (math/real.h); matrices column by column.
 */
#ifndef MATH_REAL3_H
#define MATH_REAL3_H

#include "math/real.h"

typedef struct real3 {
    real x, y, z;
} real3;

typedef struct real33 {
    real3 column[3];
} real33;

/* xx, xy, xz, yy, yz, zz */
typedef struct real_sym3 {
    real xx, xy, xz, yy, yz, zz;
} real_sym3;

static inline real3 real3_add(real3 a, real3 b) { return (real3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static inline real3 real3_sub(real3 a, real3 b) { return (real3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline real3 real3_scale(real s, real3 a) { return (real3){s * a.x, s * a.y, s * a.z}; }

/* a + s b */
static inline real3 real3_add_scaled(real3 a, real s, real3 b)
{
    return (real3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline real real3_dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline real3 real3_cross(real3 a, real3 b)
{
    return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A x */
static inline real3 real33_mul_real3(const real33 *A, real3 x)
{
    const real3 sum = real3_add_scaled(real3_scale(x.x, A->column[0]), x.y, A->column[1]);
    return real3_add_scaled(sum, x.z, A->column[2]);
}

/* A^T x */
static inline real3 real33_tmul_real3(const real33 *A, real3 x)
{
    return (real3){real3_dot(A->column[0], x), real3_dot(A->column[1], x),
                   real3_dot(A->column[2], x)};
}

/* A B */
static inline real33 real33_mul(const real33 *A, const real33 *B)
{
    return (real33){{real33_mul_real3(A, B->column[0]), real33_mul_real3(A, B->column[1]),
                     real33_mul_real3(A, B->column[2])}};
}

/* A^T B */
static inline real33 real33_tmul(const real33 *A, const real33 *B)
{
    return (real33){{real33_tmul_real3(A, B->column[0]), real33_tmul_real3(A, B->column[1]),
                     real33_tmul_real3(A, B->column[2])}};
}

static inline real3 real_sym3_mul_real3(const real_sym3 *A, real3 x)
{
    return (real3){A->xx * x.x + A->xy * x.y + A->xz * x.z, A->xy * x.x + A->yy * x.y + A->yz * x.z,
                   A->xz * x.x + A->yz * x.y + A->zz * x.z};
}

/* A += w a a^T */
static inline void real_sym3_add_square(real_sym3 *A, real w, real3 a)
{
    const real3 wa = real3_scale(w, a);
    A->xx += wa.x * a.x;
    A->xy += wa.x * a.y;
    A->xz += wa.x * a.z;
    A->yy += wa.y * a.y;
    A->yz += wa.y * a.z;
    A->zz += wa.z * a.z;
}

static inline real3 real3_gather(const double *from, size_t stride)
{
    return (real3){real_gather(from, stride), real_gather(from + 1, stride),
                   real_gather(from + 2, stride)};
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * `real`: one number, or several side by side, so that a formula is written once and compiled for
 * both. A file that includes this has defined REAL_LANES: 1 (real is double) or a power of two (a
 * vector of that many, each lane with the bits a lone number would get).
 *
 * + - * / work on reals as they do on doubles, also between a real and a double.
 */
#ifndef MATH_REAL_H
#define MATH_REAL_H

#include <stddef.h>

#if REAL_LANES == 1

typedef double real;

static inline double real_lane(const real *x, size_t lane)
{
    (void)lane;
    return *x;
}

static inline void real_set_lane(real *x, size_t lane, double value)
{
    (void)lane;
    *x = value;
}

#else

typedef double real __attribute__((vector_size(REAL_LANES * sizeof(double))));

static inline double real_lane(const real *x, size_t lane) { return (*x)[lane]; }
static inline void real_set_lane(real *x, size_t lane, double value) { (*x)[lane] = value; }

#endif

/* Lane k from, or to, k * stride doubles on. */
static inline real real_gather(const double *from, size_t stride)
{
    real x;
    for (size_t k = 0; k < REAL_LANES; k++) real_set_lane(&x, k, from[k * stride]);
    return x;
}

static inline void real_scatter(double *to, size_t stride, const real *x)
{
    for (size_t k = 0; k < REAL_LANES; k++) to[k * stride] = real_lane(x, k);
}

#endif

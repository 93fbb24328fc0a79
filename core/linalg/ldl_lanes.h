/* SPDX-License-Identifier: Apache-2.0
 *
 * A = L D L^T of dense matrices side by side, one in each lane of `real` (math/real.h), with the
 * bits that ldl_factor and ldl_solve (linalg/ldl.h) give each of them. Where a pivot is not
 * positive, the factors from there on and the solution are NaN in its lane.
 */
#ifndef LINALG_LDL_LANES_H
#define LINALG_LDL_LANES_H

#include "math/real.h"

#include <math.h>

/* a . b, in the order of lanes_dot */
static inline real ldl_lanes_dot(const real *a, const real *b, size_t n)
{
    const real zero = {0};
    real s0 = zero, s1 = zero, s2 = zero, s3 = zero;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++) s0 += a[i] * b[i];
    return (s0 + s2) + (s1 + s3);
}

/* A row by row, n x n; what is above the diagonal is neither read nor written. */
static inline void ldl_lanes_factor(size_t n, real *A)
{
    for (size_t i = 0; i < n; i++) {
        real *g = A + i * n;
        for (size_t j = 1; j < i; j++) g[j] -= ldl_lanes_dot(A + j * n, g, j);
        real d = g[i];
        for (size_t j = 0; j < i; j++) {
            const real l = g[j] / A[j * n + j];
            d -= l * g[j];
            g[j] = l;
        }
        for (size_t k = 0; k < REAL_LANES; k++) {
            const double pivot = real_lane(&d, k);
            if (!(pivot > 0.0 && isfinite(pivot))) real_set_lane(&d, k, NAN);
        }
        g[i] = d;
    }
}

static inline void ldl_lanes_solve(size_t n, const real *LD, real *x)
{
    for (size_t i = 1; i < n; i++) x[i] -= ldl_lanes_dot(LD + i * n, x, i);
    for (size_t i = 0; i < n; i++) x[i] /= LD[i * n + i];
    for (size_t i = n; i-- > 1;) {
        for (size_t j = 0; j < i; j++) x[j] += -x[i] * LD[i * n + j];
    }
}

#endif

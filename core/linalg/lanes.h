/* SPDX-License-Identifier: Apache-2.0
 *
 * The two inner loops of linear algebra, with the same bits on every machine.
 *
 * A compiler may not reorder a sum, so the order is chosen here such that it can be vectorised:
 * lane k of four adds the items k, k + 4, k + 8, ...
 */
#ifndef LINALG_LANES_H
#define LINALG_LANES_H

#include <stddef.h>

/* a . b */
static inline double lanes_dot(const double *a, const double *b, size_t n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
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

/* y += s x */
static inline void lanes_add_scaled(double *restrict y, double s, const double *restrict x,
                                    size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t k = i; k < i + 4; k++) y[k] += s * x[k];
    }
    for (; i < n; i++) y[i] += s * x[i];
}

#endif

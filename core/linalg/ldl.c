/* SPDX-License-Identifier: Apache-2.0
 *
 * Row i of the factors is a forward substitution with the rows above it. With g_k = l_ik d_k:
 *
 *     g_j  = a_ij - sum_{k<j} l_jk g_k,     j < i
 *     l_ij = g_j / d_j
 *     d_i  = a_ii - sum_{j<i} l_ij g_j
 *
 * All sums run along rows, where the entries are neighbours in memory. A row of L begins where the
 * row of A does, so a banded matrix has banded factors.
 */
#include "linalg/ldl.h"

#include "linalg/lanes.h"

#include <math.h>

ldl_shape ldl_dense(size_t n) { return (ldl_shape){.n = n, .width = n, .offset = 0, .stride = n}; }

ldl_shape ldl_banded(size_t n, size_t width)
{
    return (ldl_shape){.n = n, .width = width, .offset = width, .stride = width};
}

size_t ldl_count(const ldl_shape *shape)
{
    return shape->n ? ldl_index(shape, shape->n - 1, shape->n - 1) + 1 : 0;
}

/* The first column that row i stores. */
static size_t first_column(const ldl_shape *shape, size_t i)
{
    return i > shape->width ? i - shape->width : 0;
}

/* Turns row i of A into row i of L and returns d_i. */
static double factor_row(const ldl_shape *shape, double *A, size_t i)
{
    const size_t first = first_column(shape, i);
    double *g = A + ldl_index(shape, i, first); /* g[j - first] */
    for (size_t j = first + 1; j < i; j++) {
        g[j - first] -= lanes_dot(A + ldl_index(shape, j, first), g, j - first);
    }
    double d = A[ldl_index(shape, i, i)];
    for (size_t j = first; j < i; j++) {
        const double l = g[j - first] / A[ldl_index(shape, j, j)];
        d -= l * g[j - first];
        g[j - first] = l;
    }
    return d;
}

bool ldl_factor(const ldl_shape *shape, double *A, size_t *bad_pivot)
{
    for (size_t i = 0; i < shape->n; i++) {
        const double d = factor_row(shape, A, i);
        if (!(d > 0.0 && isfinite(d))) {
            if (bad_pivot) *bad_pivot = i;
            return false;
        }
        A[ldl_index(shape, i, i)] = d;
    }
    return true;
}

void ldl_forward(const ldl_shape *shape, const double *LD, double *x)
{
    for (size_t i = 1; i < shape->n; i++) {
        const size_t first = first_column(shape, i);
        x[i] -= lanes_dot(LD + ldl_index(shape, i, first), x + first, i - first);
    }
}

void ldl_divide(const ldl_shape *shape, const double *LD, double *x)
{
    for (size_t i = 0; i < shape->n; i++) x[i] /= LD[ldl_index(shape, i, i)];
}

void ldl_backward(const ldl_shape *shape, const double *LD, double *x)
{
    for (size_t i = shape->n; i-- > 1;) {
        const size_t first = first_column(shape, i);
        lanes_add_scaled(x + first, -x[i], LD + ldl_index(shape, i, first), i - first);
    }
}

void ldl_solve(const ldl_shape *shape, const double *LD, double *x)
{
    ldl_forward(shape, LD, x);
    ldl_divide(shape, LD, x);
    ldl_backward(shape, LD, x);
}

void ldl_inverse_roots(const ldl_shape *shape, const double *LD, double *roots)
{
    for (size_t i = 0; i < shape->n; i++) roots[i] = 1.0 / sqrt(LD[ldl_index(shape, i, i)]);
}

void ldl_whiten(const ldl_shape *shape, const double *LD, const double *roots, double *x)
{
    ldl_forward(shape, LD, x);
    for (size_t i = 0; i < shape->n; i++) x[i] *= roots[i];
}

void ldl_whiten_transposed(const ldl_shape *shape, const double *LD, const double *roots, double *x)
{
    for (size_t i = 0; i < shape->n; i++) x[i] *= roots[i];
    ldl_backward(shape, LD, x);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A = L D L^T for a symmetric positive definite A, dense or banded: L is unit lower triangular, D
 * diagonal and positive. No pivoting, no allocation; the factors take A's place.
 *
 *     const ldl_shape shape = ldl_dense(n);
 *     if (!ldl_factor(&shape, A, &bad)) ...        A is not positive definite, see row `bad`
 *     ldl_solve(&shape, A, x);                     x <- A^-1 x
 *
 * For contacts the factors whiten: with G = L D^1/2, A = G G^T, the map x -> G^-1 x turns the inner
 * product of A^-1 into the plain one, and Z = G^-1 H^T gives H A^-1 H^T = Z^T Z.
 */
#ifndef LINALG_LDL_H
#define LINALG_LDL_H

#include <stdbool.h>
#include <stddef.h>

/* Where the lower triangle is: entry (i, j), 0 <= i - j <= width, at offset + i * stride + j. */
typedef struct ldl_shape {
    size_t n;
    size_t width; /* half bandwidth: entries further left are zero and not stored */
    size_t offset;
    size_t stride;
} ldl_shape;

/* The full n x n square, row by row; what is above the diagonal is neither read nor written. */
ldl_shape ldl_dense(size_t n);

/* Row by row width + 1 entries, the diagonal last. The first rows have places left of the matrix,
 * which are neither read nor written. */
ldl_shape ldl_banded(size_t n, size_t width);

/* How many doubles the matrix takes. */
size_t ldl_count(const ldl_shape *shape);

static inline size_t ldl_index(const ldl_shape *shape, size_t i, size_t j)
{
    return shape->offset + i * shape->stride + j;
}

/* Replaces A by L (below the diagonal) and D (on it). False when pivot d_i is not positive or not
 * finite: then *bad_pivot is i unless bad_pivot is NULL, and A is lost. */
bool ldl_factor(const ldl_shape *shape, double *A, size_t *bad_pivot);

/* The following take factors. */

/* x <- A^-1 x = L^-T D^-1 L^-1 x */
void ldl_solve(const ldl_shape *shape, const double *LD, double *x);

void ldl_forward(const ldl_shape *shape, const double *LD, double *x);  /* x <- L^-1 x */
void ldl_divide(const ldl_shape *shape, const double *LD, double *x);   /* x <- D^-1 x */
void ldl_backward(const ldl_shape *shape, const double *LD, double *x); /* x <- L^-T x */

/* roots_i = d_i^-1/2, computed once for many calls of the next two. */
void ldl_inverse_roots(const ldl_shape *shape, const double *LD, double *roots);

/* x <- G^-1 x = D^-1/2 L^-1 x */
void ldl_whiten(const ldl_shape *shape, const double *LD, const double *roots, double *x);

/* x <- G^-T x = L^-T D^-1/2 x */
void ldl_whiten_transposed(const ldl_shape *shape, const double *LD, const double *roots,
                           double *x);

#endif

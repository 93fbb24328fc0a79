/* SPDX-License-Identifier: Apache-2.0
 *
 * Small dense matrices, row by row, for the stability of rods.
 */
#ifndef STICTION_VALIDATE_ROD_DENSE_H
#define STICTION_VALIDATE_ROD_DENSE_H

#include <stddef.h>

/* Rows [count][n] made orthonormal, one after the other. */
void dense_orthonormalize(size_t count, size_t n, double *rows);

/* H becomes P H P + s Q^T Q with the projection P = I - Q^T Q away from the orthonormal rows Q: its
 * eigenvalues are those of the symmetric H on the null space of Q, and s. */
void dense_project(size_t n, double *H, size_t count, const double *Q, double s);

/* The smallest eigenvalue of the symmetric A, by bisection: A - x I has a Cholesky factor exactly
 * for x below it. `work` has room for n * n. */
double dense_lowest(size_t n, const double *A, double *work);

#endif

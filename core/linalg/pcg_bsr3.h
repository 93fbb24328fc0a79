/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate gradients on a matrix of 3x3 blocks, preconditioned by the inverse of its diagonal
 * blocks (block Jacobi).
 *
 *     sym3 *inverse = ...;                                     one for each block row
 *     if (!pcg_bsr3_invert_diagonal(&A, inverse, &bad)) ...
 *     pcg_bsr3 pair = {&A, inverse, threads};
 *     const pcg_system system = pcg_bsr3_system(&pair);
 *     report = pcg_solve(&system, b, x, 1e-8, 1000, work);
 */
#ifndef LINALG_PCG_BSR3_H
#define LINALG_PCG_BSR3_H

#include "linalg/bsr3.h"
#include "linalg/pcg.h"

typedef struct pcg_bsr3 {
    const bsr3 *A;       /* square */
    const sym3 *inverse; /* of the diagonal blocks; NULL: no preconditioner */
    pool *threads;       /* may be NULL */
} pcg_bsr3;

/* False when a diagonal block is missing or not positive definite; then *bad_row says which, unless
 * bad_row is NULL. Of each block the upper triangle is read. */
bool pcg_bsr3_invert_diagonal(const bsr3 *A, sym3 *inverse, uint32_t *bad_row);

/* For pcg_solve; `pair` and what it points to must outlive it. */
pcg_system pcg_bsr3_system(pcg_bsr3 *pair);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A = L U for a sparse matrix of 3x3 blocks with a symmetric pattern, unsymmetric values. Unknowns
 * are eliminated in minimum degree order; there is no pivoting between blocks, so the blocks on the
 * diagonal should be the heavy ones. Symbolic and numeric phases are apart: Newton's method factors
 * the same pattern again and again.
 */
#ifndef LINALG_BLOCK_LU_H
#define LINALG_BLOCK_LU_H

#include "linalg/min_degree.h"

typedef struct block_lu {
    const allocator *from;
    min_degree pattern;
    m3 *upper;         /* as pattern.entries */
    m3 *lower;         /* [entries] by rows, see below */
    m3 *inverse;       /* [n] of the diagonal blocks of U */
    m3 *row;           /* [n] the row that is being eliminated */
    size_t *low_start; /* [n + 1] row i of L: ranks low_col[low_start[i] ...), rising */
    uint32_t *low_col;
    double *x;      /* [3 n] in elimination order */
    uint64_t flops; /* of one factorisation, roughly */
} block_lu;

/* As min_degree_create. */
status block_lu_create(block_lu *f, const allocator *from, const bsr3 *A, size_t limit);
void block_lu_destroy(block_lu *f);

/* False when a diagonal block is singular or not finite. A has the pattern given at creation. Rows
 * with only_diagonal[i] (may be NULL) have their other blocks taken as zero. */
bool block_lu_factor(block_lu *f, const bsr3 *A, const bool *only_diagonal);

/* x <- A^-1 x */
void block_lu_solve(const block_lu *f, double *x);

#endif

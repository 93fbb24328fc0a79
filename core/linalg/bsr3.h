/* SPDX-License-Identifier: Apache-2.0
 *
 * A sparse matrix of 3x3 blocks, stored as block compressed rows: the blocks of a row lie one after
 * another in memory with rising columns, which is the order in which a product reads them.
 *
 * The pattern is made once from a list of places (symbolic), then filled as often as needed
 * (numeric):
 *
 *     bsr3_create(&A, from, nodes, nodes, places, count);
 *     slot = bsr3_find_slot(&A, i, j);              once per element, kept by the caller
 *     bsr3_set_zero(&A);                            every step
 *     bsr3_add_to_slot(&A, slot, &block);
 *
 * Vectors are plain arrays of 3 doubles per block row or column.
 */
#ifndef LINALG_BSR3_H
#define LINALG_BSR3_H

#include "base/memory.h"
#include "base/pool.h"
#include "base/status.h"
#include "math/m3.h"

#define BSR3_NO_SLOT UINT32_MAX

typedef struct bsr3 {
    const allocator *from;
    uint32_t rows, cols, blocks;
    m3 *block;           /* [blocks] */
    uint32_t *col;       /* [blocks] column of each block */
    uint32_t *row_start; /* [rows + 1] slot of the first block of each row */
    uint32_t *diagonal;  /* [rows] slot of block (i, i) or BSR3_NO_SLOT */
} bsr3;

typedef struct bsr3_place {
    uint32_t row, col;
} bsr3_place;

/* A zero matrix with a block at every place named, in any order and as often as one likes. Gives
 * STATUS_INVALID_ARGUMENT for a place outside the matrix, STATUS_OUT_OF_MEMORY, or STATUS_OK;
 * without OK the matrix is empty, and destroying it does no harm. */
status bsr3_create(bsr3 *A, const allocator *from, uint32_t rows, uint32_t cols,
                   const bsr3_place *places, size_t count);
void bsr3_destroy(bsr3 *A);

/* B = A^T, block by block; as bsr3_create. */
status bsr3_create_transposed(bsr3 *B, const allocator *from, const bsr3 *A);

/* Where block (row, col) is kept; BSR3_NO_SLOT if the pattern has none. */
uint32_t bsr3_find_slot(const bsr3 *A, uint32_t row, uint32_t col);

static inline void bsr3_add_to_slot(bsr3 *A, uint32_t slot, const m3 *B)
{
    A->block[slot] = m3_add(&A->block[slot], B);
}

/* False, and nothing changed, if the pattern has no block there. */
bool bsr3_add_block(bsr3 *A, uint32_t row, uint32_t col, const m3 *B);

/* Block (i, i), or NULL if the pattern has none. */
static inline const m3 *bsr3_diagonal(const bsr3 *A, uint32_t i)
{
    return A->diagonal[i] == BSR3_NO_SLOT ? NULL : &A->block[A->diagonal[i]];
}

void bsr3_set_zero(bsr3 *A);

/* y = A x and y += A x. x and y must not overlap; `threads` may be NULL. The bits do not depend on
 * it. */
void bsr3_mul(const bsr3 *A, pool *threads, const double *x, double *y);
void bsr3_mul_add(const bsr3 *A, pool *threads, const double *x, double *y);

/* y = A^T x */
void bsr3_mul_transposed(const bsr3 *A, const double *x, double *y);

#endif

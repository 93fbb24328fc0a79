/* SPDX-License-Identifier: Apache-2.0
 *
 * Symbolic phase, in time linear in the number of places and the size of the matrix: drop the
 * places into buckets by column, throw out repetitions, then deal the buckets out to the rows in
 * the order of the columns. Every row then has its columns sorted.
 */
#include "linalg/bsr3.h"

#include <string.h>

/* The places, by column. */
typedef struct bsr3_buckets {
    uint32_t *memory;
    size_t size;
    uint32_t *start; /* [cols + 1] */
    uint32_t *row;   /* [count] */
    uint32_t *mark;  /* [rows] one number for each row */
} bsr3_buckets;

static bool buckets_create(bsr3_buckets *b, const allocator *from, uint32_t rows, uint32_t cols,
                           size_t count)
{
    const size_t numbers = (size_t)cols + 1 + count + rows;
    b->size = memory_size(numbers, sizeof *b->memory);
    b->memory = memory_alloc(from, b->size);
    if (!b->memory) return false;
    b->start = b->memory;
    b->row = b->start + cols + 1;
    b->mark = b->row + count;
    return true;
}

/* Turns counts into where each begins: start[i + 1] holds the count of i and will hold its end. */
static void sum_up(uint32_t *start, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) start[i + 1] += start[i];
}

static void buckets_fill(bsr3_buckets *b, uint32_t cols, const bsr3_place *places, size_t count)
{
    for (size_t k = 0; k < count; k++) b->start[places[k].col + 1]++;
    sum_up(b->start, cols);
    for (size_t k = count; k-- > 0;) {
        /* fill each bucket from its end, so that the ends become the beginnings */
        b->row[--b->start[places[k].col + 1]] = places[k].row;
    }
    memmove(b->start, b->start + 1, cols * sizeof *b->start);
    b->start[cols] = (uint32_t)count;
}

/* Keeps each (row, column) once and returns how many are left. mark[i] is 1 + the last column of
 * row i. */
static uint32_t buckets_merge(bsr3_buckets *b, uint32_t cols)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < cols; j++) {
        const uint32_t begin = b->start[j], end = b->start[j + 1];
        b->start[j] = kept;
        for (uint32_t k = begin; k < end; k++) {
            const uint32_t i = b->row[k];
            if (b->mark[i] == j + 1) continue;
            b->mark[i] = j + 1;
            b->row[kept++] = i;
        }
    }
    b->start[cols] = kept;
    return kept;
}

/* Bytes of the one piece of memory behind all arrays; 0 if that is more than can be addressed. */
static size_t bsr3_size(uint32_t rows, uint32_t blocks)
{
    const uint64_t numbers = (uint64_t)blocks + 2 * (uint64_t)rows + 1;
    const uint64_t size = sizeof(m3) * (uint64_t)blocks + sizeof(uint32_t) * numbers;
    return size > PTRDIFF_MAX ? 0 : (size_t)size;
}

static bool bsr3_allocate(bsr3 *A, uint32_t rows, uint32_t cols, uint32_t blocks)
{
    A->block = memory_alloc(A->from, bsr3_size(rows, blocks));
    if (!A->block) return false;
    A->rows = rows;
    A->cols = cols;
    A->blocks = blocks;
    A->row_start = (uint32_t *)(A->block + blocks);
    A->diagonal = A->row_start + rows + 1;
    A->col = A->diagonal + rows;
    return true;
}

/* Deals the buckets out to the rows. mark[i] is where the next block of row i goes. */
static void bsr3_set_pattern(bsr3 *A, const bsr3_buckets *b)
{
    for (uint32_t k = 0; k < A->blocks; k++) A->row_start[b->row[k] + 1]++;
    sum_up(A->row_start, A->rows);
    for (uint32_t i = 0; i < A->rows; i++) {
        b->mark[i] = A->row_start[i];
        A->diagonal[i] = BSR3_NO_SLOT;
    }
    for (uint32_t j = 0; j < A->cols; j++) {
        for (uint32_t k = b->start[j]; k < b->start[j + 1]; k++) {
            const uint32_t i = b->row[k], slot = b->mark[i]++;
            A->col[slot] = j;
            if (i == j) A->diagonal[i] = slot;
        }
    }
}

status bsr3_create(bsr3 *A, const allocator *from, uint32_t rows, uint32_t cols,
                   const bsr3_place *places, size_t count)
{
    *A = (bsr3){.from = from};
    if (count >= BSR3_NO_SLOT) return STATUS_INVALID_ARGUMENT;
    for (size_t k = 0; k < count; k++) {
        if (places[k].row >= rows || places[k].col >= cols) return STATUS_INVALID_ARGUMENT;
    }
    bsr3_buckets b;
    if (!buckets_create(&b, from, rows, cols, count)) return STATUS_OUT_OF_MEMORY;
    buckets_fill(&b, cols, places, count);
    const uint32_t blocks = buckets_merge(&b, cols);
    const bool allocated = bsr3_allocate(A, rows, cols, blocks);
    if (allocated) bsr3_set_pattern(A, &b);
    memory_free(from, b.memory, b.size);
    return allocated ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

/* Deals the blocks of the rows of A, which come with rising row numbers, out to the rows of B. */
static void bsr3_set_transposed(bsr3 *B, const bsr3 *A, uint32_t *next)
{
    for (uint32_t k = 0; k < A->blocks; k++) B->row_start[A->col[k] + 1]++;
    sum_up(B->row_start, B->rows);
    for (uint32_t j = 0; j < B->rows; j++) {
        next[j] = B->row_start[j];
        B->diagonal[j] = BSR3_NO_SLOT;
    }
    for (uint32_t i = 0; i < A->rows; i++) {
        for (uint32_t k = A->row_start[i]; k < A->row_start[i + 1]; k++) {
            const uint32_t j = A->col[k], slot = next[j]++;
            B->col[slot] = i;
            B->block[slot] = m3_transpose(&A->block[k]);
            if (i == j) B->diagonal[j] = slot;
        }
    }
}

status bsr3_create_transposed(bsr3 *B, const allocator *from, const bsr3 *A)
{
    *B = (bsr3){.from = from};
    const size_t size = memory_size(A->cols, sizeof(uint32_t));
    uint32_t *next = memory_alloc(from, size);
    if (!next) return STATUS_OUT_OF_MEMORY;
    const bool allocated = bsr3_allocate(B, A->cols, A->rows, A->blocks);
    if (allocated) bsr3_set_transposed(B, A, next);
    memory_free(from, next, size);
    return allocated ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

void bsr3_destroy(bsr3 *A)
{
    memory_free(A->from, A->block, bsr3_size(A->rows, A->blocks));
    *A = (bsr3){.from = A->from};
}

uint32_t bsr3_find_slot(const bsr3 *A, uint32_t row, uint32_t col)
{
    if (row >= A->rows) return BSR3_NO_SLOT;
    uint32_t low = A->row_start[row], high = A->row_start[row + 1];
    const uint32_t end = high;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (A->col[middle] < col) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < end && A->col[low] == col ? low : BSR3_NO_SLOT;
}

bool bsr3_add_block(bsr3 *A, uint32_t row, uint32_t col, const m3 *B)
{
    const uint32_t slot = bsr3_find_slot(A, row, col);
    if (slot == BSR3_NO_SLOT) return false;
    bsr3_add_to_slot(A, slot, B);
    return true;
}

void bsr3_set_zero(bsr3 *A)
{
    for (uint32_t slot = 0; slot < A->blocks; slot++) A->block[slot] = m3_diagonal(0.0);
}

typedef struct mul_job {
    const bsr3 *A;
    const double *x;
    double *y;
} mul_job;

static void mul_add_rows(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const mul_job *job = user;
    const bsr3 *A = job->A;
    for (size_t i = begin; i < end; i++) {
        v3 sum = v3_load(job->y + 3 * i);
        for (uint32_t slot = A->row_start[i]; slot < A->row_start[i + 1]; slot++) {
            const v3 x = v3_load(job->x + 3 * (size_t)A->col[slot]);
            sum = v3_add(sum, m3_mul_v3(&A->block[slot], x));
        }
        v3_store(job->y + 3 * i, sum);
    }
}

static void mul_rows(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const mul_job *job = user;
    memset(job->y + 3 * begin, 0, 3 * (end - begin) * sizeof *job->y);
    mul_add_rows(user, begin, end, chunk);
}

void bsr3_mul(const bsr3 *A, pool *threads, const double *x, double *y)
{
    mul_job job = {A, x, y};
    pool_for(threads, A->rows, mul_rows, &job);
}

void bsr3_mul_add(const bsr3 *A, pool *threads, const double *x, double *y)
{
    mul_job job = {A, x, y};
    pool_for(threads, A->rows, mul_add_rows, &job);
}

void bsr3_mul_transposed(const bsr3 *A, const double *x, double *y)
{
    for (size_t k = 0; k < 3 * (size_t)A->cols; k++) y[k] = 0.0;
    for (uint32_t i = 0; i < A->rows; i++) {
        const v3 xi = v3_load(x + 3 * (size_t)i);
        for (uint32_t slot = A->row_start[i]; slot < A->row_start[i + 1]; slot++) {
            double *yj = y + 3 * (size_t)A->col[slot];
            v3_store(yj, v3_add(v3_load(yj), m3_tmul_v3(&A->block[slot], xi)));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Row i of the factors, in elimination order:
 *     l_iq = a_iq D_q^-1,   a_i. -= l_iq u_q.   for q in row i of L, rising
 *     D_i  = a_ii,  u_ij = a_ij for j > i
 */
#include "linalg/block_lu.h"

#include <string.h>

static size_t entry_count(const block_lu *f) { return f->pattern.entries.count; }

static const uint32_t *entries(const block_lu *f) { return f->pattern.entries.data; }

/* Everything in one piece of memory; `upper` is where it begins. */
static size_t block_lu_size(const block_lu *f)
{
    const size_t n = f->pattern.n, e = entry_count(f);
    return (2 * e + 2 * n) * sizeof(m3) + 3 * n * sizeof(double) + (n + 1) * sizeof(size_t) +
           e * sizeof(uint32_t);
}

static bool block_lu_allocate(block_lu *f)
{
    const size_t n = f->pattern.n, e = entry_count(f);
    f->upper = memory_alloc(f->from, block_lu_size(f));
    if (!f->upper) return false;
    f->lower = f->upper + e;
    f->inverse = f->lower + e;
    f->row = f->inverse + n;
    f->x = (double *)(f->row + n);
    f->low_start = (size_t *)(f->x + 3 * n);
    f->low_col = (uint32_t *)(f->low_start + n + 1);
    return true;
}

/* The pattern of L is U's transposed; rows of U are visited in order, so columns come out
 * rising. */
static void set_lower_pattern(block_lu *f)
{
    const uint32_t n = f->pattern.n;
    for (size_t k = 0; k < entry_count(f); k++) f->low_start[entries(f)[k] + 1]++;
    for (uint32_t i = 0; i < n; i++) f->low_start[i + 1] += f->low_start[i];
    for (uint32_t i = 0; i < n; i++) {
        const size_t begin = f->pattern.start[i], end = f->pattern.start[i + 1];
        for (size_t k = begin; k < end; k++) f->low_col[f->low_start[entries(f)[k]]++] = i;
        f->flops += 54 * (uint64_t)(end - begin) * (uint64_t)(end - begin);
    }
    memmove(f->low_start + 1, f->low_start, n * sizeof *f->low_start);
    f->low_start[0] = 0;
}

status block_lu_create(block_lu *f, const allocator *from, const bsr3 *A, size_t limit)
{
    *f = (block_lu){.from = from};
    const status st = min_degree_create(&f->pattern, from, A, limit);
    if (st < 0) return st;
    if (!block_lu_allocate(f)) {
        min_degree_destroy(&f->pattern);
        return STATUS_OUT_OF_MEMORY;
    }
    set_lower_pattern(f);
    return STATUS_OK;
}

void block_lu_destroy(block_lu *f)
{
    memory_free(f->from, f->upper, block_lu_size(f));
    f->upper = NULL;
    min_degree_destroy(&f->pattern);
}

static m3 sub_product(m3 C, const m3 *A, const m3 *B)
{
    for (int i = 0; i < 3; i++) C.row[i] = v3_sub(C.row[i], m3_tmul_v3(B, A->row[i]));
    return C;
}

static void scatter_row(block_lu *f, const bsr3 *A, uint32_t i, bool only_diagonal)
{
    const m3 zero = m3_diagonal(0.0);
    for (size_t k = f->low_start[i]; k < f->low_start[i + 1]; k++) f->row[f->low_col[k]] = zero;
    for (size_t k = f->pattern.start[i]; k < f->pattern.start[i + 1]; k++) {
        f->row[entries(f)[k]] = zero;
    }
    const uint32_t contact = f->pattern.order[i];
    for (uint32_t s = A->row_start[contact]; s < A->row_start[contact + 1]; s++) {
        const uint32_t j = f->pattern.rank[A->col[s]];
        if (j == i || !only_diagonal) f->row[j] = A->block[s];
    }
}

/* Rows of U that are known to be zero right of the diagonal change nothing. */
static void eliminate_row(block_lu *f, uint32_t i, const bool *only_diagonal)
{
    for (size_t k = f->low_start[i]; k < f->low_start[i + 1]; k++) {
        const uint32_t q = f->low_col[k];
        const m3 l = m3_mul(&f->row[q], &f->inverse[q]);
        f->lower[k] = l;
        if (only_diagonal && only_diagonal[f->pattern.order[q]]) continue;
        for (size_t e = f->pattern.start[q]; e < f->pattern.start[q + 1]; e++) {
            m3 *target = &f->row[entries(f)[e]];
            *target = sub_product(*target, &l, &f->upper[e]);
        }
    }
}

static void clear_row(block_lu *f, uint32_t i)
{
    for (size_t k = f->low_start[i]; k < f->low_start[i + 1]; k++) f->lower[k] = m3_diagonal(0.0);
}

bool block_lu_factor(block_lu *f, const bsr3 *A, const bool *only_diagonal)
{
    for (uint32_t i = 0; i < f->pattern.n; i++) {
        const bool alone = only_diagonal && only_diagonal[f->pattern.order[i]];
        scatter_row(f, A, i, alone);
        if (alone) {
            clear_row(f, i);
        } else {
            eliminate_row(f, i, only_diagonal);
        }
        if (!m3_invert(&f->row[i], &f->inverse[i])) return false;
        for (size_t k = f->pattern.start[i]; k < f->pattern.start[i + 1]; k++) {
            f->upper[k] = f->row[entries(f)[k]];
        }
    }
    return true;
}

void block_lu_solve(const block_lu *f, double *x)
{
    const uint32_t n = f->pattern.n;
    for (uint32_t i = 0; i < n; i++) {
        v3 y = v3_load(x + 3 * (size_t)f->pattern.order[i]);
        for (size_t k = f->low_start[i]; k < f->low_start[i + 1]; k++) {
            y = v3_sub(y, m3_mul_v3(&f->lower[k], v3_load(f->x + 3 * (size_t)f->low_col[k])));
        }
        v3_store(f->x + 3 * (size_t)i, y);
    }
    for (uint32_t i = n; i-- > 0;) {
        v3 y = v3_load(f->x + 3 * (size_t)i);
        for (size_t k = f->pattern.start[i]; k < f->pattern.start[i + 1]; k++) {
            y = v3_sub(y, m3_mul_v3(&f->upper[k], v3_load(f->x + 3 * (size_t)entries(f)[k])));
        }
        v3_store(f->x + 3 * (size_t)i, m3_mul_v3(&f->inverse[i], y));
    }
    for (uint32_t i = 0; i < n; i++) {
        v3_store(x + 3 * (size_t)f->pattern.order[i], v3_load(f->x + 3 * (size_t)i));
    }
}

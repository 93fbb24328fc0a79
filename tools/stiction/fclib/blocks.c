/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks.h"

#include <stdlib.h>

/* The three rows of a contact, sorted, are merged: the next block is the nearest column any of them
 * has left. */
typedef struct merge {
    const sparse *rows; /* W transposed: its columns are the rows of W */
    size_t at[3], end[3];
} merge;

static merge merge_begin(const sparse *rows, uint32_t contact)
{
    merge m = {.rows = rows};
    for (uint32_t a = 0; a < 3; a++) {
        m.at[a] = rows->start[3 * contact + a];
        m.end[a] = rows->start[3 * contact + a + 1];
    }
    return m;
}

static bool merge_find_column(const merge *m, uint32_t *col)
{
    *col = UINT32_MAX;
    for (int a = 0; a < 3; a++) {
        if (m->at[a] == m->end[a]) continue;
        const uint32_t here = m->rows->row[m->at[a]] / 3;
        if (here < *col) *col = here;
    }
    return *col != UINT32_MAX;
}

static void merge_take(merge *m, uint32_t col, double block[9])
{
    for (int a = 0; a < 3; a++) {
        for (; m->at[a] < m->end[a] && m->rows->row[m->at[a]] / 3 == col; m->at[a]++) {
            block[3 * a + (int)(m->rows->row[m->at[a]] % 3)] = m->rows->value[m->at[a]];
        }
    }
}

static size_t count_blocks(const sparse *rows, uint32_t contacts)
{
    size_t count = 0;
    for (uint32_t i = 0; i < contacts; i++) {
        merge m = merge_begin(rows, i);
        double unused[9];
        for (uint32_t col; merge_find_column(&m, &col); count++) merge_take(&m, col, unused);
    }
    return count;
}

static void fill(fclib_problem *out, const sparse *rows)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < out->contacts; i++) {
        merge m = merge_begin(rows, i);
        out->row_start[i] = next;
        for (uint32_t col; merge_find_column(&m, &col); next++) {
            out->col[next] = col;
            merge_take(&m, col, &out->blocks[9 * (size_t)next]);
        }
    }
    out->row_start[out->contacts] = next;
}

static bool from_rows(fclib_problem *out, const sparse *rows, fclib_error *error)
{
    out->contacts = rows->cols / 3;
    const size_t count = count_blocks(rows, out->contacts);
    if (count > UINT32_MAX) {
        return fclib_fail(error, FCLIB_WRONG, "W has %zu blocks, expected fewer than 2^32", count);
    }
    out->row_start = malloc(((size_t)out->contacts + 1) * sizeof *out->row_start);
    out->col = malloc((count + 1) * sizeof *out->col);
    out->blocks = calloc(9 * count + 1, sizeof *out->blocks);
    if (!out->row_start || !out->col || !out->blocks) return fclib_fail_memory(error);
    fill(out, rows);
    return true;
}

bool blocks_from_sparse(fclib_problem *out, const sparse *W, fclib_error *error)
{
    sparse rows;
    if (!sparse_transpose(&rows, W)) return fclib_fail_memory(error);
    const bool good = from_rows(out, &rows, error);
    sparse_free(&rows);
    return good;
}

static void list_block(sparse_list *list, uint32_t i, uint32_t j, const double block[9])
{
    for (uint32_t k = 0; k < 9; k++) sparse_list_add(list, 3 * i + k / 3, 3 * j + k % 3, block[k]);
}

bool blocks_to_sparse(sparse *W, const stn_contact_problem *problem)
{
    sparse_list list = {0};
    for (uint32_t i = 0; i < problem->contacts; i++) {
        for (uint32_t k = problem->row_start[i]; k < problem->row_start[i + 1]; k++) {
            list_block(&list, i, problem->col[k], &problem->blocks[9 * (size_t)k]);
        }
    }
    const bool good = sparse_create(W, 3 * problem->contacts, 3 * problem->contacts, &list);
    sparse_list_free(&list);
    return good;
}

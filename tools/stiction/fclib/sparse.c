/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

static bool grow(sparse_list *list)
{
    const size_t capacity = list->capacity ? 2 * list->capacity : 1024;
    sparse_entry *at = realloc(list->at, capacity * sizeof *at);
    if (!at) return false;
    list->at = at;
    list->capacity = capacity;
    return true;
}

void sparse_list_add(sparse_list *list, uint32_t row, uint32_t col, double value)
{
    if (list->failed) return;
    if (list->count == list->capacity && !grow(list)) {
        list->failed = true;
        return;
    }
    list->at[list->count++] = (sparse_entry){row, col, value};
}

void sparse_list_free(sparse_list *list)
{
    free(list->at);
    *list = (sparse_list){0};
}

/* ---- matrices -------------------------------------------------------------------------------- */

static bool allocate(sparse *a, uint32_t rows, uint32_t cols, size_t entries)
{
    *a = (sparse){rows, cols, calloc((size_t)cols + 1, sizeof *a->start),
                  malloc((entries + 1) * sizeof *a->row), malloc((entries + 1) * sizeof *a->value)};
    if (a->start && a->row && a->value) return true;
    sparse_free(a);
    return false;
}

void sparse_free(sparse *a)
{
    free(a->start);
    free(a->row);
    free(a->value);
    *a = (sparse){0};
}

/* From counts to beginnings: start[j + 1] becomes where column j begins. Whoever then fills the
 * columns counts start[j + 1] up, and it ends as where the next one begins. */
static void counts_to_starts(size_t *start, uint32_t cols)
{
    size_t sum = 0;
    for (uint32_t j = 0; j < cols; j++) {
        const size_t count = start[j + 1];
        start[j + 1] = sum;
        sum += count;
    }
}

bool sparse_transpose(sparse *out, const sparse *a)
{
    const size_t entries = a->start[a->cols];
    if (!allocate(out, a->cols, a->rows, entries)) return false;
    for (size_t k = 0; k < entries; k++) out->start[a->row[k] + 1]++;
    counts_to_starts(out->start, out->cols);
    for (uint32_t j = 0; j < a->cols; j++) {
        for (size_t k = a->start[j]; k < a->start[j + 1]; k++) {
            const size_t to = out->start[a->row[k] + 1]++;
            out->row[to] = j;
            out->value[to] = a->value[k];
        }
    }
    return true;
}

static bool transposed_from_list(sparse *out, uint32_t rows, uint32_t cols, const sparse_list *list)
{
    if (!allocate(out, cols, rows, list->count)) return false;
    for (size_t k = 0; k < list->count; k++) out->start[list->at[k].row + 1]++;
    counts_to_starts(out->start, rows);
    for (size_t k = 0; k < list->count; k++) {
        const size_t to = out->start[list->at[k].row + 1]++;
        out->row[to] = list->at[k].col;
        out->value[to] = list->at[k].value;
    }
    return true;
}

/* Columns are sorted: what is at one place stands side by side. */
static void add_up(sparse *a)
{
    size_t kept = 0, from = 0;
    for (uint32_t j = 0; j < a->cols; j++) {
        const size_t end = a->start[j + 1];
        while (from < end) {
            const uint32_t row = a->row[from];
            double sum = 0.0;
            for (; from < end && a->row[from] == row; from++) sum += a->value[from];
            if (sum == 0.0) continue;
            a->row[kept] = row;
            a->value[kept++] = sum;
        }
        a->start[j + 1] = kept;
    }
}

/* Twice through buckets, by row and then by column: the second pass keeps the order of the first,
 * so that the columns come out sorted. */
bool sparse_create(sparse *out, uint32_t rows, uint32_t cols, const sparse_list *list)
{
    sparse by_row;
    if (list->failed || !transposed_from_list(&by_row, rows, cols, list)) return false;
    const bool good = sparse_transpose(out, &by_row);
    sparse_free(&by_row);
    if (good) add_up(out);
    return good;
}

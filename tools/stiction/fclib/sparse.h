/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse matrices of numbers, in compressed columns: column j has the rows row[start[j]] ..
 * row[start[j + 1] - 1], sorted, none twice, no zeros.
 */
#ifndef STICTION_FCLIB_SPARSE_H
#define STICTION_FCLIB_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sparse {
    uint32_t rows, cols;
    size_t *start; /* cols + 1 */
    uint32_t *row;
    double *value;
} sparse;

/* The same as a list, in any order; entries at one place add up. */
typedef struct sparse_entry {
    uint32_t row, col;
    double value;
} sparse_entry;

typedef struct sparse_list {
    sparse_entry *at;
    size_t count, capacity;
    bool failed; /* out of memory: entries are missing */
} sparse_list;

void sparse_list_add(sparse_list *list, uint32_t row, uint32_t col, double value);
void sparse_list_free(sparse_list *list);

/* Rows and columns of the entries are in range. False: out of memory, and nothing to free. */
bool sparse_create(sparse *out, uint32_t rows, uint32_t cols, const sparse_list *list);
bool sparse_transpose(sparse *out, const sparse *a);
void sparse_free(sparse *a);

#endif

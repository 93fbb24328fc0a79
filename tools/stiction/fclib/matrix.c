/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

#include <inttypes.h>
#include <stdlib.h>

/* As in the file. */
typedef struct matrix {
    const h5_reader *r;
    const char *group;
    int64_t m, n, nzmax, nz;
    int64_t *p, *i;
    double *x;
    size_t p_length, i_length, x_length;
    size_t count; /* of entries */
} matrix;

static bool read_header(matrix *a)
{
    const struct {
        const char *name;
        int64_t *value;
        int64_t least;
    } fields[] = {{"m", &a->m, 1}, {"n", &a->n, 1}, {"nzmax", &a->nzmax, 0}, {"nz", &a->nz, -2}};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        if (!h5_reader_integer(a->r, a->group, fields[k].name, fields[k].value)) return false;
        const int64_t value = *fields[k].value;
        if (value >= fields[k].least && value <= INT32_MAX) continue;
        return fclib_fail(a->r->error, FCLIB_WRONG,
                          "%s/%s is %" PRId64 ", expected a whole number from %" PRId64 " to %d",
                          a->group, fields[k].name, value, fields[k].least, INT32_MAX);
    }
    return true;
}

static bool read_arrays(matrix *a)
{
    return h5_reader_integers(a->r, a->group, "p", &a->p, &a->p_length) &&
           h5_reader_integers(a->r, a->group, "i", &a->i, &a->i_length) &&
           h5_reader_reals(a->r, a->group, "x", &a->x, &a->x_length);
}

static bool check_length(const matrix *a, const char *name, size_t length)
{
    if (length == a->count || length == (size_t)a->nzmax) return true;
    return fclib_fail(a->r->error, FCLIB_WRONG,
                      "%s/%s: %zu numbers, expected %zu entries (or nzmax = %" PRId64 ")", a->group,
                      name, length, a->count, a->nzmax);
}

static bool check_count(const matrix *a, const char *what)
{
    if (a->count > (size_t)a->nzmax) {
        return fclib_fail(a->r->error, FCLIB_WRONG,
                          "%s/%s gives %zu entries, expected no more than nzmax = %" PRId64,
                          a->group, what, a->count, a->nzmax);
    }
    return check_length(a, "i", a->i_length) && check_length(a, "x", a->x_length);
}

static bool check_indices(const matrix *a, const char *name, const int64_t *index, int64_t end)
{
    for (size_t k = 0; k < a->count; k++) {
        if (index[k] >= 0 && index[k] < end) continue;
        return fclib_fail(a->r->error, FCLIB_WRONG,
                          "%s/%s: element %zu is %" PRId64 ", expected an index from 0 to %" PRId64,
                          a->group, name, k, index[k], end - 1);
    }
    return true;
}

/* ---- compressed columns or rows -------------------------------------------------------------- */

static bool check_starts(const matrix *a, int64_t lines)
{
    if (a->p_length != (size_t)lines + 1) {
        return fclib_fail(a->r->error, FCLIB_WRONG,
                          "%s/p: %zu numbers, expected %" PRId64 ", one more than there are %s",
                          a->group, a->p_length, lines + 1, a->nz == -1 ? "columns" : "rows");
    }
    for (int64_t k = 0; k <= lines; k++) {
        const int64_t least = k ? a->p[k - 1] : 0, most = k ? a->nzmax : 0;
        if (a->p[k] >= least && a->p[k] <= most) continue;
        return fclib_fail(a->r->error, FCLIB_WRONG,
                          "%s/p: element %" PRId64 " is %" PRId64 ", expected %" PRId64
                          " to %" PRId64,
                          a->group, k, a->p[k], least, most);
    }
    return true;
}

static bool list_compressed(matrix *a, sparse_list *list)
{
    const bool columns = a->nz == -1;
    const int64_t lines = columns ? a->n : a->m;
    if (!check_starts(a, lines)) return false;
    a->count = (size_t)a->p[lines];
    if (!check_count(a, "p") || !check_indices(a, "i", a->i, columns ? a->m : a->n)) return false;
    for (int64_t line = 0; line < lines; line++) {
        for (int64_t k = a->p[line]; k < a->p[line + 1]; k++) {
            const uint32_t outer = (uint32_t)line, inner = (uint32_t)a->i[k];
            sparse_list_add(list, columns ? inner : outer, columns ? outer : inner, a->x[k]);
        }
    }
    return true;
}

/* ---- triplets -------------------------------------------------------------------------------- */

static bool list_triplets(matrix *a, sparse_list *list)
{
    a->count = (size_t)a->nz;
    if (!check_count(a, "nz") || !check_length(a, "p", a->p_length) ||
        !check_indices(a, "i", a->i, a->m) || !check_indices(a, "p", a->p, a->n)) {
        return false;
    }
    for (size_t k = 0; k < a->count; k++) {
        sparse_list_add(list, (uint32_t)a->i[k], (uint32_t)a->p[k], a->x[k]);
    }
    return true;
}

bool matrix_read(const h5_reader *r, const char *group, sparse *out)
{
    matrix a = {.r = r, .group = group};
    sparse_list list = {0};
    bool good = read_header(&a) && read_arrays(&a) &&
                (a.nz >= 0 ? list_triplets(&a, &list) : list_compressed(&a, &list));
    if (good && !sparse_create(out, (uint32_t)a.m, (uint32_t)a.n, &list)) {
        good = fclib_fail_memory(r->error);
    }
    sparse_list_free(&list);
    free(a.p);
    free(a.i);
    free(a.x);
    return good;
}

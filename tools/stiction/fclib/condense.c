/* SPDX-License-Identifier: Apache-2.0 */
#include "condense.h"

#include "components.h"
#include "envelope.h"

#include <stdlib.h>

/* P H */
static bool permute_rows(sparse *out, const sparse *H, const uint32_t *place)
{
    sparse_list list = {0};
    for (uint32_t j = 0; j < H->cols; j++) {
        for (size_t k = H->start[j]; k < H->start[j + 1]; k++) {
            sparse_list_add(&list, place[H->row[k]], j, H->value[k]);
        }
    }
    const bool good = sparse_create(out, H->rows, H->cols, &list);
    sparse_list_free(&list);
    return good;
}

/* Column j of L^-1 H, component by component; x is zero before and after. */
static void list_whitened(sparse_list *list, const envelope *L, const uint32_t *end,
                          const sparse *H, uint32_t j, double *x)
{
    for (size_t k = H->start[j]; k < H->start[j + 1];) {
        const uint32_t first = H->row[k], stop = end[first];
        for (; k < H->start[j + 1] && H->row[k] < stop; k++) x[H->row[k]] = H->value[k];
        envelope_forward(L, first, stop, x);
        for (uint32_t i = first; i < stop; i++) {
            sparse_list_add(list, i, j, x[i]);
            x[i] = 0.0;
        }
    }
}

/* Z = L^-1 H */
static bool whiten(sparse *Z, const envelope *L, const uint32_t *end, const sparse *H)
{
    double *x = calloc(L->n, sizeof *x);
    sparse_list list = {.failed = !x};
    for (uint32_t j = 0; x && j < H->cols; j++) list_whitened(&list, L, end, H, j, x);
    const bool good = sparse_create(Z, H->rows, H->cols, &list);
    sparse_list_free(&list);
    free(x);
    return good;
}

/* Column j of Z^T Z: the rows of Z that column j has, scaled and added. `seen` holds j + 1 for
 * those places of `sum` that are in use; `used` lists them. */
static void list_product(sparse_list *list, const sparse *Z, const sparse *rows, uint32_t j,
                         double *sum, uint32_t *seen, uint32_t *used)
{
    uint32_t count = 0;
    for (size_t k = Z->start[j]; k < Z->start[j + 1]; k++) {
        const uint32_t i = Z->row[k];
        for (size_t l = rows->start[i]; l < rows->start[i + 1]; l++) {
            const uint32_t to = rows->row[l];
            if (seen[to] != j + 1) {
                seen[to] = j + 1;
                sum[to] = 0.0;
                used[count++] = to;
            }
            sum[to] += Z->value[k] * rows->value[l];
        }
    }
    for (uint32_t n = 0; n < count; n++) sparse_list_add(list, used[n], j, sum[used[n]]);
}

/* W = Z^T Z */
static bool multiply(sparse *W, const sparse *Z)
{
    sparse rows = {0};
    double *sum = calloc(Z->cols, sizeof *sum);
    uint32_t *seen = calloc(Z->cols, sizeof *seen), *used = calloc(Z->cols, sizeof *used);
    bool good = sum && seen && used && sparse_transpose(&rows, Z);
    sparse_list list = {0};
    for (uint32_t j = 0; good && j < Z->cols; j++) {
        list_product(&list, Z, &rows, j, sum, seen, used);
    }
    good = good && sparse_create(W, Z->cols, Z->cols, &list);
    sparse_list_free(&list);
    sparse_free(&rows);
    free(sum);
    free(seen);
    free(used);
    return good;
}

/* b += Z^T L^-1 P f */
static bool add_velocity(double *b, const sparse *Z, const envelope *L, const uint32_t *place,
                         const double *f)
{
    double *x = malloc(L->n * sizeof *x);
    if (!x) return false;
    for (uint32_t i = 0; i < L->n; i++) x[place[i]] = f[i];
    envelope_forward(L, 0, L->n, x);
    for (uint32_t j = 0; j < Z->cols; j++) {
        for (size_t k = Z->start[j]; k < Z->start[j + 1]; k++) b[j] += Z->value[k] * x[Z->row[k]];
    }
    free(x);
    return true;
}

static bool condense(sparse *W, double *b, const envelope *L, const components *parts,
                     const sparse *H, const double *f)
{
    sparse moved = {0}, Z = {0};
    bool good = permute_rows(&moved, H, parts->place) && whiten(&Z, L, parts->end, &moved) &&
                add_velocity(b, &Z, L, parts->place, f) && multiply(W, &Z);
    sparse_free(&moved);
    sparse_free(&Z);
    return good;
}

bool condense_problem(sparse *W, double *b, const sparse *M, const sparse *H, const double *f,
                      const char *name, fclib_error *error)
{
    components parts;
    if (!components_find(&parts, M)) return fclib_fail_memory(error);
    envelope L;
    bool good = envelope_factor(&L, M, parts.place, name, error);
    if (good && !condense(W, b, &L, &parts, H, f)) good = fclib_fail_memory(error);
    envelope_free(&L);
    components_free(&parts);
    return good;
}

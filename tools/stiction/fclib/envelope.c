/* SPDX-License-Identifier: Apache-2.0 */
#include "envelope.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static double *row_of(const envelope *L, uint32_t i) { return &L->value[L->start[i]]; }

static uint32_t later(uint32_t i, uint32_t j) { return i > j ? i : j; }

/* ---- A into the envelope --------------------------------------------------------------------- */

static void copy_diagonal(const sparse *A, double *diagonal)
{
    for (uint32_t j = 0; j < A->cols; j++) {
        for (size_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->row[k] == j) diagonal[j] = A->value[k];
        }
    }
}

/* A_ij and A_ji may differ by rounding, measured by what positive definiteness allows them at most:
 * |A_ij| < sqrt(A_ii A_jj). */
static bool check_symmetry(const sparse *A, const sparse *T, const double *diagonal,
                           const char *name, fclib_error *error)
{
    for (uint32_t j = 0; j < A->cols; j++) {
        size_t s = A->start[j], t = T->start[j];
        while (s < A->start[j + 1] || t < T->start[j + 1]) {
            const uint32_t i = s < A->start[j + 1] ? A->row[s] : UINT32_MAX;
            const uint32_t k = t < T->start[j + 1] ? T->row[t] : UINT32_MAX;
            const uint32_t row = i < k ? i : k;
            const double a = i == row ? A->value[s++] : 0.0, b = k == row ? T->value[t++] : 0.0;
            if (fabs(a - b) <= 1e-10 * sqrt(fabs(diagonal[row]) * fabs(diagonal[j]))) continue;
            return fclib_fail(
                error, FCLIB_WRONG,
                "%s is not symmetric: %.17g in row %u, column %u, but %.17g across the "
                "diagonal",
                name, a, row, j, b);
        }
    }
    return true;
}

static bool is_symmetric(const sparse *A, const char *name, fclib_error *error)
{
    double *diagonal = calloc(A->cols, sizeof *diagonal);
    sparse T;
    if (!diagonal || !sparse_transpose(&T, A)) {
        free(diagonal);
        return fclib_fail_memory(error);
    }
    copy_diagonal(A, diagonal);
    const bool good = check_symmetry(A, &T, diagonal, name, error);
    sparse_free(&T);
    free(diagonal);
    return good;
}

static void find_first(envelope *L, const sparse *A, const uint32_t *place)
{
    for (uint32_t i = 0; i < L->n; i++) L->first[i] = i;
    for (uint32_t j = 0; j < A->cols; j++) {
        for (size_t k = A->start[j]; k < A->start[j + 1]; k++) {
            const uint32_t row = place[A->row[k]], col = place[j];
            if (col < L->first[row]) L->first[row] = col;
        }
    }
    L->start[0] = 0;
    for (uint32_t i = 0; i < L->n; i++) L->start[i + 1] = L->start[i] + (i - L->first[i]) + 1;
}

static void copy_lower(envelope *L, const sparse *A, const uint32_t *place)
{
    for (uint32_t j = 0; j < A->cols; j++) {
        for (size_t k = A->start[j]; k < A->start[j + 1]; k++) {
            const uint32_t row = place[A->row[k]], col = place[j];
            if (col <= row) row_of(L, row)[col - L->first[row]] = A->value[k];
        }
    }
}

static bool create(envelope *L, const sparse *A, const uint32_t *place, const char *name,
                   fclib_error *error)
{
    const size_t n = A->cols, most = (size_t)1 << 28; /* 2 GB */
    *L = (envelope){.n = A->cols,
                    .first = malloc(n * sizeof *L->first),
                    .start = malloc((n + 1) * sizeof *L->start)};
    if (!L->first || !L->start) return fclib_fail_memory(error);
    find_first(L, A, place);
    if (L->start[n] > most) {
        return fclib_fail(
            error, FCLIB_WRONG,
            "%s couples too many unknowns: its factor has %zu entries, expected at most "
            "%zu",
            name, L->start[n], most);
    }
    L->value = calloc(L->start[n], sizeof *L->value);
    if (!L->value) return fclib_fail_memory(error);
    copy_lower(L, A, place);
    return true;
}

/* ---- L --------------------------------------------------------------------------------------- */

/* Row i of L; false if the pivot is lost in rounding. */
static bool factor_row(const envelope *L, uint32_t i)
{
    double *a = row_of(L, i);
    const uint32_t first = L->first[i];
    double pivot = a[i - first];
    const double rounding = (i - first + 1) * DBL_EPSILON * pivot;
    for (uint32_t j = first; j < i; j++) {
        const double *b = row_of(L, j);
        double sum = a[j - first];
        for (uint32_t k = later(first, L->first[j]); k < j; k++) {
            sum -= a[k - first] * b[k - L->first[j]];
        }
        a[j - first] = sum / b[j - L->first[j]]; /* L_ij = (A_ij - sum L_ik L_jk) / L_jj */
        pivot -= a[j - first] * a[j - first];
    }
    if (!(pivot > rounding)) return false;
    a[i - first] = sqrt(pivot); /* L_ii^2 = A_ii - sum L_ij^2 */
    return true;
}

static bool factor(const envelope *L, const uint32_t *place, const char *name, fclib_error *error)
{
    for (uint32_t i = 0; i < L->n; i++) {
        if (factor_row(L, i)) continue;
        uint32_t unknown = 0;
        while (place[unknown] != i) unknown++;
        return fclib_fail(error, FCLIB_WRONG,
                          "%s is singular or indefinite at row %u, expected positive definite",
                          name, unknown);
    }
    return true;
}

bool envelope_factor(envelope *L, const sparse *A, const uint32_t *place, const char *name,
                     fclib_error *error)
{
    *L = (envelope){0};
    if (is_symmetric(A, name, error) && create(L, A, place, name, error) &&
        factor(L, place, name, error)) {
        return true;
    }
    envelope_free(L);
    return false;
}

void envelope_free(envelope *L)
{
    free(L->first);
    free(L->start);
    free(L->value);
    *L = (envelope){0};
}

void envelope_forward(const envelope *L, uint32_t begin, uint32_t end, double *x)
{
    for (uint32_t i = begin; i < end; i++) {
        const double *row = row_of(L, i);
        const uint32_t first = L->first[i];
        double sum = x[i];
        for (uint32_t k = later(first, begin); k < i; k++) sum -= row[k - first] * x[k];
        x[i] = sum / row[i - first];
    }
}

void envelope_backward(const envelope *L, double *x)
{
    for (uint32_t i = L->n; i-- > 0;) {
        const double *row = row_of(L, i);
        const uint32_t first = L->first[i];
        x[i] /= row[i - first];
        for (uint32_t k = first; k < i; k++) x[k] -= row[k - first] * x[i];
    }
}

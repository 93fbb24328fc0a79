/* SPDX-License-Identifier: Apache-2.0 */
#include "rod_dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void add_scaled(size_t n, double *a, double s, const double *b)
{
    for (size_t i = 0; i < n; i++) a[i] += s * b[i];
}

/* ---- projection ------------------------------------------------------------------------------ */

void dense_orthonormalize(size_t count, size_t n, double *rows)
{
    for (size_t i = 0; i < count; i++) {
        double *row = rows + i * n;
        for (size_t twice = 0; twice < 2; twice++) { /* the second time for rounding */
            for (size_t j = 0; j < i; j++) {
                add_scaled(n, row, -dot(n, row, rows + j * n), rows + j * n);
            }
        }
        add_scaled(n, row, 1.0 / sqrt(dot(n, row, row)) - 1.0, row);
    }
}

static void project_row(size_t n, double *row, size_t count, const double *Q)
{
    for (size_t k = 0; k < count; k++) add_scaled(n, row, -dot(n, row, Q + k * n), Q + k * n);
}

static void transpose(size_t n, double *A)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double a = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = a;
        }
    }
}

void dense_project(size_t n, double *H, size_t count, const double *Q, double s)
{
    for (size_t i = 0; i < n; i++) project_row(n, H + i * n, count, Q);
    transpose(n, H);
    for (size_t i = 0; i < n; i++) project_row(n, H + i * n, count, Q);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < n; i++) add_scaled(n, H + i * n, s * Q[k * n + i], Q + k * n);
    }
}

/* ---- eigenvalues ----------------------------------------------------------------------------- */

static bool is_definite(size_t n, const double *A, double shift, double *L)
{
    memcpy(L, A, n * n * sizeof *L);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            L[i * n + j] = (L[i * n + j] - dot(j, L + i * n, L + j * n)) / L[j * n + j];
        }
        const double square = L[i * n + i] - shift - dot(i, L + i * n, L + i * n);
        if (!(square > 0.0)) return false;
        L[i * n + i] = sqrt(square);
    }
    return true;
}

double dense_lowest(size_t n, const double *A, double *work)
{
    double high = 0.0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) sum += fabs(A[i * n + j]);
        high = fmax(high, sum);
    }
    double low = -high;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (is_definite(n, A, middle, work)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

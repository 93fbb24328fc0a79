/* SPDX-License-Identifier: Apache-2.0
 *
 * Preconditioned conjugate gradients for A x = b, A symmetric positive definite and known only by
 * what it does to a vector. Nothing is allocated, and the bits do not depend on the number of
 * threads.
 */
#ifndef LINALG_PCG_H
#define LINALG_PCG_H

#include "base/pool.h"

#include <stddef.h>
#include <stdint.h>

/* apply(user, x, y) writes y = A x; x and y do not overlap. */
typedef struct pcg_operator {
    void (*apply)(void *user, const double *x, double *y);
    void *user;
} pcg_operator;

typedef struct pcg_system {
    size_t n;
    pcg_operator A;
    pcg_operator M; /* symmetric positive definite, near A^-1; apply == NULL: none */
    pool *threads;  /* may be NULL */
} pcg_system;

typedef enum pcg_outcome {
    PCG_CONVERGED,
    PCG_MAX_ITERATIONS,
    PCG_NOT_POSITIVE_DEFINITE, /* a direction with p . A p <= 0, or a residual with r . M r <= 0 */
    PCG_NOT_FINITE             /* b, the first x, or what A or M answered */
} pcg_outcome;

typedef struct pcg_report {
    pcg_outcome outcome;
    uint32_t iterations;
    double relative_residual; /* |b - A x| / |b| of the x handed back, NaN if not finite */
} pcg_report;

/* How many doubles of workspace pcg_solve needs. */
size_t pcg_work_count(size_t n);

/* Iterates from the x given until |b - A x| <= tolerance |b|, tolerance >= 0. The residual that
 * decides is computed from x, not carried along. x is the last iterate, whatever the outcome; a
 * zero b gives x = 0. */
pcg_report pcg_solve(const pcg_system *system, const double *b, double *x, double tolerance,
                     uint32_t max_iterations, double *work);

#endif

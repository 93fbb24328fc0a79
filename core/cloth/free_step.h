/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of a cloth that touches nothing: Newton's method on the equations of assemble.h, each
 * system solved by conjugate gradients with the inverse of the diagonal blocks.
 */
#ifndef CLOTH_FREE_STEP_H
#define CLOTH_FREE_STEP_H

#include "cloth/assemble.h"
#include "linalg/pcg_bsr3.h"

typedef struct cloth_solver {
    const allocator *from;
    cloth_system system;
    sym3 *inverse;         /* [nodes] */
    double *v_trial, *res; /* [nodes][3] */
    double *work;
} cloth_solver;

typedef struct cloth_step_options {
    uint32_t newton;      /* most iterations, at least 1; 1 is the linearised step */
    double tolerance;     /* m/s: stop when no node's equation is further off */
    double linear;        /* |b - A v| <= linear |b| */
    uint32_t most_linear; /* iterations for one system */
} cloth_step_options;

typedef struct cloth_step_report {
    uint32_t newton, linear; /* iterations */
    double residual;         /* of the nonlinear equations, m/s; of the last v when newton > 1 */
} cloth_step_report;

status cloth_solver_create(cloth_solver *s, const allocator *from, const cloth_sheet *sheet,
                           error *err);
void cloth_solver_destroy(cloth_solver *s);

/* v, [nodes][3]: in, where conjugate gradients start; out, the velocities at the end of the step,
 * which cloth_system_move turns into positions. STATUS_NOT_CONVERGED: a tolerance was missed, v is
 * the best known. STATUS_DIVERGED: numbers left their range, v is of no use. */
status cloth_free_step(cloth_solver *s, const cloth_forcing *forcing,
                       const cloth_step_options *options, pool *threads, double *v,
                       cloth_step_report *report, error *err);

#endif

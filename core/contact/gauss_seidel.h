/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauss-Seidel over contacts (paper 001), with u kept up to date by columns of W.
 *
 * Contact i is solved exactly with all others held; its change dr_i is then pushed into the
 * velocities of its neighbours, u_j += W_ji dr_i. So a contact that has settled costs one residual
 * and no row of W, which is the freezing of paper 001 without its bookkeeping: contacts whose
 * residual is below a share of the worst one are left alone in this sweep and looked at again in
 * the next.
 */
#ifndef CONTACT_GAUSS_SEIDEL_H
#define CONTACT_GAUSS_SEIDEL_H

#include "contact/solver.h"

/* W by columns, and what a sweep needs of the diagonal. */
typedef struct gs_columns {
    bsr3 transposed; /* row j of it is column j of W, blocks transposed */
    sym3 *diagonal;  /* the symmetric part of W_ii */
} gs_columns;

status gs_columns_create(gs_columns *c, const allocator *from, const contact_problem *p);
void gs_columns_destroy(gs_columns *c, const allocator *from, const contact_problem *p);

typedef struct gs_settings {
    double over_relaxation; /* 1: none; below 2 */
    double momentum;        /* largest share of the last move that is repeated, below 1; 0: none */
    double skip;            /* contacts below this share of the worst residual are left alone */
} gs_settings;

/* One sweep over r and u = W r + b; contacts whose residual is at most `settled` are left alone.
 * Returns the worst residual met on the way (each contact is looked at once, when it is visited);
 * adds the one-contact problems to the tally. */
double gs_sweep(const contact_problem *p, const gs_columns *c, const local_solver *local,
                double over_relaxation, double settled, double *r, double *u, local_tally *tally);

/* Called every few sweeps; `rate` is how often the residual halves per sweep. True: give up, the
 * sweeps left would cost too much. */
typedef bool (*gs_doubt)(void *user, uint32_t sweeps, double residual, double rate);

/* Sweeps from r until the residual is at most tolerance * scale, the options run out, or `doubt`
 * (may be NULL) gives up. r is the best iterate. */
status gs_iterate(const contact_problem *p, const allocator *from, const solver_options *options,
                  const gs_settings *settings, gs_doubt doubt, void *doubt_user, double *r,
                  solver_report *report, error *err);

/* Table entries. */
status gs_solve_plain(const contact_problem *p, const allocator *from,
                      const solver_options *options, double *r, solver_report *report, error *err);
status gs_solve_relaxed(const contact_problem *p, const allocator *from,
                        const solver_options *options, double *r, solver_report *report,
                        error *err);
status gs_solve_momentum(const contact_problem *p, const allocator *from,
                         const solver_options *options, double *r, solver_report *report,
                         error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauss-Seidel over the contacts of bodies, with the whitened velocities w kept up to date.
 *
 * A visit is u = Z^T w + b, the one-contact problem with the others held, w += Z dr. The settings
 * mean what they mean in gauss_seidel.h; momentum extrapolates r and w together, as w is linear in
 * r. There is no u of all contacts to measure after a sweep, so that a sweep goes by the worst
 * residual that it met on its way; what is reported at the end is always computed afresh from r.
 *
 * Sweeps follow the problem's plan of visits (visit_plan.h): with any number of threads the answer
 * has the bits of one.
 */
#ifndef CONTACT_BODIES_GS_H
#define CONTACT_BODIES_GS_H

#include "base/pool.h"
#include "contact/bodies_lanes.h"
#include "contact/gauss_seidel.h"

#include <stdatomic.h>

/* All the memory that solves of one problem need; they allocate nothing. */
typedef struct bodies_gs {
    const bodies_problem *p;
    const bodies_lanes *lanes; /* the fastest build here; another gives the same bits */
    double *memory;            /* [count] the following, one after another */
    size_t count;
    double *w;       /* of the answer, when a solve is done */
    double *r0, *w0; /* before the last momentum */
    double *best_r;
    bodies_met *met;    /* [chunks] of the last sweep */
    atomic_uchar *done; /* [chunks] */
} bodies_gs;

/* p must outlive it. */
status bodies_gs_create(bodies_gs *s, const bodies_problem *p, error *err);
void bodies_gs_destroy(bodies_gs *s);

/* What has worked best on packed fibres. */
extern const gs_settings bodies_gs_default;

/* One sweep over r, in the order of visits, and s->w = Z r; s->r0 is what moves are measured from.
 * Contacts whose residual is at most `settled` are left alone (none if it is negative). */
bodies_met bodies_gs_sweep(bodies_gs *s, pool *threads, const local_solver *local,
                           double over_relaxation, double settled, double *r);

/* r: the start in, the best iterate out. STATUS_OK whether or not it converged, STATUS_CANCELLED if
 * trace said so, STATUS_INVALID_ARGUMENT if the start is not finite (r is left as it is). The
 * report's residual is measured with w computed afresh from r; s->w is that w. */
status bodies_gs_solve(bodies_gs *s, const solver_options *options, const gs_settings *settings,
                       double *r, solver_report *report, error *err);

#endif

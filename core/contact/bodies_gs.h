/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauss-Seidel over the contacts of bodies, with the whitened velocities w kept up to date.
 *
 * A visit is u = Z^T w + b, the one-contact problem with the others held, w += Z dr; momentum
 * extrapolates r and w together, as w is linear in r. A round is a look at all contacts, with w
 * computed afresh, and some sweeps over those where work is left (bodies_focus.h), each spot until
 * it has settled or its turn is over. What is reported is always what a look has seen of all.
 *
 * Work is counted in visits, a look being one to every contact: an iteration is as many of them as
 * there are contacts, so that a limit on iterations bounds the time whatever the sweeps were over.
 * A solve that has gained nothing for long ends before that.
 *
 * Sweeps follow the problem's plan of visits (visit_plan.h): with any number of threads the answer
 * has the bits of one.
 */
#ifndef CONTACT_BODIES_GS_H
#define CONTACT_BODIES_GS_H

#include "base/pool.h"
#include "contact/bodies_focus.h"
#include "contact/gauss_seidel.h"

/* All the memory that solves of one problem need; they allocate nothing. */
typedef struct bodies_gs {
    const bodies_problem *p;
    const bodies_lanes *lanes; /* the fastest build here; another gives the same bits */
    double *memory;            /* [count] the following, one after another */
    size_t count;
    double *w;       /* of the answer, when a solve is done */
    double *r0, *w0; /* before the last momentum */
    double *best_r;
    bodies_focus focus;
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

/* The settings mean what they mean in gauss_seidel.h, the worst residual being that of a spot.
 *
 * r: the start in, the best iterate out. STATUS_OK whether or not it converged, STATUS_CANCELLED if
 * trace said so (it is asked after every look and every sweep over a large spot or the only one),
 * STATUS_INVALID_ARGUMENT if the start is not finite (r is left as it is). The report's residual is
 * measured with w computed afresh from r; s->w is that w. */
status bodies_gs_solve(bodies_gs *s, const solver_options *options, const gs_settings *settings,
                       double *r, solver_report *report, error *err);

#endif

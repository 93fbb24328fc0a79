/* SPDX-License-Identifier: Apache-2.0
 *
 * The solvers of whole problems by name, behind one signature and one residual.
 */
#ifndef CONTACT_SOLVER_H
#define CONTACT_SOLVER_H

#include "contact/local.h"
#include "contact/problem.h"

typedef struct solver_options {
    double tolerance; /* relative: residual over problem.scale */
    uint32_t max_iterations;
    const local_solver *local;
    uint32_t facets; /* sides of the pyramid where a solver has one (facets.h sets it) */
    pool *threads;   /* may be NULL */
    /* Called after every iteration, or after some at once (bodies_gs.h), with the relative
     * residual; not 0 stops. May be NULL. */
    int (*trace)(void *user, uint32_t iteration, double residual);
    void *trace_user;
} solver_options;

/* Where time went, in seconds. Never decides anything. */
typedef struct solver_seconds {
    double sweeps;
    double newton; /* with its line search and the sweeps that rescue it, ... */
    double linear; /* ... without its linear algebra: ordering, matrices, factors, solutions */
} solver_seconds;

typedef struct solver_report {
    bool converged;
    uint32_t iterations;
    double residual;   /* m/s, of the r handed back, computed afresh */
    local_tally local; /* of sweeps over bodies only the failures */
    uint32_t islands;  /* groups of contacts that were solved on their own; 0: not looked at */
    solver_seconds seconds;
} solver_report;

/* Adds the work of a part: iterations, failures, fall-backs, seconds. */
void solver_report_add_work(solver_report *into, const solver_report *part);

/* r: the start in, the answer out. STATUS_OK whether or not it converged, STATUS_CANCELLED if trace
 * said so (r is then the best so far), STATUS_OUT_OF_MEMORY. */
typedef status (*solver_function)(const contact_problem *p, const allocator *from,
                                  const solver_options *options, double *r, solver_report *report,
                                  error *err);

typedef struct solver {
    const char *name, *doc;
    solver_function solve;
} solver;

extern const solver solver_table[];
extern const size_t solver_count;

/* NULL if there is none; the first of the table is the default. */
const solver *solver_find(const char *name);

#endif

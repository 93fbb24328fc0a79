/* SPDX-License-Identifier: Apache-2.0
 *
 * For system_solve.c: one solve, in the form that fits.
 */
#ifndef CONTACT_SYSTEM_FORMS_H
#define CONTACT_SYSTEM_FORMS_H

#include "contact/system_solve.h"

typedef struct system_run {
    const contact_system *given; /* has been checked */
    const allocator *from;
    const system_solver *solver;
    const solver_options *options;
    double *r, *u, *v; /* u and v may be NULL */
    system_answer *answer;
} system_run;

/* Bodies alone, one or two at a contact: whitened (bodies.h). */
bool system_bodies_fit(const contact_system *s);
status system_bodies_solve(const system_run *run, error *err);

/* Everything else (nodes.h). */
status system_nodes_solve(const system_run *run, error *err);

/* Runs the chosen explicit solver on r with the iterations that are left and adds what it did to
 * the report, but for residual and convergence: those are the system's own to judge. */
status system_run_explicit(const system_run *run, const contact_problem *p, double tolerance,
                           double *r, error *err);

/* The iterations that are left after those of the report. */
static inline uint32_t system_iterations_left(const system_run *run)
{
    const uint32_t done = run->answer->report.iterations, most = run->options->max_iterations;
    return most > done ? most - done : 0;
}

#endif

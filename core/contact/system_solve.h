/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems (system.h) solved by name, behind one signature and one residual.
 *
 * Two solvers need no operator W: "nodal-gauss-seidel" sweeps, and "auto" sweeps until making W
 * and solving that is estimated to be less work, if W fits. All names of solver.h work as well, on
 * the explicit form. What to do is decided by counted work, never by a clock.
 */
#ifndef CONTACT_SYSTEM_SOLVE_H
#define CONTACT_SYSTEM_SOLVE_H

#include "contact/solver.h"
#include "contact/system.h"

typedef struct system_solver {
    const char *name, *doc;
    bool sweeps;            /* without W, first */
    const solver *explicit; /* on the explicit form, then; NULL: no */
} system_solver;

/* How many there are: those without W first, then the rest of solver_table. */
size_t system_solver_count(void);
system_solver system_solver_at(size_t index);

/* False if there is none. */
bool system_solver_find(const char *name, system_solver *out);

typedef struct system_answer {
    solver_report report;    /* its residual counts the dynamics too */
    contact_measure measure; /* of the contacts */
    double scale;            /* m/s: largest |u| without impulses, what tolerances relate to */
} system_answer;

/* r: 3 per contact, v: contact_system_velocity_count; both the start in (of v the nodes' part) and
 * the answer out. u out. u and v may be NULL. STATUS_OK whether or not it converged,
 * STATUS_CANCELLED if trace said so: then and otherwise r, u and v are the best found. Errors leave
 * them as they are. */
status system_solve(const contact_system *s, const allocator *from, const system_solver *chosen,
                    const solver_options *options, double *r, double *u, double *v,
                    system_answer *answer, error *err);

#endif

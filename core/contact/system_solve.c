/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/system_solve.h"

#include "contact/system_forms.h"

#include <string.h>

enum { WITHOUT_W = 2 };

/* The first of solver_table is its own "auto", which the first here finishes with. */
size_t system_solver_count(void) { return WITHOUT_W + solver_count - 1; }

system_solver system_solver_at(size_t index)
{
    if (index == 0) {
        return (system_solver){"auto",
                               "sweeps over nodes and contacts, then the explicit form where that "
                               "is less work",
                               true, &solver_table[0]};
    }
    if (index == 1) {
        return (system_solver){"nodal-gauss-seidel",
                               "sweeps over nodes and contacts without W (paper 004), "
                               "extrapolated",
                               true, NULL};
    }
    const solver *s = &solver_table[index - WITHOUT_W + 1];
    return (system_solver){s->name, s->doc, false, s};
}

bool system_solver_find(const char *name, system_solver *out)
{
    for (size_t i = 0; i < system_solver_count(); i++) {
        *out = system_solver_at(i);
        if (strcmp(out->name, name) == 0) return true;
    }
    return false;
}

status system_run_explicit(const system_run *run, const contact_problem *p, double tolerance,
                           double *r, error *err)
{
    solver_options options = *run->options;
    options.tolerance = tolerance;
    options.max_iterations = system_iterations_left(run);
    solver_report done = {0}, *report = &run->answer->report;
    const status st = run->solver->explicit->solve(p, run->from, &options, r, &done, err);
    solver_report_add_work(report, &done);
    report->islands = done.islands;
    return st;
}

status system_solve(const contact_system *s, const allocator *from, const system_solver *chosen,
                    const solver_options *options, double *r, double *u, double *v,
                    system_answer *answer, error *err)
{
    const system_run run = {s, from, chosen, options, r, u, v, answer};
    *answer = (system_answer){0};
    const status st = contact_system_check(s, err);
    if (st < 0) return st;
    return system_bodies_fit(s) ? system_bodies_solve(&run, err) : system_nodes_solve(&run, err);
}

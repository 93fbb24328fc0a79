/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/bodies_rescue.h"

#include <string.h>

/* A Newton step on so many contacts takes some milliseconds: a miss must not take long. */
enum { MOST_CONTACTS = 150, MOST_ITERATIONS = 60 };

static bool is_small(const bodies_problem *p) { return p->contacts <= MOST_CONTACTS; }

/* Takes over what was found, if it is better. */
static void keep_better(bodies_gs *s, const solver_options *options, const double *found, double *r,
                        solver_report *report)
{
    bodies_state(s->p, found, s->w);
    const double residual = bodies_residual(s->p, found, s->w);
    if (residual < report->residual) {
        memcpy(r, found, 3 * (size_t)s->p->contacts * sizeof *r);
        report->residual = residual;
        report->converged = residual <= options->tolerance * s->p->scale;
    } else {
        bodies_state(s->p, r, s->w);
    }
}

status bodies_rescue(bodies_gs *s, const solver_options *options, double *r, solver_report *report,
                     error *err)
{
    const bodies_problem *p = s->p;
    if (report->converged || !is_small(p)) return STATUS_OK;
    contact_problem explicit;
    status st = bodies_make_explicit(p, p->from, &explicit, err);
    if (st < 0) return st;
    solver_options again = *options;
    again.max_iterations = MOST_ITERATIONS;
    solver_report done = {0};
    memcpy(s->best_r, r, 3 * (size_t)p->contacts * sizeof *r);
    st = solver_find("auto")->solve(&explicit, p->from, &again, s->best_r, &done, err);
    contact_problem_destroy(&explicit, p->from);
    if (st < 0) return st;
    solver_report_add_work(report, &done);
    keep_better(s, options, s->best_r, r, report);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/by_islands.h"

#include "contact/islands.h"
#include "math/scalar.h"

typedef struct tour {
    const contact_problem *p;
    const allocator *from;
    const solver_options *options;
    solver_report *report;
    islands groups;
    double *memory; /* the vectors below */
    double *u, *part;
    double *later;    /* [islands + 1] worst residual of the islands k, k + 1, ... at the start */
    double elsewhere; /* worst residual of all islands but the one being solved */
} tour;

enum { NUMBERS = 7 }; /* of tour.memory per contact */

static size_t tour_size(const contact_problem *p)
{
    return memory_size(NUMBERS * (size_t)p->contacts + 1, sizeof(double));
}

static status tour_create(tour *t)
{
    const size_t n = 3 * (size_t)t->p->contacts;
    const status st = islands_find(&t->groups, t->from, t->p);
    if (st < 0) return st;
    t->memory = memory_alloc(t->from, tour_size(t->p));
    if (!t->memory) return STATUS_OUT_OF_MEMORY;
    t->u = t->memory;
    t->part = t->u + n;
    t->later = t->part + n;
    return STATUS_OK;
}

static void tour_destroy(tour *t)
{
    memory_free(t->from, t->memory, tour_size(t->p));
    islands_destroy(&t->groups);
}

static double island_residual(const tour *t, uint32_t k, const double *r)
{
    double worst = 0.0;
    for (uint32_t j = t->groups.start[k]; j < t->groups.start[k + 1]; j++) {
        const size_t i = t->groups.member[j];
        const v3 ui = v3_load(t->u + 3 * i), ri = v3_load(r + 3 * i);
        worst = scalar_max(worst, coulomb_residual(ui, ri, t->p->mu[i], t->p->d[i]));
    }
    return worst;
}

/* What the caller's trace is told: iterations of all islands, the worst residual of all. */
static int forward(void *user, uint32_t iteration, double residual)
{
    const tour *t = user;
    return t->options->trace(t->options->trace_user, t->report->iterations + iteration,
                             scalar_max(residual, t->elsewhere / t->p->scale));
}

static status tour_visit(tour *t, uint32_t k, solver_function each, double *r, double *residual,
                         error *err)
{
    contact_problem q;
    status st = islands_extract(&t->groups, t->from, t->p, k, &q, err);
    if (st < 0) return st;
    solver_options options = *t->options;
    solver_report report = {.residual = *residual};
    if (options.trace) {
        options.trace = forward;
        options.trace_user = t;
    }
    islands_gather(&t->groups, k, r, t->part);
    st = each(&q, t->from, &options, t->part, &report, err);
    islands_scatter(&t->groups, k, t->part, r);
    contact_problem_destroy(&q, t->from);
    solver_report_add_work(t->report, &report);
    *residual = report.residual;
    return st;
}

static status tour_go(tour *t, solver_function each, double *r, error *err)
{
    const double target = t->options->tolerance * t->p->scale;
    double done = 0.0;
    contact_problem_velocity(t->p, t->options->threads, r, t->u);
    t->later[t->groups.count] = 0.0;
    for (uint32_t k = t->groups.count; k-- > 0;) {
        t->later[k] = scalar_max(island_residual(t, k, r), t->later[k + 1]);
    }
    for (uint32_t k = 0; k < t->groups.count; k++) {
        double residual = island_residual(t, k, r);
        t->elsewhere = scalar_max(done, t->later[k + 1]);
        if (!(residual <= target)) {
            const status st = tour_visit(t, k, each, r, &residual, err);
            if (st != STATUS_OK) return st;
        }
        done = scalar_max(done, residual);
    }
    return STATUS_OK;
}

status by_islands_solve(const contact_problem *p, const allocator *from,
                        const solver_options *options, solver_function each, double *r,
                        solver_report *report, error *err)
{
    tour t = {.p = p, .from = from, .options = options, .report = report};
    status st = tour_create(&t);
    if (st >= 0) {
        report->islands = t.groups.count;
        st = tour_go(&t, each, r, err);
        contact_problem_velocity(p, options->threads, r, t.u);
        report->residual = contact_problem_residual(p, r, t.u);
        report->converged = report->residual <= options->tolerance * p->scale;
    } else {
        st = error_out_of_memory(err, "islands of contacts");
    }
    tour_destroy(&t);
    return st;
}

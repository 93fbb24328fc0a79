/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems with nodes: sweeps from the start that conjugate gradients give, and the explicit form.
 */
#include "base/clock.h"
#include "contact/nodes_explicit.h"
#include "contact/nodes_start.h"
#include "contact/system_forms.h"
#include "math/scalar.h"

#include <string.h>

typedef struct nodes_run {
    const system_run *run;
    nodes_problem p;
    nodes_gs gs;
} nodes_run;

/* ---- sweeps ---- */

enum { SWEEPS_BEFORE_DOUBT = 100 };

typedef struct rivalry {
    const nodes_run *n;
    double target;        /* m/s */
    double explicit_work; /* flops; 0: not known yet */
    status found;         /* whether it could be counted */
    error *err;
} rivalry;

static double sweep_work(const nodes_problem *p)
{
    return 18.0 * (double)p->A.blocks + 200.0 * (double)p->contacts;
}

/* True when the sweeps left would cost more than the explicit form, or when memory is too short to
 * tell. */
static bool explicit_wins(void *user, uint32_t sweeps, double residual, double rate)
{
    rivalry *v = user;
    const nodes_problem *p = &v->n->p;
    if (sweeps < SWEEPS_BEFORE_DOUBT) return false;
    const double halvings = scalar_rough_log2(residual) - scalar_rough_log2(v->target);
    const double left = halvings / scalar_max(rate, 1e-9) * sweep_work(p);
    const double spent = sweeps * sweep_work(p);
    if (v->explicit_work == 0.0) {
        v->found = nodes_explicit_work(p, v->n->run->from, &v->explicit_work, v->err);
    }
    return v->found < 0 || left > v->explicit_work + 0.5 * spent;
}

static status sweep(nodes_run *n, bool may_doubt, error *err)
{
    const system_run *run = n->run;
    solver_options options = *run->options;
    options.max_iterations = system_iterations_left(run);
    run->answer->report.islands = 0;
    rivalry v = {.n = n, .target = options.tolerance * n->gs.scale, .err = err};
    const double start = clock_now();
    const status st = nodes_gs_solve(&n->gs, &options, &nodes_gs_default,
                                     may_doubt ? explicit_wins : NULL, &v, &run->answer->report);
    run->answer->report.seconds.sweeps += clock_now() - start;
    return st == STATUS_OK ? v.found : st;
}

/* ---- the explicit form ---- */

/* What the explicit solver found becomes the best point if it is better by the system's own
 * residual. That one has a smaller compliance than the explicit form, by which it is smaller for
 * the same r and u. */
static void keep_explicit(nodes_run *n, const nodes_explicit *e)
{
    nodes_gs *gs = &n->gs;
    solver_report *report = &n->run->answer->report;
    const nodes_point x = gs->now;
    nodes_state(&n->p, x.r, x.g, x.w);
    nodes_explicit_velocity(e, x.g, x.v);
    const double residual = nodes_residual(&n->p, x.r, x.v, x.g, x.w);
    if (residual < report->residual) {
        memcpy(gs->best.r, x.r, gs->point_count * sizeof *x.r);
        report->residual = residual;
    }
    report->converged = report->residual <= n->run->options->tolerance * gs->scale;
}

static status solve_explicit(nodes_run *n, error *err)
{
    const system_run *run = n->run;
    nodes_explicit e;
    status st = nodes_explicit_create(&e, &n->p, run->from, err);
    if (st < 0) return st;
    const double scale = e.problem.scale, tolerance = run->options->tolerance;
    st = system_run_explicit(run, &e.problem,
                             scale > 0.0 ? tolerance * n->gs.scale / scale : tolerance, n->gs.now.r,
                             err);
    if (st >= 0) keep_explicit(n, &e);
    nodes_explicit_destroy(&e, run->from);
    return st;
}

/* ---- all of it ---- */

/* The starting point is the best so far. */
static void begin(nodes_run *n)
{
    const nodes_point x = n->gs.now;
    nodes_state(&n->p, x.r, x.g, x.w);
    memcpy(n->gs.best.r, x.r, n->gs.point_count * sizeof *x.r);
    solver_report *report = &n->run->answer->report;
    report->residual = nodes_residual(&n->p, x.r, x.v, x.g, x.w);
    report->converged = report->residual <= n->run->options->tolerance * n->gs.scale;
}

static void return_to_best(nodes_run *n)
{
    memcpy(n->gs.now.r, n->gs.best.r, n->gs.point_count * sizeof *n->gs.now.r);
}

static status iterate(nodes_run *n, error *err)
{
    const system_run *run = n->run;
    const system_solver *chosen = run->solver;
    const solver_report *report = &run->answer->report;
    begin(n);
    status st = chosen->sweeps ? sweep(n, chosen->explicit != NULL, err) : STATUS_OK;
    if (st != STATUS_OK || report->converged || !chosen->explicit) return st;
    if (system_iterations_left(run) == 0) return st;
    return_to_best(n);
    st = solve_explicit(n, err);
    return_to_best(n);
    const bool go_on = st == STATUS_UNSUPPORTED || (st == STATUS_OK && !report->converged);
    if (!chosen->sweeps || !go_on) return st;
    error_clear(err); /* that W does not fit is none here */
    return sweep(n, false, err);
}

static void answer(const nodes_run *n)
{
    const system_run *run = n->run;
    const nodes_point x = n->gs.best;
    contact_measure m = contact_measure_none();
    memcpy(run->r, x.r, 3 * (size_t)n->p.contacts * sizeof *x.r);
    for (uint32_t k = 0; k < n->p.contacts; k++) {
        const nodes_record *c = &n->p.record[k];
        const v3 u = nodes_contact_velocity(&n->p, c, x.v, x.w);
        contact_measure_add(&m, u, v3_load(x.r + 3 * (size_t)c->contact), c->mu, c->d);
        if (run->u) v3_store(run->u + 3 * (size_t)c->contact, u);
    }
    run->answer->measure = m;
    run->answer->scale = n->gs.scale;
    if (!run->v) return;
    nodes_body_velocity(&n->p, x.w, run->v);
    memcpy(run->v + nodes_state_count(&n->p), x.v, 3 * (size_t)n->p.nodes * sizeof *x.v);
}

static status solve_with(nodes_run *n, error *err)
{
    const system_run *run = n->run;
    const double *v = run->v ? run->v + nodes_state_count(&n->p) : NULL;
    status st = nodes_gs_create(&n->gs, &n->p, err);
    if (st < 0) return st;
    st = nodes_start(&n->gs, run->options->threads, run->r, v, err);
    if (st >= 0) st = iterate(n, err);
    if (st >= 0) answer(n);
    nodes_gs_destroy(&n->gs);
    return st;
}

status system_nodes_solve(const system_run *run, error *err)
{
    nodes_run n = {.run = run};
    status st = nodes_problem_create(&n.p, run->from, run->given, err);
    if (st < 0) return st;
    st = solve_with(&n, err);
    nodes_problem_destroy(&n.p);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/auto.h"

#include "contact/gauss_seidel.h"
#include "contact/islands.h"
#include "contact/proximal_newton.h"
#include "linalg/min_degree.h"
#include "math/scalar.h"

#include <string.h>

static const gs_settings SWEEPS = {.over_relaxation = 1.0, .momentum = 0.85, .skip = 0.1};

/* ---- when are sweeps no longer worth it? ---- */

enum { SWEEPS_BEFORE_DOUBT = 40, NEWTON_STEPS_EXPECTED = 15 };
static const size_t MOST_FILL = 2000000; /* blocks; beyond, a factor is not to be thought of */

typedef struct rivalry {
    const contact_problem *p;
    const allocator *from;
    double target;      /* m/s */
    double newton_work; /* flops of the Newton steps expected; 0: not known yet */
} rivalry;

static double sweep_work(const contact_problem *p)
{
    return 18.0 * (double)p->W.blocks + 150.0 * (double)p->contacts;
}

/* Infinite where a factorisation is out of the question. */
static double newton_work(const contact_problem *p, const allocator *from)
{
    min_degree m;
    if (min_degree_create(&m, from, &p->W, MOST_FILL) < 0) return INFINITY;
    double flops = 100.0 * (double)p->W.blocks;
    for (uint32_t i = 0; i < m.n; i++) {
        const double width = (double)(m.start[i + 1] - m.start[i]);
        flops += 54.0 * width * width;
    }
    min_degree_destroy(&m);
    return NEWTON_STEPS_EXPECTED * flops;
}

/* True when the sweeps left would cost more than Newton's method, and it is not almost over. */
static bool newton_wins(void *user, uint32_t sweeps, double residual, double rate)
{
    rivalry *v = user;
    if (sweeps < SWEEPS_BEFORE_DOUBT) return false;
    const double halvings = scalar_rough_log2(residual) - scalar_rough_log2(v->target);
    const double left = halvings / scalar_max(rate, 1e-9) * sweep_work(v->p);
    const double spent = sweeps * sweep_work(v->p);
    if (scalar_min(left, spent) < 400.0 * (double)v->p->W.blocks) return false;
    if (v->newton_work == 0.0) v->newton_work = newton_work(v->p, v->from);
    return left > v->newton_work + 0.5 * spent;
}

/* ---- islands ---- */

typedef struct auto_state {
    const contact_problem *p;
    const allocator *from;
    const solver_options *options;
    solver_report *report;
    islands groups;
    double *u, *island_r;
} auto_state;

static void gather(const auto_state *a, uint32_t k, const double *r, double *island_r)
{
    for (uint32_t j = 0; j < islands_size(&a->groups, k); j++) {
        const uint32_t i = a->groups.member[a->groups.start[k] + j];
        memcpy(island_r + 3 * (size_t)j, r + 3 * (size_t)i, 3 * sizeof *r);
    }
}

static void scatter(const auto_state *a, uint32_t k, const double *island_r, double *r)
{
    for (uint32_t j = 0; j < islands_size(&a->groups, k); j++) {
        const uint32_t i = a->groups.member[a->groups.start[k] + j];
        memcpy(r + 3 * (size_t)i, island_r + 3 * (size_t)j, 3 * sizeof *r);
    }
}

static double island_residual(const auto_state *a, uint32_t k, const double *r)
{
    double worst = 0.0;
    for (uint32_t j = a->groups.start[k]; j < a->groups.start[k + 1]; j++) {
        const size_t i = a->groups.member[j];
        const v3 ui = v3_load(a->u + 3 * i), ri = v3_load(r + 3 * i);
        worst = scalar_max(worst, coulomb_residual(ui, ri, a->p->mu[i], a->p->d[i]));
    }
    return worst;
}

enum { LAST_SWEEPS = 20000 };

/* Newton where it can be had; sweeps where not, or where it stalls. Every island has a budget of its
 * own. */
static status solve_island(auto_state *a, const contact_problem *q, double *r, error *err)
{
    solver_report report = {0};
    status st = proximal_newton_solve(q, a->from, a->options, r, &report, err);
    if (st == STATUS_UNSUPPORTED || (st == STATUS_OK && !report.converged)) {
        solver_options options = *a->options;
        if (options.max_iterations > LAST_SWEEPS) options.max_iterations = LAST_SWEEPS;
        st = gs_iterate(q, a->from, &options, &SWEEPS, NULL, NULL, r, &report, err);
    }
    a->report->iterations += report.iterations;
    a->report->local_failures += report.local_failures;
    return st;
}

static status solve_unsettled_islands(auto_state *a, double *r, error *err)
{
    const double target = a->options->tolerance * a->p->scale;
    contact_problem_velocity(a->p, a->options->threads, r, a->u);
    for (uint32_t k = 0; k < a->groups.count; k++) {
        if (island_residual(a, k, r) <= target) continue;
        contact_problem q;
        status st = islands_extract(&a->groups, a->from, a->p, k, &q, err);
        if (st < 0) return st;
        gather(a, k, r, a->island_r);
        st = solve_island(a, &q, a->island_r, err);
        contact_problem_destroy(&q, a->from);
        scatter(a, k, a->island_r, r);
        if (st != STATUS_OK) return st;
    }
    return STATUS_OK;
}

static status auto_finish(const contact_problem *p, const allocator *from,
                          const solver_options *options, double *r, solver_report *report,
                          error *err)
{
    auto_state a = {.p = p, .from = from, .options = options, .report = report};
    const size_t size = 3 * (size_t)p->contacts * sizeof(double);
    status st = islands_find(&a.groups, from, p);
    a.u = memory_alloc(from, 2 * size);
    if (st >= 0 && a.u) {
        a.island_r = a.u + 3 * (size_t)p->contacts;
        report->islands = a.groups.count;
        st = solve_unsettled_islands(&a, r, err);
        contact_problem_velocity(p, options->threads, r, a.u);
        report->residual = contact_problem_residual(p, r, a.u);
        report->converged = report->residual <= options->tolerance * p->scale;
    } else {
        st = error_out_of_memory(err, "islands of contacts");
    }
    memory_free(from, a.u, 2 * size);
    islands_destroy(&a.groups);
    return st;
}

status auto_solve(const contact_problem *p, const allocator *from, const solver_options *options,
                  double *r, solver_report *report, error *err)
{
    rivalry v = {.p = p, .from = from, .target = options->tolerance * p->scale};
    const status st = gs_iterate(p, from, options, &SWEEPS, newton_wins, &v, r, report, err);
    if (st != STATUS_OK || report->converged) return st;
    return auto_finish(p, from, options, r, report, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/auto.h"

#include "contact/by_islands.h"
#include "contact/gauss_seidel.h"
#include "contact/proximal_newton.h"
#include "linalg/min_degree.h"
#include "math/scalar.h"

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

enum { LAST_SWEEPS = 20000 };

/* Newton where it can be had; sweeps where not, or where it stalls. */
static status solve_island(const contact_problem *p, const allocator *from,
                           const solver_options *options, double *r, solver_report *report,
                           error *err)
{
    const status st = proximal_newton_solve(p, from, options, r, report, err);
    if (st != STATUS_UNSUPPORTED && (st != STATUS_OK || report->converged)) return st;
    solver_options sweeps = *options;
    if (sweeps.max_iterations > LAST_SWEEPS) sweeps.max_iterations = LAST_SWEEPS;
    return gs_iterate(p, from, &sweeps, &SWEEPS, NULL, NULL, r, report, err);
}

status auto_solve(const contact_problem *p, const allocator *from, const solver_options *options,
                  double *r, solver_report *report, error *err)
{
    rivalry v = {.p = p, .from = from, .target = options->tolerance * p->scale};
    const status st = gs_iterate(p, from, options, &SWEEPS, newton_wins, &v, r, report, err);
    if (st != STATUS_OK || report->converged) return st;
    return by_islands_solve(p, from, options, solve_island, r, report, err);
}

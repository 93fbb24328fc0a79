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
static const double MOST_FILL = 2e6; /* blocks; beyond, a factor is not to be thought of */

typedef struct rivalry {
    const contact_problem *p;
    const allocator *from;
    double target;     /* m/s */
    double newton;     /* flops of the Newton steps expected, or what they are known to exceed */
    bool newton_known; /* the former */
} rivalry;

static double sweep_work(const contact_problem *p)
{
    return 18.0 * (double)p->W.blocks + 150.0 * (double)p->contacts;
}

static double newton_work(const contact_problem *p, double squared_widths)
{
    return NEWTON_STEPS_EXPECTED * (100.0 * (double)p->W.blocks + 54.0 * squared_widths);
}

/* The fill of n rows that makes Newton's steps cost this much at least: with equal widths. */
static size_t fill_worth(const contact_problem *p, double work)
{
    const double squares = (work - newton_work(p, 0.0)) / (54.0 * NEWTON_STEPS_EXPECTED);
    return (size_t)scalar_min(sqrt(scalar_max(squares, 0.0) * p->contacts), MOST_FILL);
}

/* Counts Newton's work, as long as it is less than that of the sweeps left. */
static void count_newton_work(rivalry *v, double left)
{
    min_degree m;
    v->newton = left;
    if (min_degree_create(&m, v->from, &v->p->W, fill_worth(v->p, left)) < 0) return;
    double squares = 0.0;
    for (uint32_t i = 0; i < m.n; i++) {
        const double width = (double)(m.start[i + 1] - m.start[i]);
        squares += width * width;
    }
    min_degree_destroy(&m);
    v->newton = newton_work(v->p, squares);
    v->newton_known = true;
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
    if (!v->newton_known && left > 2.0 * v->newton) count_newton_work(v, left);
    return v->newton_known && left > v->newton + 0.5 * spent;
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

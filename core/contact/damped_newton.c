/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/damped_newton.h"

#include "base/clock.h"
#include "contact/alart_curnier.h"
#include "contact/by_islands.h"
#include "contact/fischer_burmeister.h"
#include "contact/gauss_seidel.h"
#include "contact/newton_system.h"
#include "math/scalar.h"

#include <string.h>

enum {
    SEARCH_CAP = 10,  /* lengths tried along one direction */
    PATIENCE = 5,     /* slow steps in a row before Newton's method is left */
    FIRST_SWEEPS = 5, /* of Gauss-Seidel, the first time */
    STALL = 2000      /* iterations without halving the residual */
};
static const double SLOW = 0.9; /* a step that leaves more of q than this */
static const double SHIFT_LEAST = 1e-8, SHIFT_MOST = 1e-2;

typedef struct damped {
    const contact_problem *p;
    const solver_options *options;
    solver_report *report;
    bool alone; /* without sweeps */
    newton_system system;
    gs_columns columns;
    double *memory; /* the vectors below */
    double *u, *dr, *du, *trial_r, *trial_u, *best_r;
    double best, mark; /* residuals: the lowest, and the one that must be halved */
    uint32_t mark_iteration;
    bool stopped;
} damped;

enum { VECTORS = 6 };

static size_t vector_count(const contact_problem *p) { return 3 * (size_t)p->contacts; }

static size_t vector_size(const contact_problem *p) { return vector_count(p) * sizeof(double); }

/* On failure too, damped_destroy cleans up. */
static status damped_create(damped *x, const allocator *from, contact_function function, error *err)
{
    const contact_problem *p = x->p;
    const status st = newton_system_create(&x->system, from, p, function, err);
    if (st < 0) return st;
    x->memory = memory_alloc(from, memory_size(VECTORS, vector_size(p)));
    if (!x->memory || gs_columns_create(&x->columns, from, p) < 0) {
        return error_out_of_memory(err, "Newton's method");
    }
    double **vector[VECTORS] = {&x->u, &x->dr, &x->du, &x->trial_r, &x->trial_u, &x->best_r};
    for (size_t k = 0; k < VECTORS; k++) *vector[k] = x->memory + k * vector_count(p);
    return STATUS_OK;
}

static void damped_destroy(damped *x, const allocator *from)
{
    gs_columns_destroy(&x->columns, from, x->p);
    memory_free(from, x->memory, VECTORS * vector_size(x->p));
    newton_system_destroy(&x->system, from);
}

/* ---- the account ---- */

/* Fresh velocities at r, which is kept if it is the best so far. */
static void damped_look(damped *x, const double *r)
{
    contact_problem_velocity(x->p, x->options->threads, r, x->u);
    const double residual = contact_problem_residual(x->p, r, x->u);
    if (residual < x->best) {
        x->best = residual;
        memcpy(x->best_r, r, vector_size(x->p));
    }
}

static void damped_end_iteration(damped *x, const double *r)
{
    const solver_options *o = x->options;
    damped_look(x, r);
    x->report->iterations++;
    if (x->best < 0.5 * x->mark) {
        x->mark = x->best;
        x->mark_iteration = x->report->iterations;
    }
    x->stopped =
        o->trace && o->trace(o->trace_user, x->report->iterations, x->best / x->p->scale) != 0;
}

static bool damped_is_over(const damped *x)
{
    return x->stopped || x->best <= x->options->tolerance * x->p->scale ||
           x->report->iterations >= x->options->max_iterations ||
           x->report->iterations - x->mark_iteration > STALL;
}

/* ---- Newton ---- */

/* |f|^2 at the trial point r + length dr; u is affine in r. */
static double damped_try(damped *x, const double *r, double length)
{
    for (size_t k = 0; k < vector_count(x->p); k++) {
        x->trial_r[k] = r[k] + length * x->dr[k];
        x->trial_u[k] = x->u[k] + length * x->du[k];
    }
    return newton_system_merit(&x->system, x->trial_r, x->trial_u);
}

/* Goldstein and Price's search (paper 000, algorithm 2); true: the trial point is the one. */
static bool damped_search(damped *x, const double *r, double merit, double slope)
{
    double low = 0.0, high = INFINITY, length = 1.0;
    for (int k = 0; k < SEARCH_CAP; k++) {
        const double mean = (damped_try(x, r, length) - merit) / length;
        if (mean < 0.9 * slope) {
            low = length;
        } else if (mean <= 0.1 * slope) {
            return true;
        } else {
            high = length;
        }
        length = high < INFINITY ? 0.5 * (low + high) : 10.0 * length;
    }
    return false;
}

/* One step to the trial point, with the smallest shift whose direction can be followed; false when
 * there is none. */
static bool damped_step(damped *x, const double *r, double merit)
{
    for (double shift = 0.0; shift <= SHIFT_MOST; shift = scalar_max(100.0 * shift, SHIFT_LEAST)) {
        if (!newton_system_direction(&x->system, r, x->u, shift, x->dr)) continue;
        bsr3_mul(&x->p->W, x->options->threads, x->dr, x->du);
        const double slope = newton_system_slope(&x->system, r, x->u, x->dr, x->du);
        if (slope < 0.0 && damped_search(x, r, merit, slope)) return true;
    }
    return false;
}

/* Steps until it is over, no step descends, or several in a row gain little and sweeps may help. */
static void damped_newton(damped *x, double *r)
{
    double merit = newton_system_merit(&x->system, r, x->u);
    for (int slow = 0; (x->alone || slow < PATIENCE) && !damped_is_over(x);) {
        if (!damped_step(x, r, merit)) return;
        memcpy(r, x->trial_r, vector_size(x->p));
        damped_end_iteration(x, r);
        const double now = newton_system_merit(&x->system, r, x->u);
        slow = now > SLOW * merit ? slow + 1 : 0;
        merit = now;
    }
}

/* ---- when it is stuck ---- */

static void damped_sweep(damped *x, double *r, uint32_t sweeps)
{
    memcpy(r, x->best_r, vector_size(x->p));
    contact_problem_velocity(x->p, x->options->threads, r, x->u);
    for (uint32_t k = 0; k < sweeps && !damped_is_over(x); k++) {
        gs_sweep(x->p, &x->columns, x->options->local, 1.0, 0.0, r, x->u, &x->report->local);
        damped_end_iteration(x, r);
    }
}

static void damped_iterate(damped *x, double *r)
{
    damped_look(x, r);
    x->mark = x->best;
    damped_newton(x, r);
    for (uint32_t sweeps = FIRST_SWEEPS; !x->alone && !damped_is_over(x); sweeps *= 2) {
        damped_sweep(x, r, sweeps);
        damped_newton(x, r);
    }
    memcpy(r, x->best_r, vector_size(x->p));
}

static status damped_solve(const contact_problem *p, const allocator *from,
                           const solver_options *options, contact_function function, bool alone,
                           double *r, solver_report *report, error *err)
{
    const double start = clock_now();
    damped x = {.p = p, .options = options, .report = report, .alone = alone, .best = INFINITY};
    const status st = damped_create(&x, from, function, err);
    if (st >= 0) damped_iterate(&x, r);
    newton_system_account(&x.system, clock_now() - start, &report->seconds);
    damped_destroy(&x, from);
    if (st < 0) return st;
    report->residual = x.best;
    report->converged = x.best <= options->tolerance * p->scale;
    return x.stopped ? STATUS_CANCELLED : STATUS_OK;
}

static status alart_curnier_island(const contact_problem *p, const allocator *from,
                                   const solver_options *options, double *r, solver_report *report,
                                   error *err)
{
    return damped_solve(p, from, options, alart_curnier_at, false, r, report, err);
}

static status alart_curnier_alone_island(const contact_problem *p, const allocator *from,
                                         const solver_options *options, double *r,
                                         solver_report *report, error *err)
{
    return damped_solve(p, from, options, alart_curnier_at, true, r, report, err);
}

static status fischer_burmeister_island(const contact_problem *p, const allocator *from,
                                        const solver_options *options, double *r,
                                        solver_report *report, error *err)
{
    return damped_solve(p, from, options, fischer_burmeister_at, false, r, report, err);
}

status damped_newton_solve_alart_curnier(const contact_problem *p, const allocator *from,
                                         const solver_options *options, double *r,
                                         solver_report *report, error *err)
{
    return by_islands_solve(p, from, options, alart_curnier_island, r, report, err);
}

status damped_newton_solve_alart_curnier_alone(const contact_problem *p, const allocator *from,
                                               const solver_options *options, double *r,
                                               solver_report *report, error *err)
{
    return by_islands_solve(p, from, options, alart_curnier_alone_island, r, report, err);
}

status damped_newton_solve_fischer_burmeister(const contact_problem *p, const allocator *from,
                                              const solver_options *options, double *r,
                                              solver_report *report, error *err)
{
    return by_islands_solve(p, from, options, fischer_burmeister_island, r, report, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/proximal_newton.h"

#include "base/clock.h"
#include "contact/alart_curnier.h"
#include "contact/gauss_seidel.h"
#include "contact/newton_system.h"
#include "math/scalar.h"

#include <string.h>

enum {
    INNER_STEPS = 12, /* of Newton for one outer step */
    HALVINGS = 12,    /* of a Newton step */
    RESCUE_SWEEPS = 3,
    EASY = 4,    /* inner steps: eps may fall */
    HARD = 10,   /* inner steps: eps should rise */
    STALL = 3000 /* Newton steps without halving the residual */
};
static const double EPS_START = 1e-5, EPS_LEAST = 1e-9, EPS_MOST = 1.0;

typedef struct prox {
    const contact_problem *p;
    const solver_options *options;
    solver_report *report;
    gs_columns columns;
    newton_system system;
    double *memory; /* the vectors below */
    double *r_k, *u, *dr, *trial_r, *trial_u, *move, *best_r;
    double eps, best;
    bool stopped;
} prox;

enum { VECTORS = 7 };

static size_t vector_count(const contact_problem *p) { return 3 * (size_t)p->contacts; }

static size_t vector_size(const contact_problem *p) { return vector_count(p) * sizeof(double); }

/* On failure too, prox_destroy cleans up. */
static status prox_create(prox *x, const allocator *from, error *err)
{
    const contact_problem *p = x->p;
    const status st = newton_system_create(&x->system, from, p, alart_curnier_at, err);
    if (st < 0) return st;
    x->memory = memory_alloc(from, memory_size(VECTORS, vector_size(p)));
    if (!x->memory || gs_columns_create(&x->columns, from, p) < 0) {
        return error_out_of_memory(err, "Newton's method");
    }
    double **vector[VECTORS] = {&x->r_k,     &x->u,    &x->dr,    &x->trial_r,
                                &x->trial_u, &x->move, &x->best_r};
    for (size_t k = 0; k < VECTORS; k++) *vector[k] = x->memory + k * vector_count(p);
    return STATUS_OK;
}

static void prox_destroy(prox *x, const allocator *from)
{
    gs_columns_destroy(&x->columns, from, x->p);
    memory_free(from, x->memory, VECTORS * vector_size(x->p));
    newton_system_destroy(&x->system, from);
}

/* u = W r + b + eps d (r - r_k) */
static void prox_velocity(const prox *x, const double *r, double *u)
{
    contact_problem_velocity(x->p, x->options->threads, r, u);
    for (size_t k = 0; k < vector_count(x->p); k++) {
        u[k] += x->eps * x->p->d[k / 3] * (r[k] - x->r_k[k]);
    }
}

/* ---- Newton ---- */

/* One damped step; false when no step length descends. */
static bool prox_newton_step(prox *x, double *r, double *merit)
{
    if (!newton_system_direction(&x->system, r, x->u, x->eps, x->dr)) return false;
    double step = 1.0;
    for (int k = 0; k < HALVINGS; k++, step *= 0.5) {
        for (size_t j = 0; j < vector_count(x->p); j++) x->trial_r[j] = r[j] + step * x->dr[j];
        prox_velocity(x, x->trial_r, x->trial_u);
        const double trial = newton_system_merit(&x->system, x->trial_r, x->trial_u);
        if (!(trial < (1.0 - 0.1 * step) * *merit)) continue;
        memcpy(r, x->trial_r, vector_size(x->p));
        memcpy(x->u, x->trial_u, vector_size(x->p));
        *merit = trial;
        return true;
    }
    return false;
}

/* Gauss-Seidel on the true problem, to get away from where Newton is stuck. */
static void prox_rescue(prox *x, double *r)
{
    contact_problem_velocity(x->p, x->options->threads, r, x->u);
    for (int k = 0; k < RESCUE_SWEEPS; k++) {
        gs_sweep(x->p, &x->columns, x->options->local, 1.0, 0.0, r, x->u, &x->report->local);
    }
    prox_velocity(x, r, x->u);
}

/* ---- outer steps ---- */

static double prox_move(const prox *x, const double *r)
{
    double move = 0.0;
    for (size_t k = 0; k < vector_count(x->p); k++) {
        move = scalar_max(move, x->eps * x->p->d[k / 3] * fabs(r[k] - x->r_k[k]));
    }
    return move;
}

/* Solves the proximal problem to a fifth of the outer move. Newton steps used, or -1. */
static int prox_inner(prox *x, double *r, double floor)
{
    prox_velocity(x, r, x->u);
    double merit = newton_system_merit(&x->system, r, x->u);
    for (int step = 0; step < INNER_STEPS; step++) {
        const double enough = scalar_max(0.2 * prox_move(x, r), floor);
        if (step > 0 && contact_problem_residual(x->p, r, x->u) <= enough) return step;
        if (x->stopped || x->report->iterations >= x->options->max_iterations) return -1;
        x->report->iterations++;
        if (!prox_newton_step(x, r, &merit)) {
            prox_rescue(x, r);
            merit = newton_system_merit(&x->system, r, x->u);
        }
    }
    return -1;
}

/* The true residual at r, which is kept if it is the best so far. */
static double prox_keep_best(prox *x, const double *r)
{
    contact_problem_velocity(x->p, x->options->threads, r, x->trial_u);
    const double residual = contact_problem_residual(x->p, r, x->trial_u);
    if (residual < x->best) {
        x->best = residual;
        memcpy(x->best_r, r, vector_size(x->p));
    }
    return residual;
}

/* Remembers the outer move; true when it is nearly parallel to the last one. */
static bool prox_is_drifting(prox *x, const double *r)
{
    double dot = 0.0, now = 0.0, before = 0.0;
    for (size_t k = 0; k < vector_count(x->p); k++) {
        const double d = x->p->d[k / 3], move = d * (r[k] - x->r_k[k]), last = d * x->move[k];
        dot += move * last;
        now += move * move;
        before += last * last;
        x->move[k] = r[k] - x->r_k[k];
    }
    return before > 0.0 && dot > 0.9 * sqrt(now * before);
}

/* Tries r + gain move, less where the residual would grow; returns the gain taken. */
static double prox_run_ahead(prox *x, double *r, double gain, double *residual)
{
    for (; gain >= 1.0; gain *= 0.25) {
        for (size_t i = 0; i < x->p->contacts; i++) {
            const v3 ahead = v3_add_scaled(v3_load(r + 3 * i), gain, v3_load(x->move + 3 * i));
            v3_store(x->trial_r + 3 * i, coulomb_project(ahead, x->p->mu[i]));
        }
        const double trial = prox_keep_best(x, x->trial_r);
        if (trial > 1.02 * *residual) continue;
        memcpy(r, x->trial_r, vector_size(x->p));
        *residual = trial;
        return gain;
    }
    return 0.0;
}

/* The inner problem was too hard: keep its point only if it is clearly better, and regularise. */
static void prox_retreat(prox *x, double *r, double residual, double *worst)
{
    x->eps = scalar_min(10.0 * x->eps, EPS_MOST);
    if (residual > 0.5 * *worst) {
        memcpy(r, x->r_k, vector_size(x->p));
    } else {
        memcpy(x->r_k, r, vector_size(x->p));
        *worst = residual;
    }
}

static void prox_advance(prox *x, double *r, int steps, double residual, double *worst,
                         double *gain)
{
    const bool stagnates = residual > 0.95 * *worst, drifting = prox_is_drifting(x, r);
    const double ahead = scalar_min(2.0 * *gain + 1.0, 1e4);
    *gain = drifting ? prox_run_ahead(x, r, ahead, &residual) : 0.0;
    *worst = residual;
    memcpy(x->r_k, r, vector_size(x->p));
    for (size_t k = 0; drifting && k < vector_count(x->p); k++) r[k] += x->move[k];
    if (steps <= EASY || (stagnates && steps <= HARD)) {
        x->eps = scalar_max(0.2 * x->eps, EPS_LEAST);
    } else if (steps > HARD) {
        x->eps *= 2.0;
    }
}

static void prox_iterate(prox *x, double *r)
{
    const double target = x->options->tolerance * x->p->scale;
    memcpy(x->r_k, r, vector_size(x->p));
    double worst = prox_keep_best(x, r), mark = worst, gain = 0.0;
    uint32_t mark_step = x->report->iterations;
    while (x->best > target && !x->stopped && x->report->iterations - mark_step <= STALL &&
           x->report->iterations < x->options->max_iterations) {
        const int steps = prox_inner(x, r, 0.3 * target);
        const double residual = prox_keep_best(x, r);
        if (residual < 0.5 * mark) {
            mark = residual;
            mark_step = x->report->iterations;
        }
        if (steps < 0) {
            prox_retreat(x, r, residual, &worst);
        } else {
            prox_advance(x, r, steps, residual, &worst, &gain);
        }
        const solver_options *o = x->options;
        x->stopped =
            o->trace && o->trace(o->trace_user, x->report->iterations, x->best / x->p->scale) != 0;
    }
    memcpy(r, x->best_r, vector_size(x->p));
}

status proximal_newton_solve(const contact_problem *p, const allocator *from,
                             const solver_options *options, double *r, solver_report *report,
                             error *err)
{
    const double start = clock_now();
    prox x = {.p = p, .options = options, .report = report, .eps = EPS_START, .best = INFINITY};
    const status st = prox_create(&x, from, err);
    if (st >= 0) prox_iterate(&x, r);
    newton_system_account(&x.system, clock_now() - start, &report->seconds);
    prox_destroy(&x, from);
    if (st < 0) return st;
    report->residual = x.best;
    report->converged = x.best <= options->tolerance * p->scale;
    return x.stopped ? STATUS_CANCELLED : STATUS_OK;
}

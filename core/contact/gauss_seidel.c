/* SPDX-License-Identifier: Apache-2.0
 *
 * Momentum repeats a share of the last move before a sweep, r += beta (r - r_last), as Nesterov's
 * method does, and u with it (u is affine in r). It starts over when moves grow. r and u of both
 * points are recomputed together now and then: refreshing u alone would feed the rounding
 * difference into the momentum, which amplifies it by beta / (1 - beta).
 */
#include "contact/gauss_seidel.h"

#include "base/clock.h"
#include "contact/momentum.h"
#include "math/scalar.h"

#include <string.h>

status gs_columns_create(gs_columns *c, const allocator *from, const contact_problem *p)
{
    *c = (gs_columns){.transposed.from = from};
    status st = bsr3_create_transposed(&c->transposed, from, &p->W);
    if (st < 0) return st;
    c->diagonal = memory_alloc(from, memory_size(p->contacts, sizeof *c->diagonal));
    if (!c->diagonal) {
        bsr3_destroy(&c->transposed);
        return STATUS_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < p->contacts; i++) {
        const v3 *D = bsr3_diagonal(&p->W, i)->row;
        c->diagonal[i] = (sym3){D[0].x, 0.5 * (D[0].y + D[1].x), 0.5 * (D[0].z + D[2].x),
                                D[1].y, 0.5 * (D[1].z + D[2].y), D[2].z};
    }
    return STATUS_OK;
}

void gs_columns_destroy(gs_columns *c, const allocator *from, const contact_problem *p)
{
    bsr3_destroy(&c->transposed);
    memory_free(from, c->diagonal, p->contacts * sizeof *c->diagonal);
    c->diagonal = NULL;
}

/* u += W e_i dr */
static void push_change(const bsr3 *columns, uint32_t i, v3 dr, double *u)
{
    for (uint32_t slot = columns->row_start[i]; slot < columns->row_start[i + 1]; slot++) {
        double *uj = u + 3 * (size_t)columns->col[slot];
        v3_store(uj, v3_add(v3_load(uj), m3_tmul_v3(&columns->block[slot], dr)));
    }
}

static v3 relax_contact(const contact_problem *p, const sym3 *W, const local_solver *local,
                        double over_relaxation, uint32_t i, v3 u, v3 r, local_tally *tally)
{
    const v3 b = v3_sub(u, sym3_mul_v3(W, r));
    const local_answer answer = local->solve(W, b, p->mu[i], r);
    local_tally_count(tally, &answer);
    if (over_relaxation == 1.0 || answer.state == CONTACT_TAKEOFF) return answer.r;
    return coulomb_project(v3_add_scaled(r, over_relaxation, v3_sub(answer.r, r)), p->mu[i]);
}

double gs_sweep(const contact_problem *p, const gs_columns *c, const local_solver *local,
                double over_relaxation, double settled, double *r, double *u, local_tally *tally)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        const v3 ri = v3_load(r + 3 * (size_t)i), ui = v3_load(u + 3 * (size_t)i);
        if (coulomb_stays_open(ui, ri)) continue;
        const double square = coulomb_residual_squared(ui, ri, p->mu[i], p->d[i]);
        worst = scalar_max(square, worst);
        if (square <= settled * settled) continue;
        const v3 next = relax_contact(p, &c->diagonal[i], local, over_relaxation, i, ui, ri, tally);
        v3_store(r + 3 * (size_t)i, next);
        push_change(&c->transposed, i, v3_sub(next, ri), u);
    }
    return sqrt(worst);
}

/* ---- the iteration ---- */

enum { REFRESH = 20 }; /* sweeps between fresh u; only then are the best r and doubts looked at */
static const double NEAR = 2.0; /* times the target: it may be met after this sweep */

typedef struct gs_state {
    const contact_problem *p;
    const gs_columns *columns;
    const gs_settings *settings;
    pool *threads;
    double *r, *u;   /* now */
    double *r0, *u0; /* before the last momentum */
    double *best_r;
    double best, target;
    momentum momentum;
    double mark; /* best residual when half of the sweeps were done, for the rate */
    uint32_t mark_sweep;
} gs_state;

static size_t state_size(const contact_problem *p)
{
    return 3 * (size_t)p->contacts * sizeof(double);
}

static void keep_best(gs_state *s, double residual)
{
    if (!(residual < s->best)) return;
    s->best = residual;
    memcpy(s->best_r, s->r, state_size(s->p));
}

/* How far the last sweep went, as a velocity squared. */
static double move_size(const gs_state *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->p->contacts; i++) {
        const v3 dr = v3_sub(v3_load(s->r + 3 * i), v3_load(s->r0 + 3 * i));
        sum += s->p->d[i] * s->p->d[i] * v3_dot(dr, dr);
    }
    return sum;
}

static void add_momentum(gs_state *s)
{
    const double beta = momentum_share(&s->momentum, move_size(s));
    for (size_t k = 0; k < 3 * (size_t)s->p->contacts; k++) {
        const double r = s->r[k], u = s->u[k];
        s->r[k] += beta * (r - s->r0[k]);
        s->u[k] += beta * (u - s->u0[k]);
        s->r0[k] = r;
        s->u0[k] = u;
    }
}

/* Halvings of the residual per sweep, over the last half of the sweeps. */
static double rate_since_mark(gs_state *s, uint32_t sweep)
{
    const double gained = scalar_rough_log2(s->mark) - scalar_rough_log2(s->best);
    const double rate = gained / (double)(sweep - s->mark_sweep);
    if (sweep >= 2 * s->mark_sweep) {
        s->mark = s->best;
        s->mark_sweep = sweep;
    }
    return rate;
}

/* Velocities computed afresh, for rounding adds up in those that were kept up to date. */
static double refresh(gs_state *s)
{
    contact_problem_velocity(s->p, s->threads, s->r, s->u);
    const double residual = contact_problem_residual(s->p, s->r, s->u);
    keep_best(s, residual);
    if (s->best > s->target) contact_problem_velocity(s->p, s->threads, s->r0, s->u0);
    return residual;
}

static void return_to_best(gs_state *s)
{
    memcpy(s->r, s->best_r, state_size(s->p));
    memcpy(s->r0, s->best_r, state_size(s->p));
    refresh(s);
}

/* Is it worth the time to compute the residual? A sweep meets contacts before it improves them. */
static bool may_be_done(const gs_state *s, double met)
{
    return met <= NEAR * s->target && contact_problem_residual(s->p, s->r, s->u) <= s->target;
}

/* What the trace is told is computed for it alone, and changes nothing. */
static bool is_cancelled(const gs_state *s, const solver_options *options, uint32_t iteration)
{
    if (!options->trace) return false;
    const double residual = contact_problem_residual(s->p, s->r, s->u) / s->p->scale;
    return options->trace(options->trace_user, iteration, residual) != 0;
}

static status sweep_until_done(gs_state *s, const solver_options *options, gs_doubt doubt,
                               void *doubt_user, solver_report *report)
{
    double met = contact_problem_residual(s->p, s->r, s->u);
    keep_best(s, met);
    s->mark = s->best;
    for (uint32_t sweep = 1; sweep <= options->max_iterations && s->best > s->target; sweep++) {
        const double settled = scalar_max(s->settings->skip * met, 0.3 * s->target);
        met = gs_sweep(s->p, s->columns, options->local, s->settings->over_relaxation, settled,
                       s->r, s->u, &report->local);
        report->iterations++;
        const bool look =
            sweep % REFRESH == 0 || sweep == options->max_iterations || may_be_done(s, met);
        if (look) met = refresh(s);
        if (is_cancelled(s, options, report->iterations)) return STATUS_CANCELLED;
        if (s->best <= s->target) break;
        if (look && doubt && doubt(doubt_user, sweep, s->best, rate_since_mark(s, sweep))) break;
        if (look && momentum_tame(&s->momentum, s->best)) return_to_best(s);
        if (s->momentum.limit > 0.0) add_momentum(s);
    }
    return STATUS_OK;
}

static status iterate_with(gs_state *s, const allocator *from, const solver_options *options,
                           gs_doubt doubt, void *doubt_user, solver_report *report, error *err)
{
    const size_t size = state_size(s->p);
    double *memory = memory_alloc(from, memory_size(4, size));
    if (!memory) return error_out_of_memory(err, "Gauss-Seidel");
    s->u = memory;
    s->r0 = s->u + size / sizeof(double);
    s->u0 = s->r0 + size / sizeof(double);
    s->best_r = s->u0 + size / sizeof(double);
    contact_problem_velocity(s->p, s->threads, s->r, s->u);
    memcpy(s->r0, s->r, size);
    memcpy(s->u0, s->u, size);
    const double start = clock_now();
    const status st = sweep_until_done(s, options, doubt, doubt_user, report);
    report->seconds.sweeps += clock_now() - start;
    memcpy(s->r, s->best_r, size);
    report->residual = s->best;
    report->converged = s->best <= s->target;
    memory_free(from, memory, 4 * size);
    return st;
}

status gs_iterate(const contact_problem *p, const allocator *from, const solver_options *options,
                  const gs_settings *settings, gs_doubt doubt, void *doubt_user, double *r,
                  solver_report *report, error *err)
{
    gs_columns columns;
    const status st = gs_columns_create(&columns, from, p);
    if (st < 0) return error_out_of_memory(err, "Gauss-Seidel");
    gs_state state = {.p = p,
                      .columns = &columns,
                      .settings = settings,
                      .threads = options->threads,
                      .r = r,
                      .best = INFINITY,
                      .target = options->tolerance * p->scale,
                      .momentum = momentum_start(settings->momentum)};
    const status done = iterate_with(&state, from, options, doubt, doubt_user, report, err);
    gs_columns_destroy(&columns, from, p);
    return done;
}

status gs_solve_plain(const contact_problem *p, const allocator *from,
                      const solver_options *options, double *r, solver_report *report, error *err)
{
    const gs_settings settings = {.over_relaxation = 1.0};
    return gs_iterate(p, from, options, &settings, NULL, NULL, r, report, err);
}

status gs_solve_relaxed(const contact_problem *p, const allocator *from,
                        const solver_options *options, double *r, solver_report *report, error *err)
{
    const gs_settings settings = {.over_relaxation = 1.4, .skip = 0.1};
    return gs_iterate(p, from, options, &settings, NULL, NULL, r, report, err);
}

status gs_solve_momentum(const contact_problem *p, const allocator *from,
                         const solver_options *options, double *r, solver_report *report,
                         error *err)
{
    const gs_settings settings = {.over_relaxation = 1.0, .momentum = 0.85, .skip = 0.1};
    return gs_iterate(p, from, options, &settings, NULL, NULL, r, report, err);
}

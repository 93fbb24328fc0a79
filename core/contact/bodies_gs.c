/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/bodies_gs.h"

#include "base/relay.h"
#include "contact/momentum.h"
#include "math/scalar.h"

#include <inttypes.h>
#include <string.h>

const gs_settings bodies_gs_default = {.over_relaxation = 1.0, .momentum = 0.85, .skip = 0.1};

static size_t impulse_count(const bodies_problem *p) { return 3 * (size_t)p->contacts; }

status bodies_gs_create(bodies_gs *s, const bodies_problem *p, error *err)
{
    const size_t impulses = impulse_count(p), states = bodies_state_count(p);
    const bodies_lanes *wide_lanes = bodies_lanes_wide();
    *s = (bodies_gs){.p = p,
                     .lanes = wide_lanes ? wide_lanes : &bodies_lanes_baseline,
                     .count = 2 * impulses + 2 * states};
    s->memory = memory_alloc(p->from, memory_size(s->count, sizeof *s->memory));
    s->met = memory_alloc(p->from, memory_size(p->plan.chunks, sizeof *s->met));
    s->done = memory_alloc(p->from, memory_size(p->plan.chunks, sizeof *s->done));
    if (!s->memory || !s->met || !s->done) {
        bodies_gs_destroy(s);
        return error_out_of_memory(err, "Gauss-Seidel");
    }
    s->w = s->memory;
    s->w0 = s->w + states;
    s->r0 = s->w0 + states;
    s->best_r = s->r0 + impulses;
    return STATUS_OK;
}

void bodies_gs_destroy(bodies_gs *s)
{
    memory_free(s->p->from, s->memory, s->count * sizeof *s->memory);
    memory_free(s->p->from, s->met, s->p->plan.chunks * sizeof *s->met);
    memory_free(s->p->from, s->done, s->p->plan.chunks * sizeof *s->done);
    *s = (bodies_gs){.p = s->p};
}

/* ---- passes over all contacts ---- */

/* Waking threads takes some microseconds, as a chunk does. NULL if that is not worth it; bits do
 * not depend on it. */
static pool *helpers(const bodies_gs *s, pool *threads)
{
    enum { WORTH_WAKING = 32, PER_STAGE = 2 };
    const visit_plan *plan = &s->p->plan;
    return plan->chunks < WORTH_WAKING || plan->chunks < PER_STAGE * plan->stages ? NULL : threads;
}

static void run_chunks(bodies_gs *s, pool *threads, pool_task task, void *user)
{
    const visit_plan *plan = &s->p->plan;
    relay_run(helpers(s, threads), plan->chunks, plan->after, s->done, task, user);
}

typedef struct sweep_job {
    bodies_gs *s;
    bodies_pass pass;
} sweep_job;

static void sweep_chunk(void *user, uint32_t chunk)
{
    const sweep_job *job = user;
    const uint32_t *first = &job->s->p->plan.chunk[chunk];
    job->s->met[chunk] = job->s->lanes->visit(&job->pass, first[0], first[1]);
}

bodies_met bodies_gs_sweep(bodies_gs *s, pool *threads, const local_solver *local,
                           double over_relaxation, double settled, double *r)
{
    sweep_job job = {s, {s->p, local, over_relaxation, settled, r, s->w, s->r0}};
    run_chunks(s, threads, sweep_chunk, &job);
    bodies_met all = {0.0, 0.0, 0};
    for (uint32_t c = 0; c < s->p->plan.chunks; c++) {
        all.worst = scalar_max(s->met[c].worst, all.worst);
        all.move += s->met[c].move;
        all.failures += s->met[c].failures;
    }
    return all;
}

typedef struct state_job {
    const bodies_problem *p;
    const double *r[2];
    double *w[2];
    int count;
} state_job;

static void add_chunk_to_states(void *user, uint32_t chunk)
{
    const state_job *job = user;
    const visit_plan *plan = &job->p->plan;
    for (size_t i = plan->batch[plan->chunk[chunk]]; i < plan->batch[plan->chunk[chunk + 1]]; i++) {
        for (int k = 0; k < job->count; k++) {
            bodies_push(job->p, &job->p->record[i], v3_load(job->r[k] + 3 * i), job->w[k]);
        }
    }
}

/* w = Z r, for one or two. */
static void compute_states(bodies_gs *s, pool *threads, state_job *job)
{
    for (int k = 0; k < job->count; k++) {
        memset(job->w[k], 0, bodies_state_count(s->p) * sizeof *job->w[k]);
    }
    run_chunks(s, threads, add_chunk_to_states, job);
}

typedef struct residual_job {
    bodies_gs *s;
    const double *r;
} residual_job;

static void measure_chunk(void *user, uint32_t chunk)
{
    const residual_job *job = user;
    const bodies_problem *p = job->s->p;
    const visit_plan *plan = &p->plan;
    double worst = 0.0;
    for (size_t i = plan->batch[plan->chunk[chunk]]; i < plan->batch[plan->chunk[chunk + 1]]; i++) {
        const bodies_record *c = &p->record[i];
        const double e = bodies_contact_residual(p, c, v3_load(job->r + 3 * i), job->s->w);
        worst = scalar_max(e, worst);
    }
    job->s->met[chunk].worst = worst;
}

static double measure_residual(bodies_gs *s, pool *threads, const double *r)
{
    const uint32_t chunks = s->p->plan.chunks;
    residual_job job = {s, r};
    pool_run(helpers(s, threads), chunks, measure_chunk, &job);
    double worst = 0.0;
    for (uint32_t c = 0; c < chunks; c++) worst = scalar_max(s->met[c].worst, worst);
    return worst;
}

/* ---- the iteration ---- */

enum { REFRESH = 20 }; /* sweeps between fresh w; only then is the best r looked at */

typedef struct iteration {
    bodies_gs *s;
    pool *threads;
    double *r; /* in the order of visits */
    double best;
    momentum momentum;
} iteration;

static void copy(double *to, const double *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

/* States computed afresh, for rounding adds up in those that were kept up to date; both, or the
 * difference would feed the momentum. */
static double refresh(iteration *it)
{
    bodies_gs *s = it->s;
    compute_states(s, it->threads, &(state_job){s->p, {it->r, s->r0}, {s->w, s->w0}, 2});
    const double residual = measure_residual(s, it->threads, it->r);
    if (residual < it->best) {
        it->best = residual;
        copy(s->best_r, it->r, impulse_count(s->p));
    }
    return residual;
}

static void return_to_best(iteration *it)
{
    copy(it->r, it->s->best_r, impulse_count(it->s->p));
    copy(it->s->r0, it->s->best_r, impulse_count(it->s->p));
    refresh(it);
}

typedef struct extrapolation {
    double *x[2], *x0[2]; /* w and r, one after the other */
    size_t split;         /* numbers of w */
    double beta;
} extrapolation;

/* x += beta (x - x0), x0 = x before that */
static void extrapolate(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const extrapolation *e = user;
    for (size_t k = begin; k < end; k++) {
        const int which = k >= e->split;
        const size_t at = which ? k - e->split : k;
        const double now = e->x[which][at];
        e->x[which][at] += e->beta * (now - e->x0[which][at]);
        e->x0[which][at] = now;
    }
}

static void add_momentum(iteration *it, double move)
{
    bodies_gs *s = it->s;
    const size_t states = bodies_state_count(s->p);
    extrapolation e = {{s->w, it->r}, {s->w0, s->r0}, states, momentum_share(&it->momentum, move)};
    pool_for(helpers(s, it->threads), states + impulse_count(s->p), extrapolate, &e);
}

static status sweep_until_done(iteration *it, const solver_options *options,
                               const gs_settings *settings, double residual, solver_report *report)
{
    const double scale = it->s->p->scale, target = options->tolerance * scale;
    for (uint32_t sweep = 1; sweep <= options->max_iterations && it->best > target; sweep++) {
        const double settled = scalar_max(settings->skip * residual, 0.3 * target);
        const bodies_met met = bodies_gs_sweep(it->s, it->threads, options->local,
                                               settings->over_relaxation, settled, it->r);
        residual = met.worst;
        report->local.failures += met.failures;
        report->iterations++;
        const bool look =
            sweep % REFRESH == 0 || sweep == options->max_iterations || residual <= target;
        if (look) residual = refresh(it);
        if (options->trace &&
            options->trace(options->trace_user, report->iterations, residual / scale)) {
            return STATUS_CANCELLED;
        }
        if (look && momentum_tame(&it->momentum, it->best)) return_to_best(it);
        if (it->momentum.limit > 0.0) add_momentum(it, met.move);
    }
    return STATUS_OK;
}

static status check_start(const bodies_problem *p, const double *r, error *err)
{
    for (uint32_t i = 0; i < p->contacts; i++) {
        if (v3_is_finite(v3_load(&r[3 * (size_t)i]))) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %" PRIu32 ": its impulse to start from is not finite", i);
    }
    return STATUS_OK;
}

/* Between the caller's order and that of visits. */
static void order_for_visits(const bodies_problem *p, const double *r, double *visits)
{
    for (size_t i = 0; i < p->contacts; i++) {
        v3_store(visits + 3 * i, v3_load(r + 3 * (size_t)p->record[i].contact));
    }
}

static void order_for_caller(const bodies_problem *p, const double *visits, double *r)
{
    for (size_t i = 0; i < p->contacts; i++) {
        v3_store(r + 3 * (size_t)p->record[i].contact, v3_load(visits + 3 * i));
    }
}

status bodies_gs_solve(bodies_gs *s, const solver_options *options, const gs_settings *settings,
                       double *r, solver_report *report, error *err)
{
    const size_t impulses = impulse_count(s->p);
    const status start = check_start(s->p, r, err);
    if (start < 0) return start;
    iteration it = {.s = s,
                    .threads = options->threads,
                    .r = r,
                    .best = INFINITY,
                    .momentum = momentum_start(settings->momentum)};
    order_for_visits(s->p, r, s->best_r);
    copy(r, s->best_r, impulses);
    copy(s->r0, s->best_r, impulses);
    const double residual = refresh(&it);
    const status st = sweep_until_done(&it, options, settings, residual, report);
    compute_states(s, it.threads, &(state_job){s->p, {s->best_r, NULL}, {s->w, NULL}, 1});
    order_for_caller(s->p, s->best_r, r);
    report->residual = it.best;
    report->converged = it.best <= options->tolerance * s->p->scale;
    return st;
}

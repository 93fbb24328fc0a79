/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/bodies_gs.h"

#include "base/relay.h"
#include "contact/momentum.h"
#include "math/scalar.h"

#include <inttypes.h>
#include <string.h>

const gs_settings bodies_gs_default = {.over_relaxation = 1.0, .momentum = 0.85};

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
    const bool focus = bodies_focus_create(&s->focus, p);
    if (!s->memory || !s->met || !s->done || !focus) {
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
    bodies_focus_destroy(&s->focus);
    memory_free(s->p->from, s->memory, s->count * sizeof *s->memory);
    memory_free(s->p->from, s->met, s->p->plan.chunks * sizeof *s->met);
    memory_free(s->p->from, s->done, s->p->plan.chunks * sizeof *s->done);
    *s = (bodies_gs){.p = s->p};
}

/* ---- sweeps ---- */

/* Waking threads takes some microseconds, as a chunk does. False if that is not worth it. */
static bool is_large(const visit_plan *plan)
{
    enum { WORTH_WAKING = 32, PER_STAGE = 2 };
    return plan->chunks >= WORTH_WAKING && plan->chunks >= PER_STAGE * plan->stages;
}

static pool *helpers(const visit_plan *plan, pool *threads)
{
    return is_large(plan) ? threads : NULL;
}

typedef struct sweep_job {
    const bodies_lanes *lanes;
    bodies_pass pass;
    bodies_met *met;
} sweep_job;

static void sweep_chunk(void *user, uint32_t chunk)
{
    const sweep_job *job = user;
    const uint32_t *first = &job->pass.plan->chunk[chunk];
    job->met[chunk] = job->lanes->visit(&job->pass, first[0], first[1]);
}

static bodies_met sweep(const sweep_job *job, atomic_uchar *done, pool *threads)
{
    const visit_plan *plan = job->pass.plan;
    relay_run(helpers(plan, threads), plan->chunks, plan->after, done, sweep_chunk, (void *)job);
    bodies_met all = {0.0, 0.0, 0};
    for (uint32_t c = 0; c < plan->chunks; c++) {
        all.worst = scalar_max(job->met[c].worst, all.worst);
        all.move += job->met[c].move;
        all.failures += job->met[c].failures;
    }
    return all;
}

bodies_met bodies_gs_sweep(bodies_gs *s, pool *threads, const local_solver *local,
                           double over_relaxation, double settled, double *r)
{
    const bodies_pass pass = {s->p,    &s->p->plan, NULL, local, over_relaxation,
                              settled, r,           s->w, s->r0};
    sweep_job job = {s->lanes, pass, s->met};
    return sweep(&job, s->done, threads);
}

/* ---- a look at all contacts ---- */

typedef struct look_job {
    bodies_gs *s;
    const double *r;
} look_job;

static void add_chunk_to_state(void *user, uint32_t chunk)
{
    const look_job *job = user;
    const bodies_problem *p = job->s->p;
    const uint32_t *first = &p->plan.chunk[chunk];
    for (size_t i = p->plan.batch[first[0]]; i < p->plan.batch[first[1]]; i++) {
        const v3 r = v3_load(job->r + 3 * i);
        if (r.x != 0.0 || r.y != 0.0 || r.z != 0.0) bodies_push(p, &p->record[i], r, job->s->w);
    }
}

/* w = Z r */
static void compute_state(bodies_gs *s, pool *threads, const double *r)
{
    const visit_plan *plan = &s->p->plan;
    look_job job = {s, r};
    memset(s->w, 0, bodies_state_count(s->p) * sizeof *s->w);
    relay_run(helpers(plan, threads), plan->chunks, plan->after, s->done, add_chunk_to_state, &job);
}

static bodies_seen see_contact(const bodies_gs *s, size_t i, v3 r)
{
    const bodies_record *c = &s->p->record[i];
    const v3 u = bodies_contact_velocity(s->p, c, s->w);
    const bool presses = r.x != 0.0 || r.y != 0.0 || r.z != 0.0;
    const double e = coulomb_residual(u, r, c->mu, c->d);
    return (bodies_seen){isfinite(e) ? e : INFINITY, presses ? -INFINITY : u.x};
}

static void see_chunk(void *user, uint32_t chunk)
{
    const look_job *job = user;
    const visit_plan *plan = &job->s->p->plan;
    const uint32_t *first = &plan->chunk[chunk];
    double worst = 0.0;
    for (size_t i = plan->batch[first[0]]; i < plan->batch[first[1]]; i++) {
        job->s->focus.seen[i] = see_contact(job->s, i, v3_load(job->r + 3 * i));
        worst = scalar_max(job->s->focus.seen[i].residual, worst);
    }
    job->s->met[chunk].worst = worst;
}

/* w computed afresh, for rounding adds up in one that was kept up to date; returns the residual. */
static double look(bodies_gs *s, pool *threads, const double *r)
{
    const visit_plan *plan = &s->p->plan;
    look_job job = {s, r};
    compute_state(s, threads, r);
    pool_run(helpers(plan, threads), plan->chunks, see_chunk, &job);
    double worst = 0.0;
    for (uint32_t c = 0; c < plan->chunks; c++) worst = scalar_max(s->met[c].worst, worst);
    return worst;
}

/* ---- spots ---- */

/* One round over the spots. */
typedef struct gs_round {
    bodies_gs *s;
    const solver_options *options;
    const gs_settings *settings;
    double *r;       /* in the order of visits */
    double settled;  /* m/s: a spot below this needs no more sweeps */
    uint32_t number; /* of rounds before */
    uint32_t most;   /* sweeps over any spot */
    uint64_t visits; /* so far, but for small spots side by side */
    uint32_t told;   /* iterations that trace has heard of */
    bool cancelled;
} gs_round;

/* A spot may repeat as much as the boldest of its bodies, but has the age of the youngest. */
static momentum recall_momentum(const bodies_focus *f, const bodies_spot *spot)
{
    bodies_habit habit = f->habit[spot->body[0]];
    for (uint32_t k = 1; k < spot->bodies; k++) {
        const bodies_habit *h = &f->habit[spot->body[k]];
        habit.share = scalar_max(h->share, habit.share);
        if (h->age < habit.age) habit.age = h->age;
    }
    momentum m = momentum_start(habit.share);
    m.age = habit.age;
    return m;
}

/* Momentum can cycle for ever: where moves did not halve in a round, less must do. */
static void keep_momentum(const gs_round *t, const bodies_spot *spot, const momentum *m,
                          double first_move, double last_move)
{
    static const double LEAST = 0.2, LESS = 0.7, MORE = 1.2;
    bodies_habit habit = {m->limit, m->age};
    if (t->number > 1 && last_move > 0.25 * first_move && m->limit > LEAST) {
        habit = (bodies_habit){LESS * m->limit, 0};
    } else if (last_move < 0.01 * first_move) {
        habit.share = scalar_min(MORE * m->limit, t->settings->momentum);
    }
    for (uint32_t k = 0; k < spot->bodies; k++) t->s->focus.habit[spot->body[k]] = habit;
}

/* x += share (x - x0), x0 = x before that */
static void extrapolate(double *x, double *x0, size_t count, double share)
{
    for (size_t k = 0; k < count; k++) {
        const double now = x[k];
        x[k] += share * (now - x0[k]);
        x0[k] = now;
    }
}

typedef struct extrapolation {
    const gs_round *t;
    const bodies_spot *spot;
    double share;
} extrapolation;

static void extrapolate_impulses(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const extrapolation *e = user;
    for (size_t k = begin; k < end; k++) {
        const size_t at = 3 * (size_t)e->spot->plan.order[k];
        extrapolate(e->t->r + at, e->t->s->r0 + at, 3, e->share);
    }
}

static void extrapolate_bodies(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const extrapolation *e = user;
    const bodies_gs *s = e->t->s;
    for (size_t k = begin; k < end; k++) {
        const uint32_t *start = &s->p->start[e->spot->body[k]];
        const size_t at = BODIES_GROUP * (size_t)start[0];
        extrapolate(s->w + at, s->w0 + at, BODIES_GROUP * (size_t)start[1] - at, e->share);
    }
}

static void add_momentum(const gs_round *t, const bodies_spot *spot, double share, pool *threads)
{
    extrapolation e = {t, spot, share};
    pool *help = helpers(&spot->plan, threads);
    pool_for(help, spot->plan.contacts, extrapolate_impulses, &e);
    pool_for(help, spot->bodies, extrapolate_bodies, &e);
}

/* A small spot is worth more sweeps between two looks, which cost the same; the first looks come
 * early, as they tell which contacts take off. */
static uint32_t most_sweeps(const gs_round *t, const bodies_spot *spot)
{
    enum { SMALL = 2000, FIRST = 5, FEW = 20, MANY = 50, LONG_DOUBLING = 2 };
    const uint32_t early = t->number < LONG_DOUBLING ? FIRST << t->number : FEW;
    const uint32_t wanted = spot->plan.contacts < SMALL && t->number > 0 ? MANY : early;
    return wanted < t->most ? wanted : t->most;
}

static uint32_t whole_sweeps(const bodies_problem *p, uint64_t visits)
{
    const uint64_t sweeps = (visits + p->contacts - 1) / p->contacts;
    return sweeps < UINT32_MAX ? (uint32_t)sweeps : UINT32_MAX;
}

/* Trace belongs to the calling thread, and hears of an iteration once. */
static void tell(gs_round *t, double residual)
{
    const solver_options *o = t->options;
    const uint32_t sweeps = whole_sweeps(t->s->p, t->visits);
    if (t->cancelled || !o->trace || sweeps <= t->told || t->told == o->max_iterations) return;
    t->told = sweeps < o->max_iterations ? sweeps : o->max_iterations;
    t->cancelled = o->trace(o->trace_user, t->told, residual / t->s->p->scale);
}

/* told: NULL, or the round itself, if the calling thread runs this spot. */
static void run_spot(const gs_round *t, bodies_spot *spot, pool *threads, gs_round *told)
{
    enum { AT_LEAST = 3 };
    bodies_gs *s = t->s;
    momentum m = recall_momentum(&s->focus, spot);
    bodies_pass pass = {.p = s->p,
                        .plan = &spot->plan,
                        .visit = spot->plan.order,
                        .local = t->options->local,
                        .over_relaxation = t->settings->over_relaxation,
                        .r = t->r,
                        .w = s->w,
                        .r0 = s->r0};
    bodies_met met = {INFINITY, 0.0, 0};
    double first_move = 0.0;
    const uint32_t most = most_sweeps(t, spot);
    for (; spot->sweeps < most && (spot->sweeps < AT_LEAST || met.worst > 0.5 * t->settled) &&
           !(told && told->cancelled);
         spot->sweeps++) {
        const double left = isfinite(met.worst) ? t->settings->skip * met.worst : 0.0;
        pass.settled = scalar_max(left, 0.1 * t->settled);
        met = sweep(&(sweep_job){s->lanes, pass, spot->met}, spot->done, threads);
        spot->failures += met.failures;
        if (spot->sweeps == 0) first_move = met.move;
        if (told) {
            told->visits += spot->plan.contacts;
            tell(told, met.worst);
        }
        if (m.limit > 0.0) add_momentum(t, spot, momentum_share(&m, met.move), threads);
    }
    keep_momentum(t, spot, &m, first_move, met.move);
}

static void run_small_spot(void *user, uint32_t k)
{
    const gs_round *t = user;
    bodies_spot *spot = &t->s->focus.spot[k];
    if (!spot->sweeps) run_spot(t, spot, NULL, NULL);
}

/* Large spots one after another with all threads, then small ones side by side. */
static void run_round(gs_round *t, solver_report *report)
{
    enum { WORTH_WAKING = 1000 }; /* contacts: with all their sweeps a millisecond */
    const bodies_focus *f = &t->s->focus;
    pool *threads = t->options->threads;
    uint64_t visits = t->visits;
    for (uint32_t k = 0; k < f->spots && !t->cancelled; k++) {
        const bool large = f->spots == 1 || is_large(&f->spot[k].plan);
        if (large) run_spot(t, &f->spot[k], threads, t);
    }
    if (!t->cancelled) {
        pool_run(f->visits < WORTH_WAKING ? NULL : threads, f->spots, run_small_spot, t);
    }
    for (uint32_t k = 0; k < f->spots; k++) {
        visits += (uint64_t)f->spot[k].sweeps * f->spot[k].plan.contacts;
        report->local.failures += f->spot[k].failures;
    }
    t->visits = visits;
}

/* ---- the iteration ---- */

typedef struct progress {
    double best; /* residual */
    double stall_best;
    uint64_t stall_visits; /* when it was a tenth better than ever before */
} progress;

static void copy(double *to, const double *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

static void note(progress *g, const gs_round *t, double residual)
{
    if (residual < g->best) {
        g->best = residual;
        copy(t->s->best_r, t->r, impulse_count(t->s->p));
    }
    if (residual < 0.9 * g->stall_best) {
        g->stall_best = residual;
        g->stall_visits = t->visits;
    }
}

/* How many sweeps over the spots are left, with a look after them; 0: it is time to end. */
static uint32_t sweeps_left(const gs_round *t, const progress *g)
{
    enum { STALL = 400 };
    const uint64_t n = t->s->p->contacts, spots = t->s->focus.visits;
    const uint64_t limit = t->options->max_iterations * n;
    if (t->visits >= limit || spots == 0) return 0;
    if (t->visits - g->stall_visits > STALL * n) return 0;
    const uint64_t left = limit - t->visits, sweeps = left > n ? (left - n) / spots : 0;
    return sweeps > UINT32_MAX ? UINT32_MAX : sweeps > 0 ? (uint32_t)sweeps : 1;
}

/* Contacts that open faster than this share of the worst residual are left alone till the next
 * look; contacts above that share of the target are hot. */
static const double MARGIN = 0.3, HOT = 0.3;

static status run_rounds(gs_round *t, progress *g, double residual, solver_report *report)
{
    bodies_gs *s = t->s;
    const solver_options *o = t->options;
    const double scale = s->p->scale, target = o->tolerance * scale;
    t->settled = HOT * target;
    for (; g->best > target && !t->cancelled; t->number++) {
        bodies_focus_choose(&s->focus, t->settled, MARGIN * residual);
        t->most = sweeps_left(t, g);
        if (t->most == 0) break;
        copy(s->r0, t->r, impulse_count(s->p));
        copy(s->w0, s->w, bodies_state_count(s->p));
        run_round(t, report);
        residual = look(s, o->threads, t->r);
        note(g, t, residual);
        if (!t->cancelled) t->visits += s->p->contacts;
        const uint32_t sweeps = whole_sweeps(s->p, t->visits);
        report->iterations = sweeps < o->max_iterations ? sweeps : o->max_iterations;
        tell(t, residual);
    }
    return t->cancelled ? STATUS_CANCELLED : STATUS_OK;
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
    order_for_visits(s->p, r, s->best_r);
    copy(r, s->best_r, impulses);
    for (uint32_t b = 0; b < s->p->bodies; b++) {
        s->focus.habit[b] = (bodies_habit){settings->momentum, 0};
    }
    gs_round t = {.s = s, .options = options, .settings = settings, .r = r};
    progress g = {.best = INFINITY, .stall_best = INFINITY};
    const double residual = look(s, options->threads, r);
    note(&g, &t, residual);
    const status st = run_rounds(&t, &g, residual, report);
    compute_state(s, options->threads, s->best_r);
    order_for_caller(s->p, s->best_r, r);
    report->residual = g.best;
    report->converged = g.best <= options->tolerance * s->p->scale;
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/nodes_gs.h"

#include "contact/momentum.h"
#include "math/scalar.h"

#include <string.h>

const gs_settings nodes_gs_default = {.over_relaxation = 1.0, .momentum = 0.99, .skip = 0.0};

static nodes_point point_at(const nodes_problem *p, double *memory)
{
    const size_t impulses = 3 * (size_t)p->contacts, numbers = 3 * (size_t)p->nodes;
    return (nodes_point){memory, memory + impulses, memory + impulses + numbers,
                         memory + impulses + 2 * numbers};
}

status nodes_gs_create(nodes_gs *s, const nodes_problem *p, error *err)
{
    *s = (nodes_gs){.p = p, .scale = 1.0};
    s->point_count = 3 * (size_t)p->contacts + 6 * (size_t)p->nodes + nodes_state_count(p);
    s->memory = memory_alloc(p->from, memory_size(s->point_count, 4 * sizeof *s->memory));
    if (!s->memory) return error_out_of_memory(err, "nodal Gauss-Seidel");
    s->now = point_at(p, s->memory);
    s->before = point_at(p, s->memory + s->point_count);
    s->start = point_at(p, s->memory + 2 * s->point_count);
    s->best = point_at(p, s->memory + 3 * s->point_count);
    return STATUS_OK;
}

void nodes_gs_destroy(nodes_gs *s)
{
    memory_free(s->p->from, s->memory, s->point_count * 4 * sizeof *s->memory);
    *s = (nodes_gs){.p = s->p};
}

/* ---- a sweep ---- */

/* What every visit needs. */
typedef struct sweep {
    const nodes_problem *p;
    const local_solver *local;
    double over_relaxation;
    nodes_point x;
    solver_report *report;
    double worst; /* residual that was met */
} sweep;

static void relax_node(sweep *s, uint32_t i)
{
    const bsr3 *A = &s->p->A;
    double *vi = s->x.v + 3 * (size_t)i;
    v3 rest = v3_load(s->x.g + 3 * (size_t)i);
    for (uint32_t k = A->row_start[i]; k < A->row_start[i + 1]; k++) {
        rest = v3_sub(rest, m3_mul_v3(&A->block[k], v3_load(s->x.v + 3 * (size_t)A->col[k])));
    }
    s->worst = scalar_max(s->p->compliance[i] * v3_norm(rest), s->worst);
    v3_store(vi, v3_add(v3_load(vi), sym3_mul_v3(&s->p->inverse[i], rest)));
}

/* v += Y dr */
static void move_nodes(const nodes_problem *p, const nodes_record *c, v3 dr, double *v)
{
    for (uint32_t k = c->term; k < c->term + c->terms; k++) {
        double *vi = v + 3 * (size_t)p->term[k].node;
        v3_store(vi, v3_add(v3_load(vi), m3_tmul_v3(&p->term[k].Yt, dr)));
    }
}

static double visit_contact(sweep *s, const nodes_record *c)
{
    double *rc = s->x.r + 3 * (size_t)c->contact;
    const v3 u = nodes_contact_velocity(s->p, c, s->x.v, s->x.w), r = v3_load(rc);
    const double residual = coulomb_residual(u, r, c->mu, c->d);
    if (residual == 0.0) return 0.0;
    const local_answer answer = s->local->solve(&c->W, v3_sub(u, sym3_mul_v3(&c->W, r)), c->mu, r);
    local_tally_count(&s->report->local, &answer);
    v3 next = answer.r;
    if (s->over_relaxation != 1.0 && answer.state != CONTACT_TAKEOFF) {
        next = coulomb_project(v3_add_scaled(r, s->over_relaxation, v3_sub(next, r)), c->mu);
    }
    const v3 dr = v3_sub(next, r);
    v3_store(rc, next);
    nodes_push(s->p, c, dr, s->x.g, s->x.w);
    move_nodes(s->p, c, dr, s->x.v);
    return residual;
}

enum { MOST_ROUNDS = 10 }; /* over the contacts that end at one node */

/* Contacts at one node disagree until they have been visited a few times. */
static void visit_contacts(sweep *s, uint32_t node)
{
    const uint32_t begin = s->p->record_start[node], end = s->p->record_start[node + 1];
    double first = 0.0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double worst = 0.0;
        for (uint32_t k = begin; k < end; k++) {
            worst = scalar_max(visit_contact(s, &s->p->record[k]), worst);
        }
        if (round == 0) first = worst;
        if (end - begin < 2 || worst <= 0.1 * first) break;
    }
    s->worst = scalar_max(first, s->worst);
}

static void sweep_all(sweep *s)
{
    for (uint32_t i = 0; i < s->p->nodes; i++) {
        relax_node(s, i);
        visit_contacts(s, i);
    }
    visit_contacts(s, s->p->nodes);
}

/* ---- the iteration ---- */

enum { REFRESH = 20 }; /* sweeps between fresh g and w; only then is the best point looked at */

typedef struct iteration {
    nodes_gs *s;
    double best;
    momentum momentum;
    double mark; /* best residual when half of the sweeps were done, for the rate */
    uint32_t mark_sweep;
} iteration;

static void copy_point(const nodes_gs *s, const nodes_point *to, const nodes_point *from)
{
    memcpy(to->r, from->r, s->point_count * sizeof *to->r);
}

/* g and w computed afresh, for rounding adds up in those that were kept up to date; both, or the
 * difference would feed the momentum. */
static double refresh(iteration *it)
{
    nodes_gs *s = it->s;
    const nodes_point *x = &s->now;
    nodes_state(s->p, x->r, x->g, x->w);
    nodes_state(s->p, s->before.r, s->before.g, s->before.w);
    const double residual = nodes_residual(s->p, x->r, x->v, x->g, x->w);
    if (residual < it->best) {
        it->best = residual;
        copy_point(s, &s->best, x);
    }
    return residual;
}

static void return_to_best(const nodes_gs *s)
{
    copy_point(s, &s->now, &s->best);
    copy_point(s, &s->before, &s->best);
    copy_point(s, &s->start, &s->best);
}

/* With x where the last sweep ended, x0 where the one before did, y where the last one began:
 * |x - x0|^2 and (y - x) . (x - x0), as velocities squared. */
typedef struct motion {
    double size, turn;
} motion;

static void add_motion(motion *m, double weight, const double *x, const double *x0, const double *y)
{
    const v3 at = v3_load(x), move = v3_sub(at, v3_load(x0));
    m->size += weight * v3_dot(move, move);
    m->turn += weight * v3_dot(v3_sub(v3_load(y), at), move);
}

static motion last_motion(const nodes_gs *s)
{
    motion m = {0};
    for (uint32_t k = 0; k < s->p->contacts; k++) {
        const nodes_record *c = &s->p->record[k];
        const size_t at = 3 * (size_t)c->contact;
        add_motion(&m, c->d * c->d, s->now.r + at, s->before.r + at, s->start.r + at);
    }
    for (size_t at = 0; at < 3 * (size_t)s->p->nodes; at += 3) {
        add_motion(&m, 1.0, s->now.v + at, s->before.v + at, s->start.v + at);
    }
    return m;
}

/* A sweep that goes back against the momentum says that it was too much: it starts over
 * (O'Donoghue and Candes). This finds by itself how much a problem can bear. */
static void add_momentum(iteration *it)
{
    const nodes_gs *s = it->s;
    double *restrict x = s->now.r, *restrict x0 = s->before.r;
    const motion m = last_motion(s);
    if (m.turn > 0.0) it->momentum.age = 0;
    const double beta = momentum_share(&it->momentum, m.size);
    for (size_t k = 0; k < s->point_count; k++) {
        const double now = x[k];
        x[k] += beta * (now - x0[k]);
        x0[k] = now;
    }
    copy_point(s, &s->start, &s->now);
}

/* Halvings of the residual per sweep, over the last half of the sweeps. */
static double rate_since_mark(iteration *it, uint32_t swept)
{
    const double gained = scalar_rough_log2(it->mark) - scalar_rough_log2(it->best);
    const double rate = gained / (double)(swept - it->mark_sweep);
    if (swept >= 2 * it->mark_sweep) {
        it->mark = it->best;
        it->mark_sweep = swept;
    }
    return rate;
}

static status sweep_until_done(iteration *it, const solver_options *options,
                               const gs_settings *settings, gs_doubt doubt, void *doubt_user,
                               solver_report *report)
{
    nodes_gs *s = it->s;
    const double target = options->tolerance * s->scale;
    sweep all = {.p = s->p,
                 .local = options->local,
                 .over_relaxation = settings->over_relaxation,
                 .x = s->now,
                 .report = report};
    for (uint32_t swept = 1; swept <= options->max_iterations && it->best > target; swept++) {
        all.worst = 0.0;
        sweep_all(&all);
        report->iterations++;
        double residual = all.worst;
        const bool look =
            swept % REFRESH == 0 || swept == options->max_iterations || residual <= target;
        if (look) residual = refresh(it);
        if (options->trace &&
            options->trace(options->trace_user, report->iterations, residual / s->scale)) {
            return STATUS_CANCELLED;
        }
        if (look && doubt && doubt(doubt_user, swept, it->best, rate_since_mark(it, swept))) break;
        if (look && momentum_tame(&it->momentum, it->best)) return_to_best(s);
        if (it->momentum.limit > 0.0) add_momentum(it);
    }
    return STATUS_OK;
}

status nodes_gs_solve(nodes_gs *s, const solver_options *options, const gs_settings *settings,
                      gs_doubt doubt, void *doubt_user, solver_report *report)
{
    iteration it = {.s = s, .best = INFINITY, .momentum = momentum_start(settings->momentum)};
    copy_point(s, &s->before, &s->now);
    copy_point(s, &s->start, &s->now);
    copy_point(s, &s->best, &s->now);
    refresh(&it);
    it.mark = it.best;
    const status st = sweep_until_done(&it, options, settings, doubt, doubt_user, report);
    report->residual = it.best;
    report->converged = it.best <= options->tolerance * s->scale;
    return st;
}

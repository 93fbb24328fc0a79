/* SPDX-License-Identifier: Apache-2.0
 *
 * A batch of contacts that share no body, in four rounds, each over all of them:
 *     u = Z^T w + b, and contacts that stay open are done;
 *     the residual, and contacts that have settled are done;
 *     the one-contact problem with the others held;
 *     w += Z dr.
 * The two in the middle are long chains of divisions and square roots: there a lane is a contact.
 * Those left over are packed together before each round, so that lanes are never idle. In the
 * first and the last the lanes are unknowns, and the loads are the work.
 */
#include "contact/bodies_lanes.h"

#include "contact/local_lanes.h"
#include "contact/local_methods.h"

#ifndef BODIES_LANES /* the name of this build */
#define BODIES_LANES bodies_lanes_baseline
#endif

/* ---- what comes next ---- */

/* Memory that will be needed soon, asked for bit by bit between other work: all of it at once would
 * block the loads of the day. The next batch is about the latency of memory away. */
typedef struct stream {
    const bodies_pass *pass;
    uint32_t next, last;    /* contacts of the plan */
    const double *at, *end; /* Z of the one before `next` */
} stream;

enum { ASK_PER_VELOCITY = 6, ASK_PER_PROBLEM = 4, ASK_PER_PUSH = 12 }; /* cache lines */

static inline size_t place_of(const bodies_pass *pass, uint32_t k)
{
    return pass->visit ? pass->visit[k] : k;
}

static inline bool stream_go_on(stream *s)
{
    if (s->at < s->end) return true;
    if (s->next == s->last) return false;
    const bodies_record *c = &s->pass->p->record[place_of(s->pass, s->next++)];
    s->at = bodies_matrix(s->pass->p, c);
    s->end = s->at + BODIES_BLOCK * (size_t)(c->groups[0] + c->groups[1]);
    return true;
}

static inline void stream_ask(stream *s, int lines)
{
    enum { LINE = MEMORY_ALIGNMENT / sizeof(double), TO_L2 = 2 };
    for (int k = 0; k < lines && stream_go_on(s); k++, s->at += LINE) {
        __builtin_prefetch(s->at, 0, TO_L2);
    }
}

/* Z of the batch after this one. */
static stream stream_after(const bodies_pass *pass, uint32_t batch)
{
    const visit_plan *plan = pass->plan;
    const uint32_t begin = plan->batch[batch + 1];
    const uint32_t end = batch + 1 < plan->batches ? plan->batch[batch + 2] : begin;
    return (stream){.pass = pass, .next = begin, .last = end};
}

/* ---- one-contact problems ---- */

static pack_sym3 load_operator(const local_batch *a, uint32_t k)
{
    return (pack_sym3){pack_load(a->W[0] + k), pack_load(a->W[1] + k), pack_load(a->W[2] + k),
                       pack_load(a->W[3] + k), pack_load(a->W[4] + k), pack_load(a->W[5] + k)};
}

static bool solve_scalar(local_batch *a, uint32_t k)
{
    const sym3 W = {a->W[0][k], a->W[1][k], a->W[2][k], a->W[3][k], a->W[4][k], a->W[5][k]};
    const v3 b = {a->b[0][k], a->b[1][k], a->b[2][k]};
    const local_answer answer = local_solve_ladder(&W, b, a->mu[k], (v3){0.0, 0.0, 0.0});
    a->r[0][k] = answer.r.x;
    a->r[1][k] = answer.r.y;
    a->r[2][k] = answer.r.z;
    return answer.failed;
}

static inline uint64_t solve_lanes(local_batch *a, uint32_t count, stream *ahead)
{
    uint64_t failures = 0;
    for (uint32_t k = 0; k < count; k += PACK) {
        stream_ask(ahead, ASK_PER_PROBLEM * PACK);
        const pack_sym3 W = load_operator(a, k);
        const pack_v3 b = {pack_load(a->b[0] + k), pack_load(a->b[1] + k), pack_load(a->b[2] + k)};
        pack_mask trusted;
        const pack_v3 r = lanes_solve(&W, b, pack_load(a->mu + k), &trusted);
        pack_store(a->r[0] + k, r.x);
        pack_store(a->r[1] + k, r.y);
        pack_store(a->r[2] + k, r.z);
        if (!pack_any(~trusted)) continue;
        for (uint32_t l = 0; l < PACK && k + l < count; l++) {
            if (!trusted[l]) failures += solve_scalar(a, k + l);
        }
    }
    return failures;
}

static uint64_t solve_batch(local_batch *a, uint32_t count)
{
    stream nothing = {.pass = NULL};
    return solve_lanes(a, count, &nothing);
}

/* ---- a batch of visits ---- */

/* Contacts of the batch that are not done yet, packed. */
typedef struct visited {
    _Alignas(MEMORY_ALIGNMENT) double u[3][VISIT_BATCH];
    double r[3][VISIT_BATCH];
    double mu[VISIT_BATCH], d[VISIT_BATCH], residual[VISIT_BATCH];
    uint32_t turn[VISIT_BATCH];
    local_batch problem;
} visited;

/* It does not touch, and this is exactly what the law says: no residual, nothing to solve. */
static bool stays_open(v3 u, v3 r) { return u.x >= 0.0 && r.x == 0.0 && r.y == 0.0 && r.z == 0.0; }

static uint32_t find_touching(const bodies_pass *pass, uint32_t begin, uint32_t end, visited *v,
                              stream *ahead)
{
    uint32_t count = 0;
    for (uint32_t k = begin; k < end; k++) {
        const size_t i = place_of(pass, k);
        const bodies_record *c = &pass->p->record[i];
        stream_ask(ahead, ASK_PER_VELOCITY);
        const v3 u = bodies_contact_velocity(pass->p, c, pass->w);
        const v3 r = v3_load(pass->r + 3 * i);
        v->u[0][count] = u.x;
        v->u[1][count] = u.y;
        v->u[2][count] = u.z;
        v->r[0][count] = r.x;
        v->r[1][count] = r.y;
        v->r[2][count] = r.z;
        v->mu[count] = c->mu;
        v->d[count] = c->d;
        v->turn[count] = (uint32_t)i;
        count += !stays_open(u, r);
    }
    return count;
}

static pack_v3 load_three(const double (*a)[VISIT_BATCH], uint32_t k)
{
    return (pack_v3){pack_load(a[0] + k), pack_load(a[1] + k), pack_load(a[2] + k)};
}

/* Packs those that have not settled into v->problem. */
static uint32_t find_unsettled(const bodies_pass *pass, uint32_t touching, visited *v,
                               double *worst)
{
    for (uint32_t k = 0; k < touching; k += PACK) {
        const pack residual = lanes_residual(load_three((const double(*)[VISIT_BATCH])v->u, k),
                                             load_three((const double(*)[VISIT_BATCH])v->r, k),
                                             pack_load(v->mu + k), pack_load(v->d + k));
        pack_store(v->residual + k, residual);
    }
    uint32_t count = 0;
    for (uint32_t k = 0; k < touching; k++) {
        *worst = scalar_max(v->residual[k], *worst);
        if (v->residual[k] <= pass->settled) continue;
        const bodies_record *c = &pass->p->record[v->turn[k]];
        const v3 u = {v->u[0][k], v->u[1][k], v->u[2][k]}, r = {v->r[0][k], v->r[1][k], v->r[2][k]};
        const v3 b = v3_sub(u, sym3_mul_v3(&c->W, r));
        local_batch *a = &v->problem;
        a->W[0][count] = c->W.xx;
        a->W[1][count] = c->W.xy;
        a->W[2][count] = c->W.xz;
        a->W[3][count] = c->W.yy;
        a->W[4][count] = c->W.yz;
        a->W[5][count] = c->W.zz;
        a->b[0][count] = b.x;
        a->b[1][count] = b.y;
        a->b[2][count] = b.z;
        a->mu[count] = c->mu;
        v->turn[count++] = v->turn[k];
    }
    return count;
}

/* Any other method than the ladder, or over-relaxation. */
static uint64_t solve_one_by_one(const bodies_pass *pass, visited *v, uint32_t count)
{
    uint64_t failures = 0;
    local_batch *a = &v->problem;
    for (uint32_t k = 0; k < count; k++) {
        const bodies_record *c = &pass->p->record[v->turn[k]];
        const v3 b = {a->b[0][k], a->b[1][k], a->b[2][k]};
        const v3 r = v3_load(pass->r + 3 * (size_t)v->turn[k]);
        const local_answer answer = pass->local->solve(&c->W, b, c->mu, r);
        v3 next = answer.r;
        if (pass->over_relaxation != 1.0 && answer.state != CONTACT_TAKEOFF) {
            next = coulomb_project(v3_add_scaled(r, pass->over_relaxation, v3_sub(answer.r, r)),
                                   c->mu);
        }
        a->r[0][k] = next.x;
        a->r[1][k] = next.y;
        a->r[2][k] = next.z;
        failures += answer.failed;
    }
    return failures;
}

static void push_changes(const bodies_pass *pass, const visited *v, uint32_t count, stream *ahead)
{
    for (uint32_t k = 0; k < count; k++) {
        stream_ask(ahead, ASK_PER_PUSH);
        const uint32_t i = v->turn[k];
        const v3 next = {v->problem.r[0][k], v->problem.r[1][k], v->problem.r[2][k]};
        double *r = pass->r + 3 * (size_t)i;
        bodies_push(pass->p, &pass->p->record[i], v3_sub(next, v3_load(r)), pass->w);
        v3_store(r, next);
    }
}

static double measure_move(const bodies_pass *pass, uint32_t begin, uint32_t end)
{
    double sum = 0.0;
    for (uint32_t k = begin; k < end; k++) {
        const size_t i = place_of(pass, k);
        const v3 dr = v3_sub(v3_load(pass->r + 3 * i), v3_load(pass->r0 + 3 * i));
        const double d = pass->p->record[i].d;
        sum += d * d * v3_dot(dr, dr);
    }
    return sum;
}

static bodies_met visit_batches(const bodies_pass *pass, uint32_t begin, uint32_t end)
{
    const uint32_t *batch = pass->plan->batch;
    const bool lanes = pass->local->solve == local_solve_ladder && pass->over_relaxation == 1.0;
    bodies_met met = {0.0, 0.0, 0};
    visited v = {.turn = {0}};
    for (uint32_t k = begin; k < end; k++) {
        stream ahead = stream_after(pass, k);
        const uint32_t touching = find_touching(pass, batch[k], batch[k + 1], &v, &ahead);
        const uint32_t count = find_unsettled(pass, touching, &v, &met.worst);
        met.failures +=
            lanes ? solve_lanes(&v.problem, count, &ahead) : solve_one_by_one(pass, &v, count);
        push_changes(pass, &v, count, &ahead);
    }
    met.move = measure_move(pass, batch[begin], batch[end]);
    return met;
}

const bodies_lanes BODIES_LANES = {solve_batch, visit_batches};

/* SPDX-License-Identifier: Apache-2.0
 *
 * Strands that are not simulated follow strands that are.
 *
 * A guide's material frame goes, at each share t of its length, from its reference P0(t) to P(t),
 * both seen from the guide's hold: the move D(t) = P(t) P0(t)^-1. A follower's point x, on its own
 * hold and at the share t of its own length, goes to
 *
 *     sum_k w_k  C_k^-1 D_k(t) C_k x
 *
 * where C_k takes the follower's hold to that of its guide k as both were at the creation. So a
 * follower keeps its offset in the moving frames of its guides, which is what keeps a clump
 * together, its root stays on its own hold, and a groom that has not moved is the groom as given.
 * D is taken at stations and is linear in between.
 *
 * Guides are the nearest at the roots, with the weights of Franke and Little, (1/d - 1/d')^2 where
 * d' is the distance of the first one that no longer counts: a guide fades out before it is
 * dropped.
 */
#include "rods/super_helix.h"
#include "scene/hair_work.h"

#include <string.h>

enum { FOLLOW_CHUNK = 64 };

/* ---- whom to follow ---- */

typedef struct near_guide {
    uint32_t guide;
    double distance2;
} near_guide;

/* The HAIR_LINKS + 1 nearest so far, sorted; of equal ones the first stays first. */
typedef struct near_guides {
    near_guide at[HAIR_LINKS + 1];
    uint32_t count;
} near_guides;

static void offer_guide(near_guides *n, uint32_t guide, double distance2)
{
    if (n->count > HAIR_LINKS && !(distance2 < n->at[HAIR_LINKS].distance2)) return;
    uint32_t k = n->count > HAIR_LINKS ? HAIR_LINKS : n->count++;
    for (; k > 0 && distance2 < n->at[k - 1].distance2; k--) n->at[k] = n->at[k - 1];
    n->at[k] = (near_guide){guide, distance2};
}

/* A guide at the same place takes all; the unit of length cancels out. */
static void weigh_guides(const near_guides *n, double weight[HAIR_LINKS])
{
    const double nearest = sqrt(n->at[0].distance2);
    const double end = n->count > HAIR_LINKS ? sqrt(n->at[HAIR_LINKS].distance2) : INFINITY;
    double sum = 0.0;
    for (uint32_t k = 0; k < HAIR_LINKS; k++) {
        weight[k] = 0.0;
        if (k >= n->count) continue;
        const double d = sqrt(n->at[k].distance2);
        const double w = nearest > 0.0 ? nearest / d - nearest / end : (double)(k == 0);
        weight[k] = w * w;
        sum += weight[k];
    }
    for (uint32_t k = 0; k < HAIR_LINKS; k++) {
        weight[k] = sum > 0.0 ? weight[k] / sum : (double)(k == 0);
    }
}

static v3 root_place(const double *hold, const double *given, size_t strand, size_t first)
{
    const pose at = pose_load(hold + POSE_SIZE * strand);
    return pose_apply(&at, v3_load(given + 3 * first));
}

static void link_follower(const hair *h, const hair_room *room, size_t i)
{
    const hair_followers *f = &h->followers;
    const v3 root = root_place(room->follower_hold, f->given, i, f->first[i]);
    near_guides near = {.count = 0};
    for (uint32_t g = 0; g < h->strands; g++) {
        const v3 apart = v3_sub(root, room->roots[g].position);
        offer_guide(&near, g, v3_dot(apart, apart));
    }
    double weight[HAIR_LINKS];
    weigh_guides(&near, weight);
    const pose own = pose_load(room->follower_hold + POSE_SIZE * i);
    for (uint32_t k = 0; k < HAIR_LINKS; k++) {
        const uint32_t guide = k < near.count ? near.at[k].guide : 0;
        const pose hold = pose_load(room->hold + POSE_SIZE * guide);
        const quat back = quat_conjugate(hold.rotation);
        f->link[HAIR_LINKS * i + k] = (hair_link){
            guide, weight[k], {pose_unapply(&hold, own.position), quat_mul(back, own.rotation)}};
    }
}

/* The share of the way from root to tip of each point; one without a length counts its points. */
static void find_shares(const hair_followers *f, size_t i)
{
    const size_t first = f->first[i], end = f->first[i + 1];
    double *share = f->share;
    share[first] = 0.0;
    for (size_t k = first + 1; k < end; k++) {
        const v3 step = v3_sub(v3_load(&f->given[3 * k]), v3_load(&f->given[3 * k - 3]));
        share[k] = share[k - 1] + v3_norm(step);
    }
    const double length = share[end - 1];
    for (size_t k = first + 1; k < end; k++) {
        share[k] = length > 0.0 ? share[k] / length : (double)(k - first) / (double)(end - first);
    }
}

typedef struct link_job {
    const hair *h;
    const hair_room *room;
} link_job;

static void link_chunk(void *user, uint32_t chunk)
{
    const link_job *job = user;
    const size_t begin = (size_t)chunk * FOLLOW_CHUNK, last = begin + FOLLOW_CHUNK;
    const size_t end = last < job->h->followers.strands ? last : job->h->followers.strands;
    for (size_t i = begin; i < end; i++) {
        link_follower(job->h, job->room, i);
        find_shares(&job->h->followers, i);
    }
}

static uint32_t chunks_of(size_t strands)
{
    return (uint32_t)((strands + FOLLOW_CHUNK - 1) / FOLLOW_CHUNK);
}

void hair_choose_guides(scene *s, const hair *h, const hair_room *room)
{
    link_job job = {h, room};
    for (size_t g = 0; g < h->strands && h->followers.strands; g++) {
        room->roots[g].position = root_place(room->hold, h->given, g, h->first[g]);
    }
    pool_run(s->threads, chunks_of(h->followers.strands), link_chunk, &job);
}

/* ---- the guides' frames ---- */

static double station_s(const hair_rods *r, size_t guide, uint32_t station)
{
    const double tip = r->vertex_s[(guide + 1) * r->vertices - 1];
    return tip * station / (r->stations - 1.0);
}

status hair_find_reference(scene *s, const hair *h, const hair_rods *r, error *err)
{
    const size_t size = h->strands * r->group->state_count * sizeof(double);
    const arena_mark mark = arena_get_mark(&s->scratch);
    double *state = arena_push(&s->scratch, size);
    if (!state) return error_out_of_memory(err, "hair");
    super_helix_place(r->group, (const pose *)r->root, r->start, state);
    for (uint32_t g = 0; g < h->strands; g++) {
        for (uint32_t j = 0; j < r->stations; j++) {
            const v3 X = {station_s(r, g, j), 0.0, 0.0};
            r->reference[(size_t)g * r->stations + j] = body_find_place(r->group, state, g, X);
        }
    }
    arena_release(&s->scratch, mark);
    return STATUS_OK;
}

static hair_move find_move(const hair *h, const hair_state *state, size_t guide, uint32_t station)
{
    const v3 X = {station_s(&h->rods, guide, station), 0.0, 0.0};
    const pose hold = pose_load(state->hold + POSE_SIZE * guide);
    const pose now = body_find_place(h->rods.group, state->rods, (uint32_t)guide, X);
    const pose *then = &h->rods.reference[guide * h->rods.stations + station];
    const quat on_hold = quat_mul(quat_conjugate(hold.rotation), now.rotation);
    const quat turn = quat_normalize(quat_mul(on_hold, quat_conjugate(then->rotation)));
    const v3 place = pose_unapply(&hold, now.position);
    return (hair_move){quat_to_m3(turn), v3_sub(place, quat_rotate(turn, then->position))};
}

/* ---- the step ---- */

typedef struct follow_job {
    const hair *h;
    const hair_state *state;
    hair_move *moves;
} follow_job;

static void move_chunk(void *user, uint32_t chunk)
{
    const follow_job *job = user;
    const hair *h = job->h;
    const uint32_t stations = h->rods.stations;
    const size_t begin = (size_t)chunk * FOLLOW_CHUNK, last = begin + FOLLOW_CHUNK;
    const size_t end = last < h->strands ? last : h->strands;
    for (size_t g = begin; g < end; g++) {
        const size_t to = 3 * (size_t)h->host.first[h->number[g]];
        const size_t count = 3 * (size_t)(h->first[g + 1] - h->first[g]);
        for (uint32_t j = 0; j < stations; j++) {
            job->moves[g * stations + j] = find_move(h, job->state, g, j);
        }
        memcpy(job->state->all_x + to, job->state->x + 3 * (size_t)h->first[g],
               count * sizeof(double));
    }
}

/* D(t) y, linear between two stations. */
static v3 move_point(const hair_move *moves, uint32_t stations, double share, v3 y)
{
    const double at = share * (stations - 1.0);
    const uint32_t j = at < stations - 2.0 ? (uint32_t)at : stations - 2;
    const v3 a = v3_add(m3_mul_v3(&moves[j].R, y), moves[j].d);
    const v3 b = v3_add(m3_mul_v3(&moves[j + 1].R, y), moves[j + 1].d);
    return v3_lerp(a, b, at - j);
}

/* One guide's answers for the points of follower i, times its weight, onto x. */
static void follow_guide(const follow_job *job, size_t i, const hair_link *link, double *x)
{
    const hair_followers *f = &job->h->followers;
    const uint32_t stations = job->h->rods.stations;
    const hair_move *moves = &job->moves[(size_t)link->guide * stations];
    const m3 R = quat_to_m3(link->on_guide.rotation);
    const v3 d = link->on_guide.position;
    for (size_t k = f->first[i]; k < f->first[i + 1]; k++, x += 3) {
        const v3 y = v3_add(m3_mul_v3(&R, v3_load(f->given + 3 * k)), d);
        const v3 moved = v3_sub(move_point(moves, stations, f->share[k], y), d);
        v3_store(x, v3_add_scaled(v3_load(x), link->weight, m3_tmul_v3(&R, moved)));
    }
}

static void follow(const follow_job *job, size_t i)
{
    const hair_followers *f = &job->h->followers;
    const pose hold = pose_load(job->state->follower_hold + POSE_SIZE * i);
    const m3 R = quat_to_m3(hold.rotation);
    const size_t count = f->first[i + 1] - f->first[i];
    double *x = job->state->all_x + 3 * (size_t)job->h->host.first[f->number[i]];
    memset(x, 0, 3 * count * sizeof *x);
    for (size_t k = 0; k < HAIR_LINKS; k++) {
        const hair_link *link = &f->link[HAIR_LINKS * i + k];
        if (link->weight > 0.0) follow_guide(job, i, link, x);
    }
    for (size_t k = 0; k < count; k++, x += 3) {
        v3_store(x, v3_add(m3_mul_v3(&R, v3_load(x)), hold.position));
    }
}

static void follow_chunk(void *user, uint32_t chunk)
{
    const follow_job *job = user;
    const size_t strands = job->h->followers.strands;
    const size_t begin = (size_t)chunk * FOLLOW_CHUNK, last = begin + FOLLOW_CHUNK;
    const size_t end = last < strands ? last : strands;
    for (size_t i = begin; i < end; i++) follow(job, i);
}

void hair_place_followers(scene *s, const hair *h, const hair_state *state, hair_move *moves)
{
    if (h->followers.strands == 0) return;
    follow_job job = {h, state, moves};
    pool_run(s->threads, chunks_of(h->strands), move_chunk, &job);
    pool_run(s->threads, chunks_of(h->followers.strands), follow_chunk, &job);
}

status hair_step_follow(work *k, const hair_group *g, error *err)
{
    const hair *h = g->h;
    const hair_followers *f = &h->followers;
    if (f->strands == 0) return STATUS_OK;
    hair_room room;
    const status st = hair_take_room(&room, k->s, g->o, err);
    if (st < 0) return st;
    for (size_t i = 0; i < f->strands; i++) {
        const pose now = pose_load(g->now.follower_hold + POSE_SIZE * i);
        const pose hold = hair_next_hold(k, g->o, g->own_surface, f->number[i], &now);
        pose_store(g->next.follower_hold + POSE_SIZE * i, &hold);
    }
    hair_place_followers(k->s, h, &g->next, room.moves);
    for (size_t i = 0; i < 3 * h->host.points; i++) {
        g->next.all_v[i] = (g->next.all_x[i] - g->now.all_x[i]) / k->plan->dt;
    }
    return STATUS_OK;
}

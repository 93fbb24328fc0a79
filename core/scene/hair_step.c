/* SPDX-License-Identifier: Apache-2.0
 *
 * Hair in a step: its working set, the free motion of the rods, and what the solved velocities
 * make of them.
 */
#include "math/scalar.h"
#include "scene/hair_work.h"

#include <inttypes.h>
#include <string.h>

/* ---- the working set ---- */

static bool group_make_room(hair_group *g, arena *scratch)
{
    const hair *h = g->h;
    const body_group *rods = h->rods.group;
    const size_t row = 3 * (size_t)rods->unknowns;
    g->root = arena_push(scratch, h->strands * sizeof *g->root);
    g->work = arena_push(scratch, h->strands * rods->work_count * sizeof *g->work);
    g->J = arena_push(scratch, hair_vertex_count(h) * row * sizeof *g->J);
    g->v = arena_push(scratch, h->strands * (size_t)rods->unknowns * sizeof *g->v);
    return g->root && g->work && g->J && g->v;
}

/* Surfaces are numbered as their colliders come; 0xffffffff if no roots sit on one. */
static uint32_t find_surface(const scene *s, uint64_t id)
{
    uint32_t number = 0;
    for (size_t i = 0; i < s->objects.count; i++) {
        const object *o = scene_object(s, i);
        if (o->kind != KIND_COLLIDER) continue;
        if (o->id == id) return number;
        number++;
    }
    return UINT32_MAX;
}

/* A frozen strand resists so much that neither its weight nor its contacts bend it visibly. */
#define FROZEN 1e10

static bool freeze_strands(hair_group *g, arena *scratch)
{
    const double *frozen = g->h->maps.value[MAP_FREEZE];
    bool any = false;
    for (size_t i = 0; i < g->h->strands; i++) any = any || frozen[g->h->number[i]] != 0.0;
    if (!any) return true;
    double *brake = arena_push(scratch, g->h->strands * sizeof *brake);
    if (!brake) return false;
    for (size_t i = 0; i < g->h->strands; i++) brake[i] = FROZEN * frozen[g->h->number[i]];
    g->in.brake = brake;
    return true;
}

static bool group_init(hair_work *w, hair_group *g, const object *o)
{
    work *k = w->k;
    *g = (hair_group){.o = o,
                      .h = o->hair,
                      .now = hair_state_in(o, k->now),
                      .next = hair_state_in(o, k->next),
                      .strand = w->strands,
                      .vertex = w->vertices,
                      .segment = w->segments,
                      .own_surface = find_surface(k->s, o->hair->surface)};
    if (!group_make_room(g, &k->s->scratch)) return false;
    g->in = (body_input){
        .h = k->plan->dt, .gravity = v3_load(k->s->parameters.value[P_GRAVITY]), .root = g->root};
    if (!freeze_strands(g, &k->s->scratch)) return false;
    w->strands += g->h->strands;
    w->vertices += (uint32_t)hair_vertex_count(g->h);
    w->segments += (uint32_t)hair_vertex_count(g->h) - g->h->strands;
    return true;
}

static void number_strands(const hair_work *w, hair_group *g)
{
    hair_segment *segment = w->segment + g->segment;
    for (uint32_t i = 0; i < g->h->strands; i++) {
        w->strand[g->strand + i] = (hair_strand){g, i};
        for (uint32_t k = 0; k + 1 < g->h->rods.vertices; k++) {
            *segment++ = (hair_segment){g->strand + i, g->vertex + i * g->h->rods.vertices + k};
        }
    }
}

static bool make_room(hair_work *w, arena *scratch)
{
    const size_t n = w->vertices, chunks = hair_chunks(w->strands) + w->groups;
    w->strand = arena_push(scratch, w->strands * sizeof *w->strand);
    w->segment = arena_push(scratch, w->segments * sizeof *w->segment);
    w->x = arena_push(scratch, 3 * n * sizeof *w->x);
    w->free = arena_push(scratch, 3 * n * sizeof *w->free);
    w->base = arena_push(scratch, 3 * n * sizeof *w->base);
    w->first = arena_push(scratch, (n + 1) * sizeof *w->first);
    w->chunk = arena_push(scratch, chunks * sizeof *w->chunk);
    return w->strand && w->segment && w->x && w->free && w->base && w->first && w->chunk;
}

/* Numbers are 32 bits wide. */
static bool is_too_much(const scene *s)
{
    uint64_t vertices = 0;
    for (size_t i = 0; i < s->objects.count; i++) {
        const object *o = scene_object(s, i);
        if (o->kind == KIND_HAIR) vertices += hair_vertex_count(o->hair);
    }
    return vertices > UINT32_MAX / 4;
}

status hair_step_begin(work *k, error *err)
{
    scene *s = k->s;
    size_t groups = 0;
    for (size_t i = 0; i < s->objects.count; i++) groups += scene_object(s, i)->kind == KIND_HAIR;
    if (groups == 0) return STATUS_OK;
    hair_work *w = arena_push(&s->scratch, sizeof *w);
    hair_group *group = arena_push(&s->scratch, groups * sizeof *group);
    if (!w || !group || is_too_much(s)) return error_out_of_memory(err, "a step of hair");
    *w = (hair_work){.k = k, .group = group, .from = arena_allocator(&s->scratch)};
    for (size_t i = 0; i < s->objects.count; i++) {
        const object *o = scene_object(s, i);
        if (o->kind != KIND_HAIR) continue;
        if (!group_init(w, &w->group[w->groups++], o)) {
            return error_out_of_memory(err, "a step of hair");
        }
    }
    if (!make_room(w, &s->scratch)) return error_out_of_memory(err, "a step of hair");
    for (size_t i = 0; i < w->groups; i++) number_strands(w, &w->group[i]);
    k->hair = w;
    return STATUS_OK;
}

/* ---- stages over strands ---- */

typedef struct stage {
    hair_work *w;
    hair_group *g;
    hair_chunk *chunk; /* of the group */
    void (*run)(hair_work *w, hair_group *g, size_t begin, size_t end, hair_chunk *chunk);
} stage;

static void run_chunk(void *user, uint32_t index)
{
    const stage *s = user;
    const size_t begin = (size_t)index * HAIR_CHUNK, last = begin + HAIR_CHUNK;
    const size_t end = last < s->g->h->strands ? last : s->g->h->strands;
    s->chunk[index] = (hair_chunk){0};
    s->run(s->w, s->g, begin, end, &s->chunk[index]);
}

static status diverged(const hair_group *g, size_t strand, error *err)
{
    return error_set(err, STATUS_DIVERGED,
                     "hair '%s': strand %" PRIu32
                     " would leave the finite numbers; the step was not taken",
                     g->o->name, g->h->number[strand]);
}

/* Runs a stage over the strands of every group, and merges what the chunks found. */
static status for_strands(hair_work *w,
                          void (*run)(hair_work *, hair_group *, size_t, size_t, hair_chunk *),
                          error *err)
{
    for (size_t i = 0; i < w->groups; i++) {
        stage s = {w, &w->group[i], w->chunk, run};
        const uint32_t chunks = hair_chunks(s.g->h->strands);
        pool_run(w->k->s->threads, chunks, run_chunk, &s);
        for (uint32_t c = 0; c < chunks; c++) {
            w->penetration = scalar_max(w->penetration, w->chunk[c].penetration);
            if (w->chunk[c].not_finite) return diverged(s.g, w->chunk[c].not_finite - 1, err);
        }
    }
    return STATUS_OK;
}

/* ---- predict ---- */

static void move_root(const work *k, hair_group *g, size_t i)
{
    const pose now = pose_load(g->now.hold + POSE_SIZE * i);
    const pose hold = hair_next_hold(k, g->o, g->own_surface, g->h->number[i], &now);
    const pose root = pose_load(g->h->rods.root + POSE_SIZE * i);
    g->root[i] = hair_pose_on(&hold, &root);
    pose_store(g->next.hold + POSE_SIZE * i, &hold);
}

/* Jacobians and free velocities at the collision vertices. */
static void predict_vertices(hair_work *w, const hair_group *g, size_t i)
{
    const hair_rods *r = &g->h->rods;
    const size_t n = r->group->unknowns;
    const double *v = body_v_free(r->group, g->work, i);
    for (size_t k = i * r->vertices; k < (i + 1) * r->vertices; k++) {
        const size_t at = 3 * (g->vertex + k);
        double *J = g->J + 3 * n * k, u[3] = {0.0, 0.0, 0.0};
        v3 v_0;
        body_jacobian(r->group, g->work, (uint32_t)i, (v3){r->vertex_s[k], 0.0, 0.0}, J, NULL, &v_0,
                      NULL);
        for (size_t row = 0; row < 3; row++) {
            for (size_t c = 0; c < n; c++) u[row] += J[row * n + c] * v[c];
        }
        v3_store(&w->base[at], v_0);
        v3_store(&w->free[at], v3_add(v3_load(u), v_0));
        memcpy(&w->x[at], &g->now.vertex[3 * k], 3 * sizeof *w->x);
    }
}

static void predict_strands(hair_work *w, hair_group *g, size_t begin, size_t end,
                            hair_chunk *chunk)
{
    for (size_t i = begin; i < end; i++) move_root(w->k, g, i);
    body_predict(g->h->rods.group, &g->in, g->now.rods, g->work, begin, end);
    for (size_t i = begin; i < end; i++) {
        predict_vertices(w, g, i);
        const size_t at = 3 * (g->vertex + i * g->h->rods.vertices);
        bool finite = true;
        for (size_t k = 0; k < 3 * (size_t)g->h->rods.vertices; k++) {
            finite = finite && isfinite(w->free[at + k]) && isfinite(w->x[at + k]);
        }
        if (!finite && !chunk->not_finite) chunk->not_finite = 1 + i;
    }
}

status hair_step_predict(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w) return STATUS_OK;
    status st = STATUS_OK;
    for (size_t i = 0; i < w->groups && st >= 0; i++) st = forces_act_on_hair(k, &w->group[i], err);
    if (st >= 0) st = for_strands(w, predict_strands, err);
    if (st < 0) return st;
    v3 sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < w->vertices; i++) sum = v3_add(sum, v3_load(&w->free[3 * i]));
    w->drift = v3_scale(1.0 / w->vertices, sum);
    return STATUS_OK;
}

/* ---- correct ---- */

static void correct_points(const work *k, const hair_group *g, size_t i)
{
    for (size_t p = 3 * (size_t)g->h->first[i]; p < 3 * (size_t)g->h->first[i + 1]; p++) {
        g->next.v[p] = (g->next.x[p] - g->now.x[p]) / k->plan->dt;
    }
}

static bool strand_is_finite(const hair_group *g, size_t i)
{
    const size_t count = g->h->rods.group->state_count;
    for (size_t k = i * count; k < (i + 1) * count; k++) {
        if (!isfinite(g->next.rods[k])) return false;
    }
    for (size_t p = 3 * (size_t)g->h->first[i]; p < 3 * (size_t)g->h->first[i + 1]; p++) {
        if (!isfinite(g->next.x[p]) || !isfinite(g->next.v[p])) return false;
    }
    return true;
}

static void correct_strands(hair_work *w, hair_group *g, size_t begin, size_t end,
                            hair_chunk *chunk)
{
    const body_group *rods = g->h->rods.group;
    body_correct(rods, &g->in, g->now.rods, g->work, g->v, g->next.rods, begin, end);
    hair_find_places(g->h, &g->next, begin, end);
    for (size_t i = begin; i < end; i++) {
        correct_points(w->k, g, i);
        if (!strand_is_finite(g, i) && !chunk->not_finite) chunk->not_finite = 1 + i;
        const size_t first = i * g->h->rods.vertices;
        for (size_t k = 0; k < g->h->rods.vertices; k++) {
            const v3 x = v3_load(&g->next.vertex[3 * (first + k)]);
            const double depth = hair_vertex_depth(w, g, first + k, x);
            chunk->penetration = scalar_max(chunk->penetration, depth);
        }
    }
}

status hair_step_correct(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w) return STATUS_OK;
    status st = for_strands(w, correct_strands, err);
    for (size_t i = 0; i < w->groups && st >= 0; i++) st = hair_step_follow(k, &w->group[i], err);
    if (st < 0) return st;
    for (size_t i = 0; i < w->groups; i++) hair_watch(k, &w->group[i]);
    const double deepest = scalar_max(w->penetration, hair_pair_depth(w));
    k->s->statistics.penetration = scalar_max(k->s->statistics.penetration, deepest);
    return STATUS_OK;
}

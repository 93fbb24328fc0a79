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
    g->way = arena_push(scratch, h->strands * (size_t)rods->unknowns * sizeof *g->way);
    return g->root && g->work && g->J && g->v && g->way;
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
    if (!freeze_strands(g, &k->s->scratch) || !hair_pull(g, k->s)) return false;
    w->strands += g->h->strands;
    w->vertices += (uint32_t)hair_vertex_count(g->h);
    w->segments += (uint32_t)hair_vertex_count(g->h) - g->h->strands;
    return true;
}

static void number_strands(const hair_work *w, hair_group *g)
{
    hair_segment *segment = w->segment + g->segment;
    for (uint32_t i = 0; i < g->h->strands; i++) {
        w->strand[g->strand + i] =
            (hair_strand){g, i, hair_strand_thickness(g->o, i), hair_strand_friction(g->o, i)};
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
    w->end = arena_push(scratch, 3 * n * sizeof *w->end);
    w->base = arena_push(scratch, 3 * n * sizeof *w->base);
    w->moved = arena_push(scratch, w->strands * sizeof *w->moved);
    w->near.box = arena_push(scratch, w->segments * sizeof *w->near.box);
    w->near.end = arena_push(scratch, 3 * n * sizeof *w->near.end);
    w->chunk = arena_push(scratch, chunks * sizeof *w->chunk);
    bvh_pairs_init(&w->near.pairs, &w->from);
    return w->strand && w->segment && w->x && w->end && w->base && w->moved && w->near.box &&
           w->near.end && w->chunk;
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

/* Jacobians at the collision vertices. */
static void predict_vertices(hair_work *w, const hair_group *g, size_t i)
{
    const hair_rods *r = &g->h->rods;
    const size_t n = r->group->unknowns;
    for (size_t k = i * r->vertices; k < (i + 1) * r->vertices; k++) {
        const size_t at = 3 * (g->vertex + k);
        v3 v_0;
        body_jacobian(r->group, g->work, (uint32_t)i, (v3){r->vertex_s[k], 0.0, 0.0},
                      g->J + 3 * n * k, NULL, &v_0, NULL);
        v3_store(&w->base[at], v_0);
        memcpy(&w->x[at], &g->now.vertex[3 * k], 3 * sizeof *w->x);
    }
}

static bool all_finite(const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(x[k])) return false;
    }
    return true;
}

static void predict_strands(hair_work *w, hair_group *g, size_t begin, size_t end,
                            hair_chunk *chunk)
{
    for (size_t i = begin; i < end; i++) move_root(w->k, g, i);
    body_predict(g->h->rods.group, &g->in, g->now.rods, g->work, begin, end);
    for (size_t i = begin; i < end; i++) {
        predict_vertices(w, g, i);
        const size_t at = 3 * (g->vertex + i * g->h->rods.vertices);
        const size_t count = 3 * (size_t)g->h->rods.vertices;
        const bool finite =
            all_finite(w->x + at, count) && all_finite(w->base + at, count) &&
            all_finite(body_v_free(g->h->rods.group, g->work, i), g->h->rods.group->unknowns);
        if (!finite && !chunk->not_finite) chunk->not_finite = 1 + i;
    }
}

status hair_step_predict(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w) return STATUS_OK;
    status st = STATUS_OK;
    for (size_t i = 0; i < w->groups && st >= 0; i++) st = forces_act_on_hair(k, &w->group[i], err);
    return st < 0 ? st : for_strands(w, predict_strands, err);
}

/* ---- correct ---- */

static bool strand_is_finite(const hair_group *g, size_t i)
{
    const size_t state = g->h->rods.group->state_count, vertices = g->h->rods.vertices;
    return all_finite(g->next.rods + i * state, state) &&
           all_finite(g->next.vertex + 3 * i * vertices, 3 * vertices);
}

static void move_strands(hair_work *w, hair_group *g, size_t begin, size_t end, hair_chunk *chunk)
{
    for (size_t i = begin; i < end; i++) {
        if (!w->moved[g->strand + i]) continue;
        body_correct(g->h->rods.group, &g->in, g->now.rods, g->work, g->way, g->next.rods, i,
                     i + 1);
        hair_find_vertices(g->h, &g->next, i, i + 1);
        const size_t at = 3 * i * g->h->rods.vertices, count = 3 * (size_t)g->h->rods.vertices;
        memcpy(w->end + 3 * (size_t)g->vertex + at, g->next.vertex + at, count * sizeof *w->end);
        if (!strand_is_finite(g, i) && !chunk->not_finite) chunk->not_finite = 1 + i;
    }
}

status hair_move_rods(hair_work *w, error *err) { return for_strands(w, move_strands, err); }

/* Points and their velocities, before anything is moved without speed. */
static void place_strands(hair_work *w, hair_group *g, size_t begin, size_t end, hair_chunk *chunk)
{
    const double per_dt = 1.0 / w->k->plan->dt;
    hair_find_points(g->h, &g->next, begin, end);
    for (size_t i = begin; i < end; i++) {
        const size_t at = 3 * (size_t)g->h->first[i], past = 3 * (size_t)g->h->first[i + 1];
        for (size_t p = at; p < past; p++) g->next.v[p] = per_dt * (g->next.x[p] - g->now.x[p]);
        const bool finite =
            all_finite(g->next.x + at, past - at) && all_finite(g->next.v + at, past - at);
        if (!finite && !chunk->not_finite) chunk->not_finite = 1 + i;
    }
}

/* Strands that were moved apart keep the speed they had before. */
static void settle_strands(hair_work *w, hair_group *g, size_t begin, size_t end, hair_chunk *chunk)
{
    (void)chunk;
    const body_group *rods = g->h->rods.group;
    const size_t n = rods->unknowns;
    for (size_t i = begin; i < end; i++) {
        if (memcmp(g->v + i * n, g->way + i * n, n * sizeof *g->v) == 0) continue;
        memcpy(body_v(rods, g->next.rods, i), g->v + i * n, n * sizeof *g->v);
        hair_find_points(g->h, &g->next, i, i + 1);
    }
    (void)w;
}

static void mark_all(hair_work *w)
{
    memset(w->moved, 1, w->strands);
    for (size_t i = 0; i < w->groups; i++) {
        const hair_group *g = &w->group[i];
        memcpy(g->v, g->way, (size_t)g->h->strands * g->h->rods.group->unknowns * sizeof *g->v);
    }
}

static void report(const hair_work *w)
{
    const log_sink *log = &w->k->s->config.log;
    log_write(log, LOG_DEBUG, "hair: %" PRIu32 " contacts in %g s, the deepest by %g m",
              w->contacts.count, w->k->plan->dt, w->depth);
    if (w->k->violent) return;
    const bool deep = w->share > HAIR_DEPTH_ALLOWED, told = w->k->s->told_deep_hair;
    w->k->s->told_deep_hair = deep;
    if (!deep || told) return;
    log_write(
        log, LOG_WARNING,
        "hair: a contact is %g m too deep, %g of its thickness; it is moved out over the next "
        "steps",
        w->depth, w->share);
}

status hair_step_correct(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w) return STATUS_OK;
    mark_all(w);
    status st = hair_move_rods(w, err);
    if (st >= 0) st = for_strands(w, place_strands, err);
    if (st >= 0) st = hair_place_apart(w, err);
    if (st == STATUS_OK) st = for_strands(w, settle_strands, err);
    for (size_t i = 0; i < w->groups && st == STATUS_OK; i++) {
        st = hair_step_follow(k, &w->group[i], err);
    }
    if (st != STATUS_OK) return st;
    for (size_t i = 0; i < w->groups; i++) hair_watch(k, &w->group[i]);
    report(w);
    k->s->statistics.penetration = scalar_max(k->s->statistics.penetration, w->depth);
    return STATUS_OK;
}

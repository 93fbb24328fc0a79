/* SPDX-License-Identifier: Apache-2.0
 *
 * What strands meet on their ways: vertices and surfaces as cloth's nodes do (detect.c), segments
 * and segments (hair_pair.c).
 *
 * Chunks of vertices and of pairs each write into a slice of their own, which are then joined in
 * order; if a slice was too small, all are made larger and the search is done again.
 */
#include "math/frame.h"
#include "math/scalar.h"
#include "scene/hair_work.h"

#include <string.h>

#define FIRST_ROOM 64

typedef struct search {
    const hair_work *w;
    const hair_group *g;
    const hair_look *look;
    hair_contact *slice;
    uint32_t *count; /* [chunks] found, of which `room` are in the slice at most */
    uint32_t room;
} search;

static void keep(const search *f, uint32_t chunk, const hair_contact *c)
{
    const uint32_t number = f->count[chunk]++;
    if (number < f->room) f->slice[(size_t)chunk * f->room + number] = *c;
}

/* ---- vertices against surfaces ---- */

/* Vertices that cannot move, or that sit on the surface beside their root, meet nothing. */
static bool vertex_may_meet(const hair_group *g, size_t i, double thickness, size_t j)
{
    if (!g->h->rods.attached) return true;
    return g->h->rods.vertex_s[i] > (j == g->own_surface ? HAIR_ROOT_FREE * thickness : 0.0);
}

static const hair_strand *strand_of(const search *f, size_t i)
{
    return &f->w->strand[f->g->strand + i / f->g->h->rods.vertices];
}

static hair_contact surface_contact(const search *f, size_t i, v3 v, uint32_t number,
                                    const nodal_contact *c)
{
    const hair_group *g = f->g;
    const uint32_t vertices = g->h->rods.vertices, vertex = g->vertex + (uint32_t)i;
    const bool last = i % vertices + 1 == vertices;
    const double dt = f->w->k->plan->dt, gap = dt * c->g - c->depth;
    return (hair_contact){.key = {vertex, (uint64_t)c->surface << 32 | number},
                          .strand = {g->strand + (uint32_t)(i / vertices), BODIES_NONE},
                          .vertex = {last ? vertex - 1 : vertex, 0},
                          .share = {last ? 1.0 : 0.0, 0.0},
                          .F = c->F,
                          .s = c->s,
                          .mu = c->mu,
                          .gap = {gap, gap + dt * v3_dot(c->F.row[0], v3_sub(v, c->s))},
                          .began = gap,
                          .measure = scalar_max(strand_of(f, i)->thickness, HAIR_LEAST_THICKNESS)};
}

static void meet_surfaces(const search *f, size_t i, uint32_t chunk)
{
    const hair_group *g = f->g;
    const work *k = f->w->k;
    const size_t at = 3 * (g->vertex + i);
    const hair_strand *strand = strand_of(f, i);
    const double thickness = strand->thickness, margin = f->look->slack * thickness;
    const node_way way = {v3_load(&f->w->x[at]), v3_load(&f->w->end[at]), thickness, margin,
                          strand->friction};
    const v3 v = v3_scale(1.0 / k->plan->dt, v3_sub(way.x1, way.x0));
    for (size_t j = 0; j < k->surface_count; j++) {
        mesh_contacts found;
        if (!vertex_may_meet(g, i, thickness, j)) continue;
        detect_meet_surface(&way, &k->surfaces[j], &found);
        for (size_t n = 0; n < found.count; n++) {
            const nodal_contact at_n = detect_make_contact(k, &way, j, v, &found.at[n]);
            const hair_contact c = surface_contact(f, i, v, (uint32_t)n, &at_n);
            if (c.gap[1] <= margin) keep(f, chunk, &c);
        }
    }
}

static void search_vertices(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const search *f = user;
    f->count[chunk] = 0;
    for (size_t i = begin; i < end; i++) meet_surfaces(f, i, chunk);
}

/* ---- segments against segments ---- */

static hair_contact pair_contact(const hair_work *w, const hair_touch *touch)
{
    const hair_segment *s = &w->segment[touch->a], *t = &w->segment[touch->b];
    const hair_strand *p = &w->strand[s->strand], *q = &w->strand[t->strand];
    const double thinner = scalar_min(p->thickness, q->thickness);
    return (hair_contact){.key = {1ull << 32 | touch->a, (uint64_t)touch->b << 32 | touch->kind},
                          .strand = {s->strand, t->strand},
                          .vertex = {s->vertex, t->vertex},
                          .share = {touch->share[0], touch->share[1]},
                          .F = frame_from_normal(touch->N),
                          .mu = sqrt(p->friction * q->friction),
                          .gap = {touch->gap[0], touch->gap[1]},
                          .began = touch->began,
                          .measure = scalar_max(thinner, HAIR_LEAST_THICKNESS)};
}

static void search_pairs(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const search *f = user;
    f->count[chunk] = 0;
    for (size_t i = begin; i < end; i++) {
        const bvh_pair *pair = &f->w->near.pairs.pair[i];
        hair_touch touch[HAIR_MOST_TOUCHES];
        const size_t count = hair_pair_meet(f->w, pair->a, pair->b, f->look, touch);
        for (size_t n = 0; n < count; n++) {
            const hair_contact c = pair_contact(f->w, &touch[n]);
            keep(f, chunk, &c);
        }
    }
}

/* ---- the whole ---- */

static bool fits(const search *f, uint32_t chunks, uint32_t *most, uint64_t *total)
{
    *most = 0, *total = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        if (f->count[c] > *most) *most = f->count[c];
        *total += f->count[c];
    }
    return *most <= f->room;
}

/* Joins the slices to `list`. */
static bool join(const search *f, uint32_t chunks, uint64_t total, hair_contacts *list)
{
    const uint64_t count = list->count + total;
    if (count > UINT32_MAX / 4) return false;
    hair_contact *at = arena_push(&f->w->k->s->scratch, (size_t)count * sizeof *at);
    if (!at) return false;
    if (list->count) memcpy(at, list->at, list->count * sizeof *at);
    list->at = at;
    for (uint32_t c = 0; c < chunks; c++) {
        if (!f->count[c]) continue;
        memcpy(at + list->count, f->slice + (size_t)c * f->room, f->count[c] * sizeof *at);
        list->count += f->count[c];
    }
    return true;
}

/* Searches `items` by `range` and joins what is found to `list`. */
static status run(search *f, size_t items, pool_range range, hair_contacts *list, error *err)
{
    scene *s = f->w->k->s;
    const uint32_t chunks = pool_chunks(items);
    uint32_t most = FIRST_ROOM;
    uint64_t total = 0;
    f->count = arena_push(&s->scratch, chunks * sizeof *f->count);
    do {
        f->room = most;
        f->slice = arena_push(&s->scratch, (size_t)chunks * f->room * sizeof *f->slice);
        if (!f->slice || !f->count) return error_out_of_memory(err, "contacts of hair");
        pool_for(s->threads, items, range, f);
    } while (!fits(f, chunks, &most, &total));
    return join(f, chunks, total, list) ? STATUS_OK : error_out_of_memory(err, "contacts of hair");
}

status hair_detect(hair_work *w, const hair_look *look, hair_contacts *out, error *err)
{
    *out = (hair_contacts){0};
    search f = {.w = w, .look = look};
    status st = hair_near_find(w, look->slack, err);
    for (size_t i = 0; i < w->groups && st >= 0; i++) {
        f.g = &w->group[i];
        st = run(&f, hair_vertex_count(f.g->h), search_vertices, out, err);
    }
    if (st >= 0) st = run(&f, w->near.pairs.count, search_pairs, out, err);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which strands meet which surfaces and one another in this step.
 *
 * Collision vertices against surfaces are as cloth's nodes are (detect.c). Segments against
 * segments: a pair whose distance may shrink to the sum of the thicknesses within the step, judged
 * by its free relative motion and a slack for what other contacts do to it, has a contact at its
 * nearest points. Boxes are blown up by the motion relative to the mean one, so that a head that
 * moves fast as a whole does not make everything meet everything.
 *
 * Only local minima of the distance along two strands count: a nearest point at the end of a
 * segment belongs to the next one, one at the beginning to the one before if that comes nearer.
 *
 * Where a contact starts too deep, it is asked to part at PUSH_OUT at most.
 */
#include "collide/bvh.h"
#include "collide/segment.h"
#include "math/frame.h"
#include "math/scalar.h"
#include "scene/hair_work.h"

#define PUSH_OUT 0.2 /* m/s */
#define SLACK 0.5    /* of the thickness: how far other contacts push a strand off its free way */

static double gap_velocity(double gap, double dt)
{
    return gap >= 0.0 ? gap / dt : -scalar_min(-gap / dt, PUSH_OUT);
}

/* ---- vertices against surfaces ---- */

/* Vertices that cannot move, or that sit on the surface beside their root, meet nothing. */
static bool vertex_may_meet(const hair_group *g, uint32_t number, size_t j)
{
    if (!g->h->rods.attached) return true;
    return number > 1 || (number == 1 && j != g->own_surface);
}

typedef struct surface_search {
    hair_work *w;
    hair_group *g;
} surface_search;

/* Counts the contacts of vertex i of the group, and writes them if there is room. */
static hair_contact surface_contact(const surface_search *f, size_t i, const nodal_contact *c)
{
    const hair_group *g = f->g;
    const size_t vertex = g->vertex + i;
    const bool last = i % g->h->rods.vertices + 1 == g->h->rods.vertices;
    const uint32_t strand = g->strand + (uint32_t)(i / g->h->rods.vertices);
    return (hair_contact){.strand = {strand, BODIES_NONE},
                          .vertex = {(uint32_t)(last ? vertex - 1 : vertex), 0},
                          .share = {last ? 1.0 : 0.0, 0.0},
                          .F = c->F,
                          .s = c->s,
                          .g = c->depth > 0.0 ? gap_velocity(-c->depth, f->w->k->plan->dt) : c->g,
                          .mu = c->mu,
                          .depth = c->depth,
                          .distance = hair_strand_thickness(g->o, i / g->h->rods.vertices)};
}

static uint32_t meet_surfaces(const surface_search *f, size_t i, hair_contact *out)
{
    const hair_work *w = f->w;
    const hair_group *g = f->g;
    const work *k = w->k;
    const size_t vertex = g->vertex + i;
    const uint32_t number = (uint32_t)(i % g->h->rods.vertices);
    const v3 v = v3_load(&w->free[3 * vertex]);
    const size_t strand = i / g->h->rods.vertices;
    node_way way = detect_make_way(k, g->o, v3_load(&w->x[3 * vertex]), v);
    way.thickness = hair_strand_thickness(g->o, strand);
    way.friction = hair_strand_friction(g->o, strand);
    uint32_t count = 0;
    for (size_t j = 0; j < k->surface_count; j++) {
        mesh_contacts found;
        if (!vertex_may_meet(g, number, j)) continue;
        detect_meet_surface(&way, &k->surfaces[j], &found);
        count += (uint32_t)found.count;
        for (size_t n = 0; out && n < found.count; n++) {
            const nodal_contact c = detect_make_contact(k, &way, j, v, &found.at[n]);
            *out++ = surface_contact(f, i, &c);
        }
    }
    return count;
}

static void count_surface_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const surface_search *f = user;
    for (size_t i = begin; i < end; i++) {
        f->w->first[f->g->vertex + i + 1] = meet_surfaces(f, i, NULL);
    }
}

static void write_surface_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const surface_search *f = user;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *first = &f->w->first[f->g->vertex + i];
        if (first[0] != first[1]) meet_surfaces(f, i, f->w->contact + first[0]);
    }
}

static void for_vertices(hair_work *w, pool_range stage)
{
    for (size_t i = 0; i < w->groups; i++) {
        surface_search f = {w, &w->group[i]};
        pool_for(w->k->s->threads, hair_vertex_count(f.g->h), stage, &f);
    }
}

static status count_surface_contacts(hair_work *w, error *err)
{
    for_vertices(w, count_surface_range);
    uint64_t total = 0;
    w->first[0] = 0;
    for (size_t i = 1; i <= w->vertices; i++) {
        total += w->first[i];
        if (total > UINT32_MAX / 4) return error_out_of_memory(err, "contacts of hair");
        w->first[i] = (uint32_t)total;
    }
    w->surface_contacts = (uint32_t)total;
    return STATUS_OK;
}

/* ---- segments against segments ---- */

/* A vertex of a segment, and its free way. */
typedef struct segment_way {
    v3 x[2], step[2];
} segment_way;

static segment_way find_way(const hair_work *w, uint32_t segment)
{
    const size_t at = 3 * (size_t)w->segment[segment].vertex;
    const double dt = w->k->plan->dt;
    return (segment_way){
        {v3_load(&w->x[at]), v3_load(&w->x[at + 3])},
        {v3_scale(dt, v3_load(&w->free[at])), v3_scale(dt, v3_load(&w->free[at + 3]))}};
}

static double segment_thickness(const hair_work *w, uint32_t segment)
{
    const hair_strand *s = &w->strand[w->segment[segment].strand];
    return hair_strand_thickness(s->group->o, s->local);
}

static double strand_friction(const hair_work *w, uint32_t strand)
{
    return hair_strand_friction(w->strand[strand].group->o, w->strand[strand].local);
}

static void box_add(bvh_box *box, v3 x, double margin)
{
    double p[3];
    v3_store(p, x);
    for (int k = 0; k < 3; k++) {
        box->min[k] = scalar_min(box->min[k], p[k] - margin);
        box->max[k] = scalar_max(box->max[k], p[k] + margin);
    }
}

typedef struct box_job {
    const hair_work *w;
    bvh_box *boxes;
} box_job;

static void box_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const box_job *job = user;
    for (size_t i = begin; i < end; i++) {
        const segment_way way = find_way(job->w, (uint32_t)i);
        const v3 drift = v3_scale(job->w->k->plan->dt, job->w->drift);
        const double moved =
            scalar_max(v3_norm(v3_sub(way.step[0], drift)), v3_norm(v3_sub(way.step[1], drift)));
        const double margin = (1.0 + SLACK) * segment_thickness(job->w, (uint32_t)i) + moved;
        job->boxes[i] =
            (bvh_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        box_add(&job->boxes[i], way.x[0], margin);
        box_add(&job->boxes[i], way.x[1], margin);
    }
}

/* Neighbours on one strand are always near: those within a half turn of the thinnest loop, and the
 * segments of two roots, which stay where they are held. */
static bool may_pair(const hair_work *w, uint32_t a, uint32_t b, double length)
{
    const hair_segment *p = &w->segment[a], *q = &w->segment[b];
    if (p->strand == q->strand) {
        const double apart = (q->vertex - p->vertex - 1.0) * length;
        return q->vertex - p->vertex > 2 && apart > 6.3 * segment_thickness(w, a);
    }
    const hair_strand *s = &w->strand[p->strand], *t = &w->strand[q->strand];
    const hair_group *g = s->group, *h = t->group;
    const bool root = p->vertex == g->vertex + s->local * g->h->rods.vertices &&
                      q->vertex == h->vertex + t->local * h->h->rods.vertices;
    return !(root && g->h->rods.attached && h->h->rods.attached);
}

/* At the beginning (0) or the end (1) of a segment: is the nearest point a neighbour's? */
static bool belongs_to_neighbour(const hair_work *w, uint32_t segment, double share, v3 other)
{
    const hair_segment *s = &w->segment[segment];
    if (share > 0.0 && share < 1.0) return false;
    if (share == 1.0) {
        return segment + 1 < w->segments && w->segment[segment + 1].strand == s->strand;
    }
    if (segment == 0 || w->segment[segment - 1].strand != s->strand) return false;
    const v3 x = v3_load(&w->x[3 * (size_t)s->vertex]);
    const v3 back = v3_sub(v3_load(&w->x[3 * (size_t)s->vertex - 3]), x);
    return v3_dot(v3_sub(other, x), back) > 0.0;
}

static double relative_motion(const segment_way *p, const segment_way *q)
{
    double most = 0.0;
    for (int i = 0; i < 4; i++) {
        most = scalar_max(most, v3_norm(v3_sub(p->step[i & 1], q->step[i >> 1])));
    }
    return most;
}

static v3 point_on(const segment_way *p, double share)
{
    return v3_add_scaled(p->x[0], share, v3_sub(p->x[1], p->x[0]));
}

static bool pair_is_near(const void *user, uint32_t a, uint32_t b)
{
    const hair_work *w = user;
    const segment_way p = find_way(w, a), q = find_way(w, b);
    if (!may_pair(w, a, b, v3_norm(v3_sub(p.x[1], p.x[0])))) return false;
    const segment_nearest near = segment_find_nearest(p.x[0], p.x[1], q.x[0], q.x[1]);
    const double thickness = segment_thickness(w, a) + segment_thickness(w, b);
    const double reach = (1.0 + SLACK) * thickness + relative_motion(&p, &q);
    if (!(near.distance2 <= reach * reach)) return false;
    return !belongs_to_neighbour(w, a, near.s, point_on(&q, near.t)) &&
           !belongs_to_neighbour(w, b, near.t, point_on(&p, near.s));
}

/* From b to a; of segments that cross each other, at right angles to both. */
static v3 pair_normal(const segment_way *p, const segment_way *q, v3 apart)
{
    const double distance = v3_norm(apart);
    if (distance > 1e-12) return v3_scale(1.0 / distance, apart);
    const v3 across = v3_cross(v3_sub(p->x[1], p->x[0]), v3_sub(q->x[1], q->x[0]));
    const double length = v3_norm(across);
    return length > 0.0 ? v3_scale(1.0 / length, across) : (v3){0.0, 0.0, 1.0};
}

static hair_contact make_pair_contact(const hair_work *w, uint32_t a, uint32_t b)
{
    const segment_way p = find_way(w, a), q = find_way(w, b);
    const segment_nearest near = segment_find_nearest(p.x[0], p.x[1], q.x[0], q.x[1]);
    const v3 apart = v3_sub(point_on(&p, near.s), point_on(&q, near.t));
    const double thickness = segment_thickness(w, a) + segment_thickness(w, b);
    const double gap = v3_norm(apart) - thickness;
    const hair_segment *s = &w->segment[a], *t = &w->segment[b];
    return (hair_contact){.strand = {s->strand, t->strand},
                          .vertex = {s->vertex, t->vertex},
                          .share = {near.s, near.t},
                          .F = frame_from_normal(pair_normal(&p, &q, apart)),
                          .g = gap_velocity(gap, w->k->plan->dt),
                          .mu = sqrt(strand_friction(w, s->strand) * strand_friction(w, t->strand)),
                          .depth = scalar_max(-gap, 0.0),
                          .distance = thickness};
}

typedef struct pair_job {
    const hair_work *w;
    const bvh_pairs *pairs;
} pair_job;

static void pair_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const pair_job *job = user;
    for (size_t i = begin; i < end; i++) {
        const bvh_pair *pair = &job->pairs->pair[i];
        job->w->contact[job->w->surface_contacts + i] = make_pair_contact(job->w, pair->a, pair->b);
    }
}

static status find_pairs(hair_work *w, bvh_pairs *pairs, error *err)
{
    scene *s = w->k->s;
    bvh_box *boxes = arena_push(&s->scratch, w->segments * sizeof *boxes);
    if (!boxes) return error_out_of_memory(err, "boxes of hair");
    box_job job = {w, boxes};
    pool_for(s->threads, w->segments, box_range, &job);
    bvh tree;
    bvh_init(&tree, &w->from);
    status st = bvh_build(&tree, boxes, w->segments, err);
    if (st >= 0) st = bvh_find_pairs(&tree, boxes, pair_is_near, w, s->threads, pairs, err);
    bvh_destroy(&tree);
    return st;
}

/* ---- how deep is it at the end? ---- */

double hair_vertex_depth(const hair_work *w, const hair_group *g, size_t i, v3 x)
{
    const uint32_t number = (uint32_t)(i % g->h->rods.vertices);
    const double thickness = hair_strand_thickness(g->o, i / g->h->rods.vertices);
    double deepest = 0.0;
    for (size_t j = 0; j < w->k->surface_count; j++) {
        if (!vertex_may_meet(g, number, j)) continue;
        deepest = scalar_max(deepest, detect_depth(&w->k->surfaces[j], x, thickness));
    }
    return deepest;
}

static v3 vertex_at_end(const hair_work *w, uint32_t strand, uint32_t vertex)
{
    const hair_group *g = w->strand[strand].group;
    return v3_load(&g->next.vertex[3 * (size_t)(vertex - g->vertex)]);
}

double hair_pair_depth(const hair_work *w)
{
    double deepest = 0.0;
    for (uint32_t i = w->surface_contacts; i < w->contacts; i++) {
        const hair_contact *c = &w->contact[i];
        const segment_nearest near =
            segment_find_nearest(vertex_at_end(w, c->strand[0], c->vertex[0]),
                                 vertex_at_end(w, c->strand[0], c->vertex[0] + 1),
                                 vertex_at_end(w, c->strand[1], c->vertex[1]),
                                 vertex_at_end(w, c->strand[1], c->vertex[1] + 1));
        deepest = scalar_max(deepest, c->distance - sqrt(near.distance2));
    }
    return deepest;
}

/* ---- the whole ---- */

/* Input that starts too deep is pushed out slowly, and said once a step. */
static void report_depth(const hair_work *w)
{
    uint32_t inside = 0;
    double depth = 0.0;
    for (uint32_t i = 0; i < w->contacts; i++) {
        const hair_contact *c = &w->contact[i];
        if (!(c->depth > scalar_max(DEPTH_REPORTED, 0.5 * c->distance))) continue;
        inside++;
        depth = scalar_max(depth, c->depth);
    }
    if (inside == 0) return;
    log_write(&w->k->s->config.log, LOG_WARNING,
              "hair: %u contacts started inside, the deepest by %g m; they are pushed out at %g "
              "m/s at most",
              inside, depth, PUSH_OUT);
}

status hair_step_collide(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w) return STATUS_OK;
    scene *s = k->s;
    bvh_pairs pairs;
    bvh_pairs_init(&pairs, &w->from);
    status st = count_surface_contacts(w, err);
    if (st >= 0) st = find_pairs(w, &pairs, err);
    if (st < 0) return st;
    if (pairs.count > UINT32_MAX / 4) return error_out_of_memory(err, "contacts of hair");
    w->contacts = w->surface_contacts + (uint32_t)pairs.count;
    w->contact = arena_push(&s->scratch, w->contacts * sizeof *w->contact);
    if (!w->contact) return error_out_of_memory(err, "contacts of hair");
    for_vertices(w, write_surface_range);
    pair_job job = {w, &pairs};
    pool_for(s->threads, pairs.count, pair_range, &job);
    report_depth(w);
    return STATUS_OK;
}

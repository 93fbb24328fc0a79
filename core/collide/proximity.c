/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/proximity.h"

#include "collide/encounter.h"
#include "collide/segment.h"
#include "math/scalar.h"

/* Of the distance: how early a contact may be found. */
static const double TOLERANCE = 1e-3;
/* A neighbour that is nearer by less than this, relative, is not nearer. */
static const double AS_NEAR = 1e-9;

/* One side of a contact: a feature, and the shares of its vertices in the nearest point. */
typedef struct side {
    const surface *s;
    surface_feature feature;
    double share[3];
} side;

/* ---- the four corners ---- */

static void load_corners(const surface *s, surface_feature f, const double *positions, v3 *out)
{
    uint32_t v[3];
    const uint32_t count = surface_list_vertices(s, f, v);
    for (uint32_t k = 0; k < count; k++) out[k] = v3_load(positions + 3 * (size_t)v[k]);
}

/* A vertex goes before its face. */
static encounter_pair make_pair(const side *p, const side *q, const double *p0, const double *q0,
                                const double *p1, const double *q1)
{
    v3 x0[4], x1[4];
    const uint32_t split = (uint32_t)p->feature.kind + 1;
    load_corners(p->s, p->feature, p0, x0);
    load_corners(q->s, q->feature, q0, x0 + split);
    load_corners(p->s, p->feature, p1, x1);
    load_corners(q->s, q->feature, q1, x1 + split);
    return encounter_make_pair(x0, x1, split);
}

static bool are_neighbours(const side *p, const side *q)
{
    const surface *s = p->s;
    if (s != q->s || !s->rest) return false;
    const encounter_pair rest = make_pair(p, q, s->rest, s->rest, s->rest, s->rest);
    return encounter_look_at(&rest, 0.0).distance < s->exempt;
}

/* ---- the smallest feature ---- */

/* Shares of the vertices of `feature` that were shares of the vertices v. */
static void take_shares(side *p, surface_feature feature, const uint32_t v[3],
                        const double share[3], uint32_t count)
{
    uint32_t own[3];
    const uint32_t size = surface_list_vertices(p->s, feature, own);
    p->feature = feature;
    for (uint32_t i = 0; i < size; i++) {
        p->share[i] = 0.0;
        for (uint32_t k = 0; k < count; k++) {
            if (v[k] == own[i]) p->share[i] += share[k];
        }
    }
}

static void reduce(side *p)
{
    uint32_t v[3], used = 0, last = 0, unused = 0;
    double share[3] = {0};
    const uint32_t count = surface_list_vertices(p->s, p->feature, v);
    for (uint32_t k = 0; k < count; k++) {
        share[k] = p->share[k];
        if (share[k] > 0.0) {
            used++;
            last = k;
        } else {
            unused = k;
        }
    }
    if (used == count) return;
    surface_feature smaller = {SURFACE_VERTEX, v[last]};
    if (used == 2) {
        const int32_t edge = p->s->side[3 * (size_t)p->feature.number + (unused + 1) % 3];
        if (edge >= 0) smaller = (surface_feature){SURFACE_EDGE, (uint32_t)edge};
    }
    take_shares(p, smaller, v, share, count);
}

static v3 point_of(const side *p, double t)
{
    uint32_t v[3];
    const uint32_t count = surface_list_vertices(p->s, p->feature, v);
    v3 sum = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < count; k++) {
        sum = v3_add_scaled(sum, p->share[k], surface_vertex_at(p->s, v[k], t));
    }
    return sum;
}

/* The faces around an edge or a vertex. */
static const uint32_t *faces_around(const side *p, uint32_t *count)
{
    const bool edge = p->feature.kind == SURFACE_EDGE;
    const surface_lists *l = edge ? &p->s->faces_of_edge : &p->s->faces_of_vertex;
    const uint32_t first = l->first[p->feature.number];
    *count = l->first[p->feature.number + 1] - first;
    return l->item + first;
}

/* Is a face around the feature of p, or an edge around a vertex without faces, nearer to y? */
static bool neighbour_is_nearer(const side *p, v3 y, double distance, double t)
{
    const double bound2 = (1.0 - AS_NEAR) * distance * distance;
    const surface *s = p->s;
    uint32_t count;
    if (p->feature.kind == SURFACE_FACE) return false;
    const uint32_t *face = faces_around(p, &count);
    for (uint32_t i = 0; i < count; i++) {
        const triangle now = surface_face_at(s, face[i], t);
        if (triangle_find_nearest(&now, y).distance2 < bound2) return true;
    }
    if (count || p->feature.kind == SURFACE_EDGE) return false;
    const surface_lists *l = &s->edges_of_vertex;
    for (uint32_t i = l->first[p->feature.number]; i < l->first[p->feature.number + 1]; i++) {
        const uint32_t *end = s->end + 2 * (size_t)l->item[i];
        const v3 a = surface_vertex_at(s, end[0], t), b = surface_vertex_at(s, end[1], t);
        const v3 away = v3_sub(y, v3_lerp(a, b, segment_nearest_share(a, b, y)));
        if (v3_dot(away, away) < bound2) return true;
    }
    return false;
}

/* Faces and pairs of edges always count. A vertex counts for what is nearest to it: for an edge if
 * no face around that is nearer, for a vertex if one of the two sees nothing nearer around the
 * other. */
static bool is_nearest(const side *p, const side *q, double distance, double t)
{
    const surface_kind a = p->feature.kind, b = q->feature.kind;
    if (a == SURFACE_FACE || b == SURFACE_FACE || (a == SURFACE_EDGE && b == SURFACE_EDGE)) {
        return true;
    }
    const bool p_sees = a == SURFACE_VERTEX && !neighbour_is_nearer(q, point_of(p, t), distance, t);
    const bool q_sees = b == SURFACE_VERTEX && !neighbour_is_nearer(p, point_of(q, t), distance, t);
    return p_sees || q_sees;
}

/* ---- the contact ---- */

/* Out of a solid: area vectors of all faces around, added. */
static v3 outward(const side *p, double t)
{
    uint32_t count = 1;
    const bool face = p->feature.kind == SURFACE_FACE;
    const uint32_t *around = face ? &p->feature.number : faces_around(p, &count);
    v3 sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; i++) {
        const triangle now = surface_face_at(p->s, around[i], t);
        sum = v3_add(sum, triangle_area_vector(&now));
    }
    return sum;
}

static v3 orient(const side *a, const side *b, v3 normal, double t)
{
    const bool into_b = b->s->solid && v3_dot(normal, outward(b, t)) < 0.0;
    const bool into_a = !b->s->solid && a->s->solid && v3_dot(normal, outward(a, t)) > 0.0;
    return into_a || into_b ? v3_neg(normal) : normal;
}

static uint32_t write_side(const side *p, uint32_t *vertex, double *weight)
{
    const uint32_t count = surface_list_vertices(p->s, p->feature, vertex);
    for (uint32_t k = 0; k < count; k++) {
        vertex[k] += p->s->first_vertex;
        weight[k] = p->share[k];
    }
    return count;
}

static void write_contact(const side *a, const side *b, v3 normal, double distance, double t,
                          proximity *out)
{
    *out = (proximity){.key = (uint64_t)surface_feature_key(a->feature) << 32 |
                              surface_feature_key(b->feature),
                       .normal = orient(a, b, normal, t),
                       .distance = distance,
                       .t = t};
    out->of_a = write_side(a, out->vertex, out->weight);
    out->of_b = write_side(b, out->vertex + out->of_a, out->weight + out->of_a);
    const v3 before = v3_sub(point_of(a, 0.0), point_of(b, 0.0));
    const v3 after = v3_sub(point_of(a, 1.0), point_of(b, 1.0));
    out->start = v3_dot(out->normal, before) - distance;
    out->end = v3_dot(out->normal, after) - distance;
}

/* Vertices before edges before faces, so that a pair of one surface has one key. */
static bool comes_first(const side *p, const side *q)
{
    return surface_feature_key(p->feature) < surface_feature_key(q->feature);
}

static void judge_candidate(const void *user, const candidate *c, harvest_row *row)
{
    (void)user;
    const bool turned = c->of_a.kind == SURFACE_FACE; /* the encounter has the vertex first */
    side p = {.s = turned ? c->b : c->a, .feature = turned ? c->of_b : c->of_a};
    side q = {.s = turned ? c->a : c->b, .feature = turned ? c->of_a : c->of_b};
    const double d =
        surface_feature_radius(p.s, p.feature) + surface_feature_radius(q.s, q.feature);
    const double reach = d + p.s->margin + q.s->margin;
    const encounter_pair pair = make_pair(&p, &q, p.s->x0, q.s->x0, p.s->x1, q.s->x1);
    encounter e = encounter_find(&pair, reach, TOLERANCE * reach, 0.0);
    if (!e.found || are_neighbours(&p, &q)) return;
    e = encounter_find(&pair, d, TOLERANCE * d, e.at.t);
    for (uint32_t k = 0; k < 4; k++) {
        if (k < pair.split)
            p.share[k] = e.at.share[k];
        else
            q.share[k - pair.split] = e.at.share[k];
    }
    reduce(&p);
    reduce(&q);
    const candidate parts = {p.s, q.s, p.feature, q.feature};
    if (!candidates_may_meet(&parts) || !is_nearest(&p, &q, e.at.distance, e.at.t)) return;
    proximity *contact = harvest_add(row);
    if (!contact) return;
    const bool swap = c->a == c->b ? comes_first(&q, &p) : turned;
    const v3 normal = swap ? v3_neg(e.at.normal) : e.at.normal;
    write_contact(swap ? &q : &p, swap ? &p : &q, normal, d, e.at.t, contact);
}

/* ---- all of them ---- */

/* Of two contacts of the same features: the deeper one, or any rule that depends on them alone. */
static bool is_better(const proximity *a, const proximity *b)
{
    const double p[] = {a->end, a->start, a->t, a->normal.x, a->normal.y, a->normal.z};
    const double q[] = {b->end, b->start, b->t, b->normal.x, b->normal.y, b->normal.z};
    for (int k = 0; k < 6; k++) {
        if (p[k] != q[k]) return p[k] < q[k];
    }
    return false;
}

static void keep_one_of_each(harvest *h)
{
    proximity *c = h->items.data;
    size_t kept = 0;
    for (size_t i = 0; i < h->items.count; i++) {
        const bool same = kept && c[kept - 1].key == c[i].key;
        if (!same)
            c[kept++] = c[i];
        else if (is_better(&c[i], &c[kept - 1]))
            c[kept - 1] = c[i];
    }
    h->items.count = kept;
}

status proximity_gather(const surface *a, const surface *b, uint32_t which, pool *threads,
                        harvest *out, error *err)
{
    static const candidate_kinds all[] = {{SURFACE_VERTEX, SURFACE_FACE},
                                          {SURFACE_FACE, SURFACE_VERTEX},
                                          {SURFACE_EDGE, SURFACE_EDGE}};
    candidate_kinds kinds[3];
    uint32_t count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        if (which >> k & 1) kinds[count++] = all[k];
    }
    const status st =
        candidates_gather(a, b, kinds, count, judge_candidate, NULL, threads, out, err);
    if (st >= 0) keep_one_of_each(out);
    return st;
}

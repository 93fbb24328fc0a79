/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/contour.h"

#include <string.h>

/* A crossing in its contour: `parent` leads to the first one of it. A contour has a side p and a
 * side q; `turned`, relative to the parent, says that the edge is on the other one. */
typedef struct knot {
    v3 G; /* pushes the edge; at the first of a contour the sum, for its own side */
    uint32_t parent;
    bool turned;
} knot;

/* Crossing number `crossing` touches a pair of faces; turned: the edge is of the second. */
typedef struct link {
    uint64_t key;
    uint32_t crossing;
    bool turned;
} link;

typedef struct tangle {
    const surface *a, *b;
    const crossing *crossing;
    uint32_t count;
    knot *knot;
    double *share_a, *share_b;
    double *push_a, *push_b;
    double step;
} tangle;

void contour_init(contour *c, const allocator *from)
{
    *c = (contour){0};
    array_init(&c->crossings, from, sizeof(knot));
    harvest_init(&c->links, from, sizeof(link));
    array_init(&c->shares, from, sizeof(double));
}

void contour_destroy(contour *c)
{
    array_destroy(&c->crossings);
    harvest_destroy(&c->links);
    array_destroy(&c->shares);
}

static const surface *edge_surface(const tangle *k, const crossing *x)
{
    return x->edge_of_a ? k->a : k->b;
}

static const surface *face_surface(const tangle *k, const crossing *x)
{
    return x->edge_of_a ? k->b : k->a;
}

/* ---- gradients ---- */

static v3 unit_or_zero(v3 a)
{
    const double length = v3_norm(a);
    return length > 0.0 ? v3_scale(1.0 / length, a) : a;
}

/* The contour's direction in a face at the edge, away from the edge: along both planes, toward the
 * corner that the edge does not have. */
static v3 contour_direction(const surface *s, uint32_t face, const uint32_t *end, v3 E, v3 N)
{
    const triangle t = surface_face_at(s, face, 1.0);
    const v3 R = unit_or_zero(v3_cross(triangle_area_vector(&t), N));
    v3 inward = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const uint32_t v = s->corner[3 * (size_t)face + (size_t)k];
        if (v == end[0] || v == end[1]) continue;
        inward = v3_sub(t.corner[k], surface_vertex_at(s, end[0], 1.0));
        inward = v3_add_scaled(inward, -v3_dot(inward, E), E);
    }
    return v3_dot(R, inward) < 0.0 ? v3_neg(R) : R;
}

static v3 find_gradient(const tangle *k, const crossing *x)
{
    const surface *s = edge_surface(k, x), *other = face_surface(k, x);
    const uint32_t *end = s->end + 2 * (size_t)x->edge;
    const v3 way = v3_sub(surface_vertex_at(s, end[1], 1.0), surface_vertex_at(s, end[0], 1.0));
    const triangle t = surface_face_at(other, x->face, 1.0);
    const v3 E = unit_or_zero(way), N = unit_or_zero(triangle_area_vector(&t));
    const double EN = v3_dot(E, N);
    v3 G = {0.0, 0.0, 0.0};
    if (!(EN * EN > 1e-12)) return G; /* along the face: either way is as good */
    const surface_lists *l = &s->faces_of_edge;
    for (uint32_t i = l->first[x->edge]; i < l->first[x->edge + 1]; i++) {
        const v3 R = contour_direction(s, l->item[i], end, E, N);
        G = v3_add(G, v3_add_scaled(R, -2.0 * v3_dot(E, R) / EN, N));
    }
    return G;
}

/* ---- contours ---- */

static uint32_t find_first(knot *knots, uint32_t i, bool *turned)
{
    *turned = false;
    while (knots[i].parent != i) {
        const uint32_t next = knots[i].parent;
        *turned ^= knots[i].turned;
        knots[i].turned ^= knots[next].turned; /* halves the way for the next time */
        knots[i].parent = knots[next].parent;
        i = next;
    }
    return i;
}

static void join(knot *knots, const link *p, const link *q)
{
    bool p_turned, q_turned;
    const uint32_t a = find_first(knots, p->crossing, &p_turned);
    const uint32_t b = find_first(knots, q->crossing, &q_turned);
    if (a == b) return;
    const uint32_t first = a < b ? a : b, other = a < b ? b : a;
    knots[other].parent = first;
    knots[other].turned = p->turned ^ q->turned ^ p_turned ^ q_turned;
}

/* Two surfaces: the face of a first. One: the lower number first. */
static void list_links(void *user, uint32_t task, harvest_row *row)
{
    (void)task;
    const tangle *k = user;
    for (uint32_t i = 0; i < k->count; i++) {
        const crossing *x = &k->crossing[i];
        const surface_lists *l = &edge_surface(k, x)->faces_of_edge;
        for (uint32_t j = l->first[x->edge]; j < l->first[x->edge + 1]; j++) {
            link *out = harvest_add(row);
            if (!out) continue;
            const uint64_t at_edge = l->item[j];
            const bool turned = k->a == k->b ? x->face < at_edge : !x->edge_of_a;
            const uint64_t key =
                turned ? (uint64_t)x->face << 32 | at_edge : at_edge << 32 | x->face;
            *out = (link){key, i, turned};
        }
    }
}

static status tie_knots(contour *c, tangle *k, error *err)
{
    if (!array_resize(&c->crossings, k->count)) return error_out_of_memory(err, "contours");
    k->knot = c->crossings.data;
    for (uint32_t i = 0; i < k->count; i++) {
        k->knot[i] = (knot){.G = find_gradient(k, &k->crossing[i]), .parent = i};
    }
    const status st = harvest_gather(&c->links, 1, list_links, k, NULL, err);
    if (st < 0) return st;
    const link *l = c->links.items.data;
    for (size_t i = 1; i < c->links.items.count; i++) {
        if (l[i].key == l[i - 1].key) join(k->knot, &l[i - 1], &l[i]);
    }
    return STATUS_OK;
}

/* Each knot's G becomes the way its edge goes: that of the contour, as long as the step. */
static size_t add_up_contours(tangle *k)
{
    size_t count = 0;
    bool turned;
    for (uint32_t i = 0; i < k->count; i++) {
        const uint32_t first = find_first(k->knot, i, &turned);
        count += first == i;
        if (first == i) continue;
        k->knot[first].G = v3_add_scaled(k->knot[first].G, turned ? -1.0 : 1.0, k->knot[i].G);
    }
    for (uint32_t i = k->count; i-- > 0;) { /* the first of a contour comes last */
        const uint32_t first = find_first(k->knot, i, &turned);
        const v3 way = unit_or_zero(k->knot[first].G);
        k->knot[i].G = v3_scale(turned ? -k->step : k->step, way);
    }
    return count;
}

/* ---- pushing ---- */

static bool is_held(const surface *s, const uint32_t *v, uint32_t count)
{
    bool held = s->held != NULL;
    for (uint32_t k = 0; k < count && held; k++) held = s->held[v[k]] != 0;
    return held;
}

static void push_vertices(const surface *s, const uint32_t *v, const double *share, uint32_t count,
                          v3 way, double *push, double *total)
{
    for (uint32_t k = 0; k < count; k++) {
        double *at = push + 3 * (size_t)v[k];
        if (s->held && s->held[v[k]]) continue;
        v3_store(at, v3_add_scaled(v3_load(at), share[k], way));
        total[v[k]] += share[k];
    }
}

static void push_crossing(const tangle *k, const crossing *x, v3 way)
{
    const surface *s = edge_surface(k, x), *other = face_surface(k, x);
    const uint32_t *end = s->end + 2 * (size_t)x->edge;
    const uint32_t *corner = other->corner + 3 * (size_t)x->face;
    const double along[2] = {1.0 - x->along, x->along};
    const bool edge_held = is_held(s, end, 2), face_held = is_held(other, corner, 3);
    const double part = edge_held || face_held ? 1.0 : 0.5;
    push_vertices(s, end, along, 2, v3_scale(part, way), x->edge_of_a ? k->push_a : k->push_b,
                  x->edge_of_a ? k->share_a : k->share_b);
    push_vertices(other, corner, x->share, 3, v3_scale(-part, way),
                  x->edge_of_a ? k->push_b : k->push_a, x->edge_of_a ? k->share_b : k->share_a);
}

static void take_means(double *push, const double *share, uint32_t vertices)
{
    for (uint32_t v = 0; v < vertices; v++) {
        const v3 sum = v3_load(push + 3 * (size_t)v);
        if (share[v] > 0.0) v3_store(push + 3 * (size_t)v, v3_scale(1.0 / share[v], sum));
    }
}

status contour_find_push(contour *c, const surface *a, const surface *b, const harvest *crossings,
                         double step, double *push_a, double *push_b, error *err)
{
    tangle k = {.a = a, .b = b, .step = step, .push_a = push_a, .push_b = push_b};
    k.crossing = crossings->items.data;
    k.count = (uint32_t)crossings->items.count;
    c->shares.count = 0;
    if (!array_resize(&c->shares, (size_t)a->vertices + b->vertices)) {
        return error_out_of_memory(err, "contours");
    }
    const status st = tie_knots(c, &k, err);
    if (st < 0) return st;
    c->count = add_up_contours(&k);
    k.share_a = c->shares.data;
    k.share_b = a == b ? k.share_a : k.share_a + a->vertices;
    memset(push_a, 0, 3 * (size_t)a->vertices * sizeof *push_a);
    memset(push_b, 0, 3 * (size_t)b->vertices * sizeof *push_b);
    for (uint32_t i = 0; i < k.count; i++) push_crossing(&k, &k.crossing[i], k.knot[i].G);
    take_means(push_a, k.share_a, a->vertices);
    if (a != b) take_means(push_b, k.share_b, b->vertices);
    return STATUS_OK;
}

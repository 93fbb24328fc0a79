/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/mesh.h"

#include "math/scalar.h"
#include "math/trig.h"

#include <stdlib.h>

/* ---- coming and going ---- */

static void release(const collide_mesh *m)
{
    memory_free(m->from, m->corner, 3 * (size_t)m->triangles * sizeof *m->corner);
    memory_free(m->from, m->first, ((size_t)m->vertices + 1) * sizeof *m->first);
    memory_free(m->from, m->around, 3 * (size_t)m->triangles * sizeof *m->around);
    memory_free(m->from, m->box, m->triangles * sizeof *m->box);
}

void collide_mesh_destroy(collide_mesh *m)
{
    if (!m->from) return;
    release(m);
    bvh_destroy(&m->tree);
    *m = (collide_mesh){0};
}

status collide_mesh_init(collide_mesh *m, const allocator *from, size_t vertices, size_t triangles,
                         error *err)
{
    *m = (collide_mesh){
        .from = from, .vertices = (uint32_t)vertices, .triangles = (uint32_t)triangles};
    bvh_init(&m->tree, from);
    m->corner = memory_alloc(from, memory_size(3 * triangles, sizeof *m->corner));
    m->first = memory_alloc(from, memory_size(vertices + 1, sizeof *m->first));
    m->around = memory_alloc(from, memory_size(3 * triangles, sizeof *m->around));
    m->box = memory_alloc(from, memory_size(triangles, sizeof *m->box));
    if (m->corner && m->first && m->around && m->box) return STATUS_OK;
    collide_mesh_destroy(m);
    return error_out_of_memory(err, "a mesh");
}

/* ---- neighbours ---- */

static void list_around(collide_mesh *m)
{
    const size_t corners = 3 * (size_t)m->triangles;
    for (size_t i = 0; i < corners; i++) m->first[m->corner[i] + 1]++;
    for (uint32_t v = 0; v < m->vertices; v++) m->first[v + 1] += m->first[v];
    for (size_t i = corners; i-- > 0;) m->around[--m->first[m->corner[i] + 1]] = (uint32_t)(i / 3);
    for (uint32_t v = 0; v < m->vertices; v++) m->first[v] = m->first[v + 1];
    m->first[m->vertices] = (uint32_t)corners;
}

static int by_key(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* The lower vertex, the higher one, and which way the triangle goes. */
static uint64_t edge_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b << 1 : (uint64_t)b << 32 | (uint64_t)a << 1 | 1;
}

/* Closed: sorted, the edges are pairs that differ in the direction alone. */
static bool edges_are_paired(uint64_t *edge, size_t count)
{
    if (count == 0 || count % 2) return false;
    qsort(edge, count, sizeof *edge, by_key);
    for (size_t i = 0; i < count; i += 2) {
        if ((edge[i] & 1) || edge[i + 1] != edge[i] + 1) return false;
        if (i + 2 < count && edge[i + 2] >> 1 == edge[i] >> 1) return false;
    }
    return true;
}

/* A triangle that has a vertex twice is none, and its edges cancel. */
static bool is_proper(const uint32_t *c) { return c[0] != c[1] && c[1] != c[2] && c[2] != c[0]; }

static status find_out_whether_closed(collide_mesh *m, error *err)
{
    const size_t size = memory_size(3 * (size_t)m->triangles, sizeof(uint64_t));
    uint64_t *edge = memory_alloc(m->from, size);
    if (!edge) return error_out_of_memory(err, "the edges of a mesh");
    size_t count = 0;
    for (uint32_t i = 0; i < m->triangles; i++) {
        const uint32_t *c = m->corner + 3 * (size_t)i;
        for (int k = 0; k < 3 && is_proper(c); k++) edge[count++] = edge_key(c[k], c[(k + 1) % 3]);
    }
    m->closed = edges_are_paired(edge, count);
    memory_free(m->from, edge, size);
    return STATUS_OK;
}

status collide_mesh_connect(collide_mesh *m, const double *positions, error *err)
{
    list_around(m);
    const status st = find_out_whether_closed(m, err);
    if (st < 0) return st;
    collide_mesh_move(m, positions, positions); /* the boxes; there is no tree yet */
    return bvh_build(&m->tree, m->box, m->triangles, err);
}

/* ---- where it is ---- */

triangle collide_mesh_triangle(const collide_mesh *m, const double *positions, uint32_t i)
{
    const uint32_t *c = m->corner + 3 * (size_t)i;
    return (triangle){{v3_load(positions + 3 * (size_t)c[0]), v3_load(positions + 3 * (size_t)c[1]),
                       v3_load(positions + 3 * (size_t)c[2])}};
}

size_t collide_mesh_count_degenerate(const collide_mesh *m, const double *positions, size_t *first)
{
    size_t count = 0;
    for (uint32_t i = 0; i < m->triangles; i++) {
        const triangle t = collide_mesh_triangle(m, positions, i);
        if (triangle_has_area(&t)) continue;
        if (count++ == 0) *first = i;
    }
    return count;
}

double collide_mesh_volume(const collide_mesh *m, const double *positions)
{
    double six = 0.0;
    const v3 origin = v3_load(positions); /* any point; one of the mesh rounds least */
    for (uint32_t i = 0; i < m->triangles; i++) {
        const triangle t = collide_mesh_triangle(m, positions, i);
        six += v3_dot(v3_sub(t.corner[0], origin), triangle_area_vector(&t));
    }
    return six / 6.0;
}

static void box_take(bvh_box *box, const double *x)
{
    for (int k = 0; k < 3; k++) {
        box->min[k] = scalar_min(x[k], box->min[k]);
        box->max[k] = scalar_max(x[k], box->max[k]);
    }
}

static bvh_box swept_box(const collide_mesh *m, uint32_t i)
{
    bvh_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3; k++) {
        box_take(&box, m->begin + 3 * (size_t)m->corner[k]);
        box_take(&box, m->end + 3 * (size_t)m->corner[k]);
    }
    return box;
}

void collide_mesh_move(collide_mesh *m, const double *begin, const double *end)
{
    m->begin = begin;
    m->end = end;
    double reach2 = 0.0;
    for (size_t v = 0; v < m->vertices; v++) {
        const v3 way = v3_sub(v3_load(end + 3 * v), v3_load(begin + 3 * v));
        reach2 = scalar_max(reach2, v3_dot(way, way));
    }
    m->reach = sqrt(reach2);
    for (uint32_t i = 0; i < m->triangles; i++) m->box[i] = swept_box(m, i);
    bvh_refit(&m->tree, m->box);
}

/* ---- normals ---- */

/* The angle between two sides, from both sine and cosine: right for needles too. */
static double corner_angle(const triangle *t, int k)
{
    const v3 a = v3_sub(t->corner[(k + 1) % 3], t->corner[k]);
    const v3 b = v3_sub(t->corner[(k + 2) % 3], t->corner[k]);
    return trig_atan2(v3_norm(v3_cross(a, b)), v3_dot(a, b));
}

/* What triangle i adds to the normal of the part with the vertices v[0] and, if both, v[1]. */
static v3 share_of_normal(const collide_mesh *m, const double *positions, uint32_t i,
                          const uint32_t v[2], bool both)
{
    const uint32_t *c = m->corner + 3 * (size_t)i;
    const triangle t = collide_mesh_triangle(m, positions, i);
    const v3 none = {0.0, 0.0, 0.0};
    if (!is_proper(c) || !triangle_has_area(&t)) return none;
    if (both && c[0] != v[1] && c[1] != v[1] && c[2] != v[1]) return none;
    const int k = c[0] == v[0] ? 0 : c[1] == v[0] ? 1 : 2;
    const double weight = both ? 1.0 : corner_angle(&t, k);
    return v3_scale(weight, v3_normalize(triangle_area_vector(&t)));
}

v3 collide_mesh_normal(const collide_mesh *m, const double *positions, uint32_t i, uint32_t part)
{
    const triangle t = collide_mesh_triangle(m, positions, i);
    const v3 own = v3_normalize(triangle_area_vector(&t));
    if (part == TRIANGLE_FACE) return own;
    uint32_t v[2] = {0, 0};
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (part & 1u << k) v[count++] = m->corner[3 * (size_t)i + (size_t)k];
    }
    v3 sum = {0.0, 0.0, 0.0};
    for (uint32_t j = m->first[v[0]]; j < m->first[v[0] + 1]; j++) {
        sum = v3_add(sum, share_of_normal(m, positions, m->around[j], v, count == 2));
    }
    const double length = v3_norm(sum);
    return length > 1e-6 ? v3_scale(1.0 / length, sum) : own; /* of a blade: either side will do */
}

/* ---- the nearest point ---- */

typedef struct nearest_search {
    const collide_mesh *m;
    const double *positions;
    v3 y;
    mesh_nearest *best;
    bool found;
} nearest_search;

static double offer_triangle(void *user, uint32_t i)
{
    nearest_search *s = user;
    mesh_nearest *best = s->best;
    const triangle t = collide_mesh_triangle(s->m, s->positions, i);
    if (triangle_has_area(&t)) {
        const triangle_nearest at = triangle_find_nearest(&t, s->y);
        const double d2 = at.distance2, most2 = best->at.distance2;
        if (d2 < most2 || (d2 == most2 && (!s->found || i < best->triangle))) {
            *best = (mesh_nearest){i, at, 0.0};
            s->found = true;
        }
    }
    return best->at.distance2;
}

bool collide_mesh_find_nearest(const collide_mesh *m, const double *positions, v3 y, double bound,
                               mesh_nearest *out)
{
    nearest_search s = {.m = m, .positions = positions, .y = y, .best = out};
    *out = (mesh_nearest){.at.distance2 = bound * bound};
    bvh_find_nearest(&m->tree, m->box, y, bound * bound, offer_triangle, &s);
    if (!s.found) return false;
    out->distance = sqrt(out->at.distance2);
    if (!m->closed) return true;
    const v3 N = collide_mesh_normal(m, positions, out->triangle, out->at.part);
    if (v3_dot(v3_sub(y, out->at.point), N) < 0.0) out->distance = -out->distance;
    return true;
}

double collide_mesh_depth(const collide_mesh *m, v3 y, double thickness)
{
    mesh_nearest at;
    const bvh_box *all = &m->tree.nodes[0].box;
    const bvh_box here = {{y.x, y.y, y.z}, {y.x, y.y, y.z}};
    const bool may_be_inside = m->closed && bvh_boxes_meet(all, &here);
    const double bound = may_be_inside ? INFINITY : thickness;
    if (!collide_mesh_find_nearest(m, m->end, y, bound, &at)) return 0.0;
    return scalar_max(thickness - at.distance, 0.0);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/surface.h"

#include "math/scalar.h"

#include <stdlib.h>
#include <string.h>

/* ---- coming and going ---- */

static void *take(const allocator *from, size_t count, size_t size)
{
    return memory_alloc(from, memory_size(count ? count : 1, size));
}

static void give(const allocator *from, void *memory, size_t count, size_t size)
{
    if (memory) memory_free(from, memory, (count ? count : 1) * size);
}

static void give_lists(const allocator *from, surface_lists *l, size_t owners, size_t items)
{
    give(from, l->first, owners + 1, sizeof *l->first);
    give(from, l->item, items, sizeof *l->item);
}

static size_t most_elements(const surface *s) { return (size_t)s->faces + s->edges + s->vertices; }

void surface_destroy(surface *s)
{
    if (!s->from) return;
    const size_t corners = 3 * (size_t)s->faces;
    give(s->from, s->corner, corners, sizeof *s->corner);
    give(s->from, s->side, corners, sizeof *s->side);
    give(s->from, s->end, 2 * (size_t)s->edges, sizeof *s->end);
    give_lists(s->from, &s->faces_of_vertex, s->vertices, corners);
    give_lists(s->from, &s->edges_of_vertex, s->vertices, 2 * (size_t)s->edges);
    give_lists(s->from, &s->faces_of_edge, s->edges, corners);
    give(s->from, s->lone, most_elements(s), sizeof *s->lone);
    give(s->from, s->owns, most_elements(s), sizeof *s->owns);
    give(s->from, s->box, s->elements, sizeof *s->box);
    give(s->from, s->vertex_box, s->vertices, sizeof *s->box);
    give(s->from, s->edge_box, s->edges, sizeof *s->box);
    give(s->from, s->leaf, s->leaves, sizeof *s->leaf);
    bvh_destroy(&s->tree);
    *s = (surface){0};
}

/* ---- edges ---- */

/* An edge as one number, and the corner where a face begins it; loose ones come after all. */
typedef struct edge_mention {
    uint64_t ends;
    uint32_t corner;
} edge_mention;

static int by_ends(const void *x, const void *y)
{
    const edge_mention *a = x, *b = y;
    if (a->ends != b->ends) return a->ends < b->ends ? -1 : 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

static uint64_t ends_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static size_t list_mentions(const surface_source *source, edge_mention *out)
{
    size_t count = 0;
    for (size_t i = 0; i < 3 * source->faces; i++) {
        const uint32_t a = source->corner[i], b = source->corner[i % 3 == 2 ? i - 2 : i + 1];
        if (a != b) out[count++] = (edge_mention){ends_of(a, b), (uint32_t)i};
    }
    for (size_t i = 0; i < source->loose_edges; i++) {
        const uint32_t a = source->loose[2 * i], b = source->loose[2 * i + 1];
        if (a != b) out[count++] = (edge_mention){ends_of(a, b), UINT32_MAX};
    }
    qsort(out, count, sizeof *out, by_ends);
    return count;
}

static uint32_t count_edges(const edge_mention *m, size_t count)
{
    uint32_t edges = 0;
    for (size_t i = 0; i < count; i++) edges += i == 0 || m[i].ends != m[i - 1].ends;
    return edges;
}

static void number_edges(surface *s, const edge_mention *m, size_t count)
{
    uint32_t edge = 0, faces = 0;
    for (size_t i = 0; i < 3 * (size_t)s->faces; i++) s->side[i] = SURFACE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (i && m[i].ends != m[i - 1].ends) edge++;
        s->end[2 * (size_t)edge] = (uint32_t)(m[i].ends >> 32);
        s->end[2 * (size_t)edge + 1] = (uint32_t)m[i].ends;
        if (m[i].corner != UINT32_MAX) {
            s->side[m[i].corner] = (int32_t)edge;
            s->faces_of_edge.item[faces++] = m[i].corner / 3;
        }
        s->faces_of_edge.first[edge + 1] = faces;
    }
}

/* The lists of which of `count` rows of `width` numbers each owner is in. */
static void list_rows(surface_lists *l, uint32_t owners, const uint32_t *row, size_t count,
                      uint32_t width)
{
    const size_t items = count * width;
    for (size_t i = 0; i < items; i++) l->first[row[i] + 1]++;
    for (uint32_t v = 0; v < owners; v++) l->first[v + 1] += l->first[v];
    for (size_t i = items; i-- > 0;) l->item[--l->first[row[i] + 1]] = (uint32_t)(i / width);
    memmove(l->first, l->first + 1, owners * sizeof *l->first);
    l->first[owners] = (uint32_t)items;
}

/* ---- elements ---- */

static void own_features_of_faces(surface *s, uint8_t *vertex_taken, uint8_t *edge_taken)
{
    for (uint32_t f = 0; f < s->faces; f++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t v = s->corner[3 * (size_t)f + k];
            const int32_t e = s->side[3 * (size_t)f + k];
            if (!vertex_taken[v]) s->owns[f] |= (uint8_t)(1u << k);
            if (e >= 0 && !edge_taken[e]) s->owns[f] |= (uint8_t)(8u << k);
            vertex_taken[v] = 1;
            if (e >= 0) edge_taken[e] = 1;
        }
    }
}

static void own_the_rest(surface *s, uint8_t *vertex_taken, const uint8_t *edge_taken)
{
    s->elements = s->faces;
    for (uint32_t e = 0; e < s->edges; e++) {
        if (edge_taken[e]) continue;
        uint8_t owns = 8;
        for (uint32_t k = 0; k < 2; k++) {
            uint8_t *taken = &vertex_taken[s->end[2 * (size_t)e + k]];
            if (!*taken) owns |= (uint8_t)(1u << k);
            *taken = 1;
        }
        s->lone[s->elements - s->faces] = e;
        s->owns[s->elements++] = owns;
    }
    s->loose_edges = s->elements - s->faces;
    for (uint32_t v = 0; v < s->vertices; v++) {
        if (vertex_taken[v]) continue;
        s->lone[s->elements - s->faces] = v;
        s->owns[s->elements++] = 1;
    }
}

static surface_feature whole_element(const surface *s, uint32_t i)
{
    if (i < s->faces) return (surface_feature){SURFACE_FACE, i};
    const bool edge = i - s->faces < s->loose_edges;
    return (surface_feature){edge ? SURFACE_EDGE : SURFACE_VERTEX, s->lone[i - s->faces]};
}

uint32_t surface_list_owned(const surface *s, uint32_t element, surface_kind kind,
                            surface_feature out[3])
{
    const surface_feature whole = whole_element(s, element);
    const uint32_t bits = s->owns[element];
    uint32_t count = 0;
    if (kind == SURFACE_FACE || (kind == SURFACE_EDGE && whole.kind == SURFACE_EDGE)) {
        out[0] = whole;
        return whole.kind == kind;
    }
    uint32_t v[3];
    const uint32_t corners = surface_list_vertices(s, whole, v);
    for (uint32_t k = 0; k < corners; k++) {
        if (kind == SURFACE_VERTEX && bits >> k & 1) out[count++] = (surface_feature){kind, v[k]};
        if (kind == SURFACE_EDGE && bits >> (3 + k) & 1) {
            out[count++] = (surface_feature){kind, (uint32_t)s->side[3 * (size_t)element + k]};
        }
    }
    return count;
}

/* ---- connecting ---- */

static status check_numbers(const surface_source *source, const uint32_t *numbers, size_t count,
                            const char *of, error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] < source->vertices) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a surface: %s number %zu is vertex %u, expected one below %zu", of, i,
                         numbers[i], source->vertices);
    }
    return STATUS_OK;
}

static status check_source(const surface_source *source, error *err)
{
    if (source->vertices >= SURFACE_MOST_ITEMS || source->faces >= SURFACE_MOST_ITEMS / 4 ||
        source->loose_edges >= SURFACE_MOST_ITEMS / 4) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a surface of %zu vertices, %zu faces and %zu loose edges is too large",
                         source->vertices, source->faces, source->loose_edges);
    }
    const status st = check_numbers(source, source->corner, 3 * source->faces, "corner", err);
    if (st < 0) return st;
    return check_numbers(source, source->loose, 2 * source->loose_edges, "end of an edge", err);
}

static bool take_arrays(surface *s)
{
    const allocator *from = s->from;
    const size_t corners = 3 * (size_t)s->faces;
    s->corner = take(from, corners, sizeof *s->corner);
    s->side = take(from, corners, sizeof *s->side);
    s->end = take(from, 2 * (size_t)s->edges, sizeof *s->end);
    s->faces_of_vertex.first = take(from, (size_t)s->vertices + 1, sizeof(uint32_t));
    s->faces_of_vertex.item = take(from, corners, sizeof(uint32_t));
    s->edges_of_vertex.first = take(from, (size_t)s->vertices + 1, sizeof(uint32_t));
    s->edges_of_vertex.item = take(from, 2 * (size_t)s->edges, sizeof(uint32_t));
    s->faces_of_edge.first = take(from, (size_t)s->edges + 1, sizeof(uint32_t));
    s->faces_of_edge.item = take(from, corners, sizeof(uint32_t));
    s->lone = take(from, most_elements(s), sizeof *s->lone);
    s->owns = take(from, most_elements(s), sizeof *s->owns);
    return s->corner && s->side && s->end && s->faces_of_vertex.first && s->faces_of_vertex.item &&
           s->edges_of_vertex.first && s->edges_of_vertex.item && s->faces_of_edge.first &&
           s->faces_of_edge.item && s->lone && s->owns;
}

static bool own_all(surface *s)
{
    uint8_t *vertex_taken = take(s->from, s->vertices, 1), *edge_taken = take(s->from, s->edges, 1);
    const bool enough = vertex_taken && edge_taken;
    if (enough) {
        own_features_of_faces(s, vertex_taken, edge_taken);
        own_the_rest(s, vertex_taken, edge_taken);
        s->box = take(s->from, s->elements, sizeof *s->box);
        s->vertex_box = take(s->from, s->vertices, sizeof *s->box);
        s->edge_box = take(s->from, s->edges, sizeof *s->box);
    }
    give(s->from, vertex_taken, s->vertices, 1);
    give(s->from, edge_taken, s->edges, 1);
    return enough && s->box && s->vertex_box && s->edge_box;
}

static bool connect(surface *s, const surface_source *source, edge_mention *mention)
{
    const size_t count = list_mentions(source, mention), corners = 3 * (size_t)s->faces;
    s->edges = count_edges(mention, count);
    if (!take_arrays(s)) return false;
    if (corners) memcpy(s->corner, source->corner, corners * sizeof *s->corner);
    number_edges(s, mention, count);
    list_rows(&s->faces_of_vertex, s->vertices, s->corner, s->faces, 3);
    list_rows(&s->edges_of_vertex, s->vertices, s->end, s->edges, 2);
    return own_all(s);
}

status surface_init(surface *s, const allocator *from, const surface_source *source, error *err)
{
    *s = (surface){0};
    const status st = check_source(source, err);
    if (st < 0) return st;
    *s = (surface){.from = from,
                   .vertices = (uint32_t)source->vertices,
                   .faces = (uint32_t)source->faces,
                   .layers = UINT32_MAX,
                   .meets = UINT32_MAX};
    bvh_init(&s->tree, from);
    const size_t most = 3 * source->faces + source->loose_edges;
    edge_mention *mention = take(from, most, sizeof *mention);
    const bool enough = mention && connect(s, source, mention);
    give(from, mention, most, sizeof *mention);
    if (enough) return STATUS_OK;
    surface_destroy(s);
    return error_out_of_memory(err, "a surface");
}

/* ---- where it is ---- */

double surface_feature_radius(const surface *s, surface_feature f)
{
    if (!s->radius_map) return s->radius;
    uint32_t v[3];
    const uint32_t count = surface_list_vertices(s, f, v);
    double most = 0.0;
    for (uint32_t k = 0; k < count; k++) most = scalar_max(most, s->radius_map[v[k]]);
    return most;
}

static void box_take(bvh_box *box, const double *x)
{
    for (int k = 0; k < 3; k++) {
        box->min[k] = scalar_min(x[k], box->min[k]);
        box->max[k] = scalar_max(x[k], box->max[k]);
    }
}

static bvh_box find_box(const surface *s, surface_feature f)
{
    uint32_t v[3];
    const uint32_t count = surface_list_vertices(s, f, v);
    const double grow = surface_feature_radius(s, f) + s->margin;
    bvh_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t k = 0; k < count; k++) {
        box_take(&box, s->x0 + 3 * (size_t)v[k]);
        box_take(&box, s->x1 + 3 * (size_t)v[k]);
    }
    for (int k = 0; k < 3; k++) {
        box.min[k] -= grow;
        box.max[k] += grow;
    }
    return box;
}

static void box_owned(surface *s, uint32_t element, surface_kind kind, bvh_box *boxes)
{
    surface_feature f[3];
    const uint32_t count = surface_list_owned(s, element, kind, f);
    for (uint32_t k = 0; k < count; k++) boxes[f[k].number] = find_box(s, f[k]);
}

static void box_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    surface *s = user;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        s->box[i] = find_box(s, whole_element(s, i));
        box_owned(s, i, SURFACE_VERTEX, s->vertex_box);
        box_owned(s, i, SURFACE_EDGE, s->edge_box);
    }
}

void surface_move(surface *s, const double *x0, const double *x1, double margin, pool *threads)
{
    s->x0 = x0;
    s->x1 = x1;
    s->margin = margin;
    pool_for(threads, s->elements, box_range, s);
    bvh_refit_parallel(&s->tree, s->box, threads);
}

status surface_build(surface *s, const double *positions, error *err)
{
    for (uint32_t v = 0; v < s->vertices; v++) {
        if (v3_is_finite(v3_load(positions + 3 * (size_t)v))) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a surface: vertex %u is at (%g, %g, %g), expected finite numbers", v,
                         positions[3 * (size_t)v], positions[3 * (size_t)v + 1],
                         positions[3 * (size_t)v + 2]);
    }
    surface_move(s, positions, positions, 0.0, NULL); /* the boxes; there is no tree yet */
    const status st = bvh_build(&s->tree, s->box, s->elements, err);
    if (st < 0) return st;
    give(s->from, s->leaf, s->leaves, sizeof *s->leaf);
    s->leaves = 0;
    for (uint32_t n = 0; n < s->tree.node_count; n++) s->leaves += s->tree.nodes[n].leaf;
    s->leaf = take(s->from, s->leaves, sizeof *s->leaf);
    if (!s->leaf) {
        s->leaves = 0;
        return error_out_of_memory(err, "the tree of a surface");
    }
    uint32_t next = 0;
    for (uint32_t n = 0; n < s->tree.node_count; n++) {
        if (s->tree.nodes[n].leaf) s->leaf[next++] = n;
    }
    return STATUS_OK;
}

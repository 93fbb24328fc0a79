/* SPDX-License-Identifier: Apache-2.0
 *
 * The 3 T sides of triangles are sorted by their two nodes, by counting, the higher node first;
 * equal ones then lie side by side. That takes a time linear in nodes and triangles, whatever the
 * mesh.
 */
#include "cloth/topology.h"

#include <stdbool.h>
#include <string.h>

static const size_t MOST_TRIANGLES = UINT32_MAX / 12; /* four nodes for each of their sides */

static uint32_t side_begin(const cloth_topology *t, uint32_t side)
{
    return t->corner[side - side % 3 + (side + 1) % 3];
}

static uint32_t side_end(const cloth_topology *t, uint32_t side)
{
    return t->corner[side - side % 3 + (side + 2) % 3];
}

static uint32_t side_low(const cloth_topology *t, uint32_t side)
{
    const uint32_t a = side_begin(t, side), b = side_end(t, side);
    return a < b ? a : b;
}

static uint32_t side_high(const cloth_topology *t, uint32_t side)
{
    const uint32_t a = side_begin(t, side), b = side_end(t, side);
    return a < b ? b : a;
}

/* The sides in the order of a key, equal ones as they were; `start` is scratch for nodes + 1. */
static void sort_sides(const cloth_topology *t, uint32_t (*key)(const cloth_topology *, uint32_t),
                       const uint32_t *sides, uint32_t *sorted, uint32_t *start)
{
    const uint32_t count = 3 * t->triangles;
    memset(start, 0, ((size_t)t->nodes + 1) * sizeof *start);
    for (uint32_t i = 0; i < count; i++) start[key(t, sides[i]) + 1]++;
    for (uint32_t n = 0; n < t->nodes; n++) start[n + 1] += start[n];
    for (uint32_t i = 0; i < count; i++) sorted[start[key(t, sides[i])]++] = sides[i];
}

static status check_corners(const cloth_topology *t, error *err)
{
    for (uint32_t f = 0; f < t->triangles; f++) {
        const uint32_t *c = t->corner + 3 * (size_t)f;
        for (int k = 0; k < 3; k++) {
            if (c[k] < t->nodes) continue;
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "triangle %u has the corner %u, expected less than %u, the number of "
                             "nodes",
                             f, c[k], t->nodes);
        }
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) {
            return error_set(
                err, STATUS_INVALID_ARGUMENT,
                "triangle %u has the corners %u, %u, %u, expected three different ones", f, c[0],
                c[1], c[2]);
        }
    }
    return STATUS_OK;
}

/* The hinge between two sides that are one edge. */
static cloth_hinge make_hinge(const cloth_topology *t, uint32_t s0, uint32_t s1)
{
    return (cloth_hinge){.node = {side_begin(t, s0), side_end(t, s0), t->corner[s0], t->corner[s1]},
                         .face = {s0 / 3, s1 / 3},
                         .side = {(uint8_t)(s0 % 3), (uint8_t)(s1 % 3)},
                         .is_turned = side_begin(t, s0) == side_begin(t, s1)};
}

/* Sides [begin, end) of the sorted ones are one edge. */
static void add_edge(cloth_topology *t, const uint32_t *sides, uint32_t begin, uint32_t end)
{
    uint32_t *edge = t->edge + 2 * (size_t)t->edges++;
    edge[0] = side_low(t, sides[begin]);
    edge[1] = side_high(t, sides[begin]);
    t->border_edges += end - begin == 1;
    t->crowded_edges += end - begin > 2;
    if (end - begin != 2) return;
    const uint32_t s0 = sides[begin], s1 = sides[begin + 1];
    if (t->corner[s0] == t->corner[s1]) {
        t->doubled_edges++;
        return;
    }
    t->face_hinge[s0] = t->face_hinge[s1] = t->hinges;
    t->hinge[t->hinges++] = make_hinge(t, s0, s1);
}

static void find_edges(cloth_topology *t, uint32_t *work)
{
    const uint32_t count = 3 * t->triangles;
    uint32_t *sides = work, *other = sides + count, *start = other + count;
    for (uint32_t i = 0; i < count; i++) {
        sides[i] = i;
        t->face_hinge[i] = CLOTH_NO_HINGE;
    }
    sort_sides(t, side_high, sides, other, start);
    sort_sides(t, side_low, other, sides, start);
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        const uint32_t low = side_low(t, sides[begin]), high = side_high(t, sides[begin]);
        for (end = begin + 1; end < count; end++) {
            if (side_low(t, sides[end]) != low || side_high(t, sides[end]) != high) break;
        }
        add_edge(t, sides, begin, end);
    }
}

static void count_loose_nodes(cloth_topology *t, uint32_t *mark)
{
    memset(mark, 0, t->nodes * sizeof *mark);
    for (uint32_t i = 0; i < 3 * t->triangles; i++) mark[t->corner[i]] = 1;
    for (uint32_t n = 0; n < t->nodes; n++) t->loose_nodes += mark[n] == 0;
}

static bool allocate(cloth_topology *t)
{
    const size_t sides = 3 * (size_t)t->triangles;
    if (sides == 0) return true;
    t->corner = memory_alloc(t->from, sides * sizeof *t->corner);
    t->edge = memory_alloc(t->from, sides * 2 * sizeof *t->edge);
    t->hinge = memory_alloc(t->from, sides * sizeof *t->hinge);
    t->face_hinge = memory_alloc(t->from, sides * sizeof *t->face_hinge);
    return t->corner && t->edge && t->hinge && t->face_hinge;
}

static status build(cloth_topology *t, const uint32_t *corner, error *err)
{
    const size_t sides = 3 * (size_t)t->triangles;
    const size_t size = (2 * sides + t->nodes + 1) * sizeof(uint32_t);
    if (!allocate(t)) return error_out_of_memory(err, "the neighbours in a cloth");
    if (sides) memcpy(t->corner, corner, sides * sizeof *corner);
    const status st = check_corners(t, err);
    if (st < 0) return st;
    uint32_t *work = memory_alloc(t->from, size);
    if (!work) return error_out_of_memory(err, "the neighbours in a cloth");
    find_edges(t, work);
    count_loose_nodes(t, work);
    memory_free(t->from, work, size);
    return STATUS_OK;
}

status cloth_topology_create(cloth_topology *t, const allocator *from, size_t nodes,
                             size_t triangles, const uint32_t *corner, error *err)
{
    *t = (cloth_topology){.from = from};
    if (nodes == 0 || nodes >= UINT32_MAX || triangles > MOST_TRIANGLES) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a cloth of %zu nodes and %zu triangles, expected 1 to %u nodes and "
                         "at most %zu triangles",
                         nodes, triangles, UINT32_MAX - 1, MOST_TRIANGLES);
    }
    t->nodes = (uint32_t)nodes;
    t->triangles = (uint32_t)triangles;
    const status st = build(t, corner, err);
    if (st < 0) cloth_topology_destroy(t);
    return st;
}

void cloth_topology_destroy(cloth_topology *t)
{
    const size_t sides = 3 * (size_t)t->triangles;
    memory_free(t->from, t->corner, sides * sizeof *t->corner);
    memory_free(t->from, t->edge, sides * 2 * sizeof *t->edge);
    memory_free(t->from, t->hinge, sides * sizeof *t->hinge);
    memory_free(t->from, t->face_hinge, sides * sizeof *t->face_hinge);
    *t = (cloth_topology){.from = t->from};
}

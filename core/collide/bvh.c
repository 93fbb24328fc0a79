/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/bvh.h"

#include "math/scalar.h"

#include <stdlib.h>

enum { LEAF = 4 }; /* items in a leaf */

void bvh_init(bvh *t, const allocator *from) { *t = (bvh){.from = from}; }

static size_t node_capacity(uint32_t items) { return 2 * (size_t)items; }

static void release(bvh *t)
{
    memory_free(t->from, t->order, t->capacity * sizeof *t->order);
    memory_free(t->from, t->keys, 2 * (size_t)t->capacity * sizeof *t->keys);
    memory_free(t->from, t->nodes, node_capacity(t->capacity) * sizeof *t->nodes);
}

void bvh_destroy(bvh *t)
{
    release(t);
    bvh_init(t, t->from);
}

static status reserve(bvh *t, uint32_t count, error *err)
{
    if (count <= t->capacity) return STATUS_OK;
    bvh next = {.from = t->from, .capacity = count};
    next.order = memory_alloc(t->from, memory_size(count, sizeof *next.order));
    next.keys = memory_alloc(t->from, memory_size(2 * (size_t)count, sizeof *next.keys));
    next.nodes = memory_alloc(t->from, memory_size(node_capacity(count), sizeof *next.nodes));
    if (!next.order || !next.keys || !next.nodes) {
        release(&next);
        return error_out_of_memory(err, "a tree of boxes");
    }
    release(t);
    *t = next;
    return STATUS_OK;
}

/* ---- along the curve ---- */

static bvh_box box_of_all(const bvh_box *boxes, uint32_t count)
{
    bvh_box all = boxes[0];
    for (uint32_t i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            all.min[k] = scalar_min(boxes[i].min[k], all.min[k]);
            all.max[k] = scalar_max(boxes[i].max[k], all.max[k]);
        }
    }
    return all;
}

/* Ten bits with two zeros after each. */
static uint32_t spread_bits(uint32_t x)
{
    x = (x | (x << 16)) & 0x030000FFu;
    x = (x | (x << 8)) & 0x0300F00Fu;
    x = (x | (x << 4)) & 0x030C30C3u;
    return (x | (x << 2)) & 0x09249249u;
}

static uint32_t curve_code(const bvh_box *box, const bvh_box *all)
{
    uint32_t code = 0;
    for (int k = 0; k < 3; k++) {
        const double size = all->max[k] - all->min[k];
        const double centre = 0.5 * (box->min[k] - all->min[k]) + 0.5 * (box->max[k] - all->min[k]);
        const double share = size > 0.0 ? centre / size : 0.0;
        code |= spread_bits((uint32_t)(scalar_min(scalar_max(share, 0.0), 0.999) * 1024.0)) << k;
    }
    return code;
}

/* By the upper half of the keys, eight bits at a time; equal ones keep their order. */
static void sort_by_code(uint64_t *keys, uint64_t *scratch, uint32_t count)
{
    for (int shift = 32; shift < 64; shift += 8) {
        uint32_t start[257] = {0};
        for (uint32_t i = 0; i < count; i++) start[1 + (keys[i] >> shift & 255)]++;
        for (int k = 0; k < 256; k++) start[k + 1] += start[k];
        for (uint32_t i = 0; i < count; i++) scratch[start[keys[i] >> shift & 255]++] = keys[i];
        uint64_t *swap = keys;
        keys = scratch;
        scratch = swap;
    }
}

static void sort_items(bvh *t, const bvh_box *boxes)
{
    const bvh_box all = box_of_all(boxes, t->count);
    for (uint32_t i = 0; i < t->count; i++) {
        t->keys[i] = (uint64_t)curve_code(&boxes[i], &all) << 32 | i;
    }
    sort_by_code(t->keys, t->keys + t->count, t->count); /* four passes: back where it began */
    for (uint32_t i = 0; i < t->count; i++) t->order[i] = (uint32_t)t->keys[i];
}

/* ---- the tree ---- */

/* Appends the node of [begin, end) and all that is under it; its depth is that of a halving. */
static void add_nodes(bvh *t, uint32_t begin, uint32_t end)
{
    bvh_node *node = &t->nodes[t->node_count++];
    *node = (bvh_node){.begin = begin, .end = end, .leaf = end - begin <= LEAF};
    if (!node->leaf) {
        const uint32_t middle = begin + (end - begin) / 2;
        add_nodes(t, begin, middle);
        add_nodes(t, middle, end);
    }
    node->skip = t->node_count;
}

static void box_grow(bvh_box *box, const bvh_box *by)
{
    for (int k = 0; k < 3; k++) {
        box->min[k] = scalar_min(by->min[k], box->min[k]);
        box->max[k] = scalar_max(by->max[k], box->max[k]);
    }
}

static void fit_node(bvh *t, const bvh_box *boxes, uint32_t n)
{
    bvh_node *node = &t->nodes[n];
    if (node->leaf) {
        node->box = boxes[t->order[node->begin]];
        for (uint32_t i = node->begin + 1; i < node->end; i++) {
            box_grow(&node->box, &boxes[t->order[i]]);
        }
    } else {
        node->box = t->nodes[n + 1].box;
        box_grow(&node->box, &t->nodes[t->nodes[n + 1].skip].box);
    }
}

/* From the last node to the first: what is under a node comes after it. */
static void fit_nodes(bvh *t, const bvh_box *boxes, uint32_t begin, uint32_t end)
{
    for (uint32_t n = end; n-- > begin;) fit_node(t, boxes, n);
}

void bvh_refit(bvh *t, const bvh_box *boxes) { fit_nodes(t, boxes, 0, t->node_count); }

enum { MOST_BRANCHES = 64 };

typedef struct refit_job {
    bvh *t;
    const bvh_box *boxes;
    uint32_t branch[MOST_BRANCHES]; /* the tops of the branches, one task each */
    uint32_t trunk[MOST_BRANCHES];  /* the nodes above them, those above before those below */
    uint32_t branches, trunks;
} refit_job;

static void fit_branch(void *user, uint32_t i)
{
    const refit_job *job = user;
    const uint32_t top = job->branch[i];
    fit_nodes(job->t, job->boxes, top, job->t->nodes[top].skip);
}

/* Row by row from the root: the nodes of one row become trunk and their halves the next row. */
static void cut_branches(refit_job *job)
{
    const bvh_node *nodes = job->t->nodes;
    job->branch[job->branches++] = 0;
    while (2 * job->branches <= MOST_BRANCHES) {
        uint32_t next[MOST_BRANCHES];
        for (uint32_t i = 0; i < job->branches; i++) {
            const uint32_t n = job->branch[i];
            if (nodes[n].leaf) return; /* a balanced tree: all branches are short */
            job->trunk[job->trunks + i] = n;
            next[2 * i] = n + 1;
            next[2 * i + 1] = nodes[n + 1].skip;
        }
        job->trunks += job->branches;
        job->branches *= 2;
        for (uint32_t i = 0; i < job->branches; i++) job->branch[i] = next[i];
    }
}

void bvh_refit_parallel(bvh *t, const bvh_box *boxes, pool *threads)
{
    if (t->count < POOL_FEW_CHUNKS * POOL_CHUNK) {
        bvh_refit(t, boxes);
        return;
    }
    refit_job job = {.t = t, .boxes = boxes};
    cut_branches(&job);
    pool_run(threads, job.branches, fit_branch, &job);
    for (uint32_t i = job.trunks; i-- > 0;) fit_node(t, boxes, job.trunk[i]);
}

status bvh_build(bvh *t, const bvh_box *boxes, uint32_t count, error *err)
{
    const status st = reserve(t, count, err);
    if (st < 0) return st;
    t->count = count;
    t->node_count = 0;
    if (count == 0) return STATUS_OK;
    sort_items(t, boxes);
    add_nodes(t, 0, count);
    bvh_refit(t, boxes);
    return STATUS_OK;
}

void bvh_query(const bvh *t, const bvh_box *boxes, const bvh_box *box, bvh_visit visit, void *user)
{
    for (uint32_t n = 0; n < t->node_count;) {
        const bvh_node *node = &t->nodes[n];
        const bool meets = bvh_boxes_meet(&node->box, box);
        n = meets ? n + 1 : node->skip;
        if (!meets || !node->leaf) continue;
        for (uint32_t i = node->begin; i < node->end; i++) {
            if (bvh_boxes_meet(&boxes[t->order[i]], box)) visit(user, t->order[i]);
        }
    }
}

static double distance_outside(double y, double min, double max)
{
    return scalar_max(scalar_max(min - y, y - max), 0.0);
}

static double box_distance2(const bvh_box *box, v3 y)
{
    const v3 d = {distance_outside(y.x, box->min[0], box->max[0]),
                  distance_outside(y.y, box->min[1], box->max[1]),
                  distance_outside(y.z, box->min[2], box->max[2])};
    return v3_dot(d, d);
}

void bvh_find_nearest(const bvh *t, const bvh_box *boxes, v3 y, double bound2,
                      bvh_approach approach, void *user)
{
    uint32_t stack[64]; /* halving 2^32 items goes 32 levels deep, and leaves one node at each */
    size_t depth = 0;
    if (t->node_count) stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t n = stack[--depth];
        const bvh_node *node = &t->nodes[n];
        if (box_distance2(&node->box, y) > bound2) continue;
        for (uint32_t i = node->begin; node->leaf && i < node->end; i++) {
            const uint32_t item = t->order[i];
            if (box_distance2(&boxes[item], y) <= bound2) bound2 = approach(user, item);
        }
        if (node->leaf) continue;
        const uint32_t a = n + 1, b = t->nodes[a].skip;
        const bool a_first =
            box_distance2(&t->nodes[a].box, y) <= box_distance2(&t->nodes[b].box, y);
        stack[depth++] = a_first ? b : a;
        stack[depth++] = a_first ? a : b;
    }
}

/* ---- pairs ---- */

void bvh_pairs_init(bvh_pairs *p, const allocator *from) { *p = (bvh_pairs){.from = from}; }

void bvh_pairs_destroy(bvh_pairs *p)
{
    memory_free(p->from, p->pair, p->capacity * sizeof *p->pair);
    memory_free(p->from, p->slice, p->slice_capacity * sizeof *p->slice);
    memory_free(p->from, p->found, p->found_capacity * sizeof *p->found);
    bvh_pairs_init(p, p->from);
}

enum { FIRST_ROOM = 8 }; /* pairs per item that a slice has room for at first */

typedef struct pair_search {
    const bvh *t;
    const bvh_box *boxes;
    bvh_filter filter;
    const void *user;
    bvh_pairs *out;
    uint32_t *in_chunk; /* [chunks] pairs found by each chunk */
    size_t room;        /* of a slice */
} pair_search;

static int by_second(const void *x, const void *y)
{
    const uint32_t a = ((const bvh_pair *)x)->b, b = ((const bvh_pair *)y)->b;
    return (a > b) - (a < b);
}

/* The pairs of the item at `place` of the curve with those behind it join the chunk's. */
static void search_item(const pair_search *s, uint32_t place, uint32_t chunk)
{
    const uint32_t own = s->t->order[place];
    const bvh_box *box = &s->boxes[own];
    bvh_pair *slice = s->out->slice + chunk * s->room;
    for (uint32_t n = 0; n < s->t->node_count;) {
        const bvh_node *node = &s->t->nodes[n];
        const bool meets = node->end > place + 1 && bvh_boxes_meet(&node->box, box);
        n = meets ? n + 1 : node->skip;
        if (!meets || !node->leaf) continue;
        for (uint32_t i = node->begin > place ? node->begin : place + 1; i < node->end; i++) {
            const uint32_t other = s->t->order[i];
            const bvh_pair pair = own < other ? (bvh_pair){own, other} : (bvh_pair){other, own};
            if (!bvh_boxes_meet(&s->boxes[other], box)) continue;
            if (s->filter && !s->filter(s->user, pair.a, pair.b)) continue;
            const uint32_t number = s->in_chunk[chunk]++;
            if (number < s->room) slice[number] = pair;
        }
    }
}

static void search_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const pair_search *s = user;
    s->in_chunk[chunk] = 0;
    for (size_t i = begin; i < end; i++) search_item(s, (uint32_t)i, chunk);
}

static void sort_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const bvh_pairs *p = ((const pair_search *)user)->out;
    for (size_t a = begin; a < end; a++) {
        const uint32_t first = p->found[a], count = p->found[a + 1] - first;
        if (count > 1) qsort(p->pair + first, count, sizeof *p->pair, by_second);
    }
}

/* `memory` if it has room for `count` items, or more of it, in which what was there is lost; NULL,
 * and memory stays, if there is none. */
static void *room_for(const allocator *from, void *memory, size_t *capacity, size_t count,
                      size_t item)
{
    if (memory && count <= *capacity) return memory;
    const size_t next = count + count / 2 + 1;
    void *fresh = memory_alloc(from, memory_size(next, item));
    if (!fresh) return NULL;
    memory_free(from, memory, *capacity * item);
    *capacity = next;
    return fresh;
}

/* Every chunk writes its pairs; if a slice was too small, all are made larger and it is done again.
 */
static status search_all(pair_search *s, pool *threads, uint32_t chunks, error *err)
{
    bvh_pairs *p = s->out;
    size_t most = (size_t)FIRST_ROOM * POOL_CHUNK;
    do {
        s->room = most;
        bvh_pair *slice =
            room_for(p->from, p->slice, &p->slice_capacity, chunks * s->room, sizeof *slice);
        if (!slice) return error_out_of_memory(err, "pairs of boxes");
        p->slice = slice;
        pool_for(threads, s->t->count, search_range, s);
        for (uint32_t c = 0; c < chunks; c++) {
            if (s->in_chunk[c] > most) most = s->in_chunk[c];
        }
    } while (most > s->room);
    return STATUS_OK;
}

/* From the slices to their places: counted by their first item, then put behind one another. */
static status pairs_place(const pair_search *s, uint32_t chunks, error *err)
{
    bvh_pairs *p = s->out;
    const uint32_t items = s->t->count;
    uint64_t total = 0;
    for (uint32_t a = 0; a <= items; a++) p->found[a] = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        const bvh_pair *slice = p->slice + c * s->room;
        for (uint32_t i = 0; i < s->in_chunk[c]; i++) p->found[slice[i].a + 1]++;
        total += s->in_chunk[c];
    }
    if (total > UINT32_MAX) return error_out_of_memory(err, "pairs of boxes");
    bvh_pair *pair = room_for(p->from, p->pair, &p->capacity, (size_t)total, sizeof *pair);
    if (!pair) return error_out_of_memory(err, "pairs of boxes");
    p->pair = pair;
    for (uint32_t a = 0; a < items; a++) p->found[a + 1] += p->found[a];
    for (uint32_t c = chunks; c-- > 0;) { /* found[a + 1] goes down to where a begins */
        const bvh_pair *slice = p->slice + c * s->room;
        for (uint32_t i = s->in_chunk[c]; i-- > 0;) p->pair[--p->found[slice[i].a + 1]] = slice[i];
    }
    for (uint32_t a = 0; a < items; a++) p->found[a] = p->found[a + 1];
    p->found[items] = (uint32_t)total;
    p->count = (size_t)total;
    return STATUS_OK;
}

status bvh_find_pairs(const bvh *t, const bvh_box *boxes, bvh_filter filter, const void *user,
                      pool *threads, bvh_pairs *out, error *err)
{
    pair_search s = {.t = t, .boxes = boxes, .filter = filter, .user = user, .out = out};
    const uint32_t chunks = pool_chunks(t->count);
    out->count = 0;
    uint32_t *found = room_for(out->from, out->found, &out->found_capacity,
                               (size_t)t->count + 1 + chunks, sizeof *found);
    if (!found) return error_out_of_memory(err, "pairs of boxes");
    out->found = found;
    s.in_chunk = out->found + t->count + 1;
    status st = search_all(&s, threads, chunks, err);
    if (st >= 0) st = pairs_place(&s, chunks, err);
    if (st >= 0) pool_for(threads, t->count, sort_range, &s);
    return st;
}

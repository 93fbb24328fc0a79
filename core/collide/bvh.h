/* SPDX-License-Identifier: Apache-2.0
 *
 * A tree of boxes: which of many boxes meet one box, or one another.
 *
 * Items are sorted along a Z curve through their centres (30 bits, equal codes by number) and the
 * sorted row is halved again and again: a balanced tree that depends on the boxes alone, not on
 * threads. Nodes lie in preorder, so a walk needs no stack: a node that is missed is skipped with
 * all that is under it. Unlike a grid it has no cell size to choose, so that long strands, small
 * triangles and one huge floor live well together, and meshes and strands share it.
 */
#ifndef COLLIDE_BVH_H
#define COLLIDE_BVH_H

#include "base/memory.h"
#include "base/pool.h"
#include "base/status.h"
#include "math/v3.h"

#include <stdbool.h>

typedef struct bvh_box {
    double min[3], max[3];
} bvh_box;

static inline bool bvh_boxes_meet(const bvh_box *a, const bvh_box *b)
{
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] &&
           b->min[1] <= a->max[1] && a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

typedef struct bvh_node {
    bvh_box box;
    uint32_t begin, end; /* of the sorted row */
    uint32_t skip;       /* the node after all that is under this one */
    uint32_t leaf;       /* not 0: it has no nodes under it */
} bvh_node;

typedef struct bvh {
    const allocator *from;
    uint32_t count, capacity; /* items */
    uint32_t *order;          /* [count] items along the curve */
    uint64_t *keys;           /* [2 count] scratch of sorting */
    bvh_node *nodes;
    uint32_t node_count;
} bvh;

void bvh_init(bvh *t, const allocator *from);
void bvh_destroy(bvh *t);

/* Boxes must be finite. Keeps its memory from one build to the next. */
status bvh_build(bvh *t, const bvh_box *boxes, uint32_t count, error *err);

/* The same tree over boxes that have moved: right for any boxes, fast as long as neighbours stay
 * neighbours. */
void bvh_refit(bvh *t, const bvh_box *boxes);

/* The same bits, with the branches of the tree shared out among threads. */
void bvh_refit_parallel(bvh *t, const bvh_box *boxes, pool *threads);

/* Calls visit(user, item) for the items whose box meets `box`, in the order of the curve. */
typedef void (*bvh_visit)(void *user, uint32_t item);
void bvh_query(const bvh *t, const bvh_box *boxes, const bvh_box *box, bvh_visit visit, void *user);

/* The items that may be nearest to y: calls approach(user, item) as long as an item's box is no
 * farther than the bound, nearer boxes first; the call returns the bound from there on, the square
 * of a distance. */
typedef double (*bvh_approach)(void *user, uint32_t item);
void bvh_find_nearest(const bvh *t, const bvh_box *boxes, v3 y, double bound2,
                      bvh_approach approach, void *user);

typedef struct bvh_pair {
    uint32_t a, b;
} bvh_pair;

/* Judges a pair of items whose boxes meet; any thread. */
typedef bool (*bvh_filter)(const void *user, uint32_t a, uint32_t b);

/* All pairs a < b of one tree that meet and that `filter` (NULL: all) lets through, sorted. */
typedef struct bvh_pairs {
    const allocator *from;
    bvh_pair *pair;
    size_t count, capacity;
    bvh_pair *slice; /* scratch: a slice for each chunk of items, in which it writes its pairs */
    size_t slice_capacity;
    uint32_t *found; /* scratch: how many pairs each item has, and each chunk */
    size_t found_capacity;
} bvh_pairs;

void bvh_pairs_init(bvh_pairs *p, const allocator *from);
void bvh_pairs_destroy(bvh_pairs *p);
status bvh_find_pairs(const bvh *t, const bvh_box *boxes, bvh_filter filter, const void *user,
                      pool *threads, bvh_pairs *out, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the edges of a surface go through the faces of another, or of its own: none, if there is
 * no intersection at the end of a step.
 *
 * Five volumes of four points decide: the ends of the edge lie on both sides of the face, and the
 * edge's line passes the three sides in the same direction. Each sign is that of the exact number,
 * or not known because it is within rounding; if signs that are known do not say no, and one is not
 * known, an edge that comes within rounding of the face crosses it, `doubtful`.
 */
#ifndef COLLIDE_CROSSING_H
#define COLLIDE_CROSSING_H

#include "collide/candidates.h"

typedef struct crossing {
    uint64_t key;
    uint32_t edge, face; /* numbers in their own surfaces */
    bool edge_of_a;      /* the edge is of a and the face of b, or the other way round */
    bool doubtful;
    double along;    /* share of the edge's second end in the point */
    double share[3]; /* of the face's corners */
} crossing;

/* Does the segment p[0] p[1] cross the triangle? Fills in all but the key and the numbers. */
bool crossing_test(const v3 p[2], const v3 face[3], crossing *out);

/* Items of `out` are crossings, sorted by key. Both surfaces have been moved; what counts is where
 * they are at the end, x1. */
status crossing_gather(const surface *a, const surface *b, pool *threads, harvest *out, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which features of two surfaces, or of one with itself, come too near on their way, and when:
 * continuous collision detection of all pairs.
 *
 * A pair must keep a separation, and one that begins nearer than that half of what it has: nothing
 * gets from one side to the other. What touches at the beginning hits at the time 0.
 */
#ifndef COLLIDE_IMPACT_H
#define COLLIDE_IMPACT_H

#include "collide/candidates.h"

typedef struct impact {
    uint64_t key;
    uint32_t vertex[4]; /* numbers among all surfaces: a vertex and a face's, or two edges' */
    uint32_t split;     /* vertices of the first feature */
    double weight[4];   /* sum to 1 on each side */
    v3 normal;          /* unit, from the second feature to the first */
    double t;           /* no later than the true time */
} impact;

/* Items of `out` are impacts, sorted by key. Both surfaces have been moved with radii and margins
 * whose sum is at least the separation. */
status impact_gather(const surface *a, const surface *b, double separation, pool *threads,
                     harvest *out, error *err);

#endif

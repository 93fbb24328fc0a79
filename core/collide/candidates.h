/* SPDX-License-Identifier: Apache-2.0
 *
 * Which features of two surfaces, or of one with itself, may meet in a step: those whose boxes do.
 *
 * A leaf of one tree goes down the other tree; each pair of leaves is seen once. Left out are
 * surfaces whose layers do not meet, features that have a vertex in common, that are all held, or
 * whose vertices all carry a common bit of exclusion.
 */
#ifndef COLLIDE_CANDIDATES_H
#define COLLIDE_CANDIDATES_H

#include "collide/harvest.h"
#include "collide/surface.h"

/* Features of these kinds are looked for, on the sides a and b. */
typedef struct candidate_kinds {
    surface_kind a, b;
} candidate_kinds;

typedef struct candidate {
    const surface *a, *b; /* the same: a surface with itself */
    surface_feature of_a, of_b;
} candidate;

/* Judges a candidate, and adds what comes of it to the row. Any thread. */
typedef void (*candidate_visit)(const void *user, const candidate *c, harvest_row *row);

/* False: they share a vertex, or are held or excluded. Also for parts of a candidate. */
bool candidates_may_meet(const candidate *c);

/* Gathers what `visit` adds for the pairs of each of the `count` kinds. For a surface with itself a
 * pair of the kinds (vertex, face) is another than one of (face, vertex). */
status candidates_gather(const surface *a, const surface *b, const candidate_kinds *kinds,
                         uint32_t count, candidate_visit visit, const void *user, pool *threads,
                         harvest *out, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Contacts of two surfaces, or of one with itself: features that come within reach of each other in
 * a step.
 *
 * A vertex and a face, or two edges, that come nearer than the sum of their radii and margins have
 * a contact. Its plane is the one between them where they first come as near as the radii allow, or
 * the last one looked at if they do not (collide/encounter.h): the side on which they are at the
 * beginning is the side on which they stay. The contact holds if
 *
 *     normal . (sum of weight x over a - sum of weight x over b) >= distance
 *
 * at the end of the step. A nearest point on the rim of a face belongs to an edge or a vertex that
 * other faces share: the contact is that of the smaller feature, once, and only if no face around
 * it comes nearer. So two edges that end in a contact are a contact of a vertex.
 *
 * Of one surface, features nearer than `exempt` in the rest shape are neighbours and have none.
 * Around a solid normals point out of it, also for what begins inside.
 */
#ifndef COLLIDE_PROXIMITY_H
#define COLLIDE_PROXIMITY_H

#include "collide/candidates.h"

enum {
    PROXIMITY_VERTEX_FACE = 1, /* vertices of a against faces of b */
    PROXIMITY_FACE_VERTEX = 2,
    PROXIMITY_EDGE_EDGE = 4,
    PROXIMITY_ALL = 7
};

typedef struct proximity {
    uint64_t key;        /* of the two features: the same in every step */
    uint32_t vertex[4];  /* numbers among all surfaces (first_vertex is added); those of a first */
    double weight[4];    /* sum to 1 on each side */
    uint32_t of_a, of_b; /* how many vertices on each side: 1, 2 or 3 */
    v3 normal;           /* unit, from b to a */
    double distance;     /* to be kept: the sum of the radii */
    double start, end;   /* gap at the beginning, and at the end of the free way */
    double t;            /* of the step, when the plane was found */
} proximity;

/* Items of `out` are proximities, sorted by key, each key once. Both surfaces have been moved. A
 * surface with itself: PROXIMITY_ALL. */
status proximity_gather(const surface *a, const surface *b, uint32_t which, pool *threads,
                        harvest *out, error *err);

/* Of the contacts of one list that have the same vertices of largest weight on both sides (those
 * that are held count as one) and normals within the angle whose cosine is given, keeps the one
 * with the least gap at the end. `scratch` is a harvest of proximity_place. */
typedef struct proximity_place {
    uint64_t key;
    double end;
    uint32_t contact;
    bool flipped, dropped;
} proximity_place;

#define PROXIMITY_TEN_DEGREES 0.98480775301220806

status proximity_prune(const surface *a, const surface *b, double cosine, harvest *contacts,
                       harvest *scratch, error *err);

#endif

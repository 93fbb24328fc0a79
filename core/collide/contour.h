/* SPDX-License-Identifier: Apache-2.0
 *
 * Which way to push vertices so that two surfaces that cross come apart: by making the contours
 * where they cross shorter.
 *
 * A crossing is where an edge with the direction E goes through a face with the normal N. From
 * there the contour goes on in each face at the edge along a unit vector R_i. If edge and face move
 * apart by d, half each, the crossing moves and the contour gets longer by G . d / 2 with
 *
 *     G = sum over the faces at the edge of  R_i - 2 (E . R_i) / (E . N) N
 *
 * so the edge is pushed along G and the face against it. Crossings that share a pair of faces
 * belong to one contour, and all of a contour go along the sum of their G: two sheets that cross
 * along a straight line know which end is nearer. What is held is not pushed, and the other side
 * goes all the way.
 */
#ifndef COLLIDE_CONTOUR_H
#define COLLIDE_CONTOUR_H

#include "collide/crossing.h"

typedef struct contour {
    array crossings; /* scratch: of each its gradient and its contour */
    harvest links;   /* scratch: pairs of faces of the crossings */
    array shares;    /* scratch: how much each vertex takes part, those of a and then of b */
    size_t count;    /* contours of the last call */
} contour;

void contour_init(contour *c, const allocator *from);
void contour_destroy(contour *c);

/* The displacement of every vertex that takes part in a crossing (3 per vertex, 0 for all others),
 * no longer than `step`. The crossings are those of a and b. A surface with itself: push_b is
 * push_a. */
status contour_find_push(contour *c, const surface *a, const surface *b, const harvest *crossings,
                         double step, double *push_a, double *push_b, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The nearest points of two segments p0 p1 and q0 q1: p(s) = p0 + s (p1 - p0), q(t) likewise, s and
 * t in [0, 1].
 *
 * |p(s) - q(t)|^2 is convex, so that its minimum is inside, where both slopes are zero, or on one of
 * four edges of the square. Inside, the slopes are a system with the determinant |d|^2 |e|^2 sin^2;
 * for segments that are almost parallel it says little, and the edges alone decide: a point within
 * rounding of the least distance is always found, of parallel segments the one with the least s.
 */
#ifndef COLLIDE_SEGMENT_H
#define COLLIDE_SEGMENT_H

#include "math/v3.h"

typedef struct segment_nearest {
    double s, t;
    double distance2; /* squared */
} segment_nearest;

segment_nearest segment_find_nearest(v3 p0, v3 p1, v3 q0, v3 q1);

/* The share of the segment at its point nearest to x. */
double segment_nearest_share(v3 p0, v3 p1, v3 x);

#endif

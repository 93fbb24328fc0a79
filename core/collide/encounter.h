/* SPDX-License-Identifier: Apache-2.0
 *
 * When do a point and a triangle, or two segments, whose corners all move straight over a step,
 * first come within a distance d of each other?
 *
 * Both are convex, so that the plane through their nearest points, normal to the way between them,
 * has one in front and the other behind. Along that normal every pair of corners closes at its own
 * constant rate: until the first pair has closed to d nothing happens, and the walk may go there at
 * once and look again. Steps never go too far, so no encounter is missed; in a clean hit they are
 * Newton's and end in a few rounds, and features that slide beside each other are seen to miss in
 * one. Where corners turn about a near point these bounds are short, and the coplanarity of the
 * four points, a cubic, rules whole intervals out (collide/coplanarity.h). Intervals halve and
 * double with success.
 *
 * An encounter is a time with a distance of at most d + tolerance: an answer is early by no more
 * than it takes to close the tolerance. Of needles and almost parallel segments, whose sine is s,
 * rounding spoils the distance by 1e-14/s of their size, and leaving the sine out by s of it: the
 * better one, 1e-7 at worst, is added to the tolerance. A walk that has not ended after very many
 * rounds ends where it is, `unresolved`: it may report an encounter where there is none, never the
 * other way.
 */
#ifndef COLLIDE_ENCOUNTER_H
#define COLLIDE_ENCOUNTER_H

#include "math/v3.h"

#include <stdint.h>

/* Four corners: one and three of a point and a triangle, two and two of segments. */
typedef struct encounter_pair {
    v3 x[4];        /* at the beginning, seen from the first corner */
    v3 u[4];        /* how far each goes */
    uint32_t split; /* corners of the first feature: 1 or 2 */
    double size;    /* of all this; rounding is relative to it */
} encounter_pair;

encounter_pair encounter_make_pair(const v3 x0[4], const v3 x1[4], uint32_t split);

/* The two at one time. */
typedef struct encounter_look {
    double t;
    double share[4]; /* of the corners in the nearest points; those of each feature sum to 1 */
    double distance;
    double rounding; /* of the distance, at most */
    v3 normal;       /* unit, from the second feature to the first */
} encounter_look;

encounter_look encounter_look_at(const encounter_pair *p, double t);

typedef struct encounter {
    bool found;
    bool unresolved;
    encounter_look at; /* the first time found; if none, the last look: a plane between the two */
} encounter;

/* From the time t on. `tolerance` has a floor, of rounding. */
encounter encounter_find(const encounter_pair *p, double d, double tolerance, double t);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Where work is left, cut into spots.
 *
 * In packed hair most contacts take off, most others settle within some dozens of sweeps, and a few
 * places need hundreds. So after a look at all contacts only some are swept for a while: those at
 * a body with a contact that has not settled, if they press or may soon. All others keep their
 * impulses until the next look.
 *
 * Contacts that share no body, not even by way of others, do not see one another: each such group
 * is a spot, a problem of its own. Spots run side by side, and a spot that swings does not take
 * the momentum from the others. What a spot has learnt about its momentum stays with its bodies,
 * as spots shrink, fall apart and merge from look to look.
 */
#ifndef CONTACT_BODIES_FOCUS_H
#define CONTACT_BODIES_FOCUS_H

#include "contact/bodies_lanes.h"

#include <stdatomic.h>

/* What a look finds at a contact. */
typedef struct bodies_seen {
    double residual; /* m/s */
    double opening;  /* m/s, u_N of a contact without impulse; -infinity: it presses */
} bodies_seen;

typedef struct bodies_habit {
    double share; /* the largest share of its last move that a body's spot may repeat */
    uint32_t age; /* moves since its momentum began */
} bodies_habit;

typedef struct bodies_spot {
    visit_plan plan; /* order: places in the problem, turn: NULL */
    uint32_t *body;  /* [bodies] that its contacts touch */
    uint32_t bodies;
    bodies_met *met;    /* [chunks] of the last sweep */
    atomic_uchar *done; /* [chunks] */
    uint32_t sweeps;    /* of the last run */
    uint64_t failures;  /* one-contact problems without solution, in the last run */
} bodies_spot;

typedef struct bodies_focus {
    const bodies_problem *p;
    bodies_seen *seen;   /* [contacts] in the order of visits */
    bodies_habit *habit; /* [bodies] */
    bodies_spot *spot;   /* [spots] */
    uint32_t spots;
    uint32_t visits; /* contacts in all of them */
    /* what spots are made of, and what finding them takes */
    uint32_t *places, *bodies, *parent, *count, *last;
    bodies_met *met;
    atomic_uchar *done;
} bodies_focus;

/* p must outlive it. False when memory ran out. */
bool bodies_focus_create(bodies_focus *f, const bodies_problem *p);
void bodies_focus_destroy(bodies_focus *f);

/* The spots of what was seen: around the contacts whose residual is above `settled`, without those
 * that open faster than `margin`. */
void bodies_focus_choose(bodies_focus *f, double settled, double margin);

#endif

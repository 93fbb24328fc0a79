/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loops over contacts of bodies, built for several kinds of processor (bodies_lanes.c).
 * All builds give the same bits; which one runs is a matter of speed.
 */
#ifndef CONTACT_BODIES_LANES_H
#define CONTACT_BODIES_LANES_H

#include "contact/bodies.h"
#include "contact/local.h"

/* One-contact problems side by side, ready for lanes. */
typedef struct local_batch {
    _Alignas(MEMORY_ALIGNMENT) double W[6][VISIT_BATCH]; /* xx, xy, xz, yy, yz, zz */
    double b[3][VISIT_BATCH], mu[VISIT_BATCH];
    double r[3][VISIT_BATCH]; /* the answers */
} local_batch;

/* What a sweep reads and writes; r is in the order of visits. */
typedef struct bodies_pass {
    const bodies_problem *p;
    const visit_plan *plan; /* whose batches are visited */
    const uint32_t *visit;  /* [contacts of the plan] their places in p; NULL: 0, 1, 2, ... */
    const local_solver *local;
    double over_relaxation;
    double settled; /* contacts whose residual is at most this are left alone */
    double *r, *w;
    const double *r0; /* where moves are measured from */
} bodies_pass;

/* Of the contacts that were visited. */
typedef struct bodies_met {
    double worst;      /* residual, before its contact was solved */
    double move;       /* sum of d^2 |r - r0|^2: a velocity squared */
    uint64_t failures; /* one-contact problems without solution */
} bodies_met;

typedef struct bodies_lanes {
    /* The ladder (local_ladder.c) for the first `count`; returns how many failed. */
    uint64_t (*solve)(local_batch *batch, uint32_t count);
    /* Visits the batches [begin, end) of the plan. */
    bodies_met (*visit)(const bodies_pass *pass, uint32_t begin, uint32_t end);
} bodies_lanes;

extern const bodies_lanes bodies_lanes_baseline;
extern const bodies_lanes bodies_lanes_avx2; /* linked only where there are such processors */

/* The build for registers of four doubles; NULL if this processor has none. */
const bodies_lanes *bodies_lanes_wide(void);

#endif

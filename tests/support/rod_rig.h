/* SPDX-License-Identifier: Apache-2.0
 *
 * Random rods for tests of any model: built, placed, stepped.
 */
#ifndef SUPPORT_ROD_RIG_H
#define SUPPORT_ROD_RIG_H

#include "rods/rod.h"
#include "support/random.h"

enum { ROD_RIG_MOST = 64 }; /* elements of all rods together */

typedef struct rod_rig {
    /* what the next build takes */
    double lengths[ROD_RIG_MOST];
    double natural[3 * ROD_RIG_MOST];
    rod_material material[ROD_RIG_MOST];
    pose root[ROD_RIG_MOST];
    rods_source source;
    /* what it made */
    body_group *g;
    double *state, *work, *v;
    body_input in;
} rod_rig;

/* Element lengths around 0.1, natural curls of `turn` radians in each, random roots, stiffnesses
 * around 1e-3 and densities around 0.1. */
void rod_rig_fill(rod_rig *rig, random_source *rng, uint32_t rods, uint32_t elements, double turn);

/* Rods at rest in their natural shapes. */
void rod_rig_build(rod_rig *rig, const char *model);
void rod_rig_free(rod_rig *rig);

/* One step without contacts. */
void rod_rig_step(rod_rig *rig);

/* A x of one body, with A put together from the factors in its work. */
void rod_rig_multiply(const rod_rig *rig, uint32_t body, const double *x, double *Ax);

#endif

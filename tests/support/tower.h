/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems whose answers are known: masses on top of each other, each a body of three unknowns or a
 * node, each touching the one below and the lowest the floor. Friction is 0.5.
 */
#ifndef TESTS_SUPPORT_TOWER_H
#define TESTS_SUPPORT_TOWER_H

#include "contact/system.h"
#include "math/v3.h"

enum { TOWER_LEVELS = 6 }; /* at most */
#define TOWER_MASS 2.0

typedef enum tower_material { TOWER_BODIES, TOWER_NODES, TOWER_BOTH } tower_material;

typedef struct tower {
    contact_system s; /* points into what follows: not to be copied */
    uint32_t unknowns[TOWER_LEVELS], row_start[TOWER_LEVELS + 1], col[TOWER_LEVELS];
    uint32_t term_start[TOWER_LEVELS + 1], target[2 * TOWER_LEVELS];
    double inertia[9 * TOWER_LEVELS], v_free[3 * TOWER_LEVELS];
    double blocks[9 * TOWER_LEVELS], force[3 * TOWER_LEVELS];
    double mu[TOWER_LEVELS], velocity[3 * TOWER_LEVELS], H[18 * TOWER_LEVELS];
} tower;

/* Velocities have the normal first: what a level falls with, and the top one, of another mass. With
 * TOWER_BOTH bodies and nodes take turns, the lowest being a body. */
void tower_build(tower *t, tower_material m, uint32_t levels, v3 fall, v3 top_fall,
                 double top_mass);

#endif

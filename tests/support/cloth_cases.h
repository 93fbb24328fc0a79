/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems as cloth makes them: sheets of springs, A = M + h^2 K, one above the other, falling on a
 * rough floor. The lowest sheet touches the floor with single nodes, some of them in two or three
 * places; nodes of the others touch triangles of the sheet below. Rods may lie between floor and
 * lowest sheet: bodies with dense inertia, touched by nodes and by the floor.
 */
#ifndef TESTS_SUPPORT_CLOTH_CASES_H
#define TESTS_SUPPORT_CLOTH_CASES_H

#include "contact/system.h"
#include "support/random.h"

typedef struct cloth_case {
    uint32_t sheets, side;        /* a sheet has side x side nodes */
    uint32_t rods, rod_unknowns;  /* 0: none */
    double mu;                    /* largest; each contact has a random share of it */
    double touching;              /* share of the lowest nodes that touch the floor */
    double several;               /* share of those that do so in two or three places */
    double step, stiffness, mass; /* s, N/m of a spring, kg of a node; 0: 2 ms, 200 N/m, 20 mg */
} cloth_case;

/* Fails the running test if memory is short. A solution exists: everything can move upwards. */
contact_system *cloth_case_make(const cloth_case *c, random_source *random);
void cloth_case_free(contact_system *s);

#endif

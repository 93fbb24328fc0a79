/* SPDX-License-Identifier: Apache-2.0
 *
 * Random contact problems of the kind that scenes make: bodies with six unknowns each, contacts
 * between random pairs of them, W = H M^-1 H^T. More contacts than bodies make W singular.
 */
#ifndef SUPPORT_CONTACT_CASES_H
#define SUPPORT_CONTACT_CASES_H

#include "contact/problem.h"
#include "support/random.h"

typedef struct contact_case {
    uint32_t bodies, contacts;
    double mu;     /* largest; each contact has a random share of it */
    double pushed; /* how hard the contacts are pressed together, m/s */
} contact_case;

/* Fails the running test if the problem cannot be made. A solution exists: b is in the range of H
 * but for a normal velocity that separates all bodies. */
void contact_case_make(const contact_case *c, random_source *random, const allocator *from,
                       contact_problem *p);

#endif

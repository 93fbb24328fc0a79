/* SPDX-License-Identifier: Apache-2.0
 *
 * Coulomb's law of one contact as f(u, r) = 0, with a derivative for Newton's methods.
 */
#ifndef CONTACT_CONTACT_FUNCTION_H
#define CONTACT_CONTACT_FUNCTION_H

#include "math/m3.h"

typedef struct contact_value {
    v3 f;          /* m/s */
    m3 by_r, by_u; /* df = by_r dr + by_u du; where f has a kink, one of the neighbouring ones */
    bool idle;     /* by_u = 0: what the other contacts do does not matter */
} contact_value;

/* mu is the friction, d the compliance that turns impulses into velocities. */
typedef contact_value (*contact_function)(v3 u, v3 r, double mu, double d);

#endif

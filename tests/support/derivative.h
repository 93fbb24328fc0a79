/* SPDX-License-Identifier: Apache-2.0
 *
 * The derivative of a contact function against central differences.
 */
#ifndef SUPPORT_DERIVATIVE_H
#define SUPPORT_DERIVATIVE_H

#include "contact/contact_function.h"
#include "contact/coulomb.h"
#include "support/random.h"

typedef struct derivative_point {
    v3 u, r;
    double mu, d;
} derivative_point;

/* u, r and d of size 1, mu below 2. */
derivative_point derivative_random_point(random_source *random);

/* Fails the running test where a derivative is off. Kinks must be at least 0.05 away. */
void derivative_check(contact_function function, const derivative_point *at);

#endif

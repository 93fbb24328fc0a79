/* SPDX-License-Identifier: Apache-2.0
 *
 * Alart and Curnier's function of one contact and its derivative (paper 000, section 2).
 *
 * With x = d r - u, n = max(0, x_N) and P the projection on the disc of radius mu n,
 *     f_N = d r_N - n,    f_T = d r_T - P(x_T),
 * and f = 0 is Coulomb's law. f is smooth in each of its three cases; where it is not, any of the
 * neighbouring derivatives serves a semismooth Newton method.
 */
#ifndef CONTACT_ALART_CURNIER_H
#define CONTACT_ALART_CURNIER_H

#include "contact/coulomb.h"
#include "math/m3.h"

typedef struct alart_curnier {
    v3 f;
    m3 by_r, by_u; /* df = by_r dr + by_u du */
    bool idle;     /* x_N <= 0, takes off: f = d r whatever u does */
} alart_curnier;

alart_curnier alart_curnier_at(v3 u, v3 r, double mu, double d);

#endif

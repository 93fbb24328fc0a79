/* SPDX-License-Identifier: Apache-2.0
 *
 * Alart and Curnier's function of one contact and its derivative (paper 000, section 2).
 *
 * With x = d r - u, n = max(0, x_N) and P the projection on the disc of radius mu n,
 *     f_N = d r_N - n,    f_T = d r_T - P(x_T),
 * and f = 0 is Coulomb's law. f is smooth in each of its three cases; where it is not, any of the
 * neighbouring derivatives serves a semismooth Newton method. A contact with x_N <= 0 is idle.
 */
#ifndef CONTACT_ALART_CURNIER_H
#define CONTACT_ALART_CURNIER_H

#include "contact/contact_function.h"

contact_value alart_curnier_at(v3 u, v3 r, double mu, double d);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The modified Fischer-Burmeister function of one contact (paper 001, section 5 and appendix A).
 *
 * With x = d r, u~_N = u_N + mu |u_T| and
 *     s = (mu x_N, x_T),    v = (u~_N, mu u_T),    s o t = (s . t, s_N t_T + t_N s_T),
 *     f = s + v - w,        w o w = s o s + v o v,
 * Coulomb's law is f = 0. L(a) is the matrix of t -> a o t; then
 *     df/ds = I - L(w)^-1 L(s),    df/dv = I - L(w)^-1 L(v).
 * L(w) is singular where s o s + v o v is on the cone; the paper's choice there is a multiple of I.
 * Without friction the cone is a half-line, and f_N = x_N + u_N - sqrt(x_N^2 + u_N^2), f_T = x_T.
 */
#ifndef CONTACT_FISCHER_BURMEISTER_H
#define CONTACT_FISCHER_BURMEISTER_H

#include "contact/contact_function.h"

contact_value fischer_burmeister_at(v3 u, v3 r, double mu, double d);

#endif

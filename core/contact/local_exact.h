/* SPDX-License-Identifier: Apache-2.0
 *
 * One contact, solved exactly: find u, r with u = W r + b and Coulomb's law.
 *
 * For b_N >= 0 the contact takes off. Otherwise it sticks if r = -W^-1 b lies in the cone, else it slides:
 * u_T = -alpha r_T with alpha > 0 and u_N = 0. Eliminating r_N = -(b_N + W_NT r_T) / W_NN leaves
 *     (S + alpha I) r_T = -c,    S = W_TT - W_TN W_NT / W_NN,    c = b_T - W_TN b_N / W_NN,
 * and one equation for alpha,
 *     f(alpha) = |r_T(alpha)| - mu r_N(alpha) = 0.
 * f(0) > 0 because sticking failed, and f -> mu b_N / W_NN < 0 for alpha -> infinity: a root is always
 * there and is found by Newton steps kept inside a shrinking bracket. In the eigenvectors of S, r_T is two
 * divisions, so an iteration costs almost nothing.
 */
#ifndef CONTACT_LOCAL_EXACT_H
#define CONTACT_LOCAL_EXACT_H

#include "contact/coulomb.h"
#include "math/m3.h"

typedef struct local_answer {
    v3 r;
    contact_state state;
    bool failed; /* no r satisfies the law to rounding (W singular): r is the best point found */
} local_answer;

/* W symmetric positive semidefinite in the contact's frame. */
local_answer local_solve_exact(const sym3 *W, v3 b, double mu);

/* The same for W = w I, where everything is in closed form. */
local_answer local_solve_isotropic(double w, v3 b, double mu);

#endif

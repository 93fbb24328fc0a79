/* SPDX-License-Identifier: Apache-2.0
 *
 * One contact, solved exactly: find u, r with u = W r + b and Coulomb's law.
 *
 * For b_N >= 0 the contact takes off. Otherwise u_N = 0, and u_T = -alpha r_T with alpha = 0
 * (stick, r in the cone) or alpha > 0 (slide, r on the cone). Eliminating r_N leaves
 *     (S + alpha I) r_T = -c,    S = W_TT - W_TN W_NT / W_NN,    c = b_T - W_TN b_N / W_NN,
 * a 2x2 system whose solution is a ratio of polynomials in alpha. With W_NN and -b_N as units,
 * B = adj(S) c, g = W_NT / W_NN and D(alpha) = det(S + alpha I) (paper 001, appendix B):
 *     r_T = -(B + alpha c) / D,    r_N = Q / D,    Q(alpha) = D + g . (B + alpha c).
 * It sticks if |B| <= mu Q(0). Else alpha is where
 *     psi(alpha) = Q / |B + alpha c|   reaches   1 / mu:
 * psi(0) < 1 / mu because sticking failed, and psi grows without bound, so that a root is always
 * there if W is not singular. psi is almost a straight line (for W = w I it is one): two or three
 * Newton steps of one square root and one division do, inside a bracket that makes them safe.
 */
#ifndef CONTACT_LOCAL_EXACT_H
#define CONTACT_LOCAL_EXACT_H

#include "contact/coulomb.h"
#include "math/m3.h"

#include <stdint.h>

typedef struct local_answer {
    v3 r;
    contact_state state;
    bool failed;    /* no r satisfies the law to rounding (W singular): r is the best point found */
    bool fell_back; /* the method missed, and the enumeration of all solutions was asked instead */
    uint32_t iterations;
} local_answer;

/* W symmetric positive semidefinite in the contact's frame, mu >= 0 finite. Failed: off the law by
 * more than 1e-8 |b| and what the rounding of W r explains. */
local_answer local_solve_exact(const sym3 *W, v3 b, double mu);

/* The same without a verdict: `error` is a bound of the residual instead, NaN if there is no
 * answer. */
local_answer local_solve_exact_bounded(const sym3 *W, v3 b, double mu, double *error);

/* The same for W = w I, where everything is in closed form. */
local_answer local_solve_isotropic(double w, v3 b, double mu);

#endif

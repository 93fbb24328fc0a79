/* SPDX-License-Identifier: Apache-2.0
 *
 * Newton's method for one contact, on a function f(x) whose zeros are the solutions.
 *
 * With d = tr(W) / 3 the unknown is x = d r and u = V x + b with V = W / d, so that impulses and
 * velocities have one unit and f is in m/s. f is not differentiable everywhere; J is then one
 * element of the generalised Jacobian.
 */
#ifndef CONTACT_LOCAL_NEWTON_H
#define CONTACT_LOCAL_NEWTON_H

#include "contact/local_exact.h"

typedef struct newton_problem {
    m3 V;
    v3 b;
    double mu;
} newton_problem;

typedef struct newton_value {
    v3 f;
    m3 J; /* df/dx */
} newton_value;

typedef newton_value (*newton_function)(const newton_problem *p, v3 x);

typedef enum newton_length {
    NEWTON_PURE,  /* whole steps; against the gradient of |f|^2 where Newton's does not descend */
    NEWTON_DAMPED /* steps that a Goldstein-Price line search finds on |f|^2 */
} newton_length;

local_answer local_newton(const sym3 *W, v3 b, double mu, v3 guess, newton_function evaluate,
                          newton_length length);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Rotation vectors: phi turns by a = |phi| about phi.
 *
 *     exp(phi) = I + f1 [phi]x + f2 [phi]x^2          f1 = sin a / a
 *     V(phi)   = I + f2 [phi]x + f3 [phi]x^2          f2 = (1 - cos a) / a^2
 *                                                     f3 = (a - sin a) / a^3
 * V is the left Jacobian: exp(phi + d) = exp(V(phi) d) exp(phi) to first order, and the integral of
 * exp(t phi) over t in [0, 1]. Slopes of f2 and f3 along phi are g2 phi and g3 phi:
 *     g2 = f2' / a = (f1 - 2 f2) / a^2,     g3 = f3' / a = (f2 - 3 f3) / a^2.
 */
#ifndef MATH_SO3_H
#define MATH_SO3_H

#include "math/quat.h"

typedef struct so3_coefficients {
    double f1, f2, f3, g2, g3;
} so3_coefficients;

/* At the squared angle a2 >= 0. For each the error stays below a few units in the last place of its
 * largest value at angles >= a (of itself up to a = 2); NaN for angles beyond 1e15. */
so3_coefficients so3_coefficients_at(double a2);

quat so3_exp(v3 phi);
m3 so3_exp_m3(v3 phi);

/* The shortest rotation vector of a unit quaternion: |phi| <= pi. */
v3 so3_log(quat q);

/* V(phi) */
m3 so3_left_jacobian(v3 phi);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The free top from the middle of one step to the middle of the next, in the axes it has between
 * them, by the midpoint rule on Euler's equation:
 *     J (omega* - omega) = h J x cross x,    x = (omega + omega*) / 2.
 */
#ifndef RIGID_TOP_H
#define RIGID_TOP_H

#include "math/m3.h"

/* omega*, for a positive definite J. The kinetic energy stays to rounding at any h; the size of J
 * omega, too, where Newton's method finds x, as it does up to turns of two radians a step
 * (test_rigid.c). NaN if the numbers leave the range of double. */
v3 rigid_top_step(const sym3 *J, v3 omega, double h);

#endif

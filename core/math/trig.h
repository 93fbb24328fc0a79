/* SPDX-License-Identifier: Apache-2.0
 *
 * Sine, cosine and arc tangent with the same bits on every machine and compiler.
 *
 * The C library's versions differ in the last bit between processors (some use fused multiply-add),
 * so simulation code uses these. Errors stay below 3 units in the last place of a sine or cosine
 * (and below 2^-52) for angles up to 1.6e6 radians, and below 2 units of an arc tangent.
 */
#ifndef MATH_TRIG_H
#define MATH_TRIG_H

typedef struct trig_pair {
    double sin, cos;
} trig_pair;

/* Beyond 1.6e6 the error grows like 2^-53 |angle|; an angle beyond 1e15 or not finite gives NaN. */
trig_pair trig_sincos(double angle);

/* In [-pi, pi]; 0 for (0, 0), and zeros have no sign. NaN if both are infinite. */
double trig_atan2(double y, double x);

#endif

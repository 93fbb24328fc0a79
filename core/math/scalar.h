/* SPDX-License-Identifier: Apache-2.0
 *
 * Small functions of doubles.
 *
 * Maximum and minimum are one instruction. fmax and fmin are calls, because they promise to skip
 * NaN; these return b when the comparison fails.
 */
#ifndef MATH_SCALAR_H
#define MATH_SCALAR_H

#include <math.h>

static inline double scalar_max(double a, double b) { return a > b ? a : b; }
static inline double scalar_min(double a, double b) { return a < b ? a : b; }

/* log2 of a positive number to about 0.09, the same bits everywhere: the mantissa is taken as a
 * straight line between powers of two. Good enough to compare rates. */
static inline double scalar_rough_log2(double x)
{
    int exponent;
    const double mantissa = frexp(x, &exponent); /* in [1/2, 1) */
    return (double)exponent - 2.0 + 2.0 * mantissa;
}

#endif

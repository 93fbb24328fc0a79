/* SPDX-License-Identifier: Apache-2.0
 *
 * Maximum and minimum as one instruction. fmax and fmin are calls, because they promise to skip
 * NaN; these return b when the comparison fails.
 */
#ifndef MATH_SCALAR_H
#define MATH_SCALAR_H

static inline double scalar_max(double a, double b) { return a > b ? a : b; }
static inline double scalar_min(double a, double b) { return a < b ? a : b; }

#endif

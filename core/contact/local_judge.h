/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict on an answer for one contact. Every method of the table ends here, so that `failed`
 * means the same for all of them, whatever law a method approximates.
 */
#ifndef CONTACT_LOCAL_JUDGE_H
#define CONTACT_LOCAL_JUDGE_H

#include "contact/local_exact.h"
#include "math/scalar.h"

#include <float.h>

/* An answer has failed if its residual is above this times |b|, or if these are not finite. */
#define LOCAL_TOLERANCE 1e-10

/* Almost LOCAL_TOLERANCE |b| and never more: |b|_1 / sqrt(3) <= |b|. Does not underflow. */
static inline double local_allowance(v3 b)
{
    const double norm = 0.57 * (fabs(b.x) + fabs(b.y) + fabs(b.z));
    return scalar_min(LOCAL_TOLERANCE * norm, DBL_MAX);
}

/* The residual of r in m/s. */
double local_residual(const sym3 *W, v3 b, double mu, v3 r);

/* The same, never less than it truly is. Sizes near 1: it does not guard against overflow. */
double local_residual_certain(const sym3 *W, v3 b, double mu, v3 r);

/* r with its state and verdict; 0 if r is not finite. */
local_answer local_judge(const sym3 *W, v3 b, double mu, v3 r, uint32_t iterations);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "support/derivative.h"

#include <unity.h>

derivative_point derivative_random_point(random_source *random)
{
    return (derivative_point){.u = random_v3(random),
                              .r = random_v3(random),
                              .mu = random_between(random, 0.05, 2.0),
                              .d = random_between(random, 0.3, 3.0)};
}

/* Numbers and their third derivatives are at most about 1e1 and 1e4 (kinks are 0.05 away), so with
 * steps of 1e-5 rounding and truncation stay below 1e1 * 2e-16 / 1e-5 and 1e4 * 1e-10. */
static const double STEP = 1e-5, TOLERANCE = 1e-6;

static v3 value_at(contact_function function, const derivative_point *at, v3 du, v3 dr)
{
    return function(v3_add(at->u, du), v3_add(at->r, dr), at->mu, at->d).f;
}

static v3 difference(contact_function function, const derivative_point *at, v3 du, v3 dr)
{
    const v3 ahead = value_at(function, at, du, dr);
    const v3 behind = value_at(function, at, v3_neg(du), v3_neg(dr));
    return v3_scale(0.5 / STEP, v3_sub(ahead, behind));
}

void derivative_check(contact_function function, const derivative_point *at)
{
    const contact_value value = function(at->u, at->r, at->mu, at->d);
    const v3 zero = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const v3 axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        const v3 step = v3_scale(STEP, axis);
        const v3 by_u = difference(function, at, step, zero);
        const v3 by_r = difference(function, at, zero, step);
        const v3 off_u = v3_sub(m3_mul_v3(&value.by_u, axis), by_u);
        const v3 off_r = v3_sub(m3_mul_v3(&value.by_r, axis), by_r);
        TEST_ASSERT_DOUBLE_WITHIN(TOLERANCE, 0.0, v3_norm(off_u));
        TEST_ASSERT_DOUBLE_WITHIN(TOLERANCE, 0.0, v3_norm(off_r));
    }
}

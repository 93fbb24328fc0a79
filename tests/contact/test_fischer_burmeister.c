/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/fischer_burmeister.h"

#include "support/derivative.h"

#include <unity.h>

static random_source source;

void setUp(void) { source = (random_source){13}; }

void tearDown(void) {}

/* The smaller eigenvalue of s o s + v o v: 0 where f has a kink. */
static double lower_eigenvalue(const derivative_point *at)
{
    const v3 s = {at->mu * at->d * at->r.x, at->d * at->r.y, at->d * at->r.z};
    const v3 v = {at->u.x + at->mu * coulomb_tangent_norm(at->u), at->mu * at->u.y,
                  at->mu * at->u.z};
    const double y = s.x * s.y + v.x * v.y, z = s.x * s.z + v.x * v.z;
    return v3_dot(s, s) + v3_dot(v, v) - 2.0 * sqrt(y * y + z * z);
}

/* |u_T| has a kink of its own where it is 0. */
static void test_derivative_is_right_inside_the_cone(void)
{
    for (int found = 0; found < 5000;) {
        const derivative_point at = derivative_random_point(&source);
        if (lower_eigenvalue(&at) < 0.05 || coulomb_tangent_norm(at.u) < 0.05) continue;
        found++;
        derivative_check(fischer_burmeister_at, &at);
    }
}

static void test_derivative_is_right_without_friction(void)
{
    for (int found = 0; found < 2000;) {
        derivative_point at = derivative_random_point(&source);
        at.mu = 0.0;
        if (fabs(at.d * at.r.x) + fabs(at.u.x) < 0.3) continue;
        found++;
        derivative_check(fischer_burmeister_at, &at);
    }
}

static void test_kinks_have_finite_derivatives(void)
{
    const v3 zero = {0.0, 0.0, 0.0}, normal = {2.0, 0.0, 0.0}, edge = {2.0, 1.0, 0.0};
    const v3 points[] = {zero, normal, edge, v3_neg(normal), v3_neg(edge)};
    const size_t count = sizeof points / sizeof *points;
    for (size_t i = 0; i < count * count * 2; i++) {
        const double mu = i % 2 ? 0.5 : 0.0;
        const contact_value at =
            fischer_burmeister_at(points[i / 2 % count], points[i / 2 / count], mu, 1.0);
        TEST_ASSERT_TRUE(v3_is_finite(at.f) && m3_is_finite(&at.by_r) && m3_is_finite(&at.by_u));
    }
}

/* The measure of coulomb.h is written down independently; both take the root of a rounded
 * difference, which near the cone costs half of the digits. */
static void test_value_has_the_size_of_the_measure(void)
{
    for (int i = 0; i < 10000; i++) {
        const derivative_point at = derivative_random_point(&source);
        const double expected = coulomb_measure(at.u, at.r, at.mu, at.d).fischer_burmeister;
        TEST_ASSERT_DOUBLE_WITHIN(1e-7, expected,
                                  v3_norm(fischer_burmeister_at(at.u, at.r, at.mu, at.d).f));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_derivative_is_right_inside_the_cone);
    RUN_TEST(test_derivative_is_right_without_friction);
    RUN_TEST(test_kinks_have_finite_derivatives);
    RUN_TEST(test_value_has_the_size_of_the_measure);
    return UNITY_END();
}

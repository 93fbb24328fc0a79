/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/alart_curnier.h"

#include "support/derivative.h"

#include <unity.h>

static random_source source;

void setUp(void) { source = (random_source){11}; }

void tearDown(void) {}

/* How far x = d r - u is from the edges between the three cases. */
static double distance_from_kinks(const derivative_point *at)
{
    const v3 x = v3_sub(v3_scale(at->d, at->r), at->u);
    const double edge = fabs(coulomb_tangent_norm(x) - at->mu * x.x);
    return fabs(x.x) < edge ? fabs(x.x) : edge;
}

static contact_state case_of(const derivative_point *at)
{
    const v3 x = v3_sub(v3_scale(at->d, at->r), at->u);
    if (x.x <= 0.0) return CONTACT_TAKEOFF;
    return coulomb_tangent_norm(x) <= at->mu * x.x ? CONTACT_STICK : CONTACT_SLIDE;
}

static void check_derivative_in(contact_state wanted)
{
    for (int found = 0; found < 2000;) {
        const derivative_point at = derivative_random_point(&source);
        if (case_of(&at) != wanted || distance_from_kinks(&at) < 0.05) continue;
        found++;
        derivative_check(alart_curnier_at, &at);
        const contact_value value = alart_curnier_at(at.u, at.r, at.mu, at.d);
        TEST_ASSERT_EQUAL(wanted == CONTACT_TAKEOFF, value.idle);
    }
}

static void test_derivative_is_right_at_take_off(void) { check_derivative_in(CONTACT_TAKEOFF); }

static void test_derivative_is_right_in_stick(void) { check_derivative_in(CONTACT_STICK); }

static void test_derivative_is_right_in_slide(void) { check_derivative_in(CONTACT_SLIDE); }

/* The measure of coulomb.h is written down independently. */
static void test_value_has_the_size_of_the_measure(void)
{
    for (int i = 0; i < 10000; i++) {
        const derivative_point at = derivative_random_point(&source);
        const double expected = coulomb_measure(at.u, at.r, at.mu, at.d).alart_curnier;
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, expected,
                                  v3_norm(alart_curnier_at(at.u, at.r, at.mu, at.d).f));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_derivative_is_right_at_take_off);
    RUN_TEST(test_derivative_is_right_in_stick);
    RUN_TEST(test_derivative_is_right_in_slide);
    RUN_TEST(test_value_has_the_size_of_the_measure);
    return UNITY_END();
}

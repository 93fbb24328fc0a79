/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/coulomb.h"
#include "support/random.h"

#include <unity.h>

static random_source source;

void setUp(void)
{
    source = (random_source){7};
}

void tearDown(void) {}

/* P is the projection on the convex cone K if and only if P in K, r - P in the polar cone, and they are
 * orthogonal. */
static void test_projection_satisfies_moreau(void)
{
    for (int i = 0; i < 100000; i++) {
        const double mu = random_between(&source, 0.0, 3.0);
        const v3 r = v3_scale(2.0, random_v3(&source));
        const v3 p = coulomb_project(r, mu), q = v3_sub(r, p);
        const double eps = 1e-14;
        TEST_ASSERT_TRUE(coulomb_tangent_norm(p) <= mu * p.x + eps);
        TEST_ASSERT_TRUE(mu * coulomb_tangent_norm(q) <= -q.x + eps);
        TEST_ASSERT_DOUBLE_WITHIN(eps, 0.0, v3_dot(p, q));
    }
}

static void test_projection_without_friction_is_the_half_line(void)
{
    const v3 p = coulomb_project((v3){2.0, 3.0, -4.0}, 0.0);
    TEST_ASSERT_TRUE(p.x == 2.0 && p.y == 0.0 && p.z == 0.0);
    TEST_ASSERT_TRUE(v3_norm(coulomb_project((v3){-2.0, 3.0, -4.0}, 0.0)) == 0.0);
    TEST_ASSERT_TRUE(v3_norm(coulomb_project((v3){-2.0, 0.0, 0.0}, 0.0)) == 0.0);
}

/* Fischer-Burmeister takes a square root of a rounded difference, so near the boundary of the cones its
 * error is the root of rounding, sqrt(eps) times the sizes below 30. */
static void assert_solution(v3 u, v3 r, double mu, double d)
{
    const coulomb_errors e = coulomb_measure(u, r, mu, d);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, e.natural);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, e.alart_curnier);
    TEST_ASSERT_DOUBLE_WITHIN(5e-7, 0.0, e.fischer_burmeister);
}

static void test_all_measures_vanish_on_solutions(void)
{
    const v3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < 10000; i++) {
        const double mu = random_between(&source, 0.0, 2.0), d = random_between(&source, 0.1, 5.0);
        const double n = random_between(&source, 0.0, 5.0);
        const v3 t = random_v3(&source);
        const double edge = mu * n / coulomb_tangent_norm(t);
        const double inside = random_between(&source, 0.0, edge);
        assert_solution((v3){n, t.y, t.z}, zero, mu, d);                       /* take-off */
        assert_solution(zero, (v3){n, inside * t.y, inside * t.z}, mu, d);     /* stick */
        assert_solution((v3){0.0, t.y, t.z}, (v3){n, -edge * t.y, -edge * t.z}, mu, d); /* slide */
    }
}

/* Each way of breaking the law by about `by` shows in every measure. */
static void test_all_measures_see_what_is_wrong(void)
{
    const double by = 1e-3, mu = 0.5, d = 2.0;
    const struct {
        v3 u, r;
    } wrong[] = {
        {{-by, 0.0, 0.0}, {0.0, 0.0, 0.0}},            /* goes in, no impulse */
        {{by, 0.0, 0.0}, {1.0, 0.0, 0.0}},             /* pushed while it leaves */
        {{0.0, 0.0, 0.0}, {1.0, 0.5 + by, 0.0}},       /* sticks outside the cone */
        {{0.0, by, 0.0}, {1.0, -0.4, 0.0}},            /* slides inside the cone */
        {{0.0, 1.0, 0.0}, {1.0, -0.5, by}},            /* friction not against the slip */
        {{0.0, 1.0, 0.0}, {1.0, 0.5, 0.0}},            /* friction along the slip */
        {{0.0, 0.0, 0.0}, {-by, 0.0, 0.0}},            /* pulls */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const coulomb_errors e = coulomb_measure(wrong[i].u, wrong[i].r, mu, d);
        TEST_ASSERT_TRUE(e.natural > 0.1 * by);
        TEST_ASSERT_TRUE(e.fischer_burmeister > 0.1 * by);
        TEST_ASSERT_TRUE(e.alart_curnier > 0.1 * by);
    }
}

static void test_errors_of_great_and_small_speeds_are_numbers(void)
{
    for (int power = -140; power <= 140; power += 20) {
        const double speed = pow(10.0, power);
        const v3 sliding = {0.0, speed, -speed}, leaving = {speed, speed, 0.0};
        const double t = sqrt(2.0) * speed, mu = 0.5;
        const v3 pressed = {t, -mu * speed, mu * speed}, none = {0.0, 0.0, 0.0};
        const coulomb_errors slide = coulomb_measure(sliding, pressed, mu, 1.0);
        const coulomb_errors leave = coulomb_measure(leaving, none, mu, 1.0);
        TEST_ASSERT_TRUE(slide.fischer_burmeister <= 1e-7 * speed); /* root of the rounding */
        TEST_ASSERT_TRUE(leave.fischer_burmeister <= 1e-7 * speed);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_projection_satisfies_moreau);
    RUN_TEST(test_projection_without_friction_is_the_half_line);
    RUN_TEST(test_all_measures_vanish_on_solutions);
    RUN_TEST(test_all_measures_see_what_is_wrong);
    RUN_TEST(test_errors_of_great_and_small_speeds_are_numbers);
    return UNITY_END();
}

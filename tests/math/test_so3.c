/* SPDX-License-Identifier: Apache-2.0 */
#include "math/so3.h"

#include "support/random.h"

#include <float.h>
#include <unity.h>

enum { ROUNDS = 1000, ITEMS = 5 };

static const double PI = 3.14159265358979323846;
static random_source rng;

void setUp(void) { rng = (random_source){17}; }
void tearDown(void) {}

static void assert_m3_within(double delta, const m3 *expected, const m3 *actual)
{
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(delta, 0.0, v3_norm(v3_sub(expected->row[i], actual->row[i])));
    }
}

/* f1, f2, f3, g2, g3 in extended precision: series that converge for every angle, and cancel by
 * less than e^a. */
static void reference(double a2, long double out[ITEMS])
{
    for (int i = 0; i < ITEMS; i++) out[i] = 0.0L;
    long double term = 1.0L; /* (-1)^k a^2k / (2k+1)! */
    for (int k = 0; k < 60; k++) {
        const long double f2 = term / (2 * k + 2), f3 = f2 / (2 * k + 3);
        const long double next = -term / ((2 * k + 2) * (2 * k + 3)); /* over a^2 */
        out[0] += term, out[1] += f2, out[2] += f3;
        out[3] += next * (2 * k + 2) / (2 * k + 4);
        out[4] += next * (2 * k + 2) / ((2 * k + 4) * (2 * k + 5));
        term = next * (long double)a2;
    }
}

/* What bounds each coefficient's size at angles of a and beyond. */
static void envelope(double a2, const long double exact[ITEMS], double out[ITEMS])
{
    const double a = sqrt(a2);
    const double wave[ITEMS] = {1.0 / a, 2.0 / a2, 1.0 / a2, 1.0 / (a2 * a), 3.0 / (a2 * a2)};
    for (int i = 0; i < ITEMS; i++) out[i] = a2 > 4.0 ? wave[i] : (double)fabsl(exact[i]);
}

static void check_coefficients(double a2)
{
    long double exact[ITEMS];
    double size[ITEMS];
    reference(a2, exact);
    envelope(a2, exact, size);
    const so3_coefficients c = so3_coefficients_at(a2);
    const double computed[ITEMS] = {c.f1, c.f2, c.f3, c.g2, c.g3};
    for (int i = 0; i < ITEMS; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(6 * DBL_EPSILON, 0.0, (double)(computed[i] - exact[i]) / size[i]);
    }
}

static void test_coefficients_are_accurate_at_every_angle(void)
{
    static const double special[] = {0.0, 1e-320, 1e-30, 1e-8, 4.0, 4.0 + 1e-15};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) check_coefficients(special[i]);
    for (int i = 0; i < 40 * ROUNDS; i++) {
        const double a = 8.0 * i / (40.0 * ROUNDS);
        check_coefficients(a * a);
    }
}

static void test_angles_out_of_range_give_nan_and_nothing_worse(void)
{
    TEST_ASSERT_DOUBLE_IS_NAN(so3_coefficients_at(1e31).f1);
    TEST_ASSERT_DOUBLE_IS_NAN(so3_coefficients_at(INFINITY).g3);
    TEST_ASSERT_DOUBLE_IS_NAN(so3_coefficients_at(NAN).f2);
}

static void test_the_exponential_turns_about_its_axis(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const v3 axis = random_direction(&rng);
        const double angle = random_between(&rng, 0.0, 10.0);
        const quat expected = quat_from_axis_angle(axis, angle);
        const quat q = so3_exp(v3_scale(angle, axis));
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, expected.w, q.w);
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, expected.x, q.x);
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, expected.y, q.y);
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, expected.z, q.z);
        const m3 R = so3_exp_m3(v3_scale(angle, axis)), same = quat_to_m3(expected);
        assert_m3_within(32 * DBL_EPSILON, &same, &R);
    }
}

static void test_the_logarithm_undoes_the_exponential(void)
{
    static const double angles[] = {0.0, 1e-300, 1e-160, 1e-20, 1e-9, 1e-3, 1.0, 3.0, 3.1415926};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        const v3 phi = v3_scale(angles[i], random_direction(&rng));
        const v3 back = so3_log(so3_exp(phi));
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON * angles[i], 0.0, fabs(back.x - phi.x));
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON * angles[i], 0.0, fabs(back.y - phi.y));
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON * angles[i], 0.0, fabs(back.z - phi.z));
    }
}

static void test_the_logarithm_takes_the_shorter_way(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const v3 axis = random_direction(&rng);
        const v3 back = so3_log(so3_exp(v3_scale(1.5 * PI, axis)));
        const v3 expected = v3_scale(-0.5 * PI, axis);
        TEST_ASSERT_DOUBLE_WITHIN(16 * DBL_EPSILON, 0.0, v3_norm(v3_sub(expected, back)));
    }
}

static void test_the_left_jacobian_is_the_mean_of_the_rotations_on_the_way(void)
{
    enum { PARTS = 2000 }; /* midpoint rule: error below |phi|^2 / (24 PARTS^2) */
    for (int i = 0; i < 20; i++) {
        const v3 phi = v3_scale(random_between(&rng, 0.0, 6.0), random_direction(&rng));
        m3 mean = m3_diagonal(0.0);
        for (int k = 0; k < PARTS; k++) {
            const m3 R = so3_exp_m3(v3_scale((k + 0.5) / PARTS, phi));
            mean = m3_add(&mean, &R);
        }
        for (int k = 0; k < 3; k++) mean.row[k] = v3_scale(1.0 / PARTS, mean.row[k]);
        const m3 V = so3_left_jacobian(phi);
        assert_m3_within(36.0 / 24.0 / PARTS / PARTS, &mean, &V);
    }
}

static void test_the_left_jacobian_is_the_slope_of_the_exponential(void)
{
    const double step = 1e-5;
    for (int i = 0; i < ROUNDS; i++) {
        const v3 phi = v3_scale(3.0, random_v3(&rng)), d = random_direction(&rng);
        const quat ahead = so3_exp(v3_add_scaled(phi, step, d));
        const quat behind = so3_exp(v3_add_scaled(phi, -step, d));
        const v3 slope = v3_scale(0.5 / step, so3_log(quat_mul(ahead, quat_conjugate(behind))));
        const m3 V = so3_left_jacobian(phi);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, v3_norm(v3_sub(m3_mul_v3(&V, d), slope)));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_coefficients_are_accurate_at_every_angle);
    RUN_TEST(test_angles_out_of_range_give_nan_and_nothing_worse);
    RUN_TEST(test_the_exponential_turns_about_its_axis);
    RUN_TEST(test_the_logarithm_undoes_the_exponential);
    RUN_TEST(test_the_logarithm_takes_the_shorter_way);
    RUN_TEST(test_the_left_jacobian_is_the_mean_of_the_rotations_on_the_way);
    RUN_TEST(test_the_left_jacobian_is_the_slope_of_the_exponential);
    return UNITY_END();
}

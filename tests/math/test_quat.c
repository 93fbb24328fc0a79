/* SPDX-License-Identifier: Apache-2.0 */
#include "math/quat.h"

#include "support/random.h"

#include <float.h>
#include <unity.h>

enum { ROUNDS = 1000 };

static const double PI = 3.14159265358979323846;
static random_source rng;

void setUp(void) { rng = (random_source){8}; }
void tearDown(void) {}

static quat random_rotation(void)
{
    const v3 axis = random_direction(&rng);
    return quat_from_axis_angle(axis, random_between(&rng, -PI, PI));
}

static void assert_v3_within(double delta, v3 expected, v3 actual)
{
    TEST_ASSERT_DOUBLE_WITHIN(delta, 0.0, v3_norm(v3_sub(expected, actual)));
}

/* The angle of the rotation from a to b. */
static double angle_between(quat a, quat b)
{
    const quat d = quat_mul(quat_conjugate(a), b);
    return 2.0 * atan2(v3_norm((v3){d.x, d.y, d.z}), fabs(d.w));
}

static void test_a_quarter_turn_about_z_takes_x_to_y(void)
{
    const quat q = quat_from_axis_angle((v3){0.0, 0.0, 5.0}, PI / 2);
    assert_v3_within(2 * DBL_EPSILON, (v3){0.0, 1.0, 0.0}, quat_rotate(q, (v3){1.0, 0.0, 0.0}));
}

static void test_rotation_keeps_the_axis_lengths_and_handedness(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const v3 axis = random_direction(&rng), x = random_v3(&rng), y = random_v3(&rng);
        const quat q = quat_from_axis_angle(axis, random_between(&rng, -10.0, 10.0));
        assert_v3_within(16 * DBL_EPSILON, axis, quat_rotate(q, axis));
        TEST_ASSERT_DOUBLE_WITHIN(32 * DBL_EPSILON, v3_norm(x), v3_norm(quat_rotate(q, x)));
        assert_v3_within(64 * DBL_EPSILON, quat_rotate(q, v3_cross(x, y)),
                         v3_cross(quat_rotate(q, x), quat_rotate(q, y)));
    }
}

static void test_rotation_agrees_with_the_formula_of_rodrigues(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const v3 k = random_direction(&rng), x = random_v3(&rng);
        const double angle = random_between(&rng, -PI, PI), c = cos(angle), s = sin(angle);
        const v3 parallel = v3_scale((1.0 - c) * v3_dot(k, x), k);
        const v3 expected = v3_add(v3_add_scaled(v3_scale(c, x), s, v3_cross(k, x)), parallel);
        assert_v3_within(32 * DBL_EPSILON, expected,
                         quat_rotate(quat_from_axis_angle(k, angle), x));
    }
}

static void test_matrix_and_quaternion_rotate_alike(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = random_rotation();
        const m3 R = quat_to_m3(q);
        const v3 x = random_v3(&rng);
        assert_v3_within(32 * DBL_EPSILON, quat_rotate(q, x), m3_mul_v3(&R, x));
    }
}

static void test_a_matrix_gives_its_quaternion_back(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        /* half turns, where w is near zero, among them */
        const double angle = i % 2 ? PI : random_between(&rng, -PI, PI);
        const quat q = quat_from_axis_angle(random_direction(&rng), angle);
        const m3 R = quat_to_m3(q);
        TEST_ASSERT_DOUBLE_WITHIN(16 * DBL_EPSILON, 0.0, angle_between(q, quat_from_m3(&R)));
    }
}

static void test_a_product_rotates_by_the_right_factor_first(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const quat a = random_rotation(), b = random_rotation();
        const v3 x = random_v3(&rng);
        const v3 expected = quat_rotate(a, quat_rotate(b, x));
        assert_v3_within(64 * DBL_EPSILON, expected, quat_rotate(quat_mul(a, b), x));
    }
}

static void test_the_conjugate_undoes_the_rotation(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = random_rotation();
        const v3 x = random_v3(&rng);
        assert_v3_within(32 * DBL_EPSILON, x, quat_rotate(quat_conjugate(q), quat_rotate(q, x)));
    }
}

static void test_normalised_quaternions_have_length_one(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = random_rotation();
        const double s = i % 2 ? 1e-150 : 1e150;
        const quat n = quat_normalize((quat){s * q.w, s * q.x, s * q.y, s * q.z});
        TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON, 1.0, quat_dot(n, n));
        TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON, 1.0, quat_dot(n, q));
    }
}

static void test_interpolation_has_constant_speed(void)
{
    enum { PARTS = 16 };
    for (int i = 0; i < ROUNDS; i++) {
        const quat a = random_rotation(), b = random_rotation();
        const double step = angle_between(a, b) / PARTS;
        quat last = a;
        for (int k = 1; k <= PARTS; k++) {
            const quat q = quat_slerp(a, b, (double)k / PARTS);
            TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, 1.0, quat_dot(q, q));
            TEST_ASSERT_DOUBLE_WITHIN(32 * DBL_EPSILON, step, angle_between(last, q));
            last = q;
        }
    }
}

static void test_interpolation_between_close_rotations_has_constant_speed(void)
{
    static const double angles[] = {1e-3, 1e-8, 1e-20, 1e-100, 1e-170, 1e-300};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        const v3 axis = random_direction(&rng);
        const quat b = quat_from_axis_angle(axis, angles[i]);
        const quat middle = quat_slerp(quat_identity(), b, 0.25);
        const v3 v = {middle.x, middle.y, middle.z};
        /* compared component by component: below 1e-154 a norm would underflow, and then the
         * interpolation stays where it starts, within 1e-154 of the truth */
        const double half = 0.125 * angles[i];
        const double delta = 8 * DBL_EPSILON * half + (angles[i] < 1e-150 ? angles[i] : 0.0);
        assert_v3_within(delta, v3_scale(sin(half), axis), v);
    }
}

static void test_interpolation_ends_exactly_at_its_ends(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const quat a = random_rotation(), b = random_rotation();
        const quat start = quat_slerp(a, b, 0.0), end = quat_slerp(a, b, 1.0);
        const double sign = quat_dot(a, b) < 0.0 ? -1.0 : 1.0;
        const quat expected = {sign * b.w, sign * b.x, sign * b.y, sign * b.z};
        TEST_ASSERT_EQUAL_MEMORY(&a, &start, sizeof a);
        TEST_ASSERT_EQUAL_MEMORY(&expected, &end, sizeof end);
    }
}

static void test_interpolation_takes_the_shorter_way(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const quat a = random_rotation(), b = random_rotation();
        const quat minus_b = {-b.w, -b.x, -b.y, -b.z};
        const quat q = quat_slerp(a, b, 0.3), other = quat_slerp(a, minus_b, 0.3);
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, 1.0, quat_dot(q, other));
        TEST_ASSERT_TRUE(angle_between(a, q) <= PI / 2);
    }
}

static void test_interpolation_between_equal_and_opposite_rotations_is_defined(void)
{
    const quat a = random_rotation();
    const quat same = quat_slerp(a, a, 0.5);
    TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON, 1.0, quat_dot(a, same));

    const quat half_turn = {0.0, 0.0, 1.0, 0.0};
    const quat middle = quat_slerp(quat_identity(), half_turn, 0.5);
    TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON, PI / 2, angle_between(quat_identity(), middle));
}

static void test_a_pose_is_undone_by_its_inverse(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const pose p = {random_v3(&rng), random_rotation()};
        const v3 x = random_v3(&rng);
        assert_v3_within(64 * DBL_EPSILON, x, pose_unapply(&p, pose_apply(&p, x)));
    }
    const pose at_home = pose_identity();
    const v3 x = {1.0, 2.0, 3.0};
    assert_v3_within(0.0, x, pose_apply(&at_home, x));
}

static void test_interpolated_poses_end_exactly_and_halve_the_way(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const pose a = {random_v3(&rng), random_rotation()};
        const pose b = {random_v3(&rng), random_rotation()};
        const pose start = pose_interpolate(&a, &b, 0.0), end = pose_interpolate(&a, &b, 1.0);
        const pose middle = pose_interpolate(&a, &b, 0.5);
        TEST_ASSERT_EQUAL_MEMORY(&a, &start, sizeof a);
        TEST_ASSERT_EQUAL_MEMORY(&b, &end, sizeof b);
        assert_v3_within(4 * DBL_EPSILON, v3_scale(0.5, v3_add(a.position, b.position)),
                         middle.position);
        TEST_ASSERT_DOUBLE_WITHIN(32 * DBL_EPSILON, angle_between(a.rotation, middle.rotation),
                                  angle_between(middle.rotation, b.rotation));
    }
}

static void test_a_pose_that_stays_keeps_its_bits(void)
{
    const quat q = quat_normalize((quat){0.5, 0.1, 0.7, 0.5});
    const pose p = {{0.1, 0.7, 0.3}, q};
    for (int steps = 1; steps <= 50; steps++) {
        const pose between = pose_interpolate(&p, &p, 1.0 / steps);
        TEST_ASSERT_TRUE(v3_is_equal(p.position, between.position));
        TEST_ASSERT_TRUE(quat_is_equal(p.rotation, between.rotation));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_quarter_turn_about_z_takes_x_to_y);
    RUN_TEST(test_rotation_keeps_the_axis_lengths_and_handedness);
    RUN_TEST(test_rotation_agrees_with_the_formula_of_rodrigues);
    RUN_TEST(test_matrix_and_quaternion_rotate_alike);
    RUN_TEST(test_a_matrix_gives_its_quaternion_back);
    RUN_TEST(test_a_product_rotates_by_the_right_factor_first);
    RUN_TEST(test_the_conjugate_undoes_the_rotation);
    RUN_TEST(test_normalised_quaternions_have_length_one);
    RUN_TEST(test_interpolation_has_constant_speed);
    RUN_TEST(test_interpolation_between_close_rotations_has_constant_speed);
    RUN_TEST(test_interpolation_ends_exactly_at_its_ends);
    RUN_TEST(test_interpolation_takes_the_shorter_way);
    RUN_TEST(test_interpolation_between_equal_and_opposite_rotations_is_defined);
    RUN_TEST(test_a_pose_is_undone_by_its_inverse);
    RUN_TEST(test_interpolated_poses_end_exactly_and_halve_the_way);
    RUN_TEST(test_a_pose_that_stays_keeps_its_bits);
    return UNITY_END();
}

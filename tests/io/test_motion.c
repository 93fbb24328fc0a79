/* SPDX-License-Identifier: Apache-2.0 */
#include "io/motion.h"

#include "math/trig.h"

#include <float.h>
#include <unity.h>

void setUp(void)
{
}
void tearDown(void)
{
}

static const double PI = 3.14159265358979323846;
static const v3 UP = {0.0, 0.0, 1.0}, ORIGIN = {0.0, 0.0, 0.0};

/* Rounding of a handful of operations on numbers of size 1. */
static const double ROUNDING = 8.0 * DBL_EPSILON;

static void expect_v3(v3 expected, v3 actual, double bound)
{
    TEST_ASSERT_DOUBLE_WITHIN(bound, expected.x, actual.x);
    TEST_ASSERT_DOUBLE_WITHIN(bound, expected.y, actual.y);
    TEST_ASSERT_DOUBLE_WITHIN(bound, expected.z, actual.z);
}

/* Where the motion takes the tip of the x axis. */
static v3 tip_at(const motion *m, double frame)
{
    const pose p = motion_at(m, frame);
    return quat_rotate(p.rotation, (v3){1.0, 0.0, 0.0});
}

static void test_positions_go_straight_and_stop_at_the_ends(void)
{
    const motion_key keys[] = {{2.0, {0.0, 0.0, 1.0}, UP, 0.0},
                               {4.0, {1.0, 0.0, 1.0}, UP, 0.0},
                               {8.0, {1.0, 4.0, 1.0}, UP, 0.0}};
    const motion m = motion_from_keys(keys, 3);
    expect_v3(keys[0].position, motion_at(&m, -5.0).position, 0.0);
    expect_v3(keys[0].position, motion_at(&m, 2.0).position, 0.0);
    expect_v3((v3){0.25, 0.0, 1.0}, motion_at(&m, 2.5).position, 0.0);
    expect_v3(keys[1].position, motion_at(&m, 4.0).position, 0.0);
    expect_v3((v3){1.0, 3.0, 1.0}, motion_at(&m, 7.0).position, 0.0);
    expect_v3(keys[2].position, motion_at(&m, 8.0).position, 0.0);
    expect_v3(keys[2].position, motion_at(&m, 1e6).position, 0.0);
}

static void test_one_key_stands_still(void)
{
    const motion_key key = {5.0, {1.0, 2.0, 3.0}, {0.0, 0.0, 2.0}, 0.5 * PI};
    const motion m = motion_from_keys(&key, 1);
    for (double frame = 0.0; frame < 10.0; frame += 2.5) {
        expect_v3(key.position, motion_at(&m, frame).position, 0.0);
        expect_v3((v3){0.0, 1.0, 0.0}, tip_at(&m, frame), ROUNDING);
    }
}

static void test_rotations_about_one_axis_make_many_turns(void)
{
    const double turns = 50.0;
    const motion_key keys[] = {{0.0, ORIGIN, UP, 0.0}, {1000.0, ORIGIN, UP, 2.0 * PI * turns}};
    const motion m = motion_from_keys(keys, 2);
    TEST_ASSERT_TRUE(m.one_axis);
    for (int frame = 0; frame <= 1000; frame += 5) { /* a quarter turn each */
        const trig_pair quarter = trig_sincos(0.5 * PI * (frame / 5 % 4));
        /* The angle itself is rounded: up to 314 radians, half of an ulp for each operation. */
        expect_v3((v3){quarter.cos, quarter.sin, 0.0}, tip_at(&m, frame),
                  4.0 * 314.0 * DBL_EPSILON);
    }
}

static void test_a_key_without_rotation_does_not_change_the_axis(void)
{
    const v3 x = {1.0, 0.0, 0.0}, long_x = {7.0, 0.0, 0.0}, minus_x = {-1.0, 0.0, 0.0};
    const motion_key same[] = {
        {0.0, ORIGIN, UP, 0.0}, {1.0, ORIGIN, x, 6.0}, {2.0, ORIGIN, long_x, 9.0}};
    TEST_ASSERT_TRUE(motion_from_keys(same, 3).one_axis);
    const motion_key other[] = {{0.0, ORIGIN, x, 1.0}, {1.0, ORIGIN, minus_x, 1.0}};
    TEST_ASSERT_FALSE(motion_from_keys(other, 2).one_axis);
}

static void test_different_axes_are_joined_by_the_shorter_way(void)
{
    const motion_key keys[] = {{0.0, ORIGIN, UP, 0.0},
                               {1.0, ORIGIN, UP, 0.5 * PI},
                               {2.0, ORIGIN, {1.0, 0.0, 0.0}, 0.5 * PI}};
    const motion m = motion_from_keys(keys, 3);
    TEST_ASSERT_FALSE(m.one_axis);
    const double half = sqrt(0.5);
    expect_v3((v3){half, half, 0.0}, tip_at(&m, 0.5), ROUNDING);
    expect_v3((v3){0.0, 1.0, 0.0}, tip_at(&m, 1.0), ROUNDING);
    expect_v3((v3){1.0, 0.0, 0.0}, tip_at(&m, 2.0), ROUNDING);
    /* From (cos 45, 0, 0, sin 45) to (cos 45, sin 45, 0, 0) half way: their normalised mean. */
    const quat mean = quat_normalize((quat){2.0 * half, half, 0.0, half});
    expect_v3(quat_rotate(mean, (v3){1.0, 0.0, 0.0}), tip_at(&m, 1.5), ROUNDING);
}

static void test_the_fastest_turn_in_the_time_of_a_frame_is_found(void)
{
    const motion_key keys[] = {{0.0, ORIGIN, UP, 0.0},
                               {10.0, ORIGIN, UP, 1.0},   /* 0.1 a frame */
                               {10.5, ORIGIN, UP, 3.0},   /* there ... */
                               {11.0, ORIGIN, UP, 2.0},   /* ... and back */
                               {21.0, ORIGIN, UP, -1.0}}; /* 0.3 a frame */
    const motion slow = motion_from_keys(keys, 2), last = motion_from_keys(keys + 3, 2),
                 all = motion_from_keys(keys, 5);
    TEST_ASSERT_DOUBLE_WITHIN(ROUNDING, 0.1, motion_fastest_turn(&slow));
    TEST_ASSERT_DOUBLE_WITHIN(ROUNDING, 0.3, motion_fastest_turn(&last));
    /* From 9.5 to 10.5: half a frame at 0.1, half a frame at 4. */
    TEST_ASSERT_DOUBLE_WITHIN(ROUNDING, 0.05 + 2.0, motion_fastest_turn(&all));
    const motion still = motion_from_keys(keys, 1);
    TEST_ASSERT_DOUBLE_WITHIN(0.0, 0.0, motion_fastest_turn(&still));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_positions_go_straight_and_stop_at_the_ends);
    RUN_TEST(test_one_key_stands_still);
    RUN_TEST(test_rotations_about_one_axis_make_many_turns);
    RUN_TEST(test_a_key_without_rotation_does_not_change_the_axis);
    RUN_TEST(test_different_axes_are_joined_by_the_shorter_way);
    RUN_TEST(test_the_fastest_turn_in_the_time_of_a_frame_is_found);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/shape.h"
#include "support/random.h"

#include <unity.h>

static const collide_shape PLANE = {.kind = COLLIDE_PLANE};
static const collide_shape BALL = {.kind = COLLIDE_SPHERE, .radius = 1.0};

static const collide_shape CAPSULE = {
    .kind = COLLIDE_CAPSULE, .radius = 0.4, .half = {0.0, 0.0, 0.8}};
static const collide_shape BOX = {.kind = COLLIDE_BOX, .half = {1.0, 0.5, 0.3}};

static random_source source;

void setUp(void) { source = (random_source){5}; }

void tearDown(void) {}

static double signed_side(const collide_contact *c, v3 y)
{
    return v3_dot(v3_sub(y, c->point), c->normal);
}

static void test_plane_contact_is_where_the_way_enters(void)
{
    collide_contact c;
    TEST_ASSERT_TRUE(collide_way(&PLANE, (v3){0.0, 0.0, 3.0}, (v3){4.0, 0.0, -1.0}, 1.0, 0.0, &c));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.0, c.point.x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, c.point.z);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, c.normal.z);
}

static void test_margin_decides_how_far_contacts_are_seen(void)
{
    collide_contact c;
    const v3 above = {0.0, 0.0, 0.5}, beside = {1.5, 0.0, 0.0};
    TEST_ASSERT_FALSE(collide_way(&PLANE, above, above, 0.0, 0.49, &c));
    TEST_ASSERT_TRUE(collide_way(&PLANE, above, above, 0.0, 0.51, &c));
    TEST_ASSERT_FALSE(collide_way(&BALL, beside, beside, 0.0, 0.49, &c));
    TEST_ASSERT_TRUE(collide_way(&BALL, beside, beside, 0.0, 0.51, &c));
}

/* A fast point on the other side at the end of the step is caught at the near side. */
static void test_a_ball_is_met_where_the_way_first_enters(void)
{
    collide_contact c;
    TEST_ASSERT_TRUE(collide_way(&BALL, (v3){-5.0, 0.0, 0.0}, (v3){5.0, 0.0, 0.0}, 0.5, 0.0, &c));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, -1.5, c.point.x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, -1.0, c.normal.x);
}

/* Convexity: whatever lies on the right side of the contact's plane lies outside the shape. */
static void right_side_is_outside(const collide_shape *shape)
{
    for (int i = 0; i < 20000; i++) {
        const v3 y0 = v3_scale(3.0, random_v3(&source)), y1 = v3_scale(3.0, random_v3(&source));
        const double thickness = random_between(&source, 0.0, 0.3);
        collide_contact c;
        if (!collide_way(shape, y0, y1, thickness, 10.0, &c)) continue;
        const v3 y = v3_scale(3.0, random_v3(&source));
        if (signed_side(&c, y) < 0.0) continue;
        TEST_ASSERT_TRUE(collide_distance(shape, y, thickness) >= -1e-14);
    }
}

static void test_right_side_of_the_contact_plane_is_outside(void)
{
    right_side_is_outside(&BALL);
    right_side_is_outside(&CAPSULE);
    right_side_is_outside(&BOX);
}

/* A way that misses the shape satisfies its contact, so seeing it early disturbs nothing. */
static void misses_are_not_disturbed(const collide_shape *shape)
{
    int missed = 0;
    for (int i = 0; i < 20000; i++) {
        const v3 y0 = v3_scale(3.0, random_v3(&source)), y1 = v3_scale(3.0, random_v3(&source));
        collide_contact c;
        if (collide_way(shape, y0, y1, 0.0, 1e-12, &c)) continue;
        missed++;
        TEST_ASSERT_TRUE(collide_way(shape, y0, y1, 0.0, 100.0, &c));
        TEST_ASSERT_TRUE(signed_side(&c, y1) >= -1e-14);
    }
    TEST_ASSERT_GREATER_THAN(1000, missed);
}

static void test_a_way_that_misses_is_not_disturbed(void)
{
    misses_are_not_disturbed(&BALL);
    misses_are_not_disturbed(&CAPSULE);
    misses_are_not_disturbed(&BOX);
}

/* Where the way enters, the contact touches it; up to there the way is outside. */
static void enters_where_the_contact_is(const collide_shape *shape)
{
    int entered = 0;
    for (int i = 0; i < 5000; i++) {
        const v3 y0 = v3_scale(3.0, random_v3(&source)), y1 = v3_scale(0.3, random_v3(&source));
        const double thickness = random_between(&source, 0.0, 0.2);
        collide_contact c;
        if (collide_distance(shape, y0, thickness) <= 0.0) continue;
        if (collide_distance(shape, y1, thickness) >= -0.01) continue;
        entered++;
        TEST_ASSERT_TRUE(collide_way(shape, y0, y1, thickness, 0.0, &c));
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, collide_distance(shape, c.point, thickness));
        const v3 d = v3_sub(y1, y0);
        const double t = v3_dot(v3_sub(c.point, y0), d) / v3_dot(d, d);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(v3_lerp(y0, y1, t), c.point)));
        const v3 before = v3_lerp(y0, y1, t * random_between(&source, 0.0, 1.0));
        TEST_ASSERT_TRUE(collide_distance(shape, before, thickness) >= -1e-13);
    }
    TEST_ASSERT_GREATER_THAN(1000, entered);
}

static void test_capsules_and_boxes_are_met_where_the_way_first_enters(void)
{
    enters_where_the_contact_is(&CAPSULE);
    enters_where_the_contact_is(&BOX);
}

static void test_distances_to_a_capsule_and_a_box(void)
{
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.6, collide_distance(&CAPSULE, (v3){0.0, 1.0, 0.5}, 0.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.8, collide_distance(&CAPSULE, (v3){0.0, 0.0, 2.0}, 0.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, -0.4, collide_distance(&CAPSULE, (v3){0.0, 0.0, 0.1}, 0.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 4.9, collide_distance(&BOX, (v3){4.0, 4.5, 0.0}, 0.1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, -0.1, collide_distance(&BOX, (v3){0.1, 0.1, -0.2}, 0.0));
}

static void test_only_the_turn_that_shows_is_left_of_a_capsule(void)
{
    const quat tilt = quat_from_axis_angle((v3){1.0, 2.0, 0.0}, 0.7);
    const quat twist = quat_from_axis_angle((v3){0.0, 0.0, 1.0}, 2.0);
    const pose begin = pose_identity(), end = {{0.0, 0.0, 0.0}, quat_mul(tilt, twist)};
    const collide_motion m = collide_motion_make(&begin, &end, COLLIDE_CAPSULE);
    const m3 expected = quat_to_m3(tilt);
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, v3_norm(v3_sub(m.Rs.row[i], expected.row[i])));
    }
}

static void test_the_middle_of_a_ball_has_a_way_out(void)
{
    collide_contact c;
    const v3 centre = {0.0, 0.0, 0.0};
    TEST_ASSERT_TRUE(collide_way(&BALL, centre, centre, 0.0, 0.0, &c));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, v3_norm(c.normal));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, -1.0, collide_distance(&BALL, centre, 0.0));
}

static void test_motion_carries_points_from_begin_to_end(void)
{
    const pose begin = {{1.0, 2.0, 3.0}, quat_from_axis_angle((v3){1.0, 1.0, 0.0}, 0.3)};
    const pose end = {{0.0, 2.0, 5.0}, quat_from_axis_angle((v3){0.0, 1.0, 1.0}, -1.0)};
    const collide_motion m = collide_motion_make(&begin, &end, COLLIDE_BOX);
    TEST_ASSERT_TRUE(m.moves);
    const v3 x = {0.3, -0.7, 2.0};
    const v3 y = collide_world_to_begin(&m, x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, v3_norm(v3_sub(collide_begin_to_world(&m, y), x)));
    const v3 moved = pose_apply(&end, pose_unapply(&begin, x));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, v3_norm(v3_sub(moved, x)), collide_motion_length(&m, x));
    const collide_motion still = collide_motion_make(&begin, &begin, COLLIDE_BOX);
    TEST_ASSERT_FALSE(still.moves);
    TEST_ASSERT_TRUE(collide_motion_length(&still, x) == 0.0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_plane_contact_is_where_the_way_enters);
    RUN_TEST(test_margin_decides_how_far_contacts_are_seen);
    RUN_TEST(test_a_ball_is_met_where_the_way_first_enters);
    RUN_TEST(test_right_side_of_the_contact_plane_is_outside);
    RUN_TEST(test_a_way_that_misses_is_not_disturbed);
    RUN_TEST(test_capsules_and_boxes_are_met_where_the_way_first_enters);
    RUN_TEST(test_distances_to_a_capsule_and_a_box);
    RUN_TEST(test_only_the_turn_that_shows_is_left_of_a_capsule);
    RUN_TEST(test_the_middle_of_a_ball_has_a_way_out);
    RUN_TEST(test_motion_carries_points_from_begin_to_end);
    return UNITY_END();
}

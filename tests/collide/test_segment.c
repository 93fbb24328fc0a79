/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/segment.h"

#include "math/scalar.h"
#include "support/random.h"

#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static double distance_at(v3 p0, v3 p1, v3 q0, v3 q1, double s, double t)
{
    const v3 p = v3_add_scaled(p0, s, v3_sub(p1, p0)), q = v3_add_scaled(q0, t, v3_sub(q1, q0));
    return v3_norm(v3_sub(p, q));
}

/* No point of a fine raster is nearer, and a raster of n + 1 points misses the least distance by no
 * more than its spacing. */
static void check(v3 p0, v3 p1, v3 q0, v3 q1)
{
    enum { N = 24 };
    const segment_nearest found = segment_find_nearest(p0, p1, q0, q1);
    TEST_ASSERT_TRUE(found.s >= 0.0 && found.s <= 1.0 && found.t >= 0.0 && found.t <= 1.0);
    const double distance = sqrt(found.distance2);
    const double size = v3_norm(v3_sub(p1, p0)) + v3_norm(v3_sub(q1, q0)) + distance;
    TEST_ASSERT_DOUBLE_WITHIN(1e-14 * size, distance,
                              distance_at(p0, p1, q0, q1, found.s, found.t));
    double least = INFINITY;
    for (int i = 0; i <= N; i++) {
        for (int j = 0; j <= N; j++) {
            least = scalar_min(least, distance_at(p0, p1, q0, q1, (double)i / N, (double)j / N));
        }
    }
    /* Almost parallel segments are judged by their ends: within 1e-7 of their size. */
    TEST_ASSERT_TRUE(distance <= least + 1e-7 * size);
    TEST_ASSERT_TRUE(least <= distance + size / N);
}

static void test_no_point_is_nearer(void)
{
    random_source rng = {3};
    for (int k = 0; k < 2000; k++) {
        const v3 p0 = random_v3(&rng), p1 = random_v3(&rng), q0 = random_v3(&rng);
        v3 q1 = random_v3(&rng);
        const double along = random_between(&rng, -2.0, 2.0);
        switch (random_below(&rng, 6)) {
        case 0: q1 = q0; break;                                       /* a point */
        case 1: q1 = v3_add_scaled(q0, along, v3_sub(p1, p0)); break; /* parallel */
        case 2: q1 = v3_add_scaled(p1, 1e-9, random_v3(&rng)); break; /* an end in common */
        case 3:                                                       /* almost parallel */
            q1 = v3_add_scaled(v3_add_scaled(q0, along, v3_sub(p1, p0)), 1e-8, random_v3(&rng));
            break;
        default: break;
        }
        check(p0, p1, q0, q1);
    }
}

static void test_crossing_segments_meet_where_they_cross(void)
{
    const segment_nearest n =
        segment_find_nearest((v3){-1, 0, 0.25}, (v3){3, 0, 0.25}, (v3){0, -1, 0}, (v3){0, 4, 0});
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.25, n.s);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.2, n.t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0625, n.distance2);
}

static void test_swapped_segments_have_the_same_distance(void)
{
    random_source rng = {4};
    for (int k = 0; k < 500; k++) {
        const v3 a = random_v3(&rng), b = random_v3(&rng), c = random_v3(&rng), d = random_v3(&rng);
        const segment_nearest one = segment_find_nearest(a, b, c, d);
        const segment_nearest two = segment_find_nearest(c, d, a, b);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, one.distance2, two.distance2);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_no_point_is_nearer);
    RUN_TEST(test_crossing_segments_meet_where_they_cross);
    RUN_TEST(test_swapped_segments_have_the_same_distance);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "io/strand_shapes.h"

#include "collide/segment.h"
#include "math/scalar.h"

#include <stdlib.h>
#include <unity.h>

enum { MOST = 400 };

static double points[3 * MOST], other[3 * MOST];

void setUp(void) {}
void tearDown(void) {}

static v3 at(const double *x, uint32_t k) { return v3_load(x + 3 * (size_t)k); }

static double polyline_length(const double *x, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t k = 1; k < count; k++) sum += v3_norm(v3_sub(at(x, k), at(x, k - 1)));
    return sum;
}

/* The nearest that two parts of a strand come which are `apart` edges or more from one another. */
static double nearest_to_itself(const double *x, uint32_t count, uint32_t apart)
{
    double nearest = INFINITY;
    for (uint32_t i = 0; i + 1 < count; i++) {
        for (uint32_t k = i + apart; k + 1 < count; k++) {
            const segment_nearest n =
                segment_find_nearest(at(x, i), at(x, i + 1), at(x, k), at(x, k + 1));
            nearest = scalar_min(nearest, sqrt(n.distance2));
        }
    }
    return nearest;
}

/* Signed crossings of two polylines seen along z, where each is over the other or under it. */
static int count_crossings(const double *x, uint32_t count, int *signs)
{
    int crossings = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        for (uint32_t k = i + 2; k + 1 < count; k++) {
            const v3 p = at(x, i), d = v3_sub(at(x, i + 1), p);
            const v3 q = at(x, k), e = v3_sub(at(x, k + 1), q), r = v3_sub(q, p);
            const double det = d.x * e.y - d.y * e.x;
            if (det == 0.0) continue;
            const double s = (r.x * e.y - r.y * e.x) / det, t = (r.x * d.y - r.y * d.x) / det;
            if (s < 0.0 || s >= 1.0 || t < 0.0 || t >= 1.0) continue;
            const double over = p.z + s * d.z - q.z - t * e.z;
            *signs += over * det > 0.0 ? 1 : -1;
            crossings++;
        }
    }
    return crossings;
}

static void test_a_bundle_is_round_and_as_long_as_it_should_be(void)
{
    const strand_plan p = {.shape = STRANDS_BUNDLE,
                           .strands = 50,
                           .points = 20,
                           .length = 0.3,
                           .radius = 0.01,
                           .position = {1.0, 2.0, 3.0},
                           .direction = {0.0, 0.6, 0.8}};
    for (uint32_t i = 0; i < p.strands; i++) {
        strand_plan_make(&p, i, points);
        const v3 root = v3_sub(at(points, 0), p.position);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, v3_dot(root, p.direction));
        TEST_ASSERT_TRUE(v3_norm(root) <= p.radius);
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, p.length, polyline_length(points, p.points));
    }
}

static void test_strands_of_a_bundle_keep_apart(void)
{
    const strand_plan p = {.shape = STRANDS_BUNDLE,
                           .strands = 100,
                           .points = 2,
                           .length = 1.0,
                           .radius = 1.0,
                           .direction = {0.0, 0.0, -1.0}};
    double nearest = INFINITY;
    for (uint32_t i = 0; i < p.strands; i++) {
        for (uint32_t k = i + 1; k < p.strands; k++) {
            strand_plan_make(&p, i, points);
            strand_plan_make(&p, k, other);
            nearest = scalar_min(nearest, v3_norm(v3_sub(at(points, 0), at(other, 0))));
        }
    }
    /* an even share of the disc for each is sqrt(pi / 100) = 0.177 wide */
    TEST_ASSERT_TRUE(nearest > 0.12);
}

static void test_an_arch_lies_on_its_cylinder_and_hangs_down(void)
{
    const strand_plan p = {.shape = STRANDS_ARCH,
                           .strands = 1,
                           .points = 301,
                           .radius = 0.05,
                           .hang = {0.1, 0.2},
                           .direction = {0.0, 1.0, 0.0}};
    strand_plan_make(&p, 0, points);
    const double chord = strand_plan_length(&p) / 300.0, sag = chord * chord / (8.0 * p.radius);
    for (uint32_t k = 0; k < p.points; k++) {
        const v3 x = at(points, k);
        const double from_axis = sqrt(x.x * x.x + x.z * x.z);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, x.y);
        if (x.z >= 0.0) {
            TEST_ASSERT_DOUBLE_WITHIN(1e-14, p.radius, from_axis);
        } else {
            TEST_ASSERT_DOUBLE_WITHIN(1e-14, p.radius, fabs(x.x));
        }
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.1, at(points, 0).z);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.2, at(points, 300).z);
    /* edges that bend are shorter than their arcs by chord^3 / (24 R^2) each */
    TEST_ASSERT_DOUBLE_WITHIN(300.0 * sag * chord / p.radius, strand_plan_length(&p),
                              polyline_length(points, 301));
}

static void test_a_knot_is_a_trefoil_that_keeps_off_itself(void)
{
    const strand_plan p = {.shape = STRANDS_KNOT,
                           .strands = 1,
                           .points = 400,
                           .length = 0.6,
                           .radius = 0.03,
                           .direction = {0.0, 0.6, -0.8}};
    strand_plan_make(&p, 0, points);
    TEST_ASSERT_DOUBLE_WITHIN(2e-3 * p.length, p.length, polyline_length(points, p.points));
    TEST_ASSERT_TRUE(nearest_to_itself(points, p.points, 20) > 0.1 * p.radius);
    /* The three crossings of a trefoil have one sign; a crossing of the two ends may come on top,
     * of either sign. */
    int signs = 0;
    const int crossings = count_crossings(points, p.points, &signs);
    TEST_ASSERT_TRUE(crossings >= 3);
    TEST_ASSERT_TRUE(abs(signs) >= 2);
}

static void test_a_braid_has_three_plies_that_keep_apart(void)
{
    const strand_plan p = {.shape = STRANDS_BRAID,
                           .strands = 3,
                           .points = 200,
                           .length = 0.3,
                           .radius = 0.01,
                           .pitch = 0.08,
                           .direction = {0.0, 0.0, -1.0}};
    for (uint32_t i = 0; i < 3; i++) {
        strand_plan_make(&p, i, points);
        strand_plan_make(&p, (i + 1) % 3, other);
        double nearest = INFINITY;
        for (uint32_t k = 0; k < p.points; k++) {
            for (uint32_t l = 0; l < p.points; l++) {
                nearest = scalar_min(nearest, v3_norm(v3_sub(at(points, k), at(other, l))));
            }
        }
        TEST_ASSERT_TRUE(nearest > 0.5 * p.radius);
        TEST_ASSERT_DOUBLE_WITHIN(1e-3, p.length, polyline_length(points, p.points));
    }
}

static void test_waves_leave_the_root_straight(void)
{
    const strand_plan p = {.shape = STRANDS_BUNDLE,
                           .strands = 1,
                           .points = 400,
                           .length = 0.4,
                           .radius = 0.01,
                           .direction = {0.0, 0.0, -1.0},
                           .wave_height = 0.01,
                           .wave_length = 0.1};
    strand_plan_make(&p, 0, points);
    const v3 first = v3_normalize(v3_sub(at(points, 1), at(points, 0)));
    TEST_ASSERT_TRUE(v3_dot(first, p.direction) > 0.9999);
    double farthest = 0.0;
    for (uint32_t k = 0; k < p.points; k++) {
        const v3 x = at(points, k);
        farthest = scalar_max(farthest, sqrt(x.x * x.x + x.y * x.y));
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.01, farthest);
}

static void test_a_straight_rest_shape_keeps_distances(void)
{
    const strand_plan p = {.shape = STRANDS_KNOT,
                           .strands = 1,
                           .points = 100,
                           .length = 0.6,
                           .radius = 0.03,
                           .direction = {1.0, 0.0, 0.0}};
    strand_plan_make(&p, 0, points);
    strand_draw_straight(points, p.points, other);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, polyline_length(points, p.points),
                              v3_norm(v3_sub(at(other, 99), at(other, 0))));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_bundle_is_round_and_as_long_as_it_should_be);
    RUN_TEST(test_strands_of_a_bundle_keep_apart);
    RUN_TEST(test_an_arch_lies_on_its_cylinder_and_hangs_down);
    RUN_TEST(test_a_knot_is_a_trefoil_that_keeps_off_itself);
    RUN_TEST(test_a_braid_has_three_plies_that_keep_apart);
    RUN_TEST(test_waves_leave_the_root_straight);
    RUN_TEST(test_a_straight_rest_shape_keeps_distances);
    return UNITY_END();
}

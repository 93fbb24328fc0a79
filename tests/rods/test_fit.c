/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/fit.h"

#include "math/trig.h"
#include "support/counting_allocator.h"
#include "support/random.h"

#include <stdio.h>
#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST_POINTS = 4001, MOST_ELEMENTS = 128 };

static double points[3 * MOST_POINTS], lengths[MOST_ELEMENTS], kappa[3 * MOST_ELEMENTS];

static rod_fit fit(size_t count, uint32_t elements)
{
    rod_fit out;
    error err = {0};
    TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK,
                                  rod_fit_points(points, count, elements, NULL, &allocator_system,
                                                 lengths, kappa, &out, &err),
                                  err.text);
    return out;
}

/* ---- the short helix ---- */

/* By summing small arcs of the rotation about the axis: independent of the closed form. */
static v3 helix_end(v3 t, v3 darboux, double length, v3 *end_tangent)
{
    enum { STEPS = 2000 };
    const double h = length / STEPS, angle = v3_norm(darboux) * h;
    const quat half = quat_from_axis_angle(darboux, 0.5 * angle);
    const quat whole = quat_from_axis_angle(darboux, angle);
    v3 x = {0.0, 0.0, 0.0};
    for (int k = 0; k < STEPS; k++) {
        x = v3_add_scaled(x, h, quat_rotate(half, t)); /* midpoint rule */
        t = quat_rotate(whole, t);
    }
    *end_tangent = t;
    return x;
}

/* The midpoint rule is off by at most length * angle^2 / 24 per step: 1e-6 for the longest here. */
static void test_the_short_helix_is_found_again(void)
{
    random_source rng = {1};
    for (int k = 0; k < 300; k++) {
        const v3 t0 = random_direction(&rng);
        const double length = random_between(&rng, 0.01, 1.0);
        const v3 w = v3_scale(random_between(&rng, 0.1, 5.5) / length, random_direction(&rng));
        const double across = v3_norm(v3_cross(w, t0)) / v3_norm(w);
        if (across < 0.05) continue; /* nearly straight: the axis is not well defined */
        v3 t1, found;
        double found_length;
        const v3 x1 = helix_end(t0, w, length, &t1);
        TEST_ASSERT_TRUE(rod_fit_helix((v3){0, 0, 0}, t0, x1, t1, &found, &found_length));
        TEST_ASSERT_DOUBLE_WITHIN(2e-5 * length, length, found_length);
        TEST_ASSERT_DOUBLE_WITHIN(2e-3 / length, 0.0, v3_norm(v3_sub(found, w)));
    }
}

static void test_a_straight_piece_has_no_curvature(void)
{
    const v3 t = {0.6, 0.8, 0.0};
    v3 darboux;
    double length;
    TEST_ASSERT_TRUE(rod_fit_helix((v3){1, 1, 1}, t, (v3){1.6, 1.8, 1}, t, &darboux, &length));
    TEST_ASSERT_DOUBLE_WITHIN(0.0, 0.0, v3_norm(darboux));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, length);
    TEST_ASSERT_FALSE(rod_fit_helix((v3){1, 1, 1}, t, (v3){1.6, 1.8, 1.3}, t, &darboux, &length));
}

/* ---- strands ---- */

static void test_a_straight_strand_becomes_a_straight_rod(void)
{
    for (int i = 0; i < 5; i++) v3_store(points + 3 * i, (v3){0.0, 0.0, -0.02 * i * i});
    const rod_fit f = fit(5, 4);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.32, f.length);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, f.error);
    for (int k = 0; k < 12; k++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, kappa[k]);
    const v3 x = quat_rotate(f.root.rotation, (v3){1.0, 0.0, 0.0});
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(x, (v3){0.0, 0.0, -1.0})));
}

static void write_helix(size_t count, double turns, double radius, double pitch)
{
    for (size_t i = 0; i < count; i++) {
        const double angle = turns * 6.283185307179586 * (double)i / (double)(count - 1);
        const trig_pair c = trig_sincos(angle);
        v3_store(points + 3 * i,
                 (v3){radius * c.cos, radius * c.sin, -pitch * angle / 6.283185307179586});
    }
}

/* One helix is a rod with equal curvatures. At its ends the curve through points h apart knows the
 * tangent to (kappa h)^2 / 3 = 2e-5, which moves the end of an element of 24 mm by half a
 * micrometre. */
static void test_points_on_a_helix_give_that_helix(void)
{
    write_helix(2001, 3.0, 0.01, 0.03);
    const rod_fit f = fit(2001, 8);
    const double c = 0.03 / 6.283185307179586, scale = 1.0 / (1e-4 + c * c);
    TEST_ASSERT_DOUBLE_WITHIN(5e-7, 0.0, f.error);
    TEST_ASSERT_EQUAL_UINT32(0, f.unmatched);
    for (int e = 0; e < 8; e++) {
        const v3 k = v3_load(kappa + 3 * e);
        TEST_ASSERT_DOUBLE_WITHIN(1e-2, 0.01 * scale, sqrt(k.y * k.y + k.z * k.z));
        TEST_ASSERT_DOUBLE_WITHIN(1e-2, -c * scale, k.x); /* it climbs down: left-handed */
    }
}

/* A curve that is no helix: places are met to second order or better in the element length. */
static void test_more_elements_reduce_the_error(void)
{
    enum { COUNT = 1001 };
    for (int i = 0; i < COUNT; i++) {
        const double s = (double)i / (COUNT - 1);
        const trig_pair a = trig_sincos(5.0 * s * s), b = trig_sincos(3.0 * s);
        v3_store(points + 3 * i, (v3){0.1 * a.sin, 0.1 * b.cos * s, -0.3 * s});
    }
    double last = 0.0;
    for (uint32_t elements = 8; elements <= 128; elements *= 2) {
        const rod_fit f = fit(COUNT, elements);
        printf("fit: %3u elements, largest distance %.3e m, length %.6f m\n", elements, f.error,
               f.length);
        if (last > 0.0) TEST_ASSERT_TRUE(f.error < 0.4 * last);
        last = f.error;
    }
}

static void test_the_root_frame_is_the_wanted_one_but_for_the_tangent(void)
{
    write_helix(50, 0.5, 0.05, 0.1);
    const quat wanted = quat_from_axis_angle((v3){1.0, 2.0, 3.0}, 0.7);
    rod_fit f;
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_OK, rod_fit_points(points, 50, 3, &wanted, &allocator_system, lengths,
                                                kappa, &f, &err));
    const v3 x = {1.0, 0.0, 0.0};
    const v3 before = quat_rotate(wanted, x), after = quat_rotate(f.root.rotation, x);
    const quat least = quat_mul(f.root.rotation, quat_conjugate(wanted));
    const double angle =
        2.0 *
        trig_atan2(sqrt(least.x * least.x + least.y * least.y + least.z * least.z), fabs(least.w));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, v3_dot(before, after), trig_sincos(angle).cos);
}

static void test_points_on_top_of_one_another_are_left_out_and_counted(void)
{
    const double doubled[18] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 2};
    memcpy(points, doubled, sizeof doubled);
    const rod_fit f = fit(6, 2);
    TEST_ASSERT_EQUAL_UINT32(3, f.merged);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 2.0, f.length);
}

static void refuse(size_t count, const char *text)
{
    rod_fit f;
    error err = {0};
    TEST_ASSERT_EQUAL(
        STATUS_INVALID_ARGUMENT,
        rod_fit_points(points, count, 3, NULL, &allocator_system, lengths, kappa, &f, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
}

static void test_what_is_no_strand_is_refused(void)
{
    memset(points, 0, sizeof points);
    refuse(0, "expected at least 2");
    refuse(1, "expected at least 2");
    refuse(7, "7 points, 1 of them different");
    points[5] = NAN;
    refuse(7, "point 1 is not finite");
    points[5] = INFINITY;
    refuse(7, "point 1 is not finite");
    points[5] = 1e20;
    refuse(2, "1e+20 m long");
}

static void test_every_failed_allocation_is_survived(void)
{
    write_helix(30, 1.0, 0.01, 0.03);
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        counting_init(&memory, k);
        rod_fit f;
        error err = {0};
        const status st =
            rod_fit_points(points, 30, 5, NULL, &memory.from, lengths, kappa, &f, &err);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        TEST_ASSERT_TRUE(k < 10);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_short_helix_is_found_again);
    RUN_TEST(test_a_straight_piece_has_no_curvature);
    RUN_TEST(test_a_straight_strand_becomes_a_straight_rod);
    RUN_TEST(test_points_on_a_helix_give_that_helix);
    RUN_TEST(test_more_elements_reduce_the_error);
    RUN_TEST(test_the_root_frame_is_the_wanted_one_but_for_the_tangent);
    RUN_TEST(test_points_on_top_of_one_another_are_left_out_and_counted);
    RUN_TEST(test_what_is_no_strand_is_refused);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

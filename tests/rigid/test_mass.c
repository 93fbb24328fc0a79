/* SPDX-License-Identifier: Apache-2.0
 *
 * Closed moments against sums over slices, and surfaces against what they sweep.
 */
#include "rigid/mass.h"

#include <string.h>
#include <unity.h>

static const double PI = 3.14159265358979323846;
static const rigid_shape shapes[] = {
    {.kind = RIGID_SPHERE, .radius = 0.7},
    {.kind = RIGID_BOX, .half = {0.3, 0.5, 1.1}},
    {.kind = RIGID_CAPSULE, .radius = 0.4, .half_length = 0.9},
    {.kind = RIGID_CAPSULE, .radius = 0.4, .half_length = 0.0},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

void setUp(void) {}
void tearDown(void) {}

/* A slice across x: its area, int y^2 and int z^2. */
static v3 slice_at(const rigid_shape *shape, double x)
{
    if (shape->kind == RIGID_BOX) {
        const double b = shape->half.y, c = shape->half.z, area = 4.0 * b * c;
        return (v3){area, area * b * b / 3.0, area * c * c / 3.0};
    }
    const double l = shape->kind == RIGID_CAPSULE ? shape->half_length : 0.0;
    const double beyond = fmax(fabs(x) - l, 0.0);
    const double disc2 = shape->radius * shape->radius - beyond * beyond;
    return (v3){PI * disc2, PI * disc2 * disc2 / 4.0, PI * disc2 * disc2 / 4.0};
}

static double half_width(const rigid_shape *shape)
{
    if (shape->kind == RIGID_BOX) return shape->half.x;
    return shape->radius + (shape->kind == RIGID_CAPSULE ? shape->half_length : 0.0);
}

static rigid_moments sum_of_slices(const rigid_shape *shape, int slices)
{
    const double width = 2.0 * half_width(shape) / slices;
    rigid_moments sum = {0.0, {0.0, 0.0, 0.0}};
    for (int i = 0; i < slices; i++) {
        const double x = (i + 0.5) * width - half_width(shape);
        const v3 s = v3_scale(width, slice_at(shape, x));
        sum.total += s.x;
        sum.inertia = v3_add(sum.inertia, (v3){s.y + s.z, s.z + x * x * s.x, x * x * s.x + s.y});
    }
    return sum;
}

static void check_moments(double share, rigid_moments expected, rigid_moments actual)
{
    const double delta = share * v3_norm(expected.inertia);
    TEST_ASSERT_DOUBLE_WITHIN(share * expected.total, expected.total, actual.total);
    TEST_ASSERT_DOUBLE_WITHIN(delta, expected.inertia.x, actual.inertia.x);
    TEST_ASSERT_DOUBLE_WITHIN(delta, expected.inertia.y, actual.inertia.y);
    TEST_ASSERT_DOUBLE_WITHIN(delta, expected.inertia.z, actual.inertia.z);
}

static void test_solids_are_the_sums_of_their_slices(void)
{
    /* the midpoint rule, where the caps begin too: an error of 1 / slices^2, times a small number */
    for (int i = 0; i < SHAPES; i++) {
        check_moments(4.0 / (1000.0 * 1000.0), sum_of_slices(&shapes[i], 1000),
                      rigid_find_solid(&shapes[i]));
    }
}

/* Everything d further out. */
static rigid_shape grown(rigid_shape shape, double d)
{
    shape.half = v3_add(shape.half, (v3){d, d, d});
    shape.radius += d;
    return shape;
}

static void test_surfaces_sweep_what_solids_gain(void)
{
    const double d = 1e-5; /* central differences: d^2 and rounding / d are both below 1e-9 */
    for (int i = 0; i < SHAPES; i++) {
        const rigid_shape more = grown(shapes[i], d), less = grown(shapes[i], -d);
        const rigid_moments a = rigid_find_solid(&more), b = rigid_find_solid(&less);
        const rigid_moments slope = {(a.total - b.total) / (2.0 * d),
                                     v3_scale(0.5 / d, v3_sub(a.inertia, b.inertia))};
        check_moments(1e-9, slope, rigid_find_surface(&shapes[i]));
    }
}

static void test_a_capsule_without_length_is_a_sphere(void)
{
    const rigid_shape ball = {.kind = RIGID_SPHERE, .radius = 0.4};
    const rigid_moments a = rigid_find_solid(&ball), b = rigid_find_solid(&shapes[3]);
    TEST_ASSERT_EQUAL_MEMORY(&a, &b, sizeof a);
    TEST_ASSERT_DOUBLE_WITHIN(1e-16, 0.4 * a.total * 0.16, a.inertia.y);
}

static void check_refused(rigid_shape shape, const char *text)
{
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, rigid_check_shape(&shape, "prop", 3, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
}

static void test_bad_shapes_are_refused_by_size_and_body(void)
{
    error err = {0};
    for (int i = 0; i < SHAPES; i++) {
        TEST_ASSERT_EQUAL(STATUS_OK, rigid_check_shape(&shapes[i], "prop", 0, &err));
    }
    check_refused((rigid_shape){.kind = RIGID_SPHERE},
                  "'prop', body 3: its radius is 0, expected a positive number");
    check_refused((rigid_shape){.kind = RIGID_SPHERE, .radius = NAN}, "its radius is nan");
    check_refused((rigid_shape){.kind = RIGID_BOX, .half = {1.0, -2.0, 1.0}},
                  "its half side along y is -2");
    check_refused((rigid_shape){.kind = RIGID_BOX, .half = {1.0, 1.0, INFINITY}},
                  "its half side along z is inf");
    check_refused((rigid_shape){.kind = RIGID_CAPSULE, .radius = 1.0, .half_length = -1e-9},
                  "its half length is -1e-09, expected 0 or more");
    check_refused((rigid_shape){.kind = (rigid_kind)7}, "its shape has the number 7");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_solids_are_the_sums_of_their_slices);
    RUN_TEST(test_surfaces_sweep_what_solids_gain);
    RUN_TEST(test_a_capsule_without_length_is_a_sphere);
    RUN_TEST(test_bad_shapes_are_refused_by_size_and_body);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "math/trig.h"
#include "rods/presets.h"
#include "scene/scene.h"
#include "support/counting_allocator.h"

#include <string.h>
#include <unity.h>

enum { POINTS = 9, STRANDS = 40 };

static const double LENGTH = 0.2, DIAMETER = 0.002, DENSITY = 1100.0, YOUNG = 1e6;
static const double PI = 3.14159265358979323846;

static counting_allocator memory;
static scene *s;
static error err;
static uint64_t lock;

void setUp(void) { counting_init(&memory, 0); }

void tearDown(void)
{
    scene_destroy(s);
    s = NULL;
    counting_check(&memory);
}

static void set(uint64_t id, const char *name, double value)
{
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, scene_set_parameter(s, id, name, &value, 1, &err),
                              err.text);
}

/* Straight strands along x, five thicknesses apart, without weight. */
static void add_strands(uint32_t count, uint32_t threads, double attached)
{
    const scene_config config = {.memory = memory.from, .threads = threads, .start_frame = 1.0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &s, &err));
    double points[3 * POINTS * STRANDS];
    uint32_t sizes[STRANDS];
    for (uint32_t i = 0; i < count * POINTS; i++) {
        const v3 at = {LENGTH * (i % POINTS) / (POINTS - 1.0), 0.005 * (i / POINTS), 0.0};
        v3_store(points + 3 * (size_t)i, at);
    }
    for (uint32_t i = 0; i < count; i++) sizes[i] = POINTS;
    const hair_source source = {.name = "lock",
                                .points = view_of_f64(points, (size_t)count * POINTS, 3),
                                .strand_sizes = view_of_u32(sizes, count, 1)};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_hair(s, &source, &lock, &err));
    const double none[3] = {0.0, 0.0, 0.0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, 0, "gravity", none, 3, &err));
    set(lock, "attached", attached);
    set(lock, "diameter", DIAMETER);
    set(lock, "mass_density", DENSITY);
    set(lock, "young", YOUNG);
    set(lock, "thickness", 0.001);
    set(lock, "drag", 0.0);
}

static void pull(const char *name, uint32_t strand, v3 value)
{
    const double values[3] = {value.x, value.y, value.z};
    const view index = view_of_u32(&strand, 1, 1), to = view_of_f64(values, 1, 3);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, scene_set_array_at(s, lock, name, &index, &to, &err),
                              err.text);
}

static v3 point(const char *name, uint32_t i)
{
    double x[3 * POINTS];
    const mut_view to = {x, POINTS, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, lock, name, &to, &err));
    return v3_load(x + 3 * (size_t)i);
}

static void steps(int count, double dt)
{
    for (int i = 0; i < count; i++) {
        TEST_ASSERT_GREATER_OR_EQUAL_MESSAGE(0, scene_step(s, dt, &err), "step");
    }
}

/* ---- tests ---- */

/* Along the strand it moves like a mass: v = h (F_tip + F_root) / m in a step from rest. */
static void test_a_free_strand_is_pulled_along_itself_like_a_mass(void)
{
    add_strands(1, 1, 0.0);
    pull("tip_force", 0, (v3){3e-3, 0.0, 0.0});
    pull("root_force", 0, (v3){-1e-3, 0.0, 0.0});
    const double h = 0.01, mass = 0.25 * PI * DIAMETER * DIAMETER * DENSITY * LENGTH;
    steps(1, h);
    const double v = h * 2e-3 / mass;
    for (uint32_t i = 0; i < POINTS; i++) {
        const v3 off = v3_sub(point("velocity", i), (v3){v, 0.0, 0.0});
        TEST_ASSERT_DOUBLE_WITHIN(1e-10 * v, 0.0, v3_norm(off));
    }
}

/* B kappa = M everywhere: the tip of an arc of curvature kappa is where geometry has it. */
static void test_a_moment_at_the_tip_bends_a_held_strand_to_an_arc(void)
{
    add_strands(1, 1, 1.0);
    const double B = YOUNG * PI * DIAMETER * DIAMETER * DIAMETER * DIAMETER / 64.0;
    const double kappa = 8.0;
    pull("tip_moment", 0, (v3){0.0, -kappa * B, 0.0});
    set(lock, "drag", 0.01); /* comes to rest */
    steps(2000, 0.02);
    const trig_pair end = trig_sincos(kappa * LENGTH);
    const v3 want = {end.sin / kappa, 0.0, (1.0 - end.cos) / kappa};
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, v3_norm(v3_sub(point("position", POINTS - 1), want)));
}

static void test_a_held_root_does_not_feel_a_force(void)
{
    add_strands(1, 1, 1.0);
    pull("root_force", 0, (v3){1.0, 2.0, 3.0});
    steps(3, 0.01);
    const v3 moved = v3_sub(point("position", POINTS - 1), (v3){LENGTH, 0.0, 0.0});
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(moved));
}

static void test_a_pull_lasts_until_it_is_taken_back(void)
{
    add_strands(1, 1, 0.0);
    pull("tip_force", 0, (v3){1e-3, 0.0, 0.0});
    steps(1, 0.01);
    const double v = point("velocity", 0).x;
    steps(1, 0.01);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10 * v, 2.0 * v, point("velocity", 0).x);
    pull("tip_force", 0, (v3){0.0, 0.0, 0.0});
    steps(1, 0.01);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10 * v, 2.0 * v, point("velocity", 0).x);
}

static uint64_t hash_with(uint32_t threads)
{
    add_strands(STRANDS, threads, 1.0);
    for (uint32_t i = 0; i < STRANDS; i++) {
        const double side = i % 2 ? 1e-4 : -1e-4;
        pull("tip_force", i, (v3){1e-5 * i, side, 0.0});
        if (i % 3 == 0) pull("tip_moment", i, (v3){1e-6, 0.0, 2e-6});
    }
    steps(30, 0.005);
    const uint64_t hash = scene_hash_state(s);
    TEST_ASSERT_GREATER_THAN(0, scene_get_statistics(s).contacts);
    scene_destroy(s);
    s = NULL;
    return hash;
}

static void test_pulled_strands_have_the_same_bits_for_any_number_of_threads(void)
{
    const uint64_t one = hash_with(1);
    TEST_ASSERT_EQUAL_HEX64(one, hash_with(2));
    TEST_ASSERT_EQUAL_HEX64(one, hash_with(4));
}

static void test_a_pull_that_is_not_finite_is_refused(void)
{
    add_strands(1, 1, 0.0);
    const double bad[3] = {0.0, INFINITY, 0.0};
    const view to = view_of_f64(bad, 1, 3);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_set_array(s, lock, "tip_force", &to, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "hair 'lock': tip_force"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_free_strand_is_pulled_along_itself_like_a_mass);
    RUN_TEST(test_a_moment_at_the_tip_bends_a_held_strand_to_an_arc);
    RUN_TEST(test_a_held_root_does_not_feel_a_force);
    RUN_TEST(test_a_pull_lasts_until_it_is_taken_back);
    RUN_TEST(test_pulled_strands_have_the_same_bits_for_any_number_of_threads);
    RUN_TEST(test_a_pull_that_is_not_finite_is_refused);
    return UNITY_END();
}

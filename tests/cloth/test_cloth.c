/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/cloth.h"
#include "support/counting_allocator.h"

#include <unity.h>

static counting_allocator memory;
static cloth c;
static error err;

/* A unit square of two triangles and a node of its own. */
static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
static const double rest[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 5, 5, 5};

void setUp(void)
{
    counting_init(&memory, 0);
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_init(&c, &memory.from, 5, 2, &err));
    for (int i = 0; i < 6; i++) c.triangle[i] = triangles[i];
    cloth_set_rest_shape(&c, rest);
}

void tearDown(void)
{
    cloth_destroy(&c, &memory.from);
    counting_check(&memory);
}

static void test_areas_are_shared_by_the_corners(void)
{
    static const double expected[5] = {1.0 / 3, 1.0 / 6, 1.0 / 3, 1.0 / 6, 0.0};
    for (int i = 0; i < 5; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-16, expected[i], c.area[i]);
}

static void test_masses_come_from_density_unless_they_are_given(void)
{
    cloth_set_density(&c, 0.3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-16, 0.1, c.mass[0]);
    TEST_ASSERT_EQUAL(4, cloth_find_bad_mass(&c));
    for (int i = 0; i < 5; i++) c.mass[i] = 2.0;
    c.mass_is_given = true;
    cloth_set_density(&c, 0.3);
    TEST_ASSERT_TRUE(c.mass[0] == 2.0);
    TEST_ASSERT_EQUAL(5, cloth_find_bad_mass(&c));
}

static void test_free_nodes_fall_and_pinned_ones_follow(void)
{
    const double v[15] = {1.0, 2.0, 3.0};
    const double pin[5] = {0.0, 1.0};
    double target[15], v_free[15], inverse_mass[5];
    for (int i = 0; i < 15; i++) target[i] = rest[i] + 0.5;
    for (int i = 0; i < 5; i++) c.mass[i] = 4.0;
    const cloth_motion m = {.x = rest, .v = v, .pin = pin, .target = target,
                            .gravity = {0.0, 0.0, -10.0}, .dt = 0.1, .fraction = 0.25,
                            .v_free = v_free, .inverse_mass = inverse_mass};
    cloth_predict(&c, &m, 0, 5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, v_free[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.0, v_free[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.25, inverse_mass[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.25, v_free[3]); /* a quarter of 0.5 m in 0.1 s */
    TEST_ASSERT_TRUE(inverse_mass[1] == 0.0);
}

static void test_every_failed_allocation_leaves_nothing(void)
{
    for (uint64_t k = 1; k <= 3; k++) {
        counting_allocator scarce;
        cloth other;
        counting_init(&scarce, k);
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, cloth_init(&other, &scarce.from, 5, 2, &err));
        counting_check(&scarce);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_areas_are_shared_by_the_corners);
    RUN_TEST(test_masses_come_from_density_unless_they_are_given);
    RUN_TEST(test_free_nodes_fall_and_pinned_ones_follow);
    RUN_TEST(test_every_failed_allocation_leaves_nothing);
    return UNITY_END();
}

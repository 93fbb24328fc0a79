/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory runs out at every allocation of a handle of rods: nothing leaks, the caller is told.
 */
#include "rods_make.h"
#include "support/counting_allocator.h"

#include <unity.h>

static const double lengths[] = {0.1, 0.1, 0.1, 0.1};
static const int32_t parents[] = {-1, 0, -1, 0};
static const stn_rod_material material = {.struct_size = sizeof material,
                                          .density = 0.01,
                                          .bend = {1e-4, 1e-4},
                                          .twist = 1e-4,
                                          .stretch = 1e3,
                                          .radius = 1e-3};
static const stn_rods_rigid_body ball = {
    .struct_size = sizeof ball, .shape = STN_SHAPE_SPHERE, .size = {0.1, 0.0, 0.0}, .mass = 1.0};

void setUp(void) {}
void tearDown(void) {}

static status make_strands(const allocator *from, stn_rods **out, error *err)
{
    const stn_rods_desc desc = {.struct_size = sizeof desc,
                                .rods = 2,
                                .elements = 2,
                                .material = &material,
                                .lengths = lengths,
                                .threads = 2};
    return rods_make_strands(&desc, from, out, err);
}

static status make_trees(const allocator *from, stn_rods **out, error *err)
{
    const stn_rod_trees_desc desc = {.struct_size = sizeof desc,
                                     .trees = 2,
                                     .elements = 2,
                                     .parents = parents,
                                     .lengths = lengths,
                                     .materials = &material,
                                     .material_count = 1,
                                     .threads = 2};
    return rods_make_trees(&desc, from, out, err);
}

static status make_rigid(const allocator *from, stn_rods **out, error *err)
{
    const stn_rods_rigid_desc desc = {
        .struct_size = sizeof desc, .bodies = 1, .body = &ball, .threads = 2};
    return rods_make_rigid(&desc, from, out, err);
}

/* A load makes the step allocate, too. */
static status make_and_step(status (*make)(const allocator *, stn_rods **, error *),
                            const allocator *from, error *err)
{
    const stn_rod_load load = {.struct_size = sizeof load, .force = {1e-3, 0.0, 0.0}};
    const stn_rods_input given = {.struct_size = sizeof given, .loads = &load, .load_count = 1};
    stn_rods *h = NULL;
    body_input in;
    status st = make(from, &h, err);
    if (st < 0) {
        TEST_ASSERT_NULL(h);
        return st;
    }
    st = rods_read_input(h, &given, 0.01, &in, err);
    if (st >= 0) st = rods_take_step(h, &in, err);
    rods_handle_destroy(h);
    return st;
}

static void check_every_failure(status (*make)(const allocator *, stn_rods **, error *))
{
    for (uint64_t k = 1; k < 100; k++) {
        counting_allocator memory;
        error err = {0};
        counting_init(&memory, k);
        const status st = make_and_step(make, &memory.from, &err);
        counting_check(&memory);
        if (st >= 0) {
            TEST_ASSERT_TRUE(k > 9); /* the handle alone takes so many, and its loads one */
            return;
        }
        TEST_ASSERT_EQUAL_MESSAGE(STATUS_OUT_OF_MEMORY, st, err.text);
    }
    TEST_FAIL_MESSAGE("it never succeeded");
}

static void test_strands_survive_every_failed_allocation(void)
{
    check_every_failure(make_strands);
}
static void test_trees_survive_every_failed_allocation(void) { check_every_failure(make_trees); }
static void test_bodies_survive_every_failed_allocation(void) { check_every_failure(make_rigid); }

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_strands_survive_every_failed_allocation);
    RUN_TEST(test_trees_survive_every_failed_allocation);
    RUN_TEST(test_bodies_survive_every_failed_allocation);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/equilibrium.h"

#include "rods/rod.h"
#include "support/counting_allocator.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

/* A rod of length 1 and bending stiffness 1, clamped at the origin. */
typedef struct bench {
    body_group *g;
    double *state;
    body_input in;
} bench;

enum { MOST = 64 };

static const double PI = 3.14159265358979323846;
static bench rig;

void setUp(void) { rig = (bench){.in = {.h = 1.0}}; }

void tearDown(void)
{
    body_group_destroy(rig.g);
    free(rig.state);
}

static void build_model(const char *name, uint32_t elements, const rod_material *material,
                        pose root)
{
    double lengths[MOST];
    for (uint32_t e = 0; e < elements; e++) lengths[e] = 1.0 / elements;
    const rods_source source = {
        .name = "beam", .rods = 1, .elements = elements, .lengths = lengths, .material = material};
    error err;
    body_group_destroy(rig.g);
    free(rig.state);
    const rod_model *model = rod_model_find(name);
    TEST_ASSERT_EQUAL(STATUS_OK, model->create(&source, &allocator_system, &rig.g, &err));
    rig.state = calloc(rig.g->state_count, sizeof(double));
    model->place(rig.g, &root, NULL, rig.state);
}

/* `other`: its stiffness against twist and against bending about n1. */
static void build(uint32_t elements, double other, pose root)
{
    const rod_material material = {
        .density = 1.0, .bend = {other, 1.0}, .twist = other, .stretch = 1.0, .radius = 1e-3};
    build_model("super-helix", elements, &material, root);
}

static equilibrium_result settle(void)
{
    const equilibrium_options options = {.unit = 1.0, .tolerance = 1e-11, .iterations = 100};
    equilibrium_result result;
    error err;
    TEST_ASSERT_EQUAL(STATUS_OK, equilibrium_find(rig.g, &rig.in, &options, &allocator_system,
                                                  rig.state, 0, &result, &err));
    return result;
}

static v3 tip(void) { return body_find_place(rig.g, rig.state, 0, (v3){1.0, 0.0, 0.0}).position; }

/* Height over width of the tip below a horizontal clamp. */
static double cantilever(uint32_t elements, double weight)
{
    build(elements, 1.0, pose_identity());
    rig.in.gravity = (v3){0.0, 0.0, -weight};
    TEST_ASSERT_TRUE(settle().lowest > 0.0);
    const v3 r = tip();
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0.0, r.y);
    return -r.z / r.x;
}

static void check_cantilever(double weight, double expected)
{
    double last = 0.0;
    for (uint32_t elements = 4; elements <= 32; elements *= 2) {
        const double off = fabs(cantilever(elements, weight) - expected);
        if (elements > 4) {
            const double order = log2(last / off);
            TEST_ASSERT_DOUBLE_WITHIN(0.25, 2.0, order);
        }
        last = off;
    }
    TEST_ASSERT_TRUE(last < 1e-3 * expected);
}

static void test_a_light_cantilever_converges_with_order_two(void)
{
    check_cantilever(1.0, 0.124562);
}

static void test_a_heavy_cantilever_converges_with_order_two(void)
{
    check_cantilever(10.0, 1.066802);
}

static void test_a_tip_load_bends_as_theory_says(void)
{
    static const double loads[] = {1.0, 5.0, 10.0}, deflections[] = {0.301721, 0.713792, 0.810609};
    for (size_t i = 0; i < 3; i++) {
        double off[2];
        for (uint32_t k = 0; k < 2; k++) {
            build(16u << k, 1.0, pose_identity());
            const body_load load = {.at = {1.0, 0.0, 0.0}, .force = {0.0, -loads[i], 0.0}};
            rig.in.loads = &load;
            rig.in.load_count = 1;
            TEST_ASSERT_TRUE(settle().lowest > 0.0);
            off[k] = fabs(-tip().y - deflections[i]);
        }
        TEST_ASSERT_TRUE(off[1] < 1e-3);
        TEST_ASSERT_DOUBLE_WITHIN(0.25, 2.0, log2(off[0] / off[1]));
    }
}

static void test_an_end_moment_closes_a_circle_to_rounding(void)
{
    build(5, 50.0, pose_identity()); /* a rod as stiff every way would leave the plane */
    const body_load load = {.at = {1.0, 0.0, 0.0}, .moment = {0.0, 0.0, 2.0 * PI}};
    rig.in.loads = &load;
    rig.in.load_count = 1;
    settle();
    const v3 r = tip();
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, v3_norm(r));
    for (uint32_t i = 0; i < rig.g->unknowns; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, i % 3 == 2 ? 2.0 * PI : 0.0,
                                  body_q(rig.g, rig.state, 0)[i]);
    }
}

/* A straight rod that stands on its clamp is stable below Euler's load pi^2/4 at its tip, and below
 * 7.83735 of its own weight; 24 elements are 0.04 to 0.06 % too stiff. */
static double lowest_standing(double force, double weight)
{
    const pose up = {{0.0, 0.0, 0.0}, quat_from_axis_angle((v3){0.0, 1.0, 0.0}, -PI / 2)};
    build(24, 1.0, up);
    const body_load load = {.at = {1.0, 0.0, 0.0}, .force = {0.0, 0.0, -force}};
    rig.in.gravity = (v3){0.0, 0.0, -weight};
    rig.in.loads = &load;
    rig.in.load_count = 1;
    const equilibrium_options stay = {.unit = 1.0, .tolerance = 1e-11, .iterations = 0};
    equilibrium_result result;
    error err;
    equilibrium_find(rig.g, &rig.in, &stay, &allocator_system, rig.state, 0, &result, &err);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, result.residual);
    return result.lowest;
}

static void test_buckling_loads_are_bracketed_from_both_sides(void)
{
    const double euler = PI * PI / 4.0, own_weight = 7.83735;
    TEST_ASSERT_TRUE(lowest_standing(0.999 * euler, 0.0) > 0.0);
    TEST_ASSERT_TRUE(lowest_standing(1.002 * euler, 0.0) < 0.0);
    TEST_ASSERT_TRUE(lowest_standing(0.0, 0.999 * own_weight) > 0.0);
    TEST_ASSERT_TRUE(lowest_standing(0.0, 1.002 * own_weight) < 0.0);
}

/* A heavy cantilever of 16 edges; they are off by less than 1 % (docs/theory/rods.md). */
static equilibrium_result settle_nodes(const char *name, double stretch)
{
    const rod_material material = {
        .density = 1.0, .bend = {1.0, 1.0}, .twist = 1.0, .stretch = stretch, .radius = 1e-3};
    build_model(name, 16, &material, pose_identity());
    rig.in.gravity = (v3){0.0, 0.0, -10.0};
    const equilibrium_result result = settle();
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * 1.066802, 1.066802, -tip().z / tip().x);
    return result;
}

/* Edges that stretch by the share 1e-4 or 1e-7 under this weight make no difference beyond that, not
 * to the number of iterations nor to stability. */
static void test_rods_of_nodes_come_to_rest_in_few_iterations(void)
{
    static const char *const names[] = {"discrete-elastic-rod", "mass-spring", "corde"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const equilibrium_result soft = settle_nodes(names[i], 1e5);
        const equilibrium_result stiff = settle_nodes(names[i], 1e8);
        TEST_ASSERT_TRUE(soft.iterations <= 10);
        TEST_ASSERT_TRUE(stiff.iterations <= 10);
        TEST_ASSERT_TRUE(stiff.lowest > 0.0);
        TEST_ASSERT_DOUBLE_WITHIN(1e-3 * stiff.lowest, stiff.lowest, soft.lowest);
    }
}

static void test_too_few_iterations_are_reported(void)
{
    build(8, 1.0, pose_identity());
    rig.in.gravity = (v3){0.0, 0.0, -10.0};
    const equilibrium_options options = {.unit = 1.0, .tolerance = 1e-11, .iterations = 1};
    equilibrium_result result;
    error err;
    TEST_ASSERT_EQUAL(
        STATUS_NOT_CONVERGED,
        equilibrium_find(rig.g, &rig.in, &options, &allocator_system, rig.state, 0, &result, &err));
    TEST_ASSERT_EQUAL_UINT32(1, result.iterations);
}

static void test_a_failed_allocation_is_an_error(void)
{
    counting_allocator memory;
    const equilibrium_options options = {.unit = 1.0, .tolerance = 1e-9, .iterations = 9};
    equilibrium_result result;
    error err;
    build(2, 1.0, pose_identity());
    counting_init(&memory, 1);
    TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, equilibrium_find(rig.g, &rig.in, &options, &memory.from,
                                                             rig.state, 0, &result, &err));
    counting_init(&memory, 0);
    TEST_ASSERT_EQUAL(STATUS_OK, equilibrium_find(rig.g, &rig.in, &options, &memory.from, rig.state,
                                                  0, &result, &err));
    counting_check(&memory);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_light_cantilever_converges_with_order_two);
    RUN_TEST(test_a_heavy_cantilever_converges_with_order_two);
    RUN_TEST(test_a_tip_load_bends_as_theory_says);
    RUN_TEST(test_an_end_moment_closes_a_circle_to_rounding);
    RUN_TEST(test_buckling_loads_are_bracketed_from_both_sides);
    RUN_TEST(test_rods_of_nodes_come_to_rest_in_few_iterations);
    RUN_TEST(test_too_few_iterations_are_reported);
    RUN_TEST(test_a_failed_allocation_is_an_error);
    return UNITY_END();
}

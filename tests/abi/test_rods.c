/* SPDX-License-Identifier: Apache-2.0
 *
 * The rods extension, every entry called through libffi from its declared signature: a cantilever
 * with known answers, and misuse.
 */
#include "check.h"
#include "rows.h"

#include <math.h>
#include <string.h>

enum { RODS = 2, ELEMENTS = 6, UNKNOWNS = 3 * ELEMENTS };

static double lengths[RODS * ELEMENTS];
static stn_rod_material material;
static stn_rods_desc desc;
static stn_rods_input input;
static stn_rods *rods;

static signature_value call(const char *name, const signature_value *arguments, size_t count)
{
    return row_call(rows_find("entry", "stn_ext_rods", name), arguments, count);
}

static stn_status create(void)
{
    const signature_value arguments[] = {{.pointer = &desc}, {.pointer = &rods}};
    return call("create", arguments, 2).i32;
}

static void destroy(void)
{
    const signature_value argument = {.pointer = rods};
    TEST_ASSERT_EQUAL(STN_OK, call("destroy", &argument, 1).i32);
    rods = NULL;
}

void setUp(void)
{
    for (int k = 0; k < RODS * ELEMENTS; k++) lengths[k] = 0.1 / ELEMENTS;
    material = (stn_rod_material){.struct_size = sizeof material,
                                  .density = 1e-3,
                                  .bend = {1e-6, 1e-6},
                                  .twist = 1e-6,
                                  .stretch = 1e3,
                                  .radius = 1e-3};
    desc = (stn_rods_desc){.struct_size = sizeof desc,
                           .rods = RODS,
                           .elements = ELEMENTS,
                           .material = &material,
                           .lengths = lengths,
                           .threads = 1};
    input = (stn_rods_input){.struct_size = sizeof input};
}

void tearDown(void)
{
    if (rods) destroy();
}

static void place(uint64_t rod, double s, double out[7])
{
    const signature_value arguments[] = {
        {.pointer = rods}, {.u64 = rod}, {.u64 = 1}, {.pointer = &s}, {.pointer = out}};
    TEST_ASSERT_EQUAL(STN_OK, call("places", arguments, 5).i32);
}

static stn_status step(double dt)
{
    const signature_value arguments[] = {{.pointer = rods}, {.pointer = &input}, {.f64 = dt}};
    return call("step", arguments, 3).i32;
}

static void test_a_straight_rod_lies_along_x(void)
{
    double at[7];
    uint64_t unknowns = 0;
    TEST_ASSERT_EQUAL(STN_OK, create());
    const signature_value arguments[] = {{.pointer = rods}, {.pointer = &unknowns}};
    TEST_ASSERT_EQUAL(STN_OK, call("unknowns", arguments, 2).i32);
    TEST_ASSERT_EQUAL_UINT64(UNKNOWNS, unknowns);
    place(1, 0.04, at);
    static const double expected[7] = {0.04, 0, 0, 1, 0, 0, 0};
    for (int k = 0; k < 7; k++) TEST_ASSERT_DOUBLE_WITHIN(1e-15, expected[k], at[k]);
}

/* Gamma = w L^3 / B = 1: height over width of the tip is 0.124562; six elements are off by order
 * (1/6)^2. */
static void test_a_cantilever_comes_to_rest_where_theory_says(void)
{
    double tip[7];
    TEST_ASSERT_EQUAL(STN_OK, create());
    input.gravity[2] = -1.0; /* 1e-3 * 1 * 0.1^3 / 1e-6 = 1 */
    stn_rod_equilibrium found = {.struct_size = sizeof found};
    const signature_value arguments[] = {
        {.pointer = rods}, {.pointer = &input}, {.u64 = 0}, {.pointer = &found}};
    TEST_ASSERT_EQUAL(STN_OK, call("equilibrium", arguments, 4).i32);
    TEST_ASSERT_EQUAL_UINT32(1, found.converged);
    TEST_ASSERT_TRUE(found.lowest > 0.0);
    place(0, 0.1, tip);
    TEST_ASSERT_DOUBLE_WITHIN(0.124562 / 36.0, 0.124562, -tip[2] / tip[0]);
    double slope[UNKNOWNS];
    const signature_value more[] = {
        {.pointer = rods}, {.pointer = &input}, {.u64 = 0}, {.pointer = slope}};
    TEST_ASSERT_EQUAL(STN_OK, call("gradient", more, 4).i32);
    for (int k = 0; k < UNKNOWNS; k++) TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, slope[k]);
}

/* From rest, gravity's work is all there is to lose. */
static void test_a_step_moves_the_rod_down_and_energy_does_not_rise(void)
{
    double before[7], after[7];
    stn_rod_energy energy[2];
    TEST_ASSERT_EQUAL(STN_OK, create());
    input.gravity[2] = -9.81;
    place(0, 0.1, before);
    for (int k = 0; k < 2; k++) {
        energy[k] = (stn_rod_energy){.struct_size = sizeof energy[k]};
        const signature_value arguments[] = {
            {.pointer = rods}, {.pointer = &input}, {.u64 = 0}, {.pointer = &energy[k]}};
        TEST_ASSERT_EQUAL(STN_OK, call("energy", arguments, 4).i32);
        if (k == 0) TEST_ASSERT_EQUAL(STN_OK, step(1e-4));
    }
    place(0, 0.1, after);
    TEST_ASSERT_TRUE(after[2] < before[2]);
    const double sum[2] = {energy[0].kinetic + energy[0].elastic + energy[0].gravity,
                           energy[1].kinetic + energy[1].elastic + energy[1].gravity};
    TEST_ASSERT_TRUE(sum[1] <= sum[0] + 1e-15);
    TEST_ASSERT_TRUE(energy[1].kinetic > 0.0);
}

static void test_states_go_in_and_out_and_the_jacobian_moves_the_tip(void)
{
    double q[UNKNOWNS], v[UNKNOWNS], linear[3 * UNKNOWNS], angular[3 * UNKNOWNS], tip[2][7];
    TEST_ASSERT_EQUAL(STN_OK, create());
    const double e = 1e-5;
    const signature_value get[] = {{.pointer = rods}, {.u64 = 0}, {.pointer = q}, {.pointer = v}};
    TEST_ASSERT_EQUAL(STN_OK, call("get_state", get, 4).i32);
    const signature_value jacobian[] = {
        {.pointer = rods}, {.u64 = 0}, {.f64 = 0.1}, {.pointer = linear}, {.pointer = angular}};
    TEST_ASSERT_EQUAL(STN_OK, call("jacobian", jacobian, 5).i32);
    q[2] += e; /* the second curvature of the first element bends toward y */
    TEST_ASSERT_EQUAL(STN_OK, call("set_state", get, 4).i32);
    place(0, 0.1, tip[0]);
    q[2] -= 2.0 * e;
    TEST_ASSERT_EQUAL(STN_OK, call("set_state", get, 4).i32);
    place(0, 0.1, tip[1]);
    for (int k = 0; k < 3; k++) {
        const double slope = (tip[0][k] - tip[1][k]) / (2.0 * e);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, slope, linear[UNKNOWNS * k + 2]);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.1 / ELEMENTS, angular[UNKNOWNS * 2 + 2]);
}

static void test_every_model_and_preset_makes_rods_that_fall(void)
{
    const uint64_t models = call("model_count", NULL, 0).u64;
    const uint64_t presets = call("preset_count", NULL, 0).u64;
    TEST_ASSERT_TRUE(models >= 4 && presets >= 6);
    input.gravity[2] = -9.81;
    for (uint64_t i = 0; i < models * presets; i++) {
        stn_rod_model_info model = {.struct_size = sizeof model};
        stn_rod_preset preset = {.struct_size = sizeof preset};
        const signature_value ask_model[] = {{.u64 = i % models}, {.pointer = &model}};
        const signature_value ask_preset[] = {
            {.u64 = i / models}, {.pointer = &preset}, {.pointer = &material}};
        TEST_ASSERT_EQUAL(STN_OK, call("model_info", ask_model, 2).i32);
        TEST_ASSERT_EQUAL(STN_OK, call("preset_info", ask_preset, 3).i32);
        TEST_ASSERT_TRUE(preset.doc[0] && model.doc[0]);
        desc.model = model.name;
        TEST_ASSERT_EQUAL_MESSAGE(STN_OK, create(), model.name);
        double at[7];
        for (int k = 0; k < 20; k++) TEST_ASSERT_EQUAL_MESSAGE(STN_OK, step(1e-3), model.name);
        place(0, 0.1, at);
        TEST_ASSERT_TRUE_MESSAGE(at[2] < 0.0, model.name);
        destroy();
    }
}

/* A quarter of a circle of radius 5 cm, then rods of it: the tip is where the last point is. */
static void test_a_strand_of_points_becomes_a_rod(void)
{
    enum { POINTS = 101 };
    static double points[3 * POINTS], curvatures[3 * RODS * ELEMENTS], roots[7 * RODS];
    for (int i = 0; i < POINTS; i++) {
        const double angle = 1.5707963267948966 * i / (POINTS - 1);
        points[3 * i] = 0.05 * sin(angle), points[3 * i + 1] = 0.05 * (1.0 - cos(angle));
    }
    stn_rod_fit made = {.struct_size = sizeof made};
    signature_value arguments[] = {
        {.pointer = points},  {.u64 = POINTS},         {.u32 = ELEMENTS}, {.pointer = NULL},
        {.pointer = lengths}, {.pointer = curvatures}, {.pointer = &made}};
    TEST_ASSERT_EQUAL(STN_OK, call("fit", arguments, 7).i32);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.05 * 1.5707963267948966, made.length);
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, 0.0, made.error);
    desc.rods = 1;
    desc.natural = curvatures;
    memcpy(roots, made.root, sizeof made.root);
    desc.roots = roots;
    TEST_ASSERT_EQUAL(STN_OK, create());
    double tip[7];
    place(0, made.length, tip);
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, 0.05, tip[0]);
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, 0.05, tip[1]);
    points[7] = NAN;
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, call("fit", arguments, 7).i32);
    TEST_ASSERT_NOT_NULL(strstr(call("last_error", NULL, 0).pointer, "point 2 is not finite"));
}

static void refuse(stn_status expected, const char *text)
{
    TEST_ASSERT_EQUAL(expected, create());
    TEST_ASSERT_NULL(rods);
    const char *said = call("last_error", NULL, 0).pointer;
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, text), said);
    setUp();
}

static void test_wrong_rods_are_refused_with_a_reason(void)
{
    static const double bad_root[14] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0};
    static double nan_curvature[3 * RODS * ELEMENTS];
    lengths[7] = 0.0;
    refuse(STN_ERROR_INVALID_ARGUMENT, "strand 1: its element length is 0");
    lengths[0] = NAN;
    refuse(STN_ERROR_INVALID_ARGUMENT, "strand 0: its element length");
    material.bend[1] = -1.0;
    refuse(STN_ERROR_INVALID_ARGUMENT, "bending stiffness about n2 is -1");
    desc.model = "super-helx";
    refuse(STN_ERROR_UNKNOWN_NAME, "did you mean 'super-helix'");
    desc.rods = 0;
    refuse(STN_ERROR_INVALID_ARGUMENT, "0 rods");
    desc.roots = bad_root;
    refuse(STN_ERROR_INVALID_ARGUMENT, "rod 1: its root's quaternion");
    nan_curvature[20] = NAN;
    desc.curvatures = nan_curvature;
    refuse(STN_ERROR_INVALID_ARGUMENT, "rod 1: its curvature");
    desc.lengths = NULL;
    refuse(STN_ERROR_INVALID_ARGUMENT, "lengths");
}

static void refuse_step(double dt, const char *text)
{
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, step(dt));
    const char *said = call("last_error", NULL, 0).pointer;
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, text), said);
    input = (stn_rods_input){.struct_size = sizeof input};
}

static void test_wrong_steps_are_refused_with_a_reason(void)
{
    TEST_ASSERT_EQUAL(STN_OK, create());
    refuse_step(0.0, "dt is 0");
    refuse_step(NAN, "dt is nan");
    input.gravity[0] = INFINITY;
    refuse_step(0.01, "gravity");
    const stn_rod_load beyond = {.struct_size = sizeof beyond, .rod = 5};
    input.loads = &beyond, input.load_count = 1;
    refuse_step(0.01, "load 0 is on rod 5");
    const stn_rod_load unsorted[2] = {{.struct_size = sizeof *unsorted, .rod = 1},
                                      {.struct_size = sizeof *unsorted}};
    input.loads = unsorted, input.load_count = 2;
    refuse_step(0.01, "sorted by rod");
}

/* Nothing is written, and nothing moves, for an out struct that cannot be filled. */
static void test_out_structs_are_checked_before_anything_is_written(void)
{
    static const double points[6] = {0, 0, 0, 0.1, 0, 0};
    double fitted[ELEMENTS], curvatures[3 * ELEMENTS], q[2][UNKNOWNS];
    memset(fitted, 0x5a, sizeof fitted);
    memset(curvatures, 0x5a, sizeof curvatures);
    stn_rod_fit small = {.struct_size = 4};
    for (int k = 0; k < 2; k++) {
        const signature_value fit[] = {{.pointer = points},
                                       {.u64 = 2},
                                       {.u32 = ELEMENTS},
                                       {.pointer = NULL},
                                       {.pointer = fitted},
                                       {.pointer = curvatures},
                                       {.pointer = k ? NULL : &small}};
        const stn_status expected = k ? STN_ERROR_INVALID_ARGUMENT : STN_ERROR_STRUCT_SIZE;
        TEST_ASSERT_EQUAL(expected, call("fit", fit, 7).i32);
    }
    TEST_ASSERT_EACH_EQUAL_HEX8(0x5a, fitted, sizeof fitted);
    TEST_ASSERT_EACH_EQUAL_HEX8(0x5a, curvatures, sizeof curvatures);
    TEST_ASSERT_EQUAL(STN_OK, create());
    input.gravity[2] = -9.81;
    stn_rod_equilibrium found = {.struct_size = 4};
    const signature_value rest[] = {
        {.pointer = rods}, {.pointer = &input}, {.u64 = 0}, {.pointer = &found}};
    signature_value get[] = {{.pointer = rods}, {.u64 = 0}, {.pointer = q[0]}, {.pointer = NULL}};
    TEST_ASSERT_EQUAL(STN_OK, call("get_state", get, 4).i32);
    TEST_ASSERT_EQUAL(STN_ERROR_STRUCT_SIZE, call("equilibrium", rest, 4).i32);
    get[2].pointer = q[1];
    TEST_ASSERT_EQUAL(STN_OK, call("get_state", get, 4).i32);
    TEST_ASSERT_EQUAL_MEMORY(q[0], q[1], sizeof *q);
    stn_rod_preset preset = {.struct_size = sizeof preset};
    material.struct_size = 4;
    const signature_value ask[] = {{.u64 = 0}, {.pointer = &preset}, {.pointer = &material}};
    TEST_ASSERT_EQUAL(STN_ERROR_STRUCT_SIZE, call("preset_info", ask, 3).i32);
    TEST_ASSERT_NULL(preset.name);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_straight_rod_lies_along_x);
    RUN_TEST(test_a_cantilever_comes_to_rest_where_theory_says);
    RUN_TEST(test_a_step_moves_the_rod_down_and_energy_does_not_rise);
    RUN_TEST(test_states_go_in_and_out_and_the_jacobian_moves_the_tip);
    RUN_TEST(test_every_model_and_preset_makes_rods_that_fall);
    RUN_TEST(test_a_strand_of_points_becomes_a_rod);
    RUN_TEST(test_wrong_rods_are_refused_with_a_reason);
    RUN_TEST(test_wrong_steps_are_refused_with_a_reason);
    RUN_TEST(test_out_structs_are_checked_before_anything_is_written);
    return UNITY_END();
}

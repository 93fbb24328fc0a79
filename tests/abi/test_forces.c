/* SPDX-License-Identifier: Apache-2.0
 *
 * Forces through the ABI: the same field as a function of many samples and, by several signatures,
 * as one of a single sample.
 */
#include "check.h"
#include "small.h"

#include <math.h>

static const stn_api *api;
static small_scene small;

void setUp(void)
{
    api = rows_api();
    small_create(&small, NULL);
}

void tearDown(void) { small_destroy(&small); }

/* ---- one field in many forms ---- */

typedef struct swirl {
    double factor;
} swirl;

static const swirl half = {0.5};

/* Numbers that floats hold exactly (times are multiples of 1/128), so that all forms give the same
 * bits. */
static void swirl_at(double factor, double x, double y, double vz, double t, double *force)
{
    force[0] = y > 0.0 ? -factor : factor;
    force[1] = x > 0.0 ? factor : -factor;
    force[2] = vz < -0.125 ? t : 1.0;
}

static void in_batches(void *user, double seconds, uint64_t count, const double *positions,
                       const double *velocities, double *forces)
{
    const swirl *s = user;
    for (uint64_t i = 0; i < 3 * count; i += 3) {
        swirl_at(s->factor, positions[i], positions[i + 1], velocities[i + 2], seconds, forces + i);
    }
}

static void by_numbers(double x, double y, double vz, double t, double *force)
{
    swirl_at(half.factor, x, y, vz, t, force);
}

static void in_another_order(double *force, void *user, double t, const double *velocity,
                             const double *position)
{
    const swirl *s = user;
    swirl_at(s->factor, position[0], position[1], velocity[2], t, force);
}

static void with_float_results(float *force, double x, double y, double vz, double t)
{
    double full[3];
    swirl_at(half.factor, x, y, vz, t, full);
    for (int i = 0; i < 3; i++) force[i] = (float)full[i];
}

static void all_in_floats(float x, const float *position, float vx, float t, float *force)
{
    force[0] = x + position[1];
    force[1] = vx;
    force[2] = t;
}

static stn_force_desc custom(void)
{
    return (stn_force_desc){.struct_size = sizeof(stn_force_desc),
                            .type = STN_FORCE_CUSTOM,
                            .name = "swirl",
                            .field_user = (void *)&half};
}

static void set_function(stn_force_desc *desc, const char *text, void (*function)(void))
{
    desc->signature = text;
    memcpy(&desc->function, &function, sizeof function);
}

static uint64_t hash_with(const stn_force_desc *desc)
{
    small_scene other;
    stn_id id = 0;
    small_create(&other, NULL);
    CHECK_OK(other.scene, api->force_create(other.scene, desc, &id));
    for (int i = 0; i < 8; i++) CHECK_OK(other.scene, api->step(other.scene, 0.0078125));
    const uint64_t hash = check_hash(other.scene);
    small_destroy(&other);
    return hash;
}

static void test_batches_and_single_samples_agree_to_the_bit(void)
{
    stn_force_desc desc = custom();
    desc.field = in_batches;
    const uint64_t expected = hash_with(&desc);
    const struct {
        const char *signature;
        void (*function)(void);
    } forms[] = {
        {"void (double x, double y, double vz, double t, double *force)",
         (void (*)(void))by_numbers},
        {"void(double*force,void *user,double t,const double *velocity,const double*position)",
         (void (*)(void))in_another_order},
        {"void (float * force, double x, double y, double vz, double t)",
         (void (*)(void))with_float_results},
    };
    desc.field = NULL;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        set_function(&desc, forms[i].signature, forms[i].function);
        TEST_ASSERT_EQUAL_HEX64_MESSAGE(expected, hash_with(&desc), forms[i].signature);
    }
    desc.type = STN_FORCE_WIND;
    desc.signature = NULL;
    desc.function = NULL;
    TEST_ASSERT_TRUE(expected != hash_with(&desc));
}

static void test_floats_reach_a_function_of_floats(void)
{
    stn_force_desc desc = custom();
    set_function(&desc, "void (float x, const float *position, float vx, float t, float *force)",
                 (void (*)(void))all_in_floats);
    double before[SMALL_NODES][3], v[SMALL_NODES][3];
    const stn_mut_view x_out = REALS_OUT(before, SMALL_NODES, 3);
    const stn_mut_view v_out = REALS_OUT(v, SMALL_NODES, 3);
    const double none[3] = {0.0, 0.0, 0.0}, dt = 0.0078125;
    stn_id id = 0;
    CHECK_OK(small.scene, api->force_create(small.scene, &desc, &id));
    CHECK_OK(small.scene, api->parameter_set(small.scene, STN_SCENE_ID, "gravity", none, 3));
    CHECK_OK(small.scene, api->array_get(small.scene, small.sheet, "position", &x_out));
    CHECK_OK(small.scene, api->step(small.scene, dt));
    CHECK_OK(small.scene, api->array_get(small.scene, small.sheet, "velocity", &v_out));
    for (int i = 0; i < SMALL_NODES; i++) {
        const double force = (double)((float)before[i][0] + (float)before[i][1]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, dt * force, v[i][0]);
    }
}

/* ---- refusals ---- */

static void refuse(const stn_force_desc *desc, const char *text)
{
    stn_id id = 1;
    const uint64_t hash = check_hash(small.scene);
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                 api->force_create(small.scene, desc, &id));
    TEST_ASSERT_EQUAL_UINT64(0, id);
    CHECK_TEXT(small.scene, text);
    CHECK_TEXT(small.scene, "'swirl'");
    TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
}

static void test_bad_signatures_are_refused(void)
{
    static char longest[500];
    memset(longest, 'a', sizeof longest - 1);
    const struct {
        const char *signature, *text;
    } bad[] = {
        {"", "is no signature"},
        {"void", "is no signature"},
        {"void (double x", "is no signature"},
        {"(double *force)", "is no signature"},
        {"double (double x, double *force)", "is no signature"},
        {longest, "is no signature"},
        {"void ()", "no known name"},
        {"void (double *force,)", "no known name"},
        {"void (double, double *force)", "no known name"},
        {"void (double w, double *force)", "'double w' has no known name"},
        {"void (double x, double x, double *force)", "'x' is there twice"},
        {"void (int32_t x, double *force)", "expected double or float"},
        {"void (x, double *force)", "expected double or float"},
        {"void (long double x, double *force)", "expected double or float"},
        {"void (double x, const double *force)", "expected double * or float *"},
        {"void (double *position, double *force)", "expected const double * or const float *"},
        {"void (double user, double *force)", "expected void *"},
        {"void (double x, double y)", "has no 'double *force'"},
    };
    stn_force_desc desc = custom();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        set_function(&desc, bad[i].signature, (void (*)(void))by_numbers);
        refuse(&desc, bad[i].text);
    }
}

static void test_a_custom_force_has_one_field(void)
{
    stn_force_desc desc = custom();
    refuse(&desc, "needs a field");
    desc.signature = "void (double *force)";
    refuse(&desc, "a signature and a function");
    desc.function = &small;
    desc.field = in_batches;
    refuse(&desc, "not both");
    desc.signature = NULL;
    refuse(&desc, "not both");
    desc.function = NULL;
    desc.per = 2;
    refuse(&desc, "per 2");
    desc.per = 0;
    desc.type = STN_FORCE_VORTEX;
    refuse(&desc, "only a custom force");
    desc.type = 6;
    refuse(&desc, "type is 6");
    desc.type = STN_FORCE_CUSTOM;
    desc.reserved = 1;
    stn_id id = 1;
    CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, small.scene,
                 api->force_create(small.scene, &desc, &id));
    CHECK_TEXT(small.scene, "reserved");
}

/* The sanitizers see what a prepared call would leave behind. */
static void test_a_name_that_is_taken_refuses_a_function_too(void)
{
    stn_force_desc desc = custom();
    stn_id id = 0;
    set_function(&desc, "void (double x, double *force)", (void (*)(void))by_numbers);
    CHECK_OK(small.scene, api->force_create(small.scene, &desc, &id));
    refuse(&desc, "already");
}

static void give_nan(double x, double *force) { force[1] = x > -2.0 ? (double)NAN : 0.0; }

static void test_a_function_that_gives_nan_is_named_and_the_step_not_taken(void)
{
    stn_force_desc desc = custom();
    set_function(&desc, "void (double x, double *force)", (void (*)(void))give_nan);
    stn_id id = 0;
    CHECK_OK(small.scene, api->force_create(small.scene, &desc, &id));
    const uint64_t hash = check_hash(small.scene);
    CHECK_STATUS(STN_ERROR_DIVERGED, small.scene, api->step(small.scene, 0.01));
    CHECK_TEXT(small.scene, "'swirl'");
    CHECK_TEXT(small.scene, "'sheet'");
    TEST_ASSERT_EQUAL_HEX64(hash, check_hash(small.scene));
    CHECK_OK(small.scene, api->object_destroy(small.scene, id));
    CHECK_OK(small.scene, api->step(small.scene, 0.01));
}

/* ---- callbacks and callers ---- */

static stn_status inner_status;

static void step_inside(void *user, double seconds, uint64_t count, const double *positions,
                        const double *velocities, double *forces)
{
    (void)seconds, (void)count, (void)positions, (void)velocities, (void)forces;
    inner_status = api->step(user, 0.01);
}

static void test_a_field_may_not_call_its_own_scene(void)
{
    stn_force_desc desc = custom();
    desc.field = step_inside;
    desc.field_user = small.scene;
    stn_id id = 0;
    CHECK_OK(small.scene, api->force_create(small.scene, &desc, &id));
    CHECK_OK(small.scene, api->step(small.scene, 0.01));
    TEST_ASSERT_EQUAL_INT(STN_ERROR_BUSY, inner_status);
}

/* stn_force_desc ended before `per` once. */
static void test_an_older_descriptor_gives_accelerations(void)
{
    stn_force_desc desc = custom();
    desc.field = in_batches;
    const uint64_t now = hash_with(&desc);
    desc.struct_size = offsetof(stn_force_desc, per);
    desc.per = 77; /* nobody looks there */
    TEST_ASSERT_EQUAL_HEX64(now, hash_with(&desc));
}

static void test_forces_tell_their_type_and_move_by_poses(void)
{
    const stn_force_desc desc = {
        .struct_size = sizeof desc, .type = STN_FORCE_VORTEX, .name = "storm"};
    const stn_pose to = {.struct_size = sizeof to, .position = {1, 2, 3}, .rotation = {1, 0, 0, 0}};
    stn_object_info info = {.struct_size = sizeof info};
    stn_pose now = {.struct_size = sizeof now};
    stn_id id = 0;
    CHECK_OK(small.scene, api->force_create(small.scene, &desc, &id));
    CHECK_OK(small.scene, api->object_info(small.scene, id, &info));
    TEST_ASSERT_EQUAL_UINT32(STN_KIND_FORCE, info.kind);
    TEST_ASSERT_EQUAL_UINT32(STN_FORCE_VORTEX, info.shape);
    CHECK_OK(small.scene, api->pose_set(small.scene, id, &to, 0));
    CHECK_OK(small.scene, api->step(small.scene, 0.01));
    CHECK_OK(small.scene, api->pose_get(small.scene, id, &now));
    TEST_ASSERT_TRUE(now.position[0] == 1.0 && now.position[1] == 2.0 && now.position[2] == 3.0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_batches_and_single_samples_agree_to_the_bit);
    RUN_TEST(test_floats_reach_a_function_of_floats);
    RUN_TEST(test_bad_signatures_are_refused);
    RUN_TEST(test_a_custom_force_has_one_field);
    RUN_TEST(test_a_name_that_is_taken_refuses_a_function_too);
    RUN_TEST(test_a_function_that_gives_nan_is_named_and_the_step_not_taken);
    RUN_TEST(test_a_field_may_not_call_its_own_scene);
    RUN_TEST(test_an_older_descriptor_gives_accelerations);
    RUN_TEST(test_forces_tell_their_type_and_move_by_poses);
    return UNITY_END();
}

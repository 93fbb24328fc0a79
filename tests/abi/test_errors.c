/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that cannot succeed: ids, names, times, descriptors, states. Each gets its status and a
 * text that says what is wrong, and leaves the scene's hash and its list of objects as they were.
 */
#include "check.h"
#include "small.h"

#include <math.h>
#include <stdio.h>

static small_scene small;
static small_sheet sheet;
static const stn_api *api;
static uint64_t hash_before, objects_before;

static uint64_t object_count(void)
{
    uint64_t count = 0;
    CHECK_OK(small.scene, api->object_list(small.scene, NULL, 0, &count));
    return count;
}

/* What every refused call must satisfy. */
static void refused(stn_status expected, stn_status got, const char *text)
{
    CHECK_STATUS(expected, small.scene, got);
    CHECK_TEXT(small.scene, text);
    TEST_ASSERT_EQUAL_HEX64(hash_before, check_hash(small.scene));
    TEST_ASSERT_EQUAL_UINT64(objects_before, object_count());
}

static void refused_as_invalid(stn_status got, const char *text)
{
    refused(STN_ERROR_INVALID_ARGUMENT, got, text);
}

/* ---- ids ---- */

static void refuse_id(stn_id id)
{
    double value = 0.0, room[SMALL_NODES][3];
    stn_object_info info = {.struct_size = sizeof info};
    stn_pose pose = {.struct_size = sizeof pose};
    const stn_mut_view out = REALS_OUT(room, SMALL_NODES, 3);
    const stn_status got[] = {
        api->object_destroy(small.scene, id),
        api->object_info(small.scene, id, &info),
        api->parameter_get(small.scene, id, "friction", &value, 1),
        api->parameter_set(small.scene, id, "friction", &value, 1),
        api->array_get(small.scene, id, "position", &out),
        api->array_set(small.scene, id, "position", &sheet.positions),
        api->array_set_at(small.scene, id, "position", &sheet.triangles, &sheet.positions),
        api->pose_get(small.scene, id, &pose),
        api->pose_set(small.scene, id, &pose, 0),
    };
    for (size_t i = 0; i < sizeof got / sizeof got[0]; i++) {
        refused(STN_ERROR_STALE_ID, got[i], "id");
    }
}

static void test_ids_that_never_were_are_stale(void)
{
    const stn_id ids[] = {
        1, 12345, UINT32_MAX, UINT64_MAX, small.sheet + 1000, small.sheet ^ ((uint64_t)1 << 63)};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (ids[i] != small.sheet && ids[i] != small.floor && ids[i] != small.ball)
            refuse_id(ids[i]);
    }
}

static void test_ids_of_destroyed_objects_stay_stale_when_their_place_is_used_again(void)
{
    const stn_id old = small.sheet;
    CHECK_OK(small.scene, api->object_destroy(small.scene, old));
    hash_before = check_hash(small.scene);
    objects_before = object_count();
    refuse_id(old);
    for (int i = 0; i < 100; i++) {
        const stn_cloth_desc desc = {.struct_size = sizeof desc,
                                     .positions = &sheet.positions,
                                     .triangles = &sheet.triangles};
        stn_id id = 0;
        CHECK_OK(small.scene, api->cloth_create(small.scene, &desc, &id));
        TEST_ASSERT_TRUE(id != old);
        CHECK_STATUS(STN_ERROR_STALE_ID, small.scene, api->object_destroy(small.scene, old));
        CHECK_OK(small.scene, api->object_destroy(small.scene, id));
    }
}

static void test_the_scene_itself_is_no_object(void)
{
    stn_object_info info = {.struct_size = sizeof info};
    refused(STN_ERROR_STALE_ID, api->object_destroy(small.scene, STN_SCENE_ID), "id");
    refused(STN_ERROR_STALE_ID, api->object_info(small.scene, STN_SCENE_ID, &info), "id");
}

static void test_objects_do_not_have_what_other_kinds_have(void)
{
    double room[SMALL_NODES][3];
    const stn_mut_view out = REALS_OUT(room, SMALL_NODES, 3);
    stn_pose pose = {.struct_size = sizeof pose};
    const double value = 1.0;
    refused(STN_ERROR_WRONG_KIND, api->array_get(small.scene, small.floor, "position", &out),
            "floor");
    refused(STN_ERROR_WRONG_KIND,
            api->array_set(small.scene, small.ball, "position", &sheet.positions), "ball");
    refused(STN_ERROR_WRONG_KIND, api->pose_get(small.scene, small.sheet, &pose), "sheet");
    refused(STN_ERROR_WRONG_KIND, api->pose_set(small.scene, small.sheet, &pose, 0), "sheet");
    refused(STN_ERROR_WRONG_KIND,
            api->parameter_set(small.scene, small.floor, "density", &value, 1), "density");
}

/* ---- names ---- */

static void test_misspelt_names_get_a_suggestion(void)
{
    double value = 0.0;
    stn_id id = 1;
    const stn_view view = sheet.positions;
    refused(STN_ERROR_UNKNOWN_NAME,
            api->parameter_set(small.scene, small.sheet, "frction", &value, 1), "'friction'");
    refused(STN_ERROR_UNKNOWN_NAME,
            api->parameter_get(small.scene, STN_SCENE_ID, "gravty", &value, 1), "'gravity'");
    refused(STN_ERROR_UNKNOWN_NAME, api->array_set(small.scene, small.sheet, "positon", &view),
            "'position'");
    refused(STN_ERROR_UNKNOWN_NAME, api->object_find(small.scene, "shet", &id), "shet");
    TEST_ASSERT_EQUAL_UINT64(0, id);
    refused(STN_ERROR_UNKNOWN_NAME, api->parameter_get(small.scene, small.sheet, "", &value, 1),
            "unknown");
}

static stn_status add_plane(const char *name)
{
    stn_id id = 1;
    const stn_collider_desc desc = {
        .struct_size = sizeof desc, .shape = STN_SHAPE_PLANE, .name = name};
    const stn_status got = api->collider_create(small.scene, &desc, &id);
    if (got < 0) TEST_ASSERT_EQUAL_UINT64(0, id);
    return got;
}

static void test_names_are_unique_and_not_too_long(void)
{
    char name[1000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    refused_as_invalid(add_plane("sheet"), "sheet");
    refused_as_invalid(add_plane("floor"), "floor");
    refused_as_invalid(add_plane(name), "longer");
    CHECK_OK(small.scene, api->object_destroy(small.scene, small.floor));
    CHECK_OK(small.scene, add_plane("floor"));
    CHECK_OK(small.scene, add_plane(""));
    CHECK_OK(small.scene, add_plane(NULL));
}

static void test_lists_need_room(void)
{
    stn_id ids[3] = {7, 7, 7};
    uint64_t count = 0;
    refused(STN_ERROR_BUFFER_TOO_SMALL, api->object_list(small.scene, ids, 2, &count), "3");
    TEST_ASSERT_EQUAL_UINT64(7, ids[0]);
    CHECK_OK(small.scene, api->object_list(small.scene, ids, 3, &count));
    TEST_ASSERT_EQUAL_UINT64(small.sheet, ids[0]);
    TEST_ASSERT_EQUAL_UINT64(small.ball, ids[2]);
}

/* ---- time ---- */

static void test_steps_take_a_sensible_time(void)
{
    const double bad[] = {0.0,    -0.0, -0.01, (double)NAN, (double)INFINITY, -(double)INFINITY,
                          5e-324, 1e300};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused_as_invalid(api->step(small.scene, bad[i]), "step");
    }
}

static void test_frames_lie_ahead(void)
{
    CHECK_OK(small.scene, api->advance_to_frame(small.scene, 3.0));
    hash_before = check_hash(small.scene);
    const double bad[] = {
        2.0, 2.999, -1e300, 1e300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused_as_invalid(api->advance_to_frame(small.scene, bad[i]), "frame");
    }
    CHECK_OK(small.scene, api->advance_to_frame(small.scene, 3.0)); /* here already */
    TEST_ASSERT_EQUAL_HEX64(hash_before, check_hash(small.scene));
}

static void test_scenes_start_at_a_frame(void)
{
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const stn_scene_desc desc = {.struct_size = sizeof desc, .start_frame = bad[i]};
        stn_scene *scene = small.scene;
        CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, NULL, api->scene_create(&desc, &scene));
        TEST_ASSERT_NULL(scene);
        CHECK_TEXT(NULL, "frame");
    }
}

/* ---- states ---- */

static void test_damaged_states_are_refused_whichever_byte_is_wrong(void)
{
    static unsigned char bytes[16384];
    uint64_t size = 0;
    CHECK_OK(small.scene, api->state_save(small.scene, bytes, sizeof bytes, &size));
    CHECK_OK(small.scene, api->step(small.scene, 0.01));
    hash_before = check_hash(small.scene);
    for (uint64_t i = 0; i < size; i++) {
        bytes[i] ^= 0x40;
        refused(STN_ERROR_STATE_MISMATCH, api->state_load(small.scene, bytes, size), "state");
        bytes[i] ^= 0x40;
    }
    for (uint64_t shorter = 0; shorter < size; shorter += 8) {
        refused(STN_ERROR_STATE_MISMATCH, api->state_load(small.scene, bytes, shorter), "state");
    }
    CHECK_OK(small.scene, api->state_load(small.scene, bytes, size));
}

static void test_states_of_other_scenes_are_refused(void)
{
    static unsigned char bytes[16384];
    uint64_t size = 0;
    small_scene other;
    small_create(&other, NULL);
    CHECK_OK(other.scene, api->object_destroy(other.scene, other.ball));
    CHECK_OK(other.scene, api->state_save(other.scene, bytes, sizeof bytes, &size));
    refused(STN_ERROR_STATE_MISMATCH, api->state_load(small.scene, bytes, size), "objects");
    small_destroy(&other);
}

static void test_states_need_room(void)
{
    unsigned char bytes[64];
    uint64_t size = 0, written = 77;
    CHECK_OK(small.scene, api->state_size(small.scene, &size));
    memset(bytes, 0xa5, sizeof bytes);
    refused(STN_ERROR_BUFFER_TOO_SMALL, api->state_save(small.scene, bytes, 32, &written), "32");
    TEST_ASSERT_EACH_EQUAL_HEX8(0xa5, bytes, sizeof bytes);
}

/* ---- poses ---- */

static void test_poses_are_finite_and_turned_by_a_unit_quaternion(void)
{
    const stn_pose bad[] = {
        {.struct_size = sizeof *bad, .position = {(double)NAN}},
        {.struct_size = sizeof *bad, .position = {0, 0, (double)INFINITY}},
        {.struct_size = sizeof *bad, .rotation = {2.0}},
        {.struct_size = sizeof *bad, .rotation = {1.0, (double)NAN}},
        {.struct_size = sizeof *bad, .rotation = {1e300, 1e300, 1e300, 1e300}},
        {.struct_size = sizeof *bad, .rotation = {5e-324}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused_as_invalid(api->pose_set(small.scene, small.floor, &bad[i], 0), "floor");
        refused_as_invalid(api->pose_set(small.scene, small.floor, &bad[i], STN_POSE_JUMP),
                           "floor");
        const stn_collider_desc desc = {
            .struct_size = sizeof desc, .shape = STN_SHAPE_PLANE, .name = "askew", .pose = &bad[i]};
        stn_id id = 1;
        refused_as_invalid(api->collider_create(small.scene, &desc, &id), "askew");
        TEST_ASSERT_EQUAL_UINT64(0, id);
    }
    const stn_pose good = {.struct_size = sizeof good};
    refused_as_invalid(api->pose_set(small.scene, small.floor, &good, 2), "flags");
}

static void test_matrices_are_rotations_and_places_alone(void)
{
    const float identity[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    const struct {
        int place;
        float value;
    } bad[] = {{0, 2.0f},  {0, -1.0f}, {1, 0.5f},       {10, 0.0f},           {3, 1.0f},
               {15, 0.0f}, {15, 2.0f}, {5, (float)NAN}, {12, (float)INFINITY}};
    stn_pose pose = {.struct_size = sizeof pose};
    CHECK_OK(NULL, api->pose_from_matrix(identity, &pose));
    TEST_ASSERT_TRUE(pose.rotation[0] == 1.0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        float matrix[16];
        memcpy(matrix, identity, sizeof matrix);
        matrix[bad[i].place] = bad[i].value;
        CHECK_STATUS(STN_ERROR_INVALID_ARGUMENT, NULL, api->pose_from_matrix(matrix, &pose));
        CHECK_TEXT(NULL, "matrix");
    }
}

void setUp(void)
{
    api = rows_api();
    small_create(&small, NULL);
    small_sheet_fill(&sheet, 1.0);
    hash_before = check_hash(small.scene);
    objects_before = object_count();
}

void tearDown(void) { small_destroy(&small); }

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_ids_that_never_were_are_stale);
    RUN_TEST(test_ids_of_destroyed_objects_stay_stale_when_their_place_is_used_again);
    RUN_TEST(test_the_scene_itself_is_no_object);
    RUN_TEST(test_objects_do_not_have_what_other_kinds_have);
    RUN_TEST(test_misspelt_names_get_a_suggestion);
    RUN_TEST(test_names_are_unique_and_not_too_long);
    RUN_TEST(test_lists_need_room);
    RUN_TEST(test_steps_take_a_sensible_time);
    RUN_TEST(test_frames_lie_ahead);
    RUN_TEST(test_scenes_start_at_a_frame);
    RUN_TEST(test_damaged_states_are_refused_whichever_byte_is_wrong);
    RUN_TEST(test_states_of_other_scenes_are_refused);
    RUN_TEST(test_states_need_room);
    RUN_TEST(test_poses_are_finite_and_turned_by_a_unit_quaternion);
    RUN_TEST(test_matrices_are_rotations_and_places_alone);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/scene.h"

#include "support/counting_allocator.h"

#include <string.h>
#include <unity.h>

static counting_allocator memory;
static scene *s;
static error err;
static uint64_t sheet, floor_id;

static double x[6] = {0.0, 0.0, 0.5, 1.0, 0.0, 0.5};
static const double mass[2] = {1.0, 2.0};

/* Progress calls until one cancels; beyond what any test makes: none does. */
static int calls_left;

static int32_t count_down(void *user, double fraction, const char *stage)
{
    (void)user, (void)fraction, (void)stage;
    return calls_left-- == 0;
}

static scene *make_scene(uint32_t threads)
{
    calls_left = 1 << 30;
    scene_config config = {
        .memory = memory.from, .progress = count_down, .threads = threads, .start_frame = 1.0};
    scene *made = NULL;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &made, &err));
    return made;
}

void setUp(void)
{
    counting_init(&memory, 0);
    s = make_scene(1);
    const cloth_source cloth = {
        .name = "sheet", .positions = view_of_f64(x, 2, 3), .masses = view_of_f64(mass, 2, 1)};
    const collider_source plane = {.name = "floor", .shape = SHAPE_PLANE, .at = pose_identity()};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_cloth(s, &cloth, &sheet, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &plane, &floor_id, &err));
}

void tearDown(void)
{
    scene_destroy(s);
    counting_check(&memory);
}

static v3 position(size_t node)
{
    double all[6];
    const mut_view out = {all, 2, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, sheet, "position", &out, &err));
    return v3_load(&all[3 * node]);
}

static void pin_node(uint32_t node)
{
    const double one = 1.0;
    const view at = view_of_u32(&node, 1, 1), value = view_of_f64(&one, 1, 1);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array_at(s, sheet, "pin", &at, &value, &err));
}

static void test_a_free_fall_is_implicit_euler(void)
{
    const double dt = 0.01;
    double v = 0.0, z = 0.5;
    for (int i = 0; i < 20; i++) {
        TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, dt, &err));
        v += dt * -9.81;
        z += dt * v;
        TEST_ASSERT_TRUE(position(0).z == z);
    }
}

static void test_frames_are_whole_substeps(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 3.0, &err));
    scene_time t = scene_get_time(s);
    TEST_ASSERT_TRUE(t.frame == 3.0);
    TEST_ASSERT_EQUAL_UINT64(8, t.steps);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.0 / 24.0, t.seconds);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 3.1, &err));
    TEST_ASSERT_EQUAL_UINT64(9, scene_get_time(s).steps);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_advance_to_frame(s, 3.0, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 3.1, &err));
    TEST_ASSERT_EQUAL_UINT64(9, scene_get_time(s).steps);
}

static void test_pinned_nodes_reach_their_targets_at_the_frame(void)
{
    pin_node(1);
    const double target[6] = {0.0, 0.0, 0.0, 2.0, 3.0, 4.0};
    const view v = view_of_f64(target, 2, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, sheet, "target", &v, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 2.0, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, v3_norm(v3_sub(position(1), (v3){2.0, 3.0, 4.0})));
    TEST_ASSERT_TRUE(position(0).z < 0.5);
}

static void test_a_newly_pinned_node_stays_where_it_is(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 3.0, &err));
    const v3 before = position(0);
    pin_node(0);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 5.0, &err));
    TEST_ASSERT_TRUE(v3_norm(v3_sub(position(0), before)) == 0.0);
}

static void test_a_node_that_starts_inside_is_moved_out_without_speed(void)
{
    const pose high = {{0.0, 0.0, 0.7}, quat_identity()};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, floor_id, &high, true, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, 0.01, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.701, position(0).z);
    double v[6];
    const mut_view out = {v, 2, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, sheet, "velocity", &out, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, v[2]);
}

static void test_contact_forces_carry_the_weight(void)
{
    for (int i = 0; i < 200; i++) TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, 0.01, &err));
    double force[6];
    const mut_view out = {force, 2, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, sheet, "contact_force", &out, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 9.81 * mass[0], force[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 9.81 * mass[1], force[5]);
}

static void test_objects_come_and_go_and_the_others_stay(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 2.0, &err));
    const v3 before = position(1);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_remove_object(s, floor_id, &err));
    TEST_ASSERT_TRUE(v3_norm(v3_sub(position(1), before)) == 0.0);
    TEST_ASSERT_EQUAL(STATUS_STALE_ID, scene_remove_object(s, floor_id, &err));
    const collider_source ball = {.shape = SHAPE_SPHERE, .at = pose_identity(), .size = {0.5}};
    uint64_t id;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &ball, &id, &err));
    TEST_ASSERT_TRUE(id != floor_id);
    TEST_ASSERT_EQUAL(2, scene_object_count(s));
    TEST_ASSERT_TRUE(v3_norm(v3_sub(position(1), before)) == 0.0);
    object_info info;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_object_info(s, id, &info, &err));
    TEST_ASSERT_EQUAL_STRING("collider1", info.name);
}

static void test_a_saved_state_brings_everything_back(void)
{
    char block[1024];
    size_t written;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 2.0, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_save_state(s, block, sizeof block, &written, &err));
    const uint64_t saved = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 4.0, &err));
    const uint64_t later = scene_hash_state(s);
    TEST_ASSERT_TRUE(saved != later);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_load_state(s, block, written, &err));
    TEST_ASSERT_EQUAL_UINT64(saved, scene_hash_state(s));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 4.0, &err));
    TEST_ASSERT_EQUAL_UINT64(later, scene_hash_state(s));
}

static void test_damaged_states_are_refused_byte_by_byte(void)
{
    char block[1024], damaged[1024];
    size_t written;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_save_state(s, block, sizeof block, &written, &err));
    const uint64_t before = scene_hash_state(s);
    for (size_t i = 0; i < written; i++) {
        memcpy(damaged, block, written);
        damaged[i] = (char)(damaged[i] ^ 0x10);
        TEST_ASSERT_EQUAL(STATUS_STATE_MISMATCH, scene_load_state(s, damaged, written, &err));
        TEST_ASSERT_EQUAL(STATUS_STATE_MISMATCH, scene_load_state(s, block, i, &err));
    }
    TEST_ASSERT_EQUAL_UINT64(before, scene_hash_state(s));
}

static void test_a_step_that_would_diverge_is_not_taken(void)
{
    const double v[6] = {1e308, 0.0, 0.0, 0.0, 0.0, 0.0};
    const view fast = view_of_f64(v, 2, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, sheet, "velocity", &fast, &err));
    const uint64_t before = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_DIVERGED, scene_step(s, 100.0, &err));
    TEST_ASSERT_EQUAL_UINT64(before, scene_hash_state(s));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "sheet"));
}

static void count_depths(void *user, int32_t level, const char *text)
{
    if (level == LOG_WARNING && strstr(text, "ended inside a surface")) ++*(int *)user;
}

/* A ceiling lower than the cloth is thick: there is no place to be, and that is said. */
static void test_a_node_that_ends_inside_a_surface_is_logged(void)
{
    int said = 0;
    const scene_config config = {.memory = memory.from, .threads = 1, .log = {&said, count_depths}};
    const cloth_source cloth = {.positions = view_of_f64(x, 2, 3),
                                .masses = view_of_f64(mass, 2, 1)};
    const collider_source below = {.shape = SHAPE_PLANE,
                                   .at = {{0.0, 0.0, 0.499}, {1.0, 0.0, 0.0, 0.0}}};
    const collider_source above = {.shape = SHAPE_PLANE,
                                   .at = {{0.0, 0.0, 0.4995}, {0.0, 1.0, 0.0, 0.0}}};
    scene *tight = NULL;
    uint64_t id;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &tight, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_cloth(tight, &cloth, &id, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(tight, &below, &id, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_step(tight, 0.01, &err));
    TEST_ASSERT_EQUAL(0, said);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(tight, &above, &id, &err));
    TEST_ASSERT_TRUE(scene_step(tight, 0.01, &err) >= 0);
    TEST_ASSERT_EQUAL(1, said);
    TEST_ASSERT_TRUE(scene_get_statistics(tight).penetration > 1e-4);
    scene_destroy(tight);
}

static void test_steps_allocate_nothing_after_the_first(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 20.0, &err));
    const uint64_t before = memory.allocations;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 40.0, &err));
    TEST_ASSERT_EQUAL_UINT64(before, memory.allocations);
}

static void test_a_frame_that_is_only_rounding_ahead_is_reached(void)
{
    pin_node(1);
    const double rate = 10.0, dt = 0.01;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, 0, "frame_rate", &rate, 1, &err));
    for (int i = 0; i < 10; i++) TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, dt, &err));
    const double ahead = nextafter(scene_get_time(s).frame, 3.0);
    const double target[6] = {0.0, 0.0, 0.0, 2.0, 3.0, 4.0};
    const view v = view_of_f64(target, 2, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, sheet, "target", &v, &err));
    const uint64_t before = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, ahead, &err));
    TEST_ASSERT_EQUAL_UINT64(before, scene_hash_state(s));
}

static void test_an_interrupted_advance_keeps_its_plan_when_the_rate_changes(void)
{
    const double fast = 2400.0;
    for (int i = 1; i < 4; i++) {
        calls_left = 6; /* one whole step, and the first stage of the next */
        TEST_ASSERT_EQUAL(STATUS_CANCELLED, scene_advance_to_frame(s, 2.0, &err));
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0 + 0.25 * i, scene_get_time(s).frame);
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, 0, "frame_rate", &fast, 1, &err));
    }
    calls_left = 1 << 30;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 2.0, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0 / 24.0, scene_get_time(s).seconds);
}

static void test_a_node_inside_two_surfaces_is_moved_out_once(void)
{
    const pose high = {{0.0, 0.0, 0.7}, quat_identity()};
    const collider_source again = {.shape = SHAPE_PLANE, .at = high};
    uint64_t id;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &again, &id, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, floor_id, &high, true, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, 0.01, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.701, position(0).z);
}

static void test_masses_beyond_the_range_of_double_are_refused(void)
{
    const double corner[9] = {0.0, 0.0, 1.0, 1e160, 0.0, 1.0, 0.0, 1e160, 1.0};
    const uint32_t triangle[3] = {0, 1, 2};
    const cloth_source cloth = {.name = "huge",
                                .positions = view_of_f64(corner, 3, 3),
                                .triangles = view_of_u32(triangle, 1, 3)};
    uint64_t id;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_add_cloth(s, &cloth, &id, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "huge"));
}

static void test_a_step_that_is_not_taken_leaves_no_statistics(void)
{
    const pose high = {{0.0, 0.0, 0.7}, quat_identity()};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, floor_id, &high, true, &err));
    calls_left = 5; /* the last question of the step */
    TEST_ASSERT_EQUAL(STATUS_CANCELLED, scene_step(s, 0.01, &err));
    TEST_ASSERT_EQUAL_UINT64(0, scene_get_statistics(s).contacts);
    const double v[6] = {0.0, 0.0, -1e308, 0.0, 0.0, 0.0};
    const view fast = view_of_f64(v, 2, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, sheet, "velocity", &fast, &err));
    calls_left = 1 << 30;
    TEST_ASSERT_EQUAL(STATUS_DIVERGED, scene_step(s, 0.01, &err));
    TEST_ASSERT_TRUE(isfinite(scene_get_statistics(s).residual));
    TEST_ASSERT_TRUE(isfinite(scene_get_statistics(s).fischer_burmeister));
}

/* On top of a ball that turns by 0.2 rad in a step, from rest: mu g dt along it, and no hop. */
static void test_a_turning_sphere_moves_a_node_by_friction_alone(void)
{
    const double dt = 0.01, frictions[2] = {0.0, 0.1};
    for (int i = 0; i < 2; i++) {
        const collider_source ball = {
            .shape = SHAPE_SPHERE, .at = pose_identity(), .size = {0.499}};
        uint64_t id;
        TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &ball, &id, &err));
        const double mu = frictions[i];
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, id, "friction", &mu, 1, &err));
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, sheet, "friction", &mu, 1, &err));
        const double rest[6] = {0.0};
        const view positions = view_of_f64(x, 2, 3), velocities = view_of_f64(rest, 2, 3);
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, sheet, "position", &positions, &err));
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, sheet, "velocity", &velocities, &err));
        const pose turned = {{0.0, 0.0, 0.0}, quat_from_axis_angle((v3){0.0, 1.0, 0.0}, 0.2)};
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, id, &turned, false, &err));
        TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, dt, &err));
        double v[6];
        const mut_view out = {v, 2, 3, FORMAT_F64, 0};
        TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, sheet, "velocity", &out, &err));
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, mu * 9.81 * dt, v[0]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, v[2]);
        TEST_ASSERT_EQUAL(STATUS_OK, scene_remove_object(s, id, &err));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_free_fall_is_implicit_euler);
    RUN_TEST(test_frames_are_whole_substeps);
    RUN_TEST(test_pinned_nodes_reach_their_targets_at_the_frame);
    RUN_TEST(test_a_newly_pinned_node_stays_where_it_is);
    RUN_TEST(test_a_node_that_starts_inside_is_moved_out_without_speed);
    RUN_TEST(test_contact_forces_carry_the_weight);
    RUN_TEST(test_objects_come_and_go_and_the_others_stay);
    RUN_TEST(test_a_saved_state_brings_everything_back);
    RUN_TEST(test_damaged_states_are_refused_byte_by_byte);
    RUN_TEST(test_a_step_that_would_diverge_is_not_taken);
    RUN_TEST(test_a_node_that_ends_inside_a_surface_is_logged);
    RUN_TEST(test_steps_allocate_nothing_after_the_first);
    RUN_TEST(test_a_frame_that_is_only_rounding_ahead_is_reached);
    RUN_TEST(test_an_interrupted_advance_keeps_its_plan_when_the_rate_changes);
    RUN_TEST(test_a_node_inside_two_surfaces_is_moved_out_once);
    RUN_TEST(test_masses_beyond_the_range_of_double_are_refused);
    RUN_TEST(test_a_step_that_is_not_taken_leaves_no_statistics);
    RUN_TEST(test_a_turning_sphere_moves_a_node_by_friction_alone);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/parameters.h"
#include "scene/scene.h"
#include "support/counting_allocator.h"

#include <string.h>
#include <unity.h>

enum { SIDE = 50, NODES = SIDE * SIDE, POINTS = 9 };

static counting_allocator memory;
static scene *s;
static error err;
static uint64_t sheet, lock;

static status make_scene(uint32_t threads)
{
    const scene_config config = {.memory = memory.from, .threads = threads, .start_frame = 1.0};
    return scene_create(&config, &s, &err);
}

void setUp(void)
{
    counting_init(&memory, 0);
    TEST_ASSERT_EQUAL(STATUS_OK, make_scene(1));
}

void tearDown(void)
{
    scene_destroy(s);
    s = NULL;
    counting_check(&memory);
}

static void make_anew(uint32_t threads)
{
    scene_destroy(s);
    TEST_ASSERT_EQUAL(STATUS_OK, make_scene(threads));
}

/* ---- scenes ---- */

/* Along +x. */
static pose pose_along_x(void)
{
    return (pose){{0, 0, 0}, quat_from_axis_angle((v3){0, 1, 0}, 1.5707963267948966)};
}

/* side x side nodes over a square metre of density 0.2. */
static status add_sheet(uint32_t side)
{
    static double x[3 * NODES];
    static uint32_t triangle[6 * NODES];
    uint32_t *t = triangle;
    for (uint32_t i = 0; i < side * side; i++) {
        v3_store(x + 3 * i, (v3){i % side / (side - 1.0), i / side / (side - 1.0), 0.0});
        if (i % side == side - 1 || i / side == side - 1) continue;
        const uint32_t corner[6] = {i, i + 1, i + side + 1, i, i + side + 1, i + side};
        memcpy(t, corner, sizeof corner);
        t += 6;
    }
    const cloth_source source = {.name = "sheet",
                                 .positions = view_of_f64(x, side * side, 3),
                                 .triangles = view_of_u32(triangle, (size_t)(t - triangle) / 3, 3)};
    return scene_add_cloth(s, &source, &sheet, &err);
}

/* Strands of 0.2 m along y, 0.1 m apart and far from the sheet. */
static status add_strands(uint32_t count)
{
    double x[3 * POINTS * 8];
    uint32_t sizes[8];
    for (uint32_t i = 0; i < count * POINTS; i++) {
        const double y = 0.2 * (i % POINTS) / (POINTS - 1);
        v3_store(x + 3 * i, (v3){5.0 + 0.1 * (i / POINTS), y, 0.0});
    }
    for (uint32_t i = 0; i < count; i++) sizes[i] = POINTS;
    const hair_source source = {.name = "lock",
                                .points = view_of_f64(x, count * POINTS, 3),
                                .strand_sizes = view_of_u32(sizes, count, 1)};
    return scene_add_hair(s, &source, &lock, &err);
}

static void must(status st) { TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, st ? err.text : ""); }

static void set(uint64_t id, const char *name, double value)
{
    must(scene_set_parameter(s, id, name, &value, 1, &err));
}

static void set_gravity(double z)
{
    const double g[3] = {0.0, 0.0, z};
    must(scene_set_parameter(s, 0, "gravity", g, 3, &err));
}

static status try_force(uint32_t type, uint64_t *id)
{
    const force_source source = {.name = "it", .type = type, .at = pose_along_x()};
    return scene_add_force(s, &source, id, &err);
}

static uint64_t add_force(uint32_t type, double strength)
{
    uint64_t id = 0;
    must(try_force(type, &id));
    set(id, "strength", strength);
    return id;
}

static void steps(int count, double dt)
{
    for (int i = 0; i < count; i++) must(scene_step(s, dt, &err));
}

static v3 velocity(uint64_t id, size_t count, size_t i)
{
    static double v[3 * NODES];
    const mut_view to = {v, count, 3, FORMAT_F64, 0};
    must(scene_get_array(s, id, "velocity", &to, &err));
    return v3_load(v + 3 * i);
}

/* ---- air ---- */

static void test_wind_takes_cloth_along_as_implicit_drag_says(void)
{
    const double U = 4.0, c = 0.5, m = 0.2, h = 0.01; /* c and m of a square metre */
    must(add_sheet(5));
    set_gravity(0.0);
    set(sheet, "cloth_drag", c);
    add_force(FORCE_WIND, U);
    double slower = 1.0;
    for (int i = 1; i <= 100; i++) {
        slower *= m / (m + h * c);
        steps(1, h);
        const v3 v = velocity(sheet, 25, 7);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, U * (1.0 - slower), v.x);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, sqrt(v.y * v.y + v.z * v.z));
    }
}

static void test_cloth_falls_in_wind_at_its_terminal_velocity(void)
{
    must(add_sheet(5));
    set(sheet, "cloth_drag", 0.5);
    add_force(FORCE_WIND, 4.0);
    steps(400, 0.1); /* each step leaves 1/(1 + h c / m) = 0.8 of the way */
    const v3 v = velocity(sheet, 25, 12);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 4.0, v.x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -9.81 * 0.2 / 0.5, v.z);
}

static void test_the_strongest_drag_is_no_faster_than_the_air(void)
{
    must(add_sheet(5));
    set_gravity(0.0);
    set(sheet, "cloth_drag", 1e6);
    add_force(FORCE_WIND, 1e3);
    for (int i = 0; i < 10; i++) {
        steps(1, 1.0);
        const double v = velocity(sheet, 25, 0).x;
        TEST_ASSERT_TRUE(v <= 1e3 * (1.0 + 1e-15));
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1e3, velocity(sheet, 25, 0).x);
}

static void test_still_air_brakes_cloth_without_any_force(void)
{
    must(add_sheet(5));
    set(sheet, "cloth_drag", 0.5);
    steps(400, 0.1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -9.81 * 0.2 / 0.5, velocity(sheet, 25, 12).z);
}

static void test_pinned_nodes_stay_in_any_wind(void)
{
    const double pinned = 1.0;
    const uint32_t corner = 0;
    const view at = view_of_u32(&corner, 1, 1), value = view_of_f64(&pinned, 1, 1);
    must(add_sheet(5));
    must(scene_set_array_at(s, sheet, "pin", &at, &value, &err));
    set(sheet, "cloth_drag", 10.0);
    add_force(FORCE_WIND, 100.0);
    steps(10, 0.01);
    TEST_ASSERT_TRUE(v3_norm(velocity(sheet, 25, 0)) == 0.0);
    TEST_ASSERT_TRUE(velocity(sheet, 25, 1).x > 10.0);
}

static void test_a_free_strand_falls_in_wind_at_its_terminal_velocity(void)
{
    const double drag = 2e-5, d = 7e-5, density = 1320.0 * 3.14159265358979 / 4.0 * d * d;
    must(add_strands(1));
    set(lock, "attached", 0.0);
    set(lock, "drag", drag);
    add_force(FORCE_WIND, 4.0);
    steps(400, 0.05); /* each step leaves 1/(1 + h drag / density) = 0.84 of the way */
    for (size_t i = 0; i < POINTS; i++) {
        const v3 v = velocity(lock, POINTS, i);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 4.0, v.x);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, v.y);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, -9.81 * density / drag, v.z);
    }
}

static void test_a_turned_wind_blows_where_it_was_turned_to(void)
{
    must(add_sheet(5));
    set_gravity(0.0);
    set(sheet, "cloth_drag", 1e6);
    const uint64_t wind = add_force(FORCE_WIND, 2.0);
    const pose up = {{1, 2, 3}, quat_identity()};
    must(scene_set_pose(s, wind, &up, false, &err));
    steps(1, 1.0); /* it turns during this step, and blows as at its beginning */
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 2.0, velocity(sheet, 25, 3).x);
    steps(1, 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 2.0, velocity(sheet, 25, 3).z);
    pose now;
    must(scene_get_pose(s, wind, &now, &err));
    TEST_ASSERT_TRUE(v3_is_equal(now.position, up.position));
}

/* ---- accelerations ---- */

static void test_a_point_accelerates_everything_alike(void)
{
    const double h = 0.001;
    must(add_sheet(2));
    must(add_strands(1));
    set(lock, "attached", 0.0);
    set(lock, "drag", 0.0);
    set_gravity(0.0);
    const uint64_t id = add_force(FORCE_POINT, -3.0);
    const pose far = {{0, 0, 1e6}, quat_identity()};
    must(scene_set_pose(s, id, &far, true, &err));
    steps(10, h);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3.0 * 10 * h, velocity(sheet, 4, 1).z);
    for (size_t i = 0; i < POINTS; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-7, 3.0 * 10 * h, velocity(lock, POINTS, i).z);
    }
}

/* ---- custom fields ---- */

typedef struct seen {
    int calls;
    double seconds, wanted;
    uint64_t count;
    v3 x, v; /* of the first sample */
    int dropped;
} seen;

/* A field is dropped with its scene, after the test has returned. */
static seen what;

static void look(void *user, double seconds, uint64_t count, const double *positions,
                 const double *velocities, double *forces)
{
    seen *by = user;
    by->calls++;
    by->seconds = seconds;
    by->count = count;
    by->x = v3_load(positions);
    by->v = v3_load(velocities);
    for (uint64_t i = 0; i < count; i++) {
        TEST_ASSERT_TRUE(forces[3 * i + 2] == 0.0); /* zeroed */
        forces[3 * i] = by->wanted;
    }
}

static void drop(void *user) { ((seen *)user)->dropped++; }

static force_source custom(seen *by, uint32_t per)
{
    return (force_source){.name = "studio",
                          .type = FORCE_CUSTOM,
                          .at = pose_identity(),
                          .field = look,
                          .field_user = by,
                          .drop = drop,
                          .per = per};
}

static void test_a_custom_field_sees_every_object_at_the_beginning_of_the_step(void)
{
    what = (seen){.wanted = 2.0};
    const force_source source = custom(&what, FIELD_PER_MASS);
    uint64_t id = 0;
    must(add_sheet(2));
    set_gravity(0.0);
    must(scene_add_force(s, &source, &id, &err));
    set(id, "strength", 3.0);
    steps(2, 0.5);
    TEST_ASSERT_EQUAL_INT(2, what.calls);
    TEST_ASSERT_TRUE(what.seconds == 0.5);
    TEST_ASSERT_EQUAL_UINT64(4, what.count);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 3.0, what.v.x); /* 0.5 s times 3 times 2 m/s^2 */
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.5, what.x.x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 6.0, velocity(sheet, 4, 3).x);
}

static void test_a_custom_field_sees_strands_at_their_joints(void)
{
    what = (seen){.wanted = 2.0};
    const force_source source = custom(&what, FIELD_PER_MASS);
    uint64_t id = 0;
    must(add_strands(2));
    set(lock, "attached", 0.0);
    set(lock, "drag", 0.0);
    set_gravity(0.0);
    must(scene_add_force(s, &source, &id, &err));
    steps(2, 0.1);
    TEST_ASSERT_EQUAL_UINT64(2 * (8 + 1), what.count); /* 8 elements */
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5.0 + 0.1 * 0.2, what.x.x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.2, what.v.x);
}

static void test_a_custom_field_per_drag_is_the_air(void)
{
    what = (seen){.wanted = 4.0};
    const force_source source = custom(&what, FIELD_PER_DRAG);
    uint64_t id = 0;
    must(add_sheet(2));
    set_gravity(0.0);
    must(scene_add_force(s, &source, &id, &err));
    steps(5, 0.1);
    TEST_ASSERT_TRUE(velocity(sheet, 4, 0).x == 0.0); /* no drag yet */
    set(sheet, "cloth_drag", 1e6);
    steps(5, 0.1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 4.0, velocity(sheet, 4, 0).x);
}

static void test_a_field_that_is_not_finite_is_named_and_the_step_not_taken(void)
{
    what = (seen){.wanted = (double)NAN};
    const force_source source = custom(&what, FIELD_PER_MASS);
    uint64_t id = 0;
    must(add_sheet(2));
    must(add_strands(1));
    must(scene_add_force(s, &source, &id, &err));
    const uint64_t before = scene_hash_state(s);
    const double bad[] = {(double)NAN, (double)INFINITY, 1e308};
    set(id, "strength", 100.0); /* 1e308 becomes infinite */
    for (int i = 0; i < 3; i++) {
        what.wanted = bad[i];
        TEST_ASSERT_EQUAL(STATUS_DIVERGED, scene_step(s, 0.01, &err));
        TEST_ASSERT_NOT_NULL(strstr(err.text, "'studio'"));
        TEST_ASSERT_NOT_NULL(strstr(err.text, "'sheet'"));
        TEST_ASSERT_EQUAL_HEX64(before, scene_hash_state(s));
    }
    what.wanted = 1.0;
    steps(1, 0.01);
}

static void test_a_field_is_dropped_once_when_its_force_goes(void)
{
    seen first = {0}, second = {0}, never = {0};
    force_source source = custom(&first, FIELD_PER_MASS);
    uint64_t id = 0, other = 0;
    must(scene_add_force(s, &source, &id, &err));
    source.field_user = &never;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_add_force(s, &source, &other, &err));
    source.name = "another";
    source.field_user = &second;
    must(scene_add_force(s, &source, &other, &err));
    must(scene_remove_object(s, id, &err));
    TEST_ASSERT_EQUAL_INT(1, first.dropped);
    make_anew(1);
    TEST_ASSERT_EQUAL_INT(1, first.dropped);
    TEST_ASSERT_EQUAL_INT(1, second.dropped);
    TEST_ASSERT_EQUAL_INT(0, never.dropped);
}

/* ---- refusals ---- */

static void refuse(const force_source *source, const char *text)
{
    uint64_t id = 0;
    const uint64_t before = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_add_force(s, source, &id, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
    TEST_ASSERT_EQUAL_HEX64(before, scene_hash_state(s));
    TEST_ASSERT_EQUAL_size_t(0, scene_object_count(s));
}

static void test_bad_forces_are_refused(void)
{
    what = (seen){0};
    const force_source good = custom(&what, FIELD_PER_MASS);
    force_source bad = good;
    bad.field = NULL;
    refuse(&bad, "needs a field");
    bad = good;
    bad.per = 2;
    refuse(&bad, "per 2");
    bad = good;
    bad.at.position.x = (double)NAN;
    refuse(&bad, "position");
    bad = good;
    bad.at.rotation = (quat){0.5, 0.0, 0.0, 0.0};
    refuse(&bad, "quaternion");
    bad = good;
    bad.type = FORCE_WIND;
    refuse(&bad, "only a custom force");
    bad.type = 0;
    refuse(&bad, "type is 0");
    bad.type = 6;
    refuse(&bad, "type is 6");
    bad.name = "a name that is longer than the sixty-three bytes that names of objects have";
    refuse(&bad, "longer");
}

static void test_forces_have_their_parameters_and_nothing_else(void)
{
    const uint64_t id = add_force(FORCE_TURBULENCE, 1.0);
    const double zero = 0.0, half = 0.5, nan_value = (double)NAN;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      scene_set_parameter(s, id, "turbulence_size", &zero, 1, &err));
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      scene_set_parameter(s, id, "falloff", &half, 1, &err));
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      scene_set_parameter(s, id, "strength", &nan_value, 1, &err));
    TEST_ASSERT_EQUAL(STATUS_WRONG_KIND, scene_set_parameter(s, id, "friction", &half, 1, &err));
    double x[3];
    const mut_view to = {x, 1, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_WRONG_KIND, scene_get_array(s, id, "position", &to, &err));
    object_info info;
    must(scene_get_object_info(s, id, &info, &err));
    TEST_ASSERT_EQUAL_UINT32(KIND_FORCE, info.kind);
    TEST_ASSERT_EQUAL_UINT32(FORCE_TURBULENCE, info.shape);
}

/* ---- bits ---- */

/* Everything at once: a sheet of several chunks, strands, and one force of each type. */
static status add_storm(uint32_t side)
{
    static const char *const names[] = {"wind", "turbulence", "vortex", "point"};
    status st = add_sheet(side);
    if (st >= 0) st = add_strands(8);
    const double drag = 0.5;
    if (st >= 0) st = scene_set_parameter(s, sheet, "cloth_drag", &drag, 1, &err);
    for (uint32_t i = 0; i < 4 && st >= 0; i++) {
        const force_source source = {.name = names[i], .type = 1 + i, .at = pose_along_x()};
        uint64_t id = 0;
        st = scene_add_force(s, &source, &id, &err);
    }
    return st;
}

static void test_any_number_of_threads_gives_the_same_bits(void)
{
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        make_anew(1u << i);
        must(add_storm(SIDE));
        steps(10, 0.01);
        hash[i] = scene_hash_state(s);
    }
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[2]);
}

static void test_a_saved_state_goes_on_with_the_same_bits(void)
{
    static char saved[1 << 18];
    size_t size = 0;
    must(add_storm(10));
    uint64_t wind = 0;
    must(scene_find_object(s, "wind", &wind, &err));
    const pose up = pose_identity();
    must(scene_set_pose(s, wind, &up, false, &err));
    steps(5, 0.01);
    must(scene_save_state(s, saved, sizeof saved, &size, &err));
    steps(5, 0.01);
    const uint64_t hash = scene_hash_state(s);
    make_anew(1);
    must(add_storm(10));
    must(scene_load_state(s, saved, size, &err));
    steps(5, 0.01);
    TEST_ASSERT_EQUAL_HEX64(hash, scene_hash_state(s));
}

static void test_a_state_does_not_fit_a_force_of_another_type(void)
{
    static char saved[4096];
    size_t size = 0;
    add_force(FORCE_WIND, 1.0);
    must(scene_save_state(s, saved, sizeof saved, &size, &err));
    make_anew(1);
    add_force(FORCE_VORTEX, 1.0);
    TEST_ASSERT_EQUAL(STATUS_STATE_MISMATCH, scene_load_state(s, saved, size, &err));
}

static void test_every_failed_allocation_is_survived(void)
{
    scene_destroy(s);
    s = NULL;
    status st = STATUS_OUT_OF_MEMORY;
    for (uint64_t k = 1; st != STATUS_OK; k++) {
        counting_init(&memory, k);
        st = make_scene(1);
        if (st >= 0) st = add_storm(3);
        if (st >= 0) st = scene_step(s, 0.01, &err);
        TEST_ASSERT_TRUE(st == STATUS_OK || st == STATUS_OUT_OF_MEMORY);
        scene_destroy(s);
        s = NULL;
        counting_check(&memory);
    }
}

static void test_steps_allocate_nothing_after_the_first_ones(void)
{
    must(add_storm(SIDE));
    steps(5, 0.01);
    const uint64_t before = memory.allocations;
    steps(5, 0.01);
    TEST_ASSERT_EQUAL_UINT64(before, memory.allocations);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_wind_takes_cloth_along_as_implicit_drag_says);
    RUN_TEST(test_cloth_falls_in_wind_at_its_terminal_velocity);
    RUN_TEST(test_the_strongest_drag_is_no_faster_than_the_air);
    RUN_TEST(test_still_air_brakes_cloth_without_any_force);
    RUN_TEST(test_pinned_nodes_stay_in_any_wind);
    RUN_TEST(test_a_free_strand_falls_in_wind_at_its_terminal_velocity);
    RUN_TEST(test_a_turned_wind_blows_where_it_was_turned_to);
    RUN_TEST(test_a_point_accelerates_everything_alike);
    RUN_TEST(test_a_custom_field_sees_every_object_at_the_beginning_of_the_step);
    RUN_TEST(test_a_custom_field_sees_strands_at_their_joints);
    RUN_TEST(test_a_custom_field_per_drag_is_the_air);
    RUN_TEST(test_a_field_that_is_not_finite_is_named_and_the_step_not_taken);
    RUN_TEST(test_a_field_is_dropped_once_when_its_force_goes);
    RUN_TEST(test_bad_forces_are_refused);
    RUN_TEST(test_forces_have_their_parameters_and_nothing_else);
    RUN_TEST(test_any_number_of_threads_gives_the_same_bits);
    RUN_TEST(test_a_saved_state_goes_on_with_the_same_bits);
    RUN_TEST(test_a_state_does_not_fit_a_force_of_another_type);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_steps_allocate_nothing_after_the_first_ones);
    return UNITY_END();
}

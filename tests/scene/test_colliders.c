/* SPDX-License-Identifier: Apache-2.0
 *
 * Colliders of every shape under nodes that fall, slide and are carried.
 */
#include "scene/scene.h"

#include "support/counting_allocator.h"
#include "support/meshes.h"

#include <string.h>
#include <unity.h>

static counting_allocator memory;
static error err;
static char last_log[512];

static void keep_line(void *user, int32_t level, const char *text)
{
    (void)user, (void)level;
    snprintf(last_log, sizeof last_log, "%s", text);
}

void setUp(void)
{
    counting_init(&memory, 0);
    last_log[0] = '\0';
}

void tearDown(void) { counting_check(&memory); }

static scene *make_scene(uint32_t threads)
{
    const scene_config config = {
        .memory = memory.from, .log = {NULL, keep_line}, .threads = threads, .start_frame = 1.0};
    scene *s = NULL;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &s, &err));
    return s;
}

static void set(scene *s, uint64_t id, const char *name, double value)
{
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, id, name, &value, 1, &err));
}

static uint64_t add_nodes(scene *s, const double *x, size_t count)
{
    double mass[1024];
    uint64_t id = 0;
    for (size_t i = 0; i < count; i++) mass[i] = 0.01;
    const cloth_source source = {.positions = view_of_f64(x, count, 3),
                                 .masses = view_of_f64(mass, count, 1)};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_cloth(s, &source, &id, &err));
    return id;
}

static collider_source mesh_source(const test_mesh *m, pose at)
{
    return (collider_source){.name = "body",
                             .shape = SHAPE_MESH,
                             .at = at,
                             .positions = view_of_f64(m->x, m->vertices, 3),
                             .triangles = view_of_u32(m->corner, m->triangles, 3)};
}

static uint64_t add_collider(scene *s, const collider_source *source)
{
    uint64_t id = 0;
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, scene_add_collider(s, source, &id, &err), err.text);
    return id;
}

static v3 read_node(scene *s, uint64_t id, const char *name)
{
    double x[3];
    const mut_view out = {x, 1, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, id, name, &out, &err));
    return v3_load(x);
}

static void step(scene *s, int count, double dt)
{
    for (int i = 0; i < count; i++) TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, dt, &err));
}

/* ---- resting and sliding ---- */

/* One node that slides down an incline of 30 degrees for half a second. */
static v3 slide_down(const collider_source *source)
{
    scene *s = make_scene(1);
    const double gravity[3] = {9.81 * 0.5, 0.0, -9.81 * 0.86602540378443865};
    const double x[3] = {-0.37, 0.11, 0.001};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, 0, "gravity", gravity, 3, &err));
    set(s, add_collider(s, source), "friction", 0.3);
    const uint64_t node = add_nodes(s, x, 1);
    set(s, node, "friction", 0.3);
    step(s, 50, 0.01);
    const v3 end = read_node(s, node, "position");
    scene_destroy(s);
    return end;
}

static void test_an_incline_of_triangles_is_that_of_a_plane(void)
{
    test_mesh two = test_mesh_sheet(4.0, 1), many = test_mesh_sheet(4.0, 40);
    const collider_source plane = {.shape = SHAPE_PLANE, .at = pose_identity()};
    const collider_source a = mesh_source(&two, pose_identity());
    const collider_source b = mesh_source(&many, pose_identity());
    const v3 expected = slide_down(&plane);
    TEST_ASSERT_TRUE(expected.x > -0.1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(slide_down(&a), expected)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(slide_down(&b), expected)));
    test_mesh_free(&two);
    test_mesh_free(&many);
}

/* The sides of a box and of a capsule that are flat, or straight, are inclines too. */
static void test_a_box_and_a_capsule_are_inclines(void)
{
    const collider_source plane = {.shape = SHAPE_PLANE, .at = pose_identity()};
    const collider_source box = {
        .shape = SHAPE_BOX, .size = {9.0, 9.0, 1.0}, .at = {{0.0, 0.0, -1.0}, quat_identity()}};
    const pose lying = {{0.0, 0.11, -1.0},
                        quat_from_axis_angle((v3){0.0, 1.0, 0.0}, 1.57079632679489662)};
    const collider_source capsule = {.shape = SHAPE_CAPSULE, .size = {1.0, 9.0}, .at = lying};
    const v3 expected = slide_down(&plane);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(slide_down(&box), expected)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(slide_down(&capsule), expected)));
}

static void rest_on(const collider_source *source, double height)
{
    scene *s = make_scene(1);
    const double x[3] = {0.01, 0.02, height + 0.3};
    add_collider(s, source);
    const uint64_t node = add_nodes(s, x, 1);
    step(s, 200, 0.01);
    const v3 first = read_node(s, node, "position");
    step(s, 200, 0.01);
    const v3 later = read_node(s, node, "position");
    TEST_ASSERT_DOUBLE_WITHIN(0.01, height, first.z);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(later, first)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, scene_get_statistics(s).penetration);
    scene_destroy(s);
}

static void test_a_node_comes_to_rest_on_every_shape(void)
{
    test_mesh sphere = test_mesh_sphere(12), cube = test_mesh_cube(), sheet = test_mesh_sheet(1, 3);
    const collider_source on_sphere = mesh_source(&sphere, pose_identity());
    const collider_source on_cube = mesh_source(&cube, pose_identity());
    const collider_source on_sheet = mesh_source(&sheet, pose_identity());
    const collider_source box = {.shape = SHAPE_BOX, .size = {1, 1, 1}, .at = pose_identity()};
    const collider_source capsule = {
        .shape = SHAPE_CAPSULE, .size = {0.5, 0.5}, .at = pose_identity()};
    rest_on(&on_sphere, 1.0);
    rest_on(&on_cube, 1.001);
    rest_on(&on_sheet, 0.001);
    rest_on(&box, 1.001);
    rest_on(&capsule, 1.001);
    test_mesh_free(&sphere);
    test_mesh_free(&cube);
    test_mesh_free(&sheet);
}

/* ---- moving ---- */

/* A body that moves by its pose, or by its vertices, carries a node that sticks to it. */
static v3 ride(bool by_pose)
{
    scene *s = make_scene(1);
    test_mesh cube = test_mesh_cube();
    const collider_source source = mesh_source(&cube, pose_identity());
    const double x[3] = {0.2, 0.1, 1.001};
    const uint64_t body = add_collider(s, &source), node = add_nodes(s, x, 1);
    for (int frame = 2; frame <= 24; frame++) {
        const double shift = 0.0005 * (frame - 1) * (frame - 1);
        const pose at = {{shift, 0.0, 0.0}, quat_identity()};
        const view target = view_of_f64(cube.x, cube.vertices, 3);
        if (by_pose) {
            TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, body, &at, false, &err));
        } else {
            for (size_t v = 0; v < 8; v++) cube.x[3 * v] = (v & 1 ? 1.0 : -1.0) + shift;
            TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, body, "target", &target, &err));
        }
        TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, frame, &err));
    }
    const v3 end = read_node(s, node, "position");
    scene_destroy(s);
    test_mesh_free(&cube);
    return end;
}

static void test_vertices_that_move_carry_as_a_pose_does(void)
{
    const v3 expected = {0.2 + 0.0005 * 23 * 23, 0.1, 1.001};
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(ride(true), expected)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(ride(false), expected)));
}

/* Turning about z under nodes that stick: each goes around with the body. */
static void turn_under(const collider_source *source, double x0)
{
    scene *s = make_scene(1);
    const double x[3] = {x0, 0.0, 0.501};
    const uint64_t body = add_collider(s, source), node = add_nodes(s, x, 1);
    double angle = 0.0;
    for (int frame = 2; frame <= 25; frame++) {
        angle += 0.001 * (frame - 1); /* slow enough for friction to hold */
        const pose at = {{0.0, 0.0, 0.0}, quat_from_axis_angle((v3){0.0, 0.0, 1.0}, angle)};
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, body, &at, false, &err));
        TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, frame, &err));
    }
    const v3 expected = {x0 * cos(angle), x0 * sin(angle), 0.501};
    const v3 got = read_node(s, node, "position");
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, v3_norm(v3_sub(got, expected)));
    scene_destroy(s);
}

static void test_turning_bodies_carry_what_lies_on_them(void)
{
    test_mesh cube = test_mesh_cube();
    for (size_t i = 0; i < 24; i++) cube.x[i] *= 0.5;
    const collider_source mesh = mesh_source(&cube, pose_identity());
    const collider_source box = {
        .shape = SHAPE_BOX, .size = {0.5, 0.5, 0.5}, .at = pose_identity()};
    turn_under(&mesh, 0.2);
    turn_under(&box, 0.2);
    test_mesh_free(&cube);
}

/* A roller without friction leaves what lies on it alone, however fast it turns. */
static void test_a_capsule_that_turns_about_its_axis_pushes_nothing(void)
{
    scene *s = make_scene(1);
    const double x[3] = {0.0, 0.0, 0.501};
    const quat lying = quat_from_axis_angle((v3){0.0, 1.0, 0.0}, 1.57079632679489662);
    const collider_source source = {
        .shape = SHAPE_CAPSULE, .size = {0.5, 1.0}, .at = {{0.0, 0.0, 0.0}, lying}};
    const uint64_t body = add_collider(s, &source), node = add_nodes(s, x, 1);
    set(s, body, "friction", 0.0);
    for (int frame = 2; frame <= 25; frame++) {
        const quat turned = quat_from_axis_angle((v3){1.0, 0.0, 0.0}, 0.8 * (frame - 1));
        const pose at = {{0.0, 0.0, 0.0}, quat_mul(turned, lying)};
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, body, &at, false, &err));
        TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, frame, &err));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.501, read_node(s, node, "position").z);
    }
    scene_destroy(s);
}

static void test_a_mesh_that_is_put_elsewhere_has_no_velocity(void)
{
    scene *s = make_scene(1);
    test_mesh sheet = test_mesh_sheet(1.0, 2);
    const collider_source source = mesh_source(&sheet, pose_identity());
    const double x[3] = {0.1, 0.2, 0.001};
    const uint64_t body = add_collider(s, &source), node = add_nodes(s, x, 1);
    for (size_t v = 0; v < sheet.vertices; v++) sheet.x[3 * v] += 0.5;
    const view moved = view_of_f64(sheet.x, sheet.vertices, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, body, "position", &moved, &err));
    step(s, 5, 0.01);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.1, read_node(s, node, "position").x);
    scene_destroy(s);
    test_mesh_free(&sheet);
}

/* ---- the same bits ---- */

/* A grid of nodes that falls on a body that turns and changes. */
static uint64_t run_fall(uint32_t threads, bool interrupted)
{
    scene *s = make_scene(threads);
    test_mesh torus = test_mesh_torus(0.4, 16, 10);
    const collider_source source = mesh_source(&torus, pose_identity());
    double x[3 * 1024];
    for (int i = 0; i < 1024; i++)
        v3_store(x + 3 * i, (v3){i % 32 * 0.08 - 1.2, i / 32 * 0.08 - 1.2, 0.6});
    const uint64_t body = add_collider(s, &source);
    add_nodes(s, x, 1024);
    for (int frame = 2; frame <= 10; frame++) {
        for (size_t v = 0; v < torus.vertices; v++) torus.x[3 * v + 2] += v % 3 ? 0.004 : 0.002;
        const view target = view_of_f64(torus.x, torus.vertices, 3);
        const pose at = {{0.01 * frame, 0.0, 0.0},
                         quat_from_axis_angle((v3){0, 0, 1}, 0.05 * frame)};
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, body, "target", &target, &err));
        TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, body, &at, false, &err));
        TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, frame, &err));
        if (!interrupted || frame != 6) continue;
        static char buffer[1 << 20];
        size_t written = 0;
        TEST_ASSERT_EQUAL(STATUS_OK, scene_save_state(s, buffer, sizeof buffer, &written, &err));
        scene_destroy(s);
        s = make_scene(threads);
        const collider_source again = mesh_source(&torus, pose_identity());
        TEST_ASSERT_EQUAL(body, add_collider(s, &again));
        add_nodes(s, x, 1024);
        TEST_ASSERT_EQUAL(STATUS_OK, scene_load_state(s, buffer, written, &err));
    }
    TEST_ASSERT_GREATER_THAN(50, scene_get_statistics(s).contacts);
    const uint64_t hash = scene_hash_state(s);
    scene_destroy(s);
    test_mesh_free(&torus);
    return hash;
}

static void test_threads_and_a_saved_state_change_no_bit(void)
{
    const uint64_t hash = run_fall(1, false);
    TEST_ASSERT_EQUAL_UINT64(hash, run_fall(3, false));
    TEST_ASSERT_EQUAL_UINT64(hash, run_fall(1, true));
}

/* ---- bad input ---- */

static void refuse(const collider_source *source, const char *text)
{
    scene *s = make_scene(1);
    uint64_t id = 0;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_add_collider(s, source, &id, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
    TEST_ASSERT_EQUAL(0, scene_object_count(s));
    scene_destroy(s);
}

static void test_bad_shapes_are_refused(void)
{
    refuse(&(collider_source){.shape = SHAPE_CAPSULE, .size = {0.0, 1.0}, .at = pose_identity()},
           "radius is 0");
    refuse(&(collider_source){.shape = SHAPE_CAPSULE, .size = {1.0, -1.0}, .at = pose_identity()},
           "half length is -1");
    refuse(&(collider_source){.shape = SHAPE_BOX, .size = {1.0, NAN, 1.0}, .at = pose_identity()},
           "half extent is nan");
    refuse(&(collider_source){.shape = SHAPE_MESH, .at = pose_identity()}, "0 triangles");
}

static void test_bad_meshes_are_refused(void)
{
    test_mesh m = test_mesh_cube();
    const collider_source source = mesh_source(&m, pose_identity());
    m.corner[4] = 8;
    refuse(&source, "8");
    m.corner[4] = 2;
    m.x[5] = NAN;
    refuse(&source, "nan");
    m.x[5] = 1e10;
    refuse(&source, "vertex 1 is at");
    collider_source box = source;
    box.shape = SHAPE_BOX;
    box.size[0] = box.size[1] = box.size[2] = 1.0;
    refuse(&box, "for meshes alone");
    test_mesh_free(&m);
}

static void test_another_topology_is_refused_with_both_counts(void)
{
    scene *s = make_scene(1);
    test_mesh m = test_mesh_cube();
    const collider_source source = mesh_source(&m, pose_identity());
    const uint64_t body = add_collider(s, &source);
    const view seven = view_of_f64(m.x, 7, 3);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_set_array(s, body, "target", &seven, &err));
    TEST_ASSERT_EQUAL_STRING("collider 'body': target: 7 elements, expected 8", err.text);
    const collider_source plane = {.name = "floor", .shape = SHAPE_PLANE, .at = pose_identity()};
    const uint64_t floor_id = add_collider(s, &plane);
    TEST_ASSERT_EQUAL(STATUS_WRONG_KIND, scene_set_array(s, floor_id, "target", &seven, &err));
    scene_destroy(s);
    test_mesh_free(&m);
}

static void test_odd_meshes_are_taken_and_logged(void)
{
    scene *s = make_scene(1);
    test_mesh m = test_mesh_cube();
    for (size_t i = 0; i < 12; i++) {
        const uint32_t swap = m.corner[3 * i];
        m.corner[3 * i] = m.corner[3 * i + 1];
        m.corner[3 * i + 1] = swap;
    }
    collider_source source = mesh_source(&m, pose_identity());
    add_collider(s, &source);
    TEST_ASSERT_NOT_NULL(strstr(last_log, "inside out"));
    source.name = "other";
    m.corner[7] = m.corner[6];
    source.triangles.count = 3;
    add_collider(s, &source);
    TEST_ASSERT_NOT_NULL(strstr(last_log, "not closed"));
    scene_destroy(s);
    test_mesh_free(&m);
}

static status build_and_step(const test_mesh *m)
{
    const scene_config config = {.memory = memory.from, .threads = 1, .start_frame = 1.0};
    scene *s = NULL;
    uint64_t id = 0;
    const collider_source source = mesh_source(m, pose_identity());
    const view target = view_of_f64(m->x, m->vertices, 3);
    status st = scene_create(&config, &s, &err);
    if (st < 0) return st;
    st = scene_add_collider(s, &source, &id, &err);
    if (st >= 0) st = scene_set_array(s, id, "target", &target, &err);
    if (st >= 0) st = scene_step(s, 0.01, &err);
    scene_destroy(s);
    return st;
}

static void test_every_failed_allocation_is_survived(void)
{
    test_mesh m = test_mesh_cube();
    for (uint64_t k = 1;; k++) {
        counting_init(&memory, k);
        const status st = build_and_step(&m);
        counting_check(&memory);
        if (memory.allocations < k) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
    }
    test_mesh_free(&m);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_incline_of_triangles_is_that_of_a_plane);
    RUN_TEST(test_a_box_and_a_capsule_are_inclines);
    RUN_TEST(test_a_node_comes_to_rest_on_every_shape);
    RUN_TEST(test_vertices_that_move_carry_as_a_pose_does);
    RUN_TEST(test_turning_bodies_carry_what_lies_on_them);
    RUN_TEST(test_a_capsule_that_turns_about_its_axis_pushes_nothing);
    RUN_TEST(test_a_mesh_that_is_put_elsewhere_has_no_velocity);
    RUN_TEST(test_threads_and_a_saved_state_change_no_bit);
    RUN_TEST(test_bad_shapes_are_refused);
    RUN_TEST(test_bad_meshes_are_refused);
    RUN_TEST(test_another_topology_is_refused_with_both_counts);
    RUN_TEST(test_odd_meshes_are_taken_and_logged);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

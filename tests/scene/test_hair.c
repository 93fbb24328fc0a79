/* SPDX-License-Identifier: Apache-2.0 */
#include "math/trig.h"
#include "rods/equilibrium.h"
#include "rods/presets.h"
#include "rods/super_helix.h"
#include "scene/parameters.h"
#include "scene/scene.h"
#include "support/counting_allocator.h"

#include <stdio.h>
#include <string.h>
#include <unity.h>

enum { POINTS = 9, MOST_STRANDS = 64 };

static counting_allocator memory;
static scene *s;
static error err;
static uint64_t lock, head;

/* Progress calls until one cancels. */
static int calls_left;

static int32_t count_down(void *user, double fraction, const char *stage)
{
    (void)user, (void)fraction, (void)stage;
    return calls_left-- == 0;
}

static status make_scene(uint32_t threads)
{
    calls_left = 1 << 30;
    const scene_config config = {
        .memory = memory.from, .progress = count_down, .threads = threads, .start_frame = 1.0};
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

/* ---- scenes ---- */

static void line(v3 from, v3 to, double *points)
{
    for (int i = 0; i < POINTS; i++) {
        const double t = (double)i / (POINTS - 1);
        v3_store(points + 3 * i, v3_add_scaled(from, t, v3_sub(to, from)));
    }
}

static status add_strands(const double *points, uint32_t count, uint64_t surface)
{
    uint32_t sizes[MOST_STRANDS];
    for (uint32_t i = 0; i < count; i++) sizes[i] = POINTS;
    const hair_source source = {.name = "lock",
                                .points = view_of_f64(points, (size_t)count * POINTS, 3),
                                .strand_sizes = view_of_u32(sizes, count, 1),
                                .surface = surface};
    return scene_add_hair(s, &source, &lock, &err);
}

static void add_line(v3 from, v3 to)
{
    double points[3 * POINTS];
    line(from, to, points);
    TEST_ASSERT_EQUAL(STATUS_OK, add_strands(points, 1, 0));
}

static void set(uint64_t id, const char *name, double value)
{
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, scene_set_parameter(s, id, name, &value, 1, &err),
                              err.text);
}

static void set_gravity(v3 g)
{
    const double value[3] = {g.x, g.y, g.z};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, 0, "gravity", value, 3, &err));
}

static uint64_t add_collider(uint32_t shape, double radius, v3 at)
{
    const collider_source source = {
        .shape = shape, .at = {at, quat_identity()}, .size = {radius, 0.0, 0.0}};
    uint64_t id = 0;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &source, &id, &err));
    return id;
}

static void read_points(const char *name, double *out, uint32_t strands)
{
    const mut_view to = {out, (size_t)strands * POINTS, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, lock, name, &to, &err));
}

static v3 point(uint32_t strand, uint32_t i)
{
    double x[3 * POINTS * MOST_STRANDS];
    object_info info;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_object_info(s, lock, &info, &err));
    read_points("position", x, (uint32_t)info.strands);
    return v3_load(&x[3 * (strand * POINTS + i)]);
}

static void steps(int count, double dt)
{
    for (int i = 0; i < count; i++) {
        const status st = scene_step(s, dt, &err);
        TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, st ? err.text : "");
    }
}

/* A head of strands that stand off a sphere and fall over one another. */
static status add_head(uint32_t strands)
{
    const collider_source ball = {
        .name = "head", .shape = SHAPE_SPHERE, .at = pose_identity(), .size = {0.1, 0.0, 0.0}};
    status st = scene_add_collider(s, &ball, &head, &err);
    double points[3 * POINTS * MOST_STRANDS];
    for (uint32_t i = 0; i < strands; i++) {
        const double z = 1.0 - 0.9 * (i + 0.5) / strands, r = sqrt(1.0 - z * z);
        const double turn = 2.399963229728653 * i;
        const trig_pair at = trig_sincos(turn);
        const v3 N = {r * at.cos, r * at.sin, z};
        line(v3_scale(0.1, N), v3_scale(0.25, N), points + 3 * POINTS * (size_t)i);
    }
    return st < 0 ? st : add_strands(points, strands, head);
}

/* ---- tests ---- */

static void test_points_come_back_where_they_were_given(void)
{
    add_line((v3){0.1, 0.2, 0.3}, (v3){0.1, 0.3, 0.5});
    for (uint32_t i = 0; i < POINTS; i++) {
        const double t = (double)i / (POINTS - 1);
        const v3 want = {0.1, 0.2 + 0.1 * t, 0.3 + 0.2 * t};
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(point(0, i), want)));
    }
    object_info info;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_object_info(s, lock, &info, &err));
    TEST_ASSERT_EQUAL(1, info.strands);
    TEST_ASSERT_EQUAL(POINTS, info.nodes);
}

/* The same rod brought to rest by Newton's method has its tip where the scene's comes to hang. */
static void test_a_strand_hangs_like_its_equilibrium(void)
{
    const v3 root = {0.0, 0.0, 1.0};
    add_line(root, (v3){0.1, 0.0, 1.0});
    set(lock, "damping", 0.05);
    steps(600, 0.02);

    const rod_substance fibre = {3.9e9, 0.23 * 3.9e9, 1320.0, {3.5e-5, 3.5e-5}, 0.0, 0.0};
    const rod_material material = rod_material_make(&fibre);
    double lengths[8], state[256];
    for (int e = 0; e < 8; e++) lengths[e] = 0.1 / 8.0;
    const rods_source source = {
        .name = "rod", .rods = 1, .elements = 8, .lengths = lengths, .material = &material};
    body_group *rod = NULL;
    TEST_ASSERT_EQUAL(STATUS_OK, super_helix_create(&source, &memory.from, &rod, &err));
    TEST_ASSERT_LESS_OR_EQUAL(256, rod->state_count);
    const pose at = {root, quat_identity()};
    super_helix_place(rod, &at, NULL, state);
    const body_input in = {.h = 0.01, .gravity = {0.0, 0.0, -9.81}};
    const equilibrium_options options = {.unit = 10.0, .tolerance = 1e-9, .iterations = 200};
    equilibrium_result result;
    TEST_ASSERT_EQUAL(STATUS_OK,
                      equilibrium_find(rod, &in, &options, &memory.from, state, 0, &result, &err));
    const v3 want = body_find_place(rod, state, 0, (v3){0.1, 0.0, 0.0}).position;
    TEST_ASSERT_TRUE(want.z < 0.99);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, v3_norm(v3_sub(point(0, POINTS - 1), want)));
    body_group_destroy(rod);
}

/* A short stiff strand, free, flat on a plane or above it. */
static void add_stick(double height)
{
    add_collider(SHAPE_PLANE, 0.0, (v3){0.0, 0.0, 0.0});
    add_line((v3){0.0, 0.0, height}, (v3){0.05, 0.0, height});
    set(lock, "attached", 0.0);
    set(lock, "diameter", 1e-3);
    set(lock, "drag", 0.0);
    set(lock, "elements", 1.0);
    set(0, "hair_tolerance", 1e-9);
}

static void test_a_free_strand_falls_on_a_plane_and_rests(void)
{
    add_stick(0.02);
    steps(60, 0.01);
    double v[3 * POINTS];
    read_points("velocity", v, 1);
    for (uint32_t i = 0; i < POINTS; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.001, point(0, i).z); /* its thickness */
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, v3_norm(v3_load(&v[3 * i])));
    }
    TEST_ASSERT_TRUE(scene_get_statistics(s).penetration < 1e-6);
}

/* On a slope of tan = t: below mu it holds, above it speeds up by g (sin - mu cos). The plane has
 * the friction 0.5 too. */
static double slide_after(double t, double seconds)
{
    add_stick(0.001);
    const double c = 1.0 / sqrt(1.0 + t * t);
    set_gravity((v3){0.0, 9.81 * t * c, -9.81 * c});
    steps((int)(seconds / 0.01 + 0.5), 0.01);
    return point(0, POINTS / 2).y;
}

static void test_friction_holds_a_strand_below_the_threshold(void)
{
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0.0, slide_after(0.49, 0.5));
    TEST_ASSERT_EQUAL(0, scene_get_statistics(s).slide);
}

static void test_a_strand_slides_above_the_threshold_as_the_law_says(void)
{
    const double t = 0.55, c = 1.0 / sqrt(1.0 + t * t);
    const double a = 9.81 * c * (t - 0.5), n = 50.0;
    const double want = a * 0.01 * 0.01 * n * (n + 1.0) / 2.0; /* implicit Euler */
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, want, slide_after(t, 0.5));
}

/* The tip of the upper one sags by 2 mm until it rests on the lower one, near whose root it is. */
static void test_two_crossing_strands_do_not_pass_through_each_other(void)
{
    double points[2 * 3 * POINTS];
    line((v3){0.0, 0.0, 0.0}, (v3){0.1, 0.0, 0.0}, points);
    line((v3){0.02, -0.09, 0.003}, (v3){0.02, 0.01, 0.003}, points + 3 * POINTS);
    TEST_ASSERT_EQUAL(STATUS_OK, add_strands(points, 2, 0));
    set(lock, "diameter", 5e-4);
    double deepest = 0.0;
    for (int i = 0; i < 80; i++) {
        steps(1, 0.01);
        const scene_statistics t = scene_get_statistics(s);
        if (t.penetration > deepest) deepest = t.penetration;
    }
    TEST_ASSERT_GREATER_THAN(0, scene_get_statistics(s).contacts);
    TEST_ASSERT_TRUE(deepest < 2e-5); /* 1% of their distance */
}

static void test_roots_follow_a_turning_head(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, add_head(4));
    const v3 before = point(1, 0);
    const pose turned = {{0.1, 0.0, 0.0}, quat_from_axis_angle((v3){0.0, 0.0, 1.0}, 0.7)};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, head, &turned, false, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 2.0, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0,
                              v3_norm(v3_sub(point(1, 0), pose_apply(&turned, before))));
}

static void test_a_jump_of_the_head_takes_the_hair_along_as_it_is(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, add_head(4));
    steps(5, 0.01);
    const v3 before = point(1, POINTS - 1);
    const pose to = {{0.0, 3.0, 0.0}, quat_from_axis_angle((v3){0.0, 0.0, 1.0}, 2.0)};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, head, &to, true, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0,
                              v3_norm(v3_sub(point(1, POINTS - 1), pose_apply(&to, before))));
    steps(1, 0.01);
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.0,
                              v3_norm(v3_sub(point(1, POINTS - 1), pose_apply(&to, before))));
}

static void test_roots_without_a_surface_follow_their_arrays(void)
{
    add_line((v3){0.0, 0.0, 0.0}, (v3){0.1, 0.0, 0.0});
    const double p[3] = {0.0, 0.0, 0.2}, half[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    const view position = view_of_f64(p, 1, 3), rotation = view_of_f64(half, 1, 4);
    set_gravity((v3){0.0, 0.0, 0.0});
    set(lock, "damping", 0.1);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, lock, "root_position", &position, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, lock, "root_rotation", &rotation, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 2.0, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, v3_norm(v3_sub(point(0, 0), v3_load(p))));
    steps(500, 0.02);
    const v3 want = {0.0, 0.1, 0.2};
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, v3_norm(v3_sub(point(0, POINTS - 1), want)));
}

static uint64_t hash_after(uint32_t threads, double frame)
{
    scene_destroy(s);
    TEST_ASSERT_EQUAL(STATUS_OK, make_scene(threads));
    TEST_ASSERT_EQUAL(STATUS_OK, add_head(MOST_STRANDS));
    set(lock, "thickness", 0.004);
    const pose turned = {{0.0, 0.0, 0.0}, quat_from_axis_angle((v3){1.0, 0.0, 0.0}, 0.5)};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, head, &turned, false, &err));
    TEST_ASSERT_GREATER_OR_EQUAL(0, scene_advance_to_frame(s, frame, &err));
    return scene_hash_state(s);
}

static void test_any_number_of_threads_gives_the_same_bits(void)
{
    const uint64_t one = hash_after(1, 6.0);
    TEST_ASSERT_GREATER_THAN(20, scene_get_statistics(s).contacts);
    TEST_ASSERT_EQUAL(POINTS * MOST_STRANDS, scene_get_statistics(s).nodes);
    TEST_ASSERT_EQUAL_HEX64(one, hash_after(2, 6.0));
    TEST_ASSERT_EQUAL_HEX64(one, hash_after(4, 6.0));
}

static void test_a_saved_state_goes_on_with_the_same_bits(void)
{
    hash_after(1, 4.0);
    static char saved[1 << 21];
    size_t size = 0;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_save_state(s, saved, sizeof saved, &size, &err));
    TEST_ASSERT_GREATER_OR_EQUAL(0, scene_advance_to_frame(s, 6.0, &err));
    const uint64_t want = scene_hash_state(s);
    hash_after(1, 2.0);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_load_state(s, saved, size, &err));
    TEST_ASSERT_GREATER_OR_EQUAL(0, scene_advance_to_frame(s, 6.0, &err));
    TEST_ASSERT_EQUAL_HEX64(want, scene_hash_state(s));
    set(lock, "elements", 6.0);
    TEST_ASSERT_EQUAL(STATUS_STATE_MISMATCH, scene_load_state(s, saved, size, &err));
}

static void test_another_material_keeps_the_state(void)
{
    hash_after(1, 2.0);
    const uint64_t before = scene_hash_state(s);
    set(lock, "young", 1e9);
    set(lock, "diameter", 1e-4);
    set(lock, "friction", 0.1);
    TEST_ASSERT_EQUAL_HEX64(before, scene_hash_state(s));
}

static void test_other_elements_start_anew_where_the_head_is(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, add_head(4));
    const v3 before = point(1, POINTS - 1);
    const pose to = {{0.0, 0.0, 0.5}, quat_identity()};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, head, &to, false, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 3.0, &err));
    set(lock, "elements", 12.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0,
                              v3_norm(v3_sub(point(1, POINTS - 1), pose_apply(&to, before))));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_advance_to_frame(s, 4.0, &err));
}

static void test_strands_held_again_start_where_the_head_is_by_then(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, add_head(4));
    const v3 before = point(1, 0);
    set(lock, "attached", 0.0);
    const pose to = {{0.0, 0.0, 0.5}, quat_identity()};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, head, &to, false, &err));
    TEST_ASSERT_GREATER_OR_EQUAL(0, scene_advance_to_frame(s, 2.0, &err));
    set(lock, "attached", 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(point(1, 0), pose_apply(&to, before))));
}

static void test_the_same_number_of_elements_again_changes_nothing(void)
{
    double elements;
    hash_after(1, 3.0);
    const uint64_t before = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_parameter(s, lock, "elements", &elements, 1, &err));
    set(lock, "elements", elements);
    set(lock, "attached", 1.0);
    TEST_ASSERT_EQUAL_HEX64(before, scene_hash_state(s));
}

static void test_a_cancelled_step_changes_nothing(void)
{
    hash_after(1, 3.0);
    for (int after = 0; after < 6; after++) {
        const uint64_t before = scene_hash_state(s);
        calls_left = after;
        TEST_ASSERT_EQUAL(STATUS_CANCELLED, scene_step(s, 0.01, &err));
        TEST_ASSERT_EQUAL_HEX64(before, scene_hash_state(s));
    }
}

/* Strands inside one another and inside the head are pushed out gently. */
static void test_what_starts_inside_does_not_explode(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, add_head(MOST_STRANDS));
    set(lock, "thickness", 0.01);
    set(0, "hair_iterations", 50.0); /* there may be no answer: it must be safe without one */
    double fastest = 0.0, v[3 * POINTS * MOST_STRANDS];
    for (int i = 0; i < 40; i++) {
        TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
        read_points("velocity", v, MOST_STRANDS);
        for (size_t k = 0; k < POINTS * MOST_STRANDS; k++) {
            const double speed = v3_norm(v3_load(&v[3 * k]));
            if (speed > fastest) fastest = speed;
        }
    }
    TEST_ASSERT_TRUE(fastest < 5.0); /* a free fall of 0.4 s has 3.9 m/s */
}

/* ---- mistakes ---- */

static void expect_refusal(status want, status got, const char *text)
{
    TEST_ASSERT_EQUAL(want, got);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
}

static void test_bad_strands_are_refused_by_name_and_number(void)
{
    double points[2 * 3 * POINTS];
    line((v3){0.0, 0.0, 0.0}, (v3){0.1, 0.0, 0.0}, points);
    line((v3){0.0, 0.1, 0.0}, (v3){0.0, 0.1, 0.0}, points + 3 * POINTS); /* no length */
    expect_refusal(STATUS_INVALID_ARGUMENT, add_strands(points, 2, 0), "hair 'lock', strand 1");
    points[3 * POINTS + 1] = NAN;
    expect_refusal(STATUS_INVALID_ARGUMENT, add_strands(points, 2, 0), "hair 'lock': points");
    points[3 * POINTS + 1] = 2e9;
    expect_refusal(STATUS_INVALID_ARGUMENT, add_strands(points, 2, 0), "at most 1e9 m");
    const uint32_t sizes[2] = {2 * POINTS - 1, 1};
    line((v3){0.0, 0.1, 0.0}, (v3){0.1, 0.1, 0.0}, points + 3 * POINTS);
    hair_source source = {.name = "lock",
                          .points = view_of_f64(points, 2 * POINTS, 3),
                          .strand_sizes = view_of_u32(sizes, 2, 1)};
    expect_refusal(STATUS_INVALID_ARGUMENT, scene_add_hair(s, &source, &lock, &err), "strand 1");
    source.strand_sizes.count = 1;
    expect_refusal(STATUS_INVALID_ARGUMENT, scene_add_hair(s, &source, &lock, &err), "add up");
    source.strand_sizes.data = NULL;
    expect_refusal(STATUS_INVALID_ARGUMENT, scene_add_hair(s, &source, &lock, &err), "no points");
    expect_refusal(STATUS_STALE_ID, add_strands(points, 2, 12345), "12345");
    TEST_ASSERT_EQUAL(0, scene_object_count(s));
}

static void test_what_hair_does_not_have_is_refused(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, add_head(2));
    double x[3 * 2 * POINTS] = {0.0};
    const view positions = view_of_f64(x, 2 * POINTS, 3), roots = view_of_f64(x, 2, 3);
    expect_refusal(STATUS_INVALID_ARGUMENT, scene_set_array(s, lock, "position", &positions, &err),
                   "only be read");
    expect_refusal(STATUS_INVALID_ARGUMENT, scene_set_array(s, lock, "root_position", &roots, &err),
                   "ride on 'head'");
    expect_refusal(STATUS_WRONG_KIND, scene_set_array(s, lock, "pin", &roots, &err), "lock");
    expect_refusal(STATUS_INVALID_ARGUMENT, scene_remove_object(s, head, &err), "'lock'");
    TEST_ASSERT_EQUAL(STATUS_OK, scene_remove_object(s, lock, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_remove_object(s, head, &err));
}

/* ---- memory ---- */

static bool run_whole_life(void)
{
    status st = make_scene(1);
    if (st >= 0) st = add_head(6);
    const double elements = 5.0, young = 2e9;
    if (st >= 0) st = scene_set_parameter(s, lock, "elements", &elements, 1, &err);
    if (st >= 0) st = scene_set_parameter(s, lock, "young", &young, 1, &err);
    const pose to = {{0.0, 0.0, 0.5}, quat_identity()};
    if (st >= 0) st = scene_set_pose(s, head, &to, true, &err);
    for (int i = 0; i < 3 && st >= 0; i++) st = scene_step(s, 0.01, &err);
    if (st < 0) TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
    scene_destroy(s);
    s = NULL;
    return st >= 0;
}

static void test_every_failed_allocation_is_survived(void)
{
    scene_destroy(s);
    s = NULL;
    for (uint64_t k = 1;; k++) {
        counting_init(&memory, k);
        const bool done = run_whole_life();
        counting_check(&memory);
        if (done) break;
    }
}

static void test_steps_allocate_nothing_after_the_first_ones(void)
{
    TEST_ASSERT_EQUAL(STATUS_OK, add_head(16));
    set(lock, "thickness", 0.004);
    for (int i = 0; i < 150; i++) TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
    const uint64_t before = memory.allocations;
    for (int i = 0; i < 20; i++) TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
    TEST_ASSERT_GREATER_THAN(0, scene_get_statistics(s).contacts);
    TEST_ASSERT_EQUAL_UINT64(before, memory.allocations);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_points_come_back_where_they_were_given);
    RUN_TEST(test_a_strand_hangs_like_its_equilibrium);
    RUN_TEST(test_a_free_strand_falls_on_a_plane_and_rests);
    RUN_TEST(test_friction_holds_a_strand_below_the_threshold);
    RUN_TEST(test_a_strand_slides_above_the_threshold_as_the_law_says);
    RUN_TEST(test_two_crossing_strands_do_not_pass_through_each_other);
    RUN_TEST(test_roots_follow_a_turning_head);
    RUN_TEST(test_a_jump_of_the_head_takes_the_hair_along_as_it_is);
    RUN_TEST(test_roots_without_a_surface_follow_their_arrays);
    RUN_TEST(test_any_number_of_threads_gives_the_same_bits);
    RUN_TEST(test_a_saved_state_goes_on_with_the_same_bits);
    RUN_TEST(test_another_material_keeps_the_state);
    RUN_TEST(test_other_elements_start_anew_where_the_head_is);
    RUN_TEST(test_strands_held_again_start_where_the_head_is_by_then);
    RUN_TEST(test_the_same_number_of_elements_again_changes_nothing);
    RUN_TEST(test_a_cancelled_step_changes_nothing);
    RUN_TEST(test_what_starts_inside_does_not_explode);
    RUN_TEST(test_bad_strands_are_refused_by_name_and_number);
    RUN_TEST(test_what_hair_does_not_have_is_refused);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_steps_allocate_nothing_after_the_first_ones);
    return UNITY_END();
}

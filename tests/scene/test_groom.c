/* SPDX-License-Identifier: Apache-2.0
 *
 * Grooms: maps, roots on the triangles of a mesh that deforms, guides and followers.
 */
#include "math/trig.h"
#include "scene/hair_maps.h"
#include "scene/parameters.h"
#include "scene/scene.h"
#include "support/counting_allocator.h"

#include <string.h>
#include <unity.h>

enum { POINTS = 6, STRANDS = 12, COUNT = POINTS * STRANDS, SIDE = 3, VERTICES = SIDE * SIDE };

static counting_allocator memory;
static scene *s;
static error err;
static uint64_t hair, ground;
static char warning[256];

static void keep_warning(void *user, int32_t level, const char *text)
{
    (void)user;
    if (level == LOG_WARNING) strncpy(warning, text, sizeof warning - 1);
}

static void make_scene(uint32_t threads)
{
    const scene_config config = {.memory = memory.from,
                                 .log = {.write = keep_warning, .user = NULL},
                                 .threads = threads,
                                 .start_frame = 1.0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &s, &err));
}

void setUp(void)
{
    counting_init(&memory, 0);
    memset(warning, 0, sizeof warning);
    make_scene(1);
}

void tearDown(void)
{
    scene_destroy(s);
    s = NULL;
    counting_check(&memory);
}

/* ---- scenes ---- */

static double points[3 * COUNT];

/* Strands of 0.1 m in a row along x, each along y, 0.01 m apart, bent upwards a little. */
static void make_points(void)
{
    for (int i = 0; i < COUNT; i++) {
        const double t = (double)(i % POINTS) / (POINTS - 1);
        const v3 x = {0.01 * (double)(i / POINTS), 0.1 * t, 0.02 * t * t};
        v3_store(points + 3 * i, x);
    }
}

static hair_source make_source(uint32_t strands, uint32_t *sizes)
{
    for (uint32_t i = 0; i < strands; i++) sizes[i] = POINTS;
    return (hair_source){.name = "groom",
                         .points = view_of_f64(points, (size_t)strands * POINTS, 3),
                         .strand_sizes = view_of_u32(sizes, strands, 1)};
}

static void add_hair(uint32_t strands, uint64_t surface, const uint32_t *guides, size_t count)
{
    uint32_t sizes[STRANDS];
    hair_source source = make_source(strands, sizes);
    source.surface = surface;
    if (guides) source.guides = view_of_u32(guides, count, 1);
    const status st = scene_add_hair(s, &source, &hair, &err);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, err.text);
}

static void set(uint64_t id, const char *name, double value)
{
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, scene_set_parameter(s, id, name, &value, 1, &err),
                              err.text);
}

static void no_gravity(void)
{
    const double zero[3] = {0.0, 0.0, 0.0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, 0, "gravity", zero, 3, &err));
}

static status try_array(uint64_t id, const char *name, const double *values, size_t count,
                        uint32_t components)
{
    const view from = view_of_f64(values, count, components);
    return scene_set_array(s, id, name, &from, &err);
}

static void set_array(uint64_t id, const char *name, const double *values, size_t count,
                      uint32_t components)
{
    const status st = try_array(id, name, values, count, components);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, st ? err.text : "");
}

static v3 point(uint32_t strand, uint32_t i)
{
    double x[3 * COUNT];
    object_info info;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_object_info(s, hair, &info, &err));
    const mut_view to = {x, info.nodes, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, hair, "position", &to, &err));
    return v3_load(&x[3 * (strand * POINTS + i)]);
}

static v3 given(uint32_t strand, uint32_t i) { return v3_load(&points[3 * (strand * POINTS + i)]); }

static double apart(v3 a, v3 b) { return v3_norm(v3_sub(a, b)); }

static void steps(int count, double dt)
{
    for (int i = 0; i < count; i++) {
        const status st = scene_step(s, dt, &err);
        TEST_ASSERT_TRUE_MESSAGE(st >= 0, err.text);
    }
}

/* ---- maps ---- */

/* How far down the tips of two strands hang, one mapped and one not, far from each other. */
static void hang_two(const char *map, double factor, double *plain, double *mapped)
{
    make_points();
    for (int i = POINTS; i < 2 * POINTS; i++) points[3 * i] += 1.0;
    add_hair(2, 0, NULL, 0);
    set(hair, "damping", 0.05);
    set(hair, "diameter", 2e-4);
    const double factors[2] = {1.0, factor};
    set_array(hair, map, factors, 2, 1);
    steps(400, 0.02);
    *plain = point(0, POINTS - 1).z;
    *mapped = point(1, POINTS - 1).z;
}

/* At rest only the ratio of weight and stiffness counts: equal factors on both cancel out. */
static void test_a_heavy_strand_hangs_like_a_soft_one(void)
{
    double plain, heavy, soft, again;
    hang_two("mass_map", 4.0, &plain, &heavy);
    TEST_ASSERT_TRUE(heavy < plain - 1e-3);
    tearDown();
    setUp();
    hang_two("stiffness_map", 0.25, &again, &soft);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, plain, again);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, heavy, soft);
}

static void test_a_curl_of_zero_is_straight(void)
{
    make_points();
    no_gravity();
    add_hair(2, 0, NULL, 0);
    set(hair, "damping", 0.02);
    const double curl[2] = {1.0, 0.0};
    set_array(hair, "curl_map", curl, 2, 1);
    steps(400, 0.02);
    for (uint32_t i = 0; i < POINTS; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.0, apart(point(0, i), given(0, i)));
    }
    const v3 root = point(1, 0), tip = point(1, POINTS - 1);
    const v3 along = v3_normalize(v3_sub(point(1, 1), root));
    const v3 off = v3_cross(along, v3_sub(tip, root));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, v3_norm(off));
}

/* A profile of one number everywhere is the strand's map of that number. */
static void test_a_constant_profile_is_a_map(void)
{
    double plain, soft;
    hang_two("stiffness_map", 0.25, &plain, &soft);
    tearDown();
    setUp();
    make_points();
    add_hair(1, 0, NULL, 0);
    set(hair, "damping", 0.05);
    set(hair, "diameter", 2e-4);
    double profile[POINTS];
    for (int i = 0; i < POINTS; i++) profile[i] = 0.25;
    set_array(hair, "stiffness_profile", profile, POINTS, 1);
    steps(400, 0.02);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, soft, point(0, POINTS - 1).z);
}

/* The mean over [begin, end] of a function that is 1 at 0, 3 at 1 and 0 at 2, and stays so. */
static void test_profiles_are_averaged_over_elements(void)
{
    const double at[3] = {0.0, 1.0, 2.0}, value[3] = {1.0, 3.0, 0.0};
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.0, hair_map_average(at, value, 3, 0.0, 1.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.75, hair_map_average(at, value, 3, 0.0, 2.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.375, hair_map_average(at, value, 3, 0.5, 1.5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, hair_map_average(at, value, 3, 2.0, 3.0));
}

/* On a tilted floor, mu 0.5 of hair and floor holds at 0.3; a factor 0.25 halves the mu between. */
static void test_a_friction_map_lets_one_strand_slide(void)
{
    const double slope[3] = {0.3 * 9.81, 0.0, -9.81};
    const collider_source floor = {.shape = SHAPE_PLANE, .at = pose_identity()};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &floor, &ground, &err));
    make_points();
    for (int i = 0; i < 2 * POINTS; i++) points[3 * i + 2] = 0.001;
    for (int i = POINTS; i < 2 * POINTS; i++) points[3 * i + 1] += 1.0;
    add_hair(2, 0, NULL, 0);
    set(hair, "attached", 0.0);
    set(hair, "diameter", 1e-3);
    set(hair, "drag", 0.0);
    set(0, "hair_tolerance", 1e-9);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, 0, "gravity", slope, 3, &err));
    const double friction[2] = {1.0, 0.25};
    set_array(hair, "friction_map", friction, 2, 1);
    steps(20, 0.01);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, point(0, 0).x);
    const double sum = 20.0 * 21.0 / 2.0 * 0.01 * 0.01; /* of implicit Euler */
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.01 + sum * 9.81 * (0.3 - 0.25), point(1, 0).x);
}

static void test_a_thickness_map_lifts_one_strand(void)
{
    const collider_source floor = {.shape = SHAPE_PLANE, .at = pose_identity()};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &floor, &ground, &err));
    make_points();
    for (int i = 0; i < 2 * POINTS; i++) points[3 * i + 2] = 0.01;
    for (int i = POINTS; i < 2 * POINTS; i++) points[3 * i + 1] += 1.0;
    add_hair(2, 0, NULL, 0);
    set(hair, "attached", 0.0);
    set(hair, "diameter", 1e-3);
    set(0, "hair_tolerance", 1e-9);
    const double thickness[2] = {1.0, 4.0};
    set_array(hair, "thickness_map", thickness, 2, 1);
    steps(100, 0.01);
    for (uint32_t i = 0; i < POINTS; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.001, point(0, i).z);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.004, point(1, i).z);
    }
}

static void test_bad_factors_are_refused_and_nothing_changes(void)
{
    make_points();
    add_hair(2, 0, NULL, 0);
    const double zero[2] = {1.0, 0.0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, try_array(hair, "stiffness_map", zero, 2, 1));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "strand 1 has the value 0"));
    double kept[2] = {0.0, 0.0};
    const mut_view to = {kept, 2, 1, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, hair, "stiffness_map", &to, &err));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, kept[1]);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, try_array(hair, "friction_map", zero, 1, 1));
}

/* ---- roots on triangles ---- */

static double vertices[3 * VERTICES];

/* A sheet of 2 x 2 cells of 0.2 m around the row of roots. */
static void add_sheet(void)
{
    uint32_t corner[24];
    for (int i = 0; i < VERTICES; i++) {
        const v3 x = {-0.1 + 0.2 * (i % SIDE), -0.15 + 0.2 * (double)(i / SIDE), 0.0};
        v3_store(vertices + 3 * i, x);
    }
    for (uint32_t i = 0, *c = corner; i < 4; i++) {
        const uint32_t v = i / 2 * SIDE + i % 2;
        const uint32_t two[6] = {v, v + 1, v + SIDE + 1, v, v + SIDE + 1, v + SIDE};
        memcpy(c, two, sizeof two);
        c += 6;
    }
    const collider_source source = {.name = "skin",
                                    .shape = SHAPE_MESH,
                                    .at = pose_identity(),
                                    .positions = view_of_f64(vertices, VERTICES, 3),
                                    .triangles = view_of_u32(corner, 8, 3)};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &source, &ground, &err));
}

/* Stretched to twice its width and lifted, the skin takes each root to where its point goes. */
static void test_roots_follow_a_skin_that_stretches(void)
{
    add_sheet();
    make_points();
    no_gravity();
    add_hair(STRANDS, ground, NULL, 0);
    set(0, "substeps", 10.0);
    double target[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        const v3 x = v3_load(vertices + 3 * i);
        v3_store(target + 3 * i, (v3){2.0 * x.x, x.y, x.z + 0.05});
    }
    set_array(ground, "target", target, VERTICES, 3);
    TEST_ASSERT_TRUE(scene_advance_to_frame(s, 2.0, &err) >= 0);
    for (uint32_t i = 0; i < STRANDS; i++) {
        const v3 was = given(i, 0), want = {2.0 * was.x, was.y, was.z + 0.05};
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, apart(want, point(i, 0)));
    }
}

/* A skin whose vertices are turned and a skin whose pose is turned are the same skin. */
static void test_a_skin_turns_by_its_vertices_as_by_its_pose(void)
{
    v3 tip[2];
    const quat turn = quat_from_axis_angle((v3){0.0, 1.0, 0.0}, 0.4);
    for (int by_pose = 0; by_pose < 2; by_pose++) {
        add_sheet();
        make_points();
        for (int i = 0; i < COUNT; i++) points[3 * i + 2] += 0.01;
        add_hair(1, ground, NULL, 0);
        double target[3 * VERTICES];
        for (int i = 0; i < VERTICES; i++) {
            v3_store(target + 3 * i, quat_rotate(turn, v3_load(vertices + 3 * i)));
        }
        const pose at = {{0.0, 0.0, 0.0}, turn};
        if (by_pose) {
            TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, ground, &at, true, &err));
        } else {
            set_array(ground, "position", target, VERTICES, 3);
        }
        const v3 want = quat_rotate(turn, given(0, POINTS - 1));
        TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.0, apart(want, point(0, POINTS - 1)));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, apart(quat_rotate(turn, given(0, 0)), point(0, 0)));
        steps(5, 0.01);
        tip[by_pose] = point(0, POINTS - 1);
        tearDown();
        setUp();
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, apart(tip[0], tip[1]));
}

static void test_given_triangles_hold_what_the_nearest_would(void)
{
    add_sheet();
    make_points();
    uint32_t sizes[STRANDS];
    hair_source source = make_source(1, sizes);
    source.surface = ground;
    const uint32_t triangle = 7, none = 8;
    const double share[3] = {0.2, 0.3, 0.5}, wrong[3] = {0.2, 0.3, 0.1};
    source.root_triangles = view_of_u32(&triangle, 1, 1);
    source.root_barycentrics = view_of_f64(wrong, 1, 3);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_add_hair(s, &source, &hair, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "add up to 0.6"));
    source.root_barycentrics = view_of_f64(share, 1, 3);
    source.root_triangles = view_of_u32(&none, 1, 1);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_add_hair(s, &source, &hair, &err));
    source.root_triangles = view_of_u32(&triangle, 1, 1);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_hair(s, &source, &hair, &err));
    for (int i = 0; i < VERTICES; i++) vertices[3 * i + 2] += 0.3;
    set_array(ground, "position", vertices, VERTICES, 3);
    const v3 want = v3_add(given(0, 0), (v3){0.0, 0.0, 0.3});
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, apart(want, point(0, 0)));
}

/* ---- guides and followers ---- */

static const uint32_t guides[3] = {1, 5, 10};

static void test_followers_start_as_given(void)
{
    make_points();
    add_hair(STRANDS, 0, guides, 3);
    for (uint32_t i = 0; i < COUNT; i++) {
        const bool fitted = i / POINTS == 1 || i / POINTS == 5 || i / POINTS == 10;
        const double off = apart(given(i / POINTS, i % POINTS), point(i / POINTS, i % POINTS));
        TEST_ASSERT_DOUBLE_WITHIN(fitted ? 1e-3 : 1e-14, 0.0, off);
    }
}

/* The roots of all strands turn together about z: everything turns, followers as their guides. */
static void test_followers_turn_with_the_head(void)
{
    const collider_source ball = {
        .shape = SHAPE_SPHERE, .at = {{0.0, 0.0, -2.0}, quat_identity()}, .size = {1.0, 0.0, 0.0}};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &ball, &ground, &err));
    make_points();
    add_hair(STRANDS, ground, guides, 3);
    const pose to = {{0.1, 0.0, -2.0}, quat_from_axis_angle((v3){0.0, 0.0, 1.0}, 1.2)};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, ground, &to, true, &err));
    for (uint32_t i = 0; i < COUNT; i++) {
        const v3 was = v3_add(given(i / POINTS, i % POINTS), (v3){0.0, 0.0, 2.0});
        const bool fitted = i / POINTS == 1 || i / POINTS == 5 || i / POINTS == 10;
        const double off = apart(pose_apply(&to, was), point(i / POINTS, i % POINTS));
        TEST_ASSERT_DOUBLE_WITHIN(fitted ? 1e-3 : 1e-13, 0.0, off);
    }
}

/* Parallel guides that fall alike carry a follower between them along, at its own offset. */
static void test_a_clump_stays_together(void)
{
    make_points();
    add_hair(STRANDS, 0, guides, 3);
    steps(20, 0.01);
    const v3 fallen = v3_sub(point(1, POINTS - 1), given(1, POINTS - 1));
    TEST_ASSERT_TRUE(fallen.z < -0.01);
    for (uint32_t i = 0; i < STRANDS; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, apart(given(i, 0), point(i, 0)));
        const v3 offset = v3_sub(point(i, POINTS - 1), point(1, POINTS - 1));
        TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0.01 * (i - 1.0), offset.x);
        TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0.0, offset.z);
    }
}

static uint64_t run_followers(uint32_t threads)
{
    scene_destroy(s);
    make_scene(threads);
    make_points();
    add_hair(STRANDS, 0, guides, 3);
    steps(10, 0.01);
    return scene_hash_state(s);
}

static void test_followers_have_the_same_bits_on_any_number_of_threads(void)
{
    const uint64_t one = run_followers(1);
    TEST_ASSERT_EQUAL_UINT64(one, run_followers(3));
}

static void test_a_saved_state_brings_followers_back(void)
{
    static unsigned char saved[1 << 18];
    size_t size = 0;
    make_points();
    add_hair(STRANDS, 0, guides, 3);
    steps(5, 0.01);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_save_state(s, saved, sizeof saved, &size, &err));
    const v3 tip = point(3, POINTS - 1);
    steps(5, 0.01);
    const uint64_t hash = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_load_state(s, saved, size, &err));
    TEST_ASSERT_DOUBLE_WITHIN(0.0, 0.0, apart(tip, point(3, POINTS - 1)));
    steps(5, 0.01);
    TEST_ASSERT_EQUAL_UINT64(hash, scene_hash_state(s));
}

static void test_other_elements_keep_followers_on_their_guides(void)
{
    make_points();
    add_hair(STRANDS, 0, guides, 3);
    steps(5, 0.01);
    set(hair, "elements", 4.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, apart(given(3, 4), point(3, 4)));
    steps(5, 0.01);
    TEST_ASSERT_TRUE(point(3, POINTS - 1).z < given(3, POINTS - 1).z);
}

static void test_bad_guides_are_refused(void)
{
    make_points();
    uint32_t sizes[STRANDS];
    hair_source source = make_source(3, sizes);
    const uint32_t twice[2] = {1, 1}, beyond = 3;
    source.guides = view_of_u32(twice, 2, 1);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_add_hair(s, &source, &hair, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "strand 1 is named twice"));
    source.guides = view_of_u32(&beyond, 1, 1);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, scene_add_hair(s, &source, &hair, &err));
}

/* ---- freezing ---- */

/* A frozen strand neither falls nor lags behind its root, and falls when it is released. */
static void test_a_frozen_strand_goes_with_its_root_until_it_is_released(void)
{
    make_points();
    add_hair(2, 0, NULL, 0);
    const double first[2] = {1.0, 0.0}, none[2] = {0.0, 0.0}, half[2] = {0.5, 0.0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT, try_array(hair, "freeze", half, 2, 1));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "strand 0 has the value 0.5, expected 0 or 1"));
    steps(5, 0.01);
    set_array(hair, "freeze", first, 2, 1);
    const v3 root = point(0, 0), tip = point(0, POINTS - 1), other = point(1, POINTS - 1);
    double roots[6];
    for (uint32_t i = 0; i < 2; i++)
        v3_store(roots + 3 * i, v3_add(given(i, 0), (v3){0.0, 0.0, 1.0}));
    set_array(hair, "root_position", roots, 2, 3);
    steps(20, 0.01);
    const v3 moved = v3_sub(point(0, 0), root);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, moved.z);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, apart(v3_add(tip, moved), point(0, POINTS - 1)));
    TEST_ASSERT_TRUE(apart(v3_add(other, moved), point(1, POINTS - 1)) > 1e-3);
    set_array(hair, "freeze", none, 2, 1);
    steps(20, 0.01);
    TEST_ASSERT_TRUE(point(0, POINTS - 1).z < tip.z + 1.0 - 0.02);
}

/* ---- teleports and the watchdog ---- */

/* The second of three roots is put 5 m away: its strand is there, still, in its shape, and the
 * others have not noticed. */
static void test_a_root_that_teleports_takes_its_strand_along(void)
{
    make_points();
    no_gravity();
    add_hair(3, 0, NULL, 0);
    double roots[9];
    for (uint32_t i = 0; i < 3; i++) v3_store(roots + 3 * i, given(i, 0));
    roots[4] += 5.0;
    set_array(hair, "root_position", roots, 3, 3);
    const v3 tip[2] = {point(0, POINTS - 1), point(1, POINTS - 1)};
    steps(1, 0.01);
    TEST_ASSERT_NOT_NULL(strstr(warning, "the roots of 1 strands"));
    TEST_ASSERT_NOT_NULL(strstr(warning, "there: 1"));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, apart(tip[0], point(0, POINTS - 1)));
    const v3 want = v3_add(tip[1], (v3){0.0, 5.0, 0.0});
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, apart(want, point(1, POINTS - 1)));
}

static void test_a_head_that_teleports_takes_its_hair_and_its_followers_along(void)
{
    const collider_source ball = {
        .shape = SHAPE_SPHERE, .at = {{0.0, 0.0, -2.0}, quat_identity()}, .size = {1.0, 0.0, 0.0}};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &ball, &ground, &err));
    make_points();
    no_gravity();
    add_hair(STRANDS, ground, guides, 3);
    const pose to = {{7.0, 0.0, -2.0}, quat_identity()};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_pose(s, ground, &to, false, &err));
    const v3 tip[2] = {point(1, POINTS - 1), point(3, POINTS - 1)};
    TEST_ASSERT_TRUE(scene_advance_to_frame(s, 2.0, &err) >= 0);
    TEST_ASSERT_NOT_NULL(strstr(warning, "the roots of 12 strands"));
    const v3 by = {7.0, 0.0, 0.0};
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, apart(v3_add(tip[0], by), point(1, POINTS - 1)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, apart(v3_add(tip[1], by), point(3, POINTS - 1)));
}

static void test_what_does_not_go_too_far_is_no_teleport(void)
{
    make_points();
    add_hair(1, 0, NULL, 0);
    double root[3];
    v3_store(root, v3_add(given(0, 0), (v3){0.0, 1.9, 0.0}));
    set_array(hair, "root_position", root, 1, 3);
    TEST_ASSERT_TRUE(scene_advance_to_frame(s, 2.0, &err) >= 0);
    TEST_ASSERT_NULL(strstr(warning, "put there"));
}

static int32_t cancel_at_once(void *user, double fraction, const char *stage)
{
    (void)user, (void)fraction, (void)stage;
    return 1;
}

static void test_a_cancelled_teleport_has_not_happened(void)
{
    scene_destroy(s);
    const scene_config config = {.memory = memory.from, .progress = cancel_at_once, .threads = 1};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &s, &err));
    make_points();
    add_hair(1, 0, NULL, 0);
    double root[3] = {50.0, 0.0, 0.0};
    set_array(hair, "root_position", root, 1, 3);
    const uint64_t hash = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_CANCELLED, scene_step(s, 0.01, &err));
    TEST_ASSERT_EQUAL_UINT64(hash, scene_hash_state(s));
}

static void test_the_watchdog_names_the_fastest_strand(void)
{
    make_points();
    add_hair(3, 0, NULL, 0);
    double roots[9];
    for (uint32_t i = 0; i < 3; i++) v3_store(roots + 3 * i, given(i, 0));
    roots[8] += 0.5;
    set_array(hair, "root_position", roots, 3, 3);
    set(hair, "watchdog", 40.0);
    steps(1, 0.01);
    TEST_ASSERT_NOT_NULL(strstr(warning, "strand 2 moves at"));
}

static status make_everything(void)
{
    uint32_t sizes[STRANDS];
    make_points();
    hair_source source = make_source(STRANDS, sizes);
    source.guides = view_of_u32(guides, 3, 1);
    status st = scene_add_hair(s, &source, &hair, &err);
    double curl[STRANDS];
    for (int i = 0; i < STRANDS; i++) curl[i] = 0.5;
    if (st >= 0) st = try_array(hair, "curl_map", curl, STRANDS, 1);
    const double elements = 3.0;
    if (st >= 0) st = scene_set_parameter(s, hair, "elements", &elements, 1, &err);
    return st < 0 ? st : scene_step(s, 0.01, &err);
}

static void test_every_failed_allocation_is_survived(void)
{
    status st = STATUS_OUT_OF_MEMORY;
    for (uint64_t fail = 1; st == STATUS_OUT_OF_MEMORY; fail++) {
        scene_destroy(s);
        s = NULL;
        counting_check(&memory);
        counting_init(&memory, fail);
        const scene_config config = {.memory = memory.from, .threads = 1};
        st = scene_create(&config, &s, &err);
        if (st >= 0) st = make_everything();
    }
    TEST_ASSERT_TRUE_MESSAGE(st >= 0, err.text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_heavy_strand_hangs_like_a_soft_one);
    RUN_TEST(test_a_curl_of_zero_is_straight);
    RUN_TEST(test_a_constant_profile_is_a_map);
    RUN_TEST(test_profiles_are_averaged_over_elements);
    RUN_TEST(test_a_friction_map_lets_one_strand_slide);
    RUN_TEST(test_a_thickness_map_lifts_one_strand);
    RUN_TEST(test_bad_factors_are_refused_and_nothing_changes);
    RUN_TEST(test_roots_follow_a_skin_that_stretches);
    RUN_TEST(test_a_skin_turns_by_its_vertices_as_by_its_pose);
    RUN_TEST(test_given_triangles_hold_what_the_nearest_would);
    RUN_TEST(test_followers_start_as_given);
    RUN_TEST(test_followers_turn_with_the_head);
    RUN_TEST(test_a_clump_stays_together);
    RUN_TEST(test_followers_have_the_same_bits_on_any_number_of_threads);
    RUN_TEST(test_a_saved_state_brings_followers_back);
    RUN_TEST(test_other_elements_keep_followers_on_their_guides);
    RUN_TEST(test_bad_guides_are_refused);
    RUN_TEST(test_a_frozen_strand_goes_with_its_root_until_it_is_released);
    RUN_TEST(test_a_root_that_teleports_takes_its_strand_along);
    RUN_TEST(test_a_head_that_teleports_takes_its_hair_and_its_followers_along);
    RUN_TEST(test_what_does_not_go_too_far_is_no_teleport);
    RUN_TEST(test_a_cancelled_teleport_has_not_happened);
    RUN_TEST(test_the_watchdog_names_the_fastest_strand);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

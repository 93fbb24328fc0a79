/* SPDX-License-Identifier: Apache-2.0
 *
 * How strands meet: no step ends deeper than 1% of the thickness, nothing passes through anything,
 * and moving apart gives no speed.
 */
#include "math/trig.h"
#include "scene/scene.h"
#include "support/counting_allocator.h"

#include <string.h>
#include <unity.h>

enum { POINTS = 9, MOST_STRANDS = 24 };
static const double THICKNESS = 1e-3;

static counting_allocator memory;
static scene *s;
static error err;
static uint64_t lock;

static void make_scene(uint32_t threads)
{
    const scene_config config = {.memory = memory.from, .threads = threads, .start_frame = 1.0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &s, &err));
}

void setUp(void)
{
    counting_init(&memory, 0);
    make_scene(1);
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

static void add_strands(const double *points, uint32_t count)
{
    uint32_t sizes[MOST_STRANDS];
    for (uint32_t i = 0; i < count; i++) sizes[i] = POINTS;
    const hair_source source = {.name = "lock",
                                .points = view_of_f64(points, (size_t)count * POINTS, 3),
                                .strand_sizes = view_of_u32(sizes, count, 1)};
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, scene_add_hair(s, &source, &lock, &err), err.text);
    set(lock, "thickness", THICKNESS);
    set(lock, "diameter", 5e-4);
    set(0, "hair_tolerance", 1e-6);
}

/* Roots go to where they are plus `by`, in the next step. */
static void move_root(uint32_t strands, uint32_t which, v3 by)
{
    double p[3 * MOST_STRANDS];
    const mut_view out = {p, strands, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, lock, "root_position", &out, &err));
    v3_store(p + 3 * which, v3_add(v3_load(p + 3 * which), by));
    const view in = view_of_f64(p, strands, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, lock, "root_position", &in, &err));
}

static void read(const char *name, double *x, uint32_t strands)
{
    const mut_view to = {x, (size_t)strands * POINTS, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, lock, name, &to, &err));
}

static void step_without_penetration(double dt)
{
    const status st = scene_step(s, dt, &err);
    TEST_ASSERT_GREATER_OR_EQUAL_MESSAGE(0, st, st ? err.text : "");
    TEST_ASSERT_TRUE(scene_get_statistics(s).penetration <= 0.01 * THICKNESS);
}

static double fastest(uint32_t strands)
{
    double v[3 * POINTS * MOST_STRANDS], most = 0.0;
    read("velocity", v, strands);
    for (size_t i = 0; i < strands * POINTS; i++) {
        const double speed = v3_norm(v3_load(&v[3 * i]));
        if (speed > most) most = speed;
    }
    return most;
}

/* ---- two strands ---- */

/* The height of strand 0 over strand 1 where they cross, seen along z: by where their middles are
 * and how they bend it is far from 0 as long as they have not crossed. */
static double height_at_crossing(void)
{
    double x[2 * 3 * POINTS], height = INFINITY, nearest = INFINITY;
    read("position", x, 2);
    for (int i = 0; i < POINTS; i++) {
        for (int j = 0; j < POINTS; j++) {
            const v3 a = v3_sub(v3_load(&x[3 * i]), v3_load(&x[3 * (POINTS + j)]));
            const double across = a.x * a.x + a.y * a.y;
            if (across < nearest) nearest = across, height = a.z;
        }
    }
    return height;
}

/* The root of the upper one is driven down through the lower one's place. */
static void throw_down(double speed, double dt)
{
    double points[2 * 3 * POINTS];
    line((v3){-0.05, 0.0, 0.004}, (v3){0.05, 0.0, 0.004}, points);
    line((v3){0.0, -0.05, 0.0}, (v3){0.0, 0.05, 0.0}, points + 3 * POINTS);
    add_strands(points, 2);
    set_gravity((v3){0.0, 0.0, 0.0});
    uint64_t met = 0;
    for (double way = 0.0; way < 0.02; way += speed * dt) {
        move_root(2, 0, (v3){0.0, 0.0, -speed * dt});
        step_without_penetration(dt);
        met += scene_get_statistics(s).stick + scene_get_statistics(s).slide;
        TEST_ASSERT_TRUE(height_at_crossing() > 0.0);
    }
    TEST_ASSERT_GREATER_THAN(0, met);
}

static void test_a_strand_thrown_slowly_does_not_cross_another(void) { throw_down(0.05, 0.01); }

static void test_a_strand_thrown_fast_does_not_cross_another(void) { throw_down(1.0, 0.005); }

static void test_a_strand_thrown_through_in_one_step_does_not_cross_another(void)
{
    throw_down(4.0, 0.01);
}

/* Side by side, the upper root pressed down beyond the lower one. */
static void test_strands_side_by_side_keep_their_distance_everywhere(void)
{
    double points[2 * 3 * POINTS];
    line((v3){0.0, 0.0, 0.0}, (v3){0.1, 0.0, 0.0}, points);
    line((v3){0.003, 0.0002, 0.004}, (v3){0.103, -0.0002, 0.004}, points + 3 * POINTS);
    add_strands(points, 2);
    set(lock, "young", 3.9e8);
    for (int i = 0; i < 60; i++) {
        move_root(2, 1, (v3){0.0, 0.0, -1e-4});
        step_without_penetration(0.01);
    }
    TEST_ASSERT_GREATER_THAN(0, scene_get_statistics(s).stick + scene_get_statistics(s).slide);
}

/* The one in the middle has nowhere to go as the two roots around it close in. */
static void test_a_strand_pressed_between_two_is_not_crossed(void)
{
    double points[3 * 3 * POINTS];
    line((v3){-0.05, 0.0, 0.004}, (v3){0.05, 0.0, 0.004}, points);
    line((v3){0.0, -0.05, 0.0}, (v3){0.0, 0.05, 0.0}, points + 3 * POINTS);
    line((v3){-0.05, 0.005, -0.004}, (v3){0.05, 0.005, -0.004}, points + 6 * POINTS);
    add_strands(points, 3);
    set_gravity((v3){0.0, 0.0, 0.0});
    for (int i = 0; i < 40; i++) {
        move_root(3, 0, (v3){0.0, 0.0, -1e-4});
        move_root(3, 2, (v3){0.0, 0.0, 1e-4});
        step_without_penetration(0.01);
    }
    double x[3 * 3 * POINTS];
    read("position", x, 3);
    const double top = x[3 * 4 + 2], middle = x[3 * (POINTS + 4) + 2];
    TEST_ASSERT_TRUE(top > middle + 1.5 * THICKNESS);
    TEST_ASSERT_TRUE(middle > x[3 * (2 * POINTS + 4) + 2] + 1.5 * THICKNESS);
}

/* Without gravity nothing moves them but their being inside each other. */
static void test_strands_that_start_inside_come_out_without_speed(void)
{
    double points[2 * 3 * POINTS];
    line((v3){-0.05, 0.0, 0.0005}, (v3){0.05, 0.0, 0.0005}, points);
    line((v3){0.0, -0.05, 0.0}, (v3){0.0, 0.05, 0.0}, points + 3 * POINTS);
    add_strands(points, 2);
    set_gravity((v3){0.0, 0.0, 0.0});
    set(lock, "young", 1e6); /* so soft that bending apart drives nothing back */
    TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, 0.01, &err));
    TEST_ASSERT_TRUE(fastest(2) < 1e-9);
    for (int i = 0; i < 5; i++) {
        TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, 0.01, &err));
        /* They were bent on the way, but less than the way itself would have given. */
        TEST_ASSERT_TRUE(fastest(2) < 0.1 * 1.5 * THICKNESS / 0.01);
    }
    TEST_ASSERT_TRUE(scene_get_statistics(s).penetration <= 0.01 * THICKNESS);
}

/* ---- many ---- */

/* Free sticks above a plane, layer upon layer. */
static void add_pile(uint32_t count)
{
    double points[3 * POINTS * MOST_STRANDS];
    const collider_source floor = {.shape = SHAPE_PLANE, .at = pose_identity()};
    uint64_t id;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &floor, &id, &err));
    for (uint32_t i = 0; i < count; i++) {
        const trig_pair t = trig_sincos(1.1 * i);
        const v3 d = {0.03 * t.cos, 0.03 * t.sin, 0.0}, c = {0.001 * i, 0.0, 0.004 + 0.003 * i};
        line(v3_sub(c, d), v3_add(c, d), points + 3 * POINTS * (size_t)i);
    }
    add_strands(points, count);
    set(lock, "attached", 0.0);
    set(lock, "elements", 2.0);
    set(lock, "diameter", 1e-3);
}

static void test_a_pile_comes_to_rest_and_is_still(void)
{
    add_pile(5);
    set(lock, "drag", 0.02); /* they would rock for long on their contacts, which do not damp */
    for (int i = 0; i < 300; i++) step_without_penetration(0.005);
    set(0, "hair_tolerance", 1e-9);
    for (int i = 0; i < 50; i++) step_without_penetration(0.005);
    TEST_ASSERT_GREATER_THAN(4, scene_get_statistics(s).stick);
    TEST_ASSERT_TRUE(fastest(5) < 1e-6);
}

static uint64_t hash_of_pile(uint32_t threads, int steps)
{
    scene_destroy(s);
    make_scene(threads);
    add_pile(MOST_STRANDS);
    for (int i = 0; i < steps; i++) {
        TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
    }
    return scene_hash_state(s);
}

static void test_a_falling_pile_has_the_same_bits_with_any_number_of_threads(void)
{
    const uint64_t one = hash_of_pile(1, 30);
    TEST_ASSERT_GREATER_THAN(10, scene_get_statistics(s).contacts);
    TEST_ASSERT_EQUAL_HEX64(one, hash_of_pile(2, 30));
    TEST_ASSERT_EQUAL_HEX64(one, hash_of_pile(4, 30));
}

static void test_forces_are_saved_and_loaded(void)
{
    static char saved[1 << 20];
    size_t size = 0;
    hash_of_pile(1, 25);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_save_state(s, saved, sizeof saved, &size, &err));
    for (int i = 0; i < 5; i++) TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
    const uint64_t want = scene_hash_state(s);
    hash_of_pile(1, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_load_state(s, saved, size, &err));
    for (int i = 0; i < 5; i++) TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
    TEST_ASSERT_EQUAL_HEX64(want, scene_hash_state(s));
    TEST_ASSERT_EQUAL(STATUS_STATE_MISMATCH, scene_load_state(s, saved, size - 8, &err));
    TEST_ASSERT_EQUAL_HEX64(want, scene_hash_state(s));
}

/* ---- pieces ---- */

static int calls_left;

static int32_t count_down(void *user, double fraction, const char *stage)
{
    (void)user, (void)fraction, (void)stage;
    return calls_left-- == 0;
}

/* One step in which a strand is drawn through a comb of others, and turned. */
static void make_violent_scene(void)
{
    scene_destroy(s);
    const scene_config config = {.memory = memory.from, .progress = count_down, .threads = 1};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &s, &err));
    double points[3 * POINTS * MOST_STRANDS], q[4 * MOST_STRANDS] = {0.0};
    line((v3){-0.05, 0.0, 0.03}, (v3){0.05, 0.0, 0.03}, points);
    for (uint32_t i = 1; i < MOST_STRANDS; i++) {
        const v3 foot = {i % 2 ? 0.02 : 0.03, 0.005 * i, 0.0};
        line(foot, v3_add(foot, (v3){0.0, 0.0, 0.08}), points + 3 * POINTS * (size_t)i);
        q[4 * i] = 1.0;
    }
    calls_left = 1 << 30;
    add_strands(points, MOST_STRANDS);
    q[0] = cos(1.0);
    q[3] = sin(1.0);
    const view rotation = view_of_f64(q, MOST_STRANDS, 4);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, lock, "root_rotation", &rotation, &err));
    move_root(MOST_STRANDS, 0, (v3){0.0, 0.1, 0.0});
}

static void test_a_step_cancelled_in_any_of_its_pieces_changes_nothing(void)
{
    make_violent_scene();
    const uint64_t before = scene_hash_state(s);
    int cancelled = 0;
    for (int after = 0;; after++) {
        calls_left = after;
        const status st = scene_step(s, 0.01, &err);
        if (st != STATUS_CANCELLED) break;
        TEST_ASSERT_EQUAL_HEX64(before, scene_hash_state(s));
        cancelled++;
    }
    const uint64_t want = scene_hash_state(s);
    TEST_ASSERT_GREATER_THAN(12, cancelled); /* more calls than one piece makes */
    TEST_ASSERT_EQUAL(1, scene_get_statistics(s).steps);
    TEST_ASSERT_GREATER_THAN(1, scene_get_statistics(s).pieces);
    TEST_ASSERT_EQUAL(1, scene_get_time(s).steps);
    make_violent_scene();
    TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
    TEST_ASSERT_EQUAL_HEX64(want, scene_hash_state(s));
}

/* A failed step leaves the scene where it was, and the next one takes it as if nothing had been. */
static void test_every_failed_allocation_in_a_violent_step_is_survived(void)
{
    make_violent_scene();
    TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
    const uint64_t want = scene_hash_state(s);
    int failed = 0;
    for (;; failed++) {
        make_violent_scene();
        const uint64_t before = scene_hash_state(s);
        memory.fail_at = memory.allocations + 1 + (uint64_t)failed;
        const status st = scene_step(s, 0.01, &err);
        memory.fail_at = 0;
        if (st >= 0) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        TEST_ASSERT_EQUAL_HEX64(before, scene_hash_state(s));
        TEST_ASSERT_GREATER_OR_EQUAL(0, scene_step(s, 0.01, &err));
        TEST_ASSERT_EQUAL_HEX64(want, scene_hash_state(s));
    }
    TEST_ASSERT_GREATER_THAN(0, failed);
    TEST_ASSERT_GREATER_THAN(1, scene_get_statistics(s).pieces);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_strand_thrown_slowly_does_not_cross_another);
    RUN_TEST(test_a_strand_thrown_fast_does_not_cross_another);
    RUN_TEST(test_a_strand_thrown_through_in_one_step_does_not_cross_another);
    RUN_TEST(test_strands_side_by_side_keep_their_distance_everywhere);
    RUN_TEST(test_a_strand_pressed_between_two_is_not_crossed);
    RUN_TEST(test_strands_that_start_inside_come_out_without_speed);
    RUN_TEST(test_a_pile_comes_to_rest_and_is_still);
    RUN_TEST(test_a_falling_pile_has_the_same_bits_with_any_number_of_threads);
    RUN_TEST(test_forces_are_saved_and_loaded);
    RUN_TEST(test_a_step_cancelled_in_any_of_its_pieces_changes_nothing);
    RUN_TEST(test_every_failed_allocation_in_a_violent_step_is_survived);
    return UNITY_END();
}

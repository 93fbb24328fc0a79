/* SPDX-License-Identifier: Apache-2.0
 *
 * Random scenes of hair: any sizes, shapes, parameters and motions, and in half of them numbers
 * that are none. Whatever comes, calls either succeed or say why not and leave the state as it was;
 * what can be read is finite; a saved state loads to the same hash and goes on with the same bits.
 *
 * A scene is its seed. STICTION_FUZZ=N tries N of them, STICTION_FUZZ_FIRST=K begins with seed K.
 */
#include "scene/scene.h"
#include "support/counting_allocator.h"
#include "support/meshes.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { USUAL_SCENES = 200, MOST_STRANDS = 40, MOST_POINTS = 30, MOST_HAIRS = 3, STEPS = 3 };
enum { MOST_NUMBERS = 3 * MOST_STRANDS * MOST_POINTS };

static counting_allocator memory;
static scene *s;
static error err;
static random_source rng;
static uint64_t head, hair[MOST_HAIRS];
static uint32_t hairs;
static bool spoils; /* this scene has bad numbers */
static char seed_text[64];
static double numbers[MOST_NUMBERS];

void setUp(void) {}

void tearDown(void)
{
    scene_destroy(s);
    s = NULL;
}

/* ---- numbers ---- */

static bool one_in(uint32_t n) { return random_below(&rng, n) == 0; }

static double bad_number(void)
{
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 5e-324, 0.0, -1.0, 1e9};
    return bad[random_below(&rng, sizeof bad / sizeof *bad)];
}

static double maybe_bad(double good, uint32_t odds)
{
    return spoils && one_in(odds) ? bad_number() : good;
}

/* From 10^low to 10^high, every power as likely. */
static double any_size(double low, double high)
{
    return pow(10.0, random_between(&rng, low, high));
}

static v3 spoilt_v3(v3 a)
{
    return (v3){maybe_bad(a.x, 400), maybe_bad(a.y, 400), maybe_bad(a.z, 400)};
}

static pose any_pose(double reach)
{
    const v3 axis = random_direction(&rng);
    const double angle = random_between(&rng, -3.0, 3.0), c = cos(0.5 * angle),
                 k = sin(0.5 * angle);
    const quat q = {c, k * axis.x, k * axis.y, k * axis.z};
    return (pose){spoilt_v3(v3_scale(reach, random_v3(&rng))), q};
}

/* ---- what must hold ---- */

/* A refusal has a text and has changed nothing. */
static bool went_well(status st, uint64_t hash)
{
    if (st >= 0) return true;
    TEST_ASSERT_TRUE_MESSAGE(err.text[0] != '\0', seed_text);
    TEST_ASSERT_EQUAL_HEX64_MESSAGE(hash, scene_hash_state(s), seed_text);
    return false;
}

/* The hash is taken before the call. */
static uint64_t hash_before;
#define TRY(call) (hash_before = scene_hash_state(s), went_well((call), hash_before))

static void check_numbers(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) TEST_ASSERT_TRUE_MESSAGE(isfinite(x[i]), seed_text);
}

static void check_statistics(void)
{
    const scene_statistics t = scene_get_statistics(s);
    const double all[] = {t.residual,        t.fischer_burmeister, t.alart_curnier,
                          t.penetration,     t.seconds_import,     t.seconds_predict,
                          t.seconds_collide, t.seconds_assemble,   t.seconds_solve,
                          t.seconds_correct, t.seconds_total};
    check_numbers(all, sizeof all / sizeof *all);
}

static void check_points(uint64_t id)
{
    object_info info;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_object_info(s, id, &info, &err));
    const mut_view out = {numbers, info.nodes, 3, FORMAT_F64, 0};
    const char *const names[] = {"position", "velocity"};
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, id, names[i], &out, &err));
        check_numbers(numbers, 3 * info.nodes);
    }
}

/* ---- scenes ---- */

static void set_any(uint64_t id, const char *name, double value)
{
    const double v = maybe_bad(value, 30);
    TRY(scene_set_parameter(s, id, name, &v, 1, &err));
}

static void add_ball_or_box(void)
{
    collider_source source = {.shape = 1 + random_below(&rng, 4), .at = any_pose(0.2)};
    for (int k = 0; k < 3; k++) source.size[k] = maybe_bad(random_between(&rng, 0.01, 0.2), 50);
    uint64_t id;
    if (!TRY(scene_add_collider(s, &source, &id, &err))) return;
    set_any(id, "friction", any_size(-3.0, 0.3));
    if (!head || one_in(2)) head = id;
}

static void add_mesh(void)
{
    test_mesh m = one_in(2) ? test_mesh_sphere(5) : test_mesh_cube();
    const double size = any_size(-2.0, 0.0);
    for (size_t i = 0; i < 3 * m.vertices; i++) m.x[i] = maybe_bad(size * m.x[i], 400);
    if (spoils && one_in(5)) m.corner[1] = m.corner[0];
    if (spoils && one_in(20)) m.corner[2] = (uint32_t)m.vertices;
    const collider_source source = {.shape = SHAPE_MESH,
                                    .at = any_pose(0.1),
                                    .positions = view_of_f64(m.x, m.vertices, 3),
                                    .triangles = view_of_u32(m.corner, m.triangles, 3)};
    uint64_t id;
    if (TRY(scene_add_collider(s, &source, &id, &err))) head = id;
    test_mesh_free(&m);
}

static void push(void *user, double seconds, uint64_t count, const double *positions,
                 const double *velocities, double *forces)
{
    (void)seconds, (void)velocities;
    for (uint64_t i = 0; i < 3 * count; i++) forces[i] = *(double *)user * positions[i];
}

static void add_force(double *strength)
{
    *strength = maybe_bad(random_between(&rng, -20.0, 20.0), 6);
    const force_source source = {.type = 1 + random_below(&rng, 5),
                                 .at = any_pose(1.0),
                                 .field = push,
                                 .field_user = strength};
    force_source own = source;
    if (source.type != FORCE_CUSTOM) own.field = NULL, own.field_user = NULL;
    uint64_t id;
    if (TRY(scene_add_force(s, &own, &id, &err))) set_any(id, "strength", any_size(-2.0, 4.0));
}

/* A random walk that may stand still, and so may have no length at all. */
static void grow_strand(double *points, uint32_t count, v3 root, double length)
{
    v3 x = root, way = random_direction(&rng);
    const bool is_point = spoils && one_in(40);
    const double bend = random_between(&rng, 0.0, 1.0);
    for (uint32_t k = 0; k < count; k++) {
        v3_store(points + 3 * k, spoilt_v3(x));
        if (is_point || one_in(20)) continue;
        way = v3_add_scaled(way, bend, random_v3(&rng));
        x = v3_add_scaled(x, length / count, way);
    }
}

static void add_hair(void)
{
    const uint32_t most = one_in(4) ? MOST_STRANDS : 6, strands = 1 + random_below(&rng, most);
    const double length = one_in(8) ? any_size(-6.0, 3.0) : random_between(&rng, 0.02, 0.3);
    uint32_t sizes[MOST_STRANDS], guides[MOST_STRANDS];
    double rotation[4 * MOST_STRANDS];
    size_t points = 0;
    for (uint32_t i = 0; i < strands; i++) {
        sizes[i] = 2 + random_below(&rng, MOST_POINTS - 1);
        guides[i] = spoils && one_in(50) ? i + 1 : i;
        for (uint32_t k = 0; k < 4; k++) rotation[4 * i + k] = maybe_bad(k == 0, 200);
        const v3 root = v3_scale(one_in(3) ? 0.001 : 0.1, random_v3(&rng));
        grow_strand(numbers + 3 * points, sizes[i], root, length);
        points += sizes[i];
    }
    if (spoils && one_in(20)) sizes[0] = random_below(&rng, 3);
    hair_source source = {.points = view_of_f64(numbers, points, 3),
                          .strand_sizes = view_of_u32(sizes, strands, 1),
                          .surface = one_in(3) ? 0 : head};
    if (one_in(3)) source.rest_points = source.points;
    if (one_in(3)) source.root_rotations = view_of_f64(rotation, strands, 4);
    if (one_in(3)) source.guides = view_of_u32(guides, 1 + random_below(&rng, strands), 1);
    if (TRY(scene_add_hair(s, &source, &hair[hairs], &err))) hairs++;
}

static void set_hair(uint64_t id)
{
    const struct {
        const char *name;
        double low, high; /* powers of ten */
    } rows[] = {{"thickness", -5.0, -1.5},  {"friction", -2.0, 0.3},   {"diameter", -6.0, -2.0},
                {"young", 3.0, 12.0},       {"damping", -6.0, 1.0},    {"drag", -8.0, 0.0},
                {"shear_ratio", -2.0, 0.5}, {"mass_density", 0.0, 5.0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (one_in(3)) set_any(id, rows[i].name, any_size(rows[i].low, rows[i].high));
    }
    if (one_in(4)) set_any(id, "friction", 0.0);
    if (one_in(2)) set_any(id, "elements", 1 + random_below(&rng, 12));
    if (one_in(4)) set_any(id, "attached", random_below(&rng, 2));
}

static void set_maps(uint64_t id)
{
    object_info info;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_object_info(s, id, &info, &err));
    const char *const names[] = {"stiffness_map",     "curl_map",      "mass_map",
                                 "drag_map",          "thickness_map", "friction_map",
                                 "stiffness_profile", "curl_profile",  "freeze"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (!one_in(6)) continue;
        const bool profile = strstr(names[k], "profile"), whole = strcmp(names[k], "freeze") == 0;
        const size_t count = profile ? info.nodes : info.strands;
        for (size_t i = 0; i < count; i++) {
            numbers[i] = maybe_bad(whole ? (double)random_below(&rng, 2) : any_size(-2, 1), 50);
        }
        const view values = view_of_f64(numbers, count, 1);
        TRY(scene_set_array(s, id, names[k], &values, &err));
    }
}

/* ---- motion ---- */

/* Up to 10 m/s and 100 rad/s; now and then much farther. */
static void move_head(double dt)
{
    pose p;
    if (!head || scene_get_pose(s, head, &p, &err) < 0) return;
    const double way = one_in(10) ? 100.0 : 10.0 * dt;
    p.position = spoilt_v3(v3_add_scaled(p.position, way, random_v3(&rng)));
    const double half = 0.5 * random_between(&rng, -100.0, 100.0) * dt;
    const v3 axis = v3_scale(sin(half), random_direction(&rng));
    p.rotation = quat_mul((quat){cos(half), axis.x, axis.y, axis.z}, p.rotation);
    p.rotation.w = maybe_bad(p.rotation.w, 30);
    TRY(scene_set_pose(s, head, &p, one_in(6), &err));
}

static void move_roots(uint64_t id, double dt)
{
    object_info info;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_object_info(s, id, &info, &err));
    const mut_view out = {numbers, info.strands, 3, FORMAT_F64, 0};
    if (scene_get_array(s, id, "root_position", &out, &err) < 0) return;
    const double way = one_in(10) ? 100.0 : 10.0 * dt;
    for (size_t i = 0; i < info.strands; i++) {
        const v3 to = v3_add_scaled(v3_load(numbers + 3 * i), way, random_v3(&rng));
        v3_store(numbers + 3 * i, spoilt_v3(to));
    }
    const view in = view_of_f64(numbers, info.strands, 3);
    TRY(scene_set_array(s, id, "root_position", &in, &err));
}

/* Saved, stepped, loaded and stepped: the same state both times. */
static void step_twice(double dt)
{
    const size_t size = scene_state_size(s);
    const uint64_t before = scene_hash_state(s);
    void *saved = malloc(size);
    size_t written = 0;
    TEST_ASSERT_NOT_NULL(saved);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, scene_save_state(s, saved, size, &written, &err),
                              seed_text);
    const status first = scene_step(s, dt, &err);
    went_well(first, before);
    const uint64_t after = scene_hash_state(s);
    const status loaded = scene_load_state(s, saved, written, &err);
    free(saved);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, loaded, seed_text);
    TEST_ASSERT_EQUAL_HEX64_MESSAGE(before, scene_hash_state(s), seed_text);
    TEST_ASSERT_EQUAL_MESSAGE(first, scene_step(s, dt, &err), seed_text);
    TEST_ASSERT_EQUAL_HEX64_MESSAGE(after, scene_hash_state(s), seed_text);
    check_statistics();
    for (uint32_t i = 0; i < hairs; i++) check_points(hair[i]);
}

/* ---- the whole ---- */

static void fill_scene(double *strength)
{
    if (one_in(3)) set_any(0, "hair_tolerance", any_size(-8.0, -1.0));
    set_any(0, "hair_iterations", 1 + random_below(&rng, 200));
    for (uint32_t n = random_below(&rng, 3); n > 0; n--) add_ball_or_box();
    if (one_in(4)) add_mesh();
    if (one_in(3)) add_force(strength);
    for (uint32_t n = one_in(4) ? MOST_HAIRS : 1; n > 0; n--) add_hair();
    for (uint32_t i = 0; i < hairs; i++) set_hair(hair[i]), set_maps(hair[i]);
}

static void run_scene(uint64_t seed)
{
    snprintf(seed_text, sizeof seed_text, "STICTION_FUZZ_FIRST=%llu", (unsigned long long)seed);
    rng = (random_source){seed};
    spoils = one_in(2), head = 0, hairs = 0;
    double strength = 0.0;
    counting_init(&memory, 0);
    const scene_config config = {.memory = memory.from, .threads = 1 + random_below(&rng, 2)};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &s, &err));
    fill_scene(&strength);
    for (int i = 0; i < STEPS && hairs > 0; i++) {
        const double dt = maybe_bad(any_size(-4.0, -1.3), 20);
        move_head(isfinite(dt) ? dt : 0.0);
        for (uint32_t k = 0; k < hairs; k++) move_roots(hair[k], isfinite(dt) ? dt : 0.0);
        step_twice(dt);
        if (one_in(6)) set_hair(hair[0]);
    }
    scene_destroy(s);
    s = NULL;
    counting_check(&memory);
}

static uint64_t wished(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void test_random_scenes_neither_crash_nor_lie(void)
{
    const uint64_t first = wished("STICTION_FUZZ_FIRST", 1);
    const uint64_t count = wished("STICTION_FUZZ", USUAL_SCENES);
    for (uint64_t seed = first; seed < first + count; seed++) run_scene(seed);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_random_scenes_neither_crash_nor_lie);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Cloth with a fabric in scenes: what elasticity, contacts and drag do together.
 */
#include "cloth/sheet.h"
#include "scene/scene.h"
#include "support/counting_allocator.h"

#include <string.h>
#include <unity.h>

enum { MOST_CELLS = 16, MOST_NODES = (MOST_CELLS + 1) * (MOST_CELLS + 1) };

#define THICKNESS 0.001
#define DT (1.0 / 96.0)

static counting_allocator memory;
static scene *s;
static error err;
static uint64_t sheet;

static struct {
    size_t nodes, triangles;
    double x[3 * MOST_NODES];
    uint32_t corner[6 * MOST_CELLS * MOST_CELLS];
} mesh;

/* A square of `side` metres around the origin, rows along x. */
static void make_mesh(uint32_t cells, double side, double z)
{
    const uint32_t row = cells + 1;
    mesh.nodes = (size_t)row * row;
    mesh.triangles = 2 * (size_t)cells * cells;
    for (uint32_t i = 0; i < mesh.nodes; i++) {
        mesh.x[3 * i] = side * ((double)(i % row) / cells - 0.5);
        mesh.x[3 * i + 1] = side * ((double)(i / row) / cells - 0.5);
        mesh.x[3 * i + 2] = z;
    }
    uint32_t *c = mesh.corner;
    for (uint32_t i = 0; i < cells * cells; i++, c += 6) {
        const uint32_t a = i / cells * row + i % cells;
        const uint32_t quad[6] = {a, a + 1, a + row + 1, a, a + row + 1, a + row};
        memcpy(c, quad, sizeof quad);
    }
}

static scene *make_scene(uint32_t threads)
{
    const scene_config config = {.memory = memory.from, .threads = threads};
    scene *made = NULL;
    return scene_create(&config, &made, &err) == STATUS_OK ? made : NULL;
}

static status add_mesh(scene *to, uint64_t *id)
{
    const cloth_source source = {.positions = view_of_f64(mesh.x, mesh.nodes, 3),
                                 .triangles = view_of_u32(mesh.corner, mesh.triangles, 3)};
    return scene_add_cloth(to, &source, id, &err);
}

static void set(uint64_t id, const char *name, double value)
{
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, id, name, &value, 1, &err));
}

static void set_gravity(double x, double y, double z)
{
    const double g[3] = {x, y, z};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_parameter(s, 0, "gravity", g, 3, &err));
}

static uint64_t add_collider(uint32_t shape, double z, double friction)
{
    const collider_source source = {
        .shape = shape, .at = {{0.0, 0.0, z}, {1.0, 0.0, 0.0, 0.0}}, .size = {0.1, 0.1, 0.1}};
    uint64_t id = 0;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_collider(s, &source, &id, &err));
    set(id, "friction", friction);
    return id;
}

static void add_cotton(uint32_t cells, double side, double z)
{
    make_mesh(cells, side, z);
    TEST_ASSERT_EQUAL(STATUS_OK, add_mesh(s, &sheet));
    set(sheet, "fabric", 1.0);
    set(sheet, "density", 0.15);
    set(sheet, "thickness", THICKNESS);
}

static void step(int count)
{
    for (int i = 0; i < count; i++) {
        TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, scene_step(s, DT, &err), err.text);
    }
}

static v3 *get(const char *name)
{
    static double all[3 * MOST_NODES];
    static v3 nodes[MOST_NODES];
    const mut_view out = {all, mesh.nodes, 3, FORMAT_F64, 0};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_array(s, sheet, name, &out, &err));
    for (size_t i = 0; i < mesh.nodes; i++) nodes[i] = v3_load(&all[3 * i]);
    return nodes;
}

/* The nodes at the smallest x. */
static void pin_border(uint32_t cells)
{
    const double one = 1.0;
    uint32_t node[MOST_CELLS + 1];
    for (uint32_t i = 0; i <= cells; i++) node[i] = i * (cells + 1);
    const view at = view_of_u32(node, cells + 1, 1), value = view_of_f64(&one, 1, 1);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array_at(s, sheet, "pin", &at, &value, &err));
}

void setUp(void)
{
    counting_init(&memory, 0);
    s = make_scene(1);
    TEST_ASSERT_NOT_NULL(s);
}

void tearDown(void)
{
    scene_destroy(s);
    counting_check(&memory);
}

/* Hung by the ends of its warp, a strip stretches by density g L^2 / (2 E), E = C_11 - C_12^2/C_22.
 * That the border cannot get narrower raises E to C_11 at most (1.4%), and the fibres add a s / x,
 * 1.0% of C_11 at most. The mean counts: of the two lower corners one weighs twice the other. */
static void test_a_hanging_sheet_stretches_by_its_weight(void)
{
    enum { CELLS = 8 };
    const double length = 0.5, E = 2500.0 - 250.0 * 250.0 / 1800.0;
    add_cotton(CELLS, length, 0.0);
    pin_border(CELLS);
    set_gravity(9.81, 0.0, 0.0);
    step(60);
    const double expected = 0.15 * 9.81 * length * length / (2.0 * E);
    const v3 *x = get("position");
    double mean = 0.0;
    for (size_t i = CELLS; i < mesh.nodes; i += CELLS + 1) {
        mean += (x[i].x - 0.5 * length) / (CELLS + 1);
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.024 * expected, expected, mean);
}

static void lay_on_incline(uint32_t cells, double mu, double tangent)
{
    const double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    add_collider(SHAPE_PLANE, 0.0, mu);
    add_cotton(cells, 0.4, THICKNESS);
    set(sheet, "friction", mu);
    set_gravity(9.81 * tangent * cosine, 0.0, -9.81 * cosine);
}

static void test_a_sheet_holds_below_the_angle_of_friction(void)
{
    lay_on_incline(6, 0.3, 0.299);
    step(96);
    const v3 *x = get("position");
    for (size_t i = 0; i < mesh.nodes; i++) { /* steps times the tolerance, 1e-10 m/s, times dt */
        TEST_ASSERT_DOUBLE_WITHIN(96 * DT * 1e-10, 0.0,
                                  v3_norm(v3_sub(x[i], v3_load(&mesh.x[3 * i]))));
    }
}

static void check_sliding(uint32_t cells)
{
    enum { STEPS = 48 };
    const double mu = 0.2, tangent = 0.4, cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    const double expected = 9.81 * cosine * (tangent - mu) * STEPS * DT;
    lay_on_incline(cells, mu, tangent);
    step(STEPS);
    const v3 *v = get("velocity");
    for (size_t i = 0; i < mesh.nodes; i++) { /* errors of the steps add up */
        TEST_ASSERT_DOUBLE_WITHIN(100.0 * STEPS * 1e-10, expected, v[i].x);
    }
    TEST_ASSERT_EQUAL_UINT64(0, scene_get_statistics(s).steps_not_converged);
}

static void test_a_coarse_sheet_slides_as_coulomb_says(void) { check_sliding(2); }
static void test_a_fine_sheet_slides_as_coulomb_says(void) { check_sliding(10); }

/* Of the scene's cloth, as a sheet of the same make has it. */
static double find_energy(const cloth_sheet *model, double *bent)
{
    double x[3 * MOST_NODES], kinetic = 0.0;
    double area[MOST_NODES];
    cloth_sheet_find_areas(model, area);
    const v3 *v = get("velocity");
    for (size_t i = 0; i < mesh.nodes; i++) kinetic += 0.075 * area[i] * v3_dot(v[i], v[i]);
    const v3 *at = get("position");
    for (size_t i = 0; i < mesh.nodes; i++) v3_store(&x[3 * i], at[i]);
    const cloth_energy e = cloth_sheet_energy(model, x, bent);
    return kinetic + e.stretch + e.bend;
}

static void test_a_stretched_sheet_only_loses_energy(void)
{
    enum { CELLS = 6 };
    static double bent[3 * MOST_CELLS * MOST_CELLS + 2 * MOST_CELLS], wide[3 * MOST_NODES];
    add_cotton(CELLS, 0.4, 0.0);
    set_gravity(0.0, 0.0, 0.0);
    cloth_sheet model;
    const cloth_sheet_source source = {.nodes = mesh.nodes,
                                       .triangles = mesh.triangles,
                                       .corner = mesh.corner,
                                       .rest.positions = mesh.x,
                                       .material = cloth_preset_find("cotton")->material};
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_sheet_create(&model, &memory.from, &source, &err));
    for (size_t i = 0; i < 3 * mesh.nodes; i++) wide[i] = 1.02 * mesh.x[i];
    const view stretched = view_of_f64(wide, mesh.nodes, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, sheet, "position", &stretched, &err));
    const double first = find_energy(&model, bent);
    double before = first;
    for (int i = 0; i < 20; i++) {
        step(1);
        const double now = find_energy(&model, bent);
        TEST_ASSERT_TRUE(now <= before);
        before = now;
    }
    TEST_ASSERT_TRUE(before < 1e-3 * first);
    cloth_sheet_destroy(&model);
}

static void test_wind_takes_a_sheet_along(void)
{
    enum { STEPS = 10 };
    const double drag = 2.0, speed = 3.0, share = DT * drag / (0.15 + DT * drag);
    const force_source wind = {.type = FORCE_WIND, .at = pose_identity()};
    uint64_t id = 0;
    TEST_ASSERT_EQUAL(STATUS_OK, scene_add_force(s, &wind, &id, &err));
    set(id, "strength", speed);
    add_cotton(4, 0.4, 0.0);
    set(sheet, "cloth_drag", drag);
    set_gravity(0.0, 0.0, 0.0);
    step(STEPS);
    double left = speed;
    for (int i = 0; i < STEPS; i++) left *= 1.0 - share;
    const v3 *v = get("velocity");
    for (size_t i = 0; i < mesh.nodes; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(100.0 * STEPS * 1e-10, speed - left, v[i].z);
    }
}

/* A sheet over a ball: contacts on a curve, folds, hanging corners. */
static void drape(scene *on)
{
    s = on;
    add_collider(SHAPE_SPHERE, 0.0, 0.5);
    add_cotton(8, 0.4, 0.1 + THICKNESS + 0.002);
    set(sheet, "friction", 0.5);
}

static uint64_t hash_of_drape(uint32_t threads)
{
    scene *mine = s, *other = make_scene(threads);
    drape(other);
    step(24);
    const uint64_t hash = scene_hash_state(other);
    scene_destroy(other);
    s = mine;
    return hash;
}

static void test_the_bits_do_not_depend_on_threads(void)
{
    const uint64_t one = hash_of_drape(1);
    TEST_ASSERT_TRUE(one == hash_of_drape(2));
    TEST_ASSERT_TRUE(one == hash_of_drape(4));
}

static void test_a_drape_converges_without_penetration(void)
{
    drape(s);
    step(48);
    const scene_statistics t = scene_get_statistics(s);
    TEST_ASSERT_EQUAL_UINT64(0, t.steps_not_converged);
    TEST_ASSERT_TRUE(t.residual <= 1e-10);
    TEST_ASSERT_TRUE(t.contacts > 0);
    /* a node that slides on a ball leaves its tangent plane by (h v)^2 / 2R at most */
    TEST_ASSERT_TRUE(t.penetration < 1e-3);
    const v3 *x = get("position");
    TEST_ASSERT_TRUE(x[0].z < 0.05); /* the corners hang */
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.1 + THICKNESS, x[mesh.nodes / 2].z);
}

static void test_a_saved_drape_goes_on_with_the_same_bits(void)
{
    static char saved[1 << 17];
    size_t size = 0;
    drape(s);
    step(12);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_save_state(s, saved, sizeof saved, &size, &err));
    step(6);
    const uint64_t hash = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_load_state(s, saved, size, &err));
    step(6);
    TEST_ASSERT_TRUE(hash == scene_hash_state(s));
}

static void test_steps_stop_allocating(void)
{
    lay_on_incline(6, 0.3, 0.4);
    step(3);
    const uint64_t before = memory.allocations;
    step(10);
    TEST_ASSERT_EQUAL_UINT64(before, memory.allocations);
}

static void test_pins_reach_their_targets_to_the_bit(void)
{
    enum { CELLS = 4 };
    add_cotton(CELLS, 0.4, 0.0);
    pin_border(CELLS);
    static double target[3 * MOST_NODES];
    for (size_t i = 0; i < 3 * mesh.nodes; i++) target[i] = mesh.x[i] + (i % 3 == 2 ? 0.125 : 0.0);
    const view to = view_of_f64(target, mesh.nodes, 3);
    TEST_ASSERT_EQUAL(STATUS_OK, scene_set_array(s, sheet, "target", &to, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_step(s, 0.0078125, &err));
    const v3 *x = get("position");
    for (size_t i = 0; i < mesh.nodes; i += CELLS + 1) TEST_ASSERT_TRUE(x[i].z == 0.125);
}

static void test_a_cloth_without_its_fabric_is_as_if_it_never_had_one(void)
{
    add_cotton(4, 0.4, 0.5);
    set(sheet, "fabric", 0.0);
    step(5);
    const uint64_t hash = scene_hash_state(s);
    scene_destroy(s);
    s = make_scene(1);
    TEST_ASSERT_EQUAL(STATUS_OK, add_mesh(s, &sheet));
    set(sheet, "density", 0.15);
    set(sheet, "thickness", THICKNESS);
    step(5);
    TEST_ASSERT_TRUE(hash == scene_hash_state(s));
}

static void test_a_fabric_that_does_not_exist_is_refused(void)
{
    add_cotton(2, 0.4, 0.0);
    double number = 77.0;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      scene_set_parameter(s, sheet, "fabric", &number, 1, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "77"));
    TEST_ASSERT_EQUAL(STATUS_OK, scene_get_parameter(s, sheet, "fabric", &number, 1, &err));
    TEST_ASSERT_TRUE(number == 1.0);
    step(1);
}

static int32_t refuse(void *user, double fraction, const char *stage)
{
    (void)user, (void)fraction;
    return strcmp(stage, "solve") == 0;
}

static void test_a_cancelled_step_leaves_the_last_whole_one(void)
{
    scene *mine = s;
    const scene_config config = {.memory = memory.from, .threads = 1, .progress = refuse};
    TEST_ASSERT_EQUAL(STATUS_OK, scene_create(&config, &s, &err));
    add_cotton(4, 0.4, 0.5);
    const uint64_t hash = scene_hash_state(s);
    TEST_ASSERT_EQUAL(STATUS_CANCELLED, scene_step(s, DT, &err));
    TEST_ASSERT_TRUE(hash == scene_hash_state(s));
    scene_destroy(s);
    s = mine;
}

/* A sheet that falls onto the floor, all of it with an allocator that may refuse. */
static status run_with(scene *on)
{
    uint64_t id = 0, plane = 0;
    const double cotton = 1.0;
    const collider_source source = {.shape = SHAPE_PLANE, .at = pose_identity()};
    status st = scene_add_collider(on, &source, &plane, &err);
    if (st >= 0) st = add_mesh(on, &id);
    if (st >= 0) st = scene_set_parameter(on, id, "fabric", &cotton, 1, &err);
    for (int i = 0; i < 3 && st >= 0; i++) st = scene_step(on, DT, &err);
    return st;
}

static void test_every_failed_allocation_is_survived(void)
{
    make_mesh(2, 0.2, 0.0015);
    scene_destroy(s);
    bool done = false;
    for (uint64_t k = 1; !done; k++) {
        counting_init(&memory, k);
        scene *tried = make_scene(1);
        const status st = tried ? run_with(tried) : STATUS_OUT_OF_MEMORY;
        done = st == STATUS_OK;
        if (!done) TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        scene_destroy(tried);
        counting_check(&memory);
    }
    counting_init(&memory, 0);
    s = make_scene(1);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_hanging_sheet_stretches_by_its_weight);
    RUN_TEST(test_a_sheet_holds_below_the_angle_of_friction);
    RUN_TEST(test_a_coarse_sheet_slides_as_coulomb_says);
    RUN_TEST(test_a_fine_sheet_slides_as_coulomb_says);
    RUN_TEST(test_a_stretched_sheet_only_loses_energy);
    RUN_TEST(test_wind_takes_a_sheet_along);
    RUN_TEST(test_the_bits_do_not_depend_on_threads);
    RUN_TEST(test_a_drape_converges_without_penetration);
    RUN_TEST(test_a_saved_drape_goes_on_with_the_same_bits);
    RUN_TEST(test_steps_stop_allocating);
    RUN_TEST(test_pins_reach_their_targets_to_the_bit);
    RUN_TEST(test_a_cloth_without_its_fabric_is_as_if_it_never_had_one);
    RUN_TEST(test_a_fabric_that_does_not_exist_is_refused);
    RUN_TEST(test_a_cancelled_step_leaves_the_last_whole_one);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of rods and rigid bodies through the rods extension, called through libffi: they are what
 * the core makes of them, and misuse is told by name.
 */
#include "check.h"
#include "rods/helix_tree.h"
#include "rows.h"

#include <math.h>
#include <string.h>

enum { TREES = 2, ELEMENTS = 4, ALL = TREES * ELEMENTS, UNKNOWNS = 3 * ELEMENTS, BODIES = 2 };

static double lengths[ALL], natural[3 * ALL], offsets[4 * ALL];
static int32_t parents[ALL];
static stn_rod_material materials[ELEMENTS];
static stn_rod_trees_desc trees;
static stn_rods_rigid_body body[BODIES];
static double poses[7 * BODIES], velocities[6 * BODIES];
static stn_rods_rigid_desc rigid;
static stn_rods_input input;
static stn_rods *rods;

static signature_value call(const char *name, const signature_value *arguments, size_t count)
{
    return row_call(rows_find("entry", "stn_ext_rods", name), arguments, count);
}

static void fill_trees(void)
{
    for (int k = 0; k < ALL; k++) {
        const double angle = 0.3 * (k % ELEMENTS);
        parents[k] = k % ELEMENTS - 1;
        lengths[k] = 0.05 + 0.01 * k;
        natural[3 * k] = 1.0, natural[3 * k + 1] = 0.5 * k, natural[3 * k + 2] = -2.0;
        offsets[4 * k] = cos(angle), offsets[4 * k + 1] = offsets[4 * k + 2] = 0.0;
        offsets[4 * k + 3] = sin(angle);
    }
    parents[3] = 0; /* a fork in the first tree */
    for (int k = 0; k < ELEMENTS; k++) {
        materials[k] = (stn_rod_material){.struct_size = sizeof *materials,
                                          .density = 0.01,
                                          .bend = {1e-4, 2e-4 / (k + 1)},
                                          .twist = 1e-4,
                                          .stretch = 1e3,
                                          .radius = 1e-3,
                                          .damping = 0.01};
    }
    trees = (stn_rod_trees_desc){.struct_size = sizeof trees,
                                 .trees = TREES,
                                 .elements = ELEMENTS,
                                 .parents = parents,
                                 .offsets = offsets,
                                 .lengths = lengths,
                                 .natural = natural,
                                 .materials = materials,
                                 .material_count = ELEMENTS,
                                 .threads = 1};
}

static void fill_rigid(void)
{
    static const double at_rest[7 * BODIES] = {0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0};
    memcpy(poses, at_rest, sizeof poses);
    memset(velocities, 0, sizeof velocities);
    body[0] = (stn_rods_rigid_body){
        .struct_size = sizeof *body, .shape = STN_SHAPE_BOX, .size = {0.1, 0.2, 0.3}, .mass = 2.0};
    body[1] = (stn_rods_rigid_body){.struct_size = sizeof *body,
                                    .shape = STN_SHAPE_CAPSULE,
                                    .size = {0.1, 0.5, 0.0},
                                    .density = 1000.0};
    rigid = (stn_rods_rigid_desc){.struct_size = sizeof rigid,
                                  .bodies = BODIES,
                                  .body = body,
                                  .poses = poses,
                                  .velocities = velocities,
                                  .threads = 1};
}

void setUp(void)
{
    fill_trees();
    fill_rigid();
    input = (stn_rods_input){.struct_size = sizeof input, .gravity = {0.0, 0.0, -9.81}};
}

void tearDown(void)
{
    const signature_value argument = {.pointer = rods};
    TEST_ASSERT_EQUAL(STN_OK, call("destroy", &argument, 1).i32);
    rods = NULL;
}

static stn_status create_trees(void)
{
    const signature_value arguments[] = {{.pointer = &trees}, {.pointer = &rods}};
    return call("tree_create", arguments, 2).i32;
}

static stn_status create_rigid(void)
{
    const signature_value arguments[] = {{.pointer = &rigid}, {.pointer = &rods}};
    return call("rigid_create", arguments, 2).i32;
}

static stn_status step(double dt)
{
    const signature_value arguments[] = {{.pointer = rods}, {.pointer = &input}, {.f64 = dt}};
    return call("step", arguments, 3).i32;
}

static void get_state(stn_rods *of, uint64_t rod, double *q, double *v)
{
    const signature_value arguments[] = {
        {.pointer = of}, {.u64 = rod}, {.pointer = q}, {.pointer = v}};
    TEST_ASSERT_EQUAL(STN_OK, call("get_state", arguments, 4).i32);
}

static void place(uint64_t rod, double s, double out[7])
{
    const signature_value arguments[] = {
        {.pointer = rods}, {.u64 = rod}, {.u64 = 1}, {.pointer = &s}, {.pointer = out}};
    TEST_ASSERT_EQUAL(STN_OK, call("places", arguments, 5).i32);
}

static double kinetic_energy(uint64_t rod)
{
    stn_rod_energy energy = {.struct_size = sizeof energy};
    const signature_value arguments[] = {
        {.pointer = rods}, {.pointer = &input}, {.u64 = rod}, {.pointer = &energy}};
    TEST_ASSERT_EQUAL(STN_OK, call("energy", arguments, 4).i32);
    return energy.kinetic;
}

/* ---- trees ---- */

/* The first tree as the core has it, at rest. */
static helix_tree *make_core_tree(double *state)
{
    uint32_t parent[ELEMENTS];
    quat offset[ELEMENTS];
    rod_material material[ELEMENTS];
    for (size_t k = 0; k < ELEMENTS; k++) {
        const stn_rod_material *m = &materials[k];
        parent[k] = parents[k] < 0 ? HELIX_TREE_ROOT : (uint32_t)parents[k];
        offset[k] =
            (quat){offsets[4 * k], offsets[4 * k + 1], offsets[4 * k + 2], offsets[4 * k + 3]};
        material[k] = (rod_material){.density = m->density,
                                     .bend = {m->bend[0], m->bend[1]},
                                     .twist = m->twist,
                                     .stretch = m->stretch,
                                     .radius = m->radius,
                                     .damping = m->damping};
    }
    const helix_tree_source source = {.name = "core",
                                      .elements = ELEMENTS,
                                      .parent = parent,
                                      .offset = offset,
                                      .lengths = lengths,
                                      .natural = natural,
                                      .material = material};
    helix_tree *t = NULL;
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_OK, helix_tree_create(&source, &allocator_system, &t, &err));
    const pose root = pose_identity();
    helix_tree_rest(t, &root, NULL, state);
    return t;
}

static void test_a_tree_has_the_bits_of_the_core(void)
{
    static double state[1024], work[16384];
    double q[UNKNOWNS], v[UNKNOWNS], tip[7];
    helix_tree *t = make_core_tree(state);
    TEST_ASSERT_TRUE(helix_tree_state_count(t) <= 1024 && helix_tree_work_count(t) <= 16384);
    const body_input in = {.h = 1e-3, .gravity = {0.0, 0.0, -9.81}};
    TEST_ASSERT_EQUAL(STN_OK, create_trees());
    for (int k = 0; k < 50; k++) {
        TEST_ASSERT_EQUAL(STN_OK, step(1e-3));
        TEST_ASSERT_TRUE(helix_tree_step(t, &in, state, work, state));
    }
    get_state(rods, 0, q, v);
    TEST_ASSERT_EQUAL_MEMORY(state, q, sizeof q);
    TEST_ASSERT_EQUAL_MEMORY(state + UNKNOWNS, v, sizeof v);
    place(0, lengths[0] + lengths[1], tip);
    const pose end = helix_tree_find_place(t, state, 1, (v3){1.0, 0.0, 0.0});
    TEST_ASSERT_EQUAL_MEMORY(&end, tip, sizeof tip);
    helix_tree_destroy(t);
}

/* Elements in a row without turns are a super-helix; what differs is the order of sums, and the
 * velocities are a solve with a condition of some 1e4 away from them. */
static void test_a_tree_of_one_branch_is_a_super_helix(void)
{
    double q[2][UNKNOWNS], v[2][UNKNOWNS];
    trees.trees = 1, trees.offsets = NULL, trees.material_count = 1;
    parents[3] = 2;
    TEST_ASSERT_EQUAL(STN_OK, create_trees());
    const stn_rods_desc desc = {.struct_size = sizeof desc,
                                .rods = 1,
                                .elements = ELEMENTS,
                                .model = "super-helix",
                                .material = materials,
                                .lengths = lengths,
                                .natural = natural,
                                .threads = 1};
    stn_rods *rod = NULL;
    const signature_value create[] = {{.pointer = &desc}, {.pointer = &rod}};
    TEST_ASSERT_EQUAL(STN_OK, call("create", create, 2).i32);
    const signature_value move[] = {{.pointer = rod}, {.pointer = &input}, {.f64 = 1e-3}};
    TEST_ASSERT_EQUAL(STN_OK, step(1e-3));
    TEST_ASSERT_EQUAL(STN_OK, call("step", move, 3).i32);
    get_state(rods, 0, q[0], v[0]);
    get_state(rod, 0, q[1], v[1]);
    double size = 0.0;
    for (int k = 0; k < UNKNOWNS; k++) size = fmax(size, fabs(v[1][k]));
    TEST_ASSERT_TRUE(size > 0.0);
    for (int k = 0; k < UNKNOWNS; k++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-11 * size, v[1][k], v[0][k]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14 * size + 1e-14, q[1][k], q[0][k]);
    }
    const signature_value argument = {.pointer = rod};
    TEST_ASSERT_EQUAL(STN_OK, call("destroy", &argument, 1).i32);
}

/* Where the slope of the energy is zero, gravity holds the tree. */
static void test_a_tree_comes_to_rest_where_its_energy_has_no_slope(void)
{
    double slope[UNKNOWNS], most = 0.0;
    stn_rod_equilibrium found = {.struct_size = sizeof found};
    TEST_ASSERT_EQUAL(STN_OK, create_trees());
    const signature_value rest[] = {
        {.pointer = rods}, {.pointer = &input}, {.u64 = 0}, {.pointer = &found}};
    const signature_value slopes[] = {
        {.pointer = rods}, {.pointer = &input}, {.u64 = 0}, {.pointer = slope}};
    TEST_ASSERT_EQUAL(STN_OK, call("gradient", slopes, 4).i32);
    for (int k = 0; k < UNKNOWNS; k++) most = fmax(most, fabs(slope[k]));
    TEST_ASSERT_EQUAL(STN_OK, call("equilibrium", rest, 4).i32);
    TEST_ASSERT_TRUE(found.lowest > 0.0);
    TEST_ASSERT_EQUAL(STN_OK, call("gradient", slopes, 4).i32);
    for (int k = 0; k < UNKNOWNS; k++) TEST_ASSERT_DOUBLE_WITHIN(1e-9 * most, 0.0, slope[k]);
}

/* Velocities by the Jacobian are those that places show over a short step: off by O(dt). */
static void test_the_jacobian_of_a_tree_moves_its_tips(void)
{
    double linear[3 * UNKNOWNS], v[UNKNOWNS], tip[2][7];
    const double dt = 1e-6, s = lengths[0] + lengths[1] + lengths[2] + lengths[3];
    TEST_ASSERT_EQUAL(STN_OK, create_trees());
    for (int k = 0; k < 20; k++) TEST_ASSERT_EQUAL(STN_OK, step(1e-3));
    const signature_value arguments[] = {
        {.pointer = rods}, {.u64 = 0}, {.f64 = s}, {.pointer = linear}, {.pointer = NULL}};
    TEST_ASSERT_EQUAL(STN_OK, call("jacobian", arguments, 5).i32);
    place(0, s, tip[0]);
    TEST_ASSERT_EQUAL(STN_OK, step(dt));
    place(0, s, tip[1]);
    get_state(rods, 0, NULL, v);
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int k = 0; k < UNKNOWNS; k++) sum += linear[UNKNOWNS * i + k] * v[k];
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, sum, (tip[1][i] - tip[0][i]) / dt);
    }
}

/* ---- rigid bodies ---- */

/* n steps of dt from rest fall by g dt^2 n (n + 1) / 2; the spin about a principal axis stays. */
static void test_a_rigid_body_falls_and_spins_as_theory_says(void)
{
    enum { STEPS = 100 };
    const double dt = 0.01, spin = 3.0;
    double q[6], v[6], at[7];
    velocities[5] = spin;
    TEST_ASSERT_EQUAL(STN_OK, create_rigid());
    for (int k = 0; k < STEPS; k++) TEST_ASSERT_EQUAL(STN_OK, step(dt));
    get_state(rods, 0, q, v);
    place(0, 0.0, at);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -9.81 * dt * STEPS, v[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -9.81 * dt * dt * STEPS * (STEPS + 1) / 2, at[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, spin, v[5]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, fabs(cos(0.5 * spin * dt * STEPS)), fabs(at[3]));
    place(0, 0.5, at); /* a point on the x axis has turned with it */
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5 * cos(spin * dt * STEPS), at[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5 * sin(spin * dt * STEPS), at[1]);
    const double moment = 2.0 / 3.0 * (0.1 * 0.1 + 0.2 * 0.2); /* m/3 (a^2 + b^2) about z */
    const double expected = 0.5 * (2.0 * v[2] * v[2] + moment * spin * spin);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * expected, expected, kinetic_energy(0));
}

/* A cylinder with two half balls, of the density 1000, about its axis z and across it. */
static void test_a_capsule_lies_along_z_with_the_mass_of_its_density(void)
{
    const double pi = 3.14159265358979323846, r = 0.1, l = 1.0; /* l: of the axis */
    const double tube = 1000.0 * pi * r * r * l, balls = 1000.0 * 4.0 / 3.0 * pi * r * r * r;
    const double along = 0.5 * tube * r * r + 0.4 * balls * r * r;
    const double across =
        tube * (0.25 * r * r + l * l / 12.0) + balls * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    const struct {
        int unknown;
        double inertia;
    } rows[] = {{0, tube + balls}, {3, across}, {4, across}, {5, along}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        fill_rigid();
        velocities[6 + rows[k].unknown] = 2.0;
        TEST_ASSERT_EQUAL(STN_OK, create_rigid());
        TEST_ASSERT_DOUBLE_WITHIN(1e-12 * rows[k].inertia, 2.0 * rows[k].inertia,
                                  kinetic_energy(1));
        tearDown();
    }
}

static void test_a_body_without_shape_has_the_inertia_that_is_given(void)
{
    body[0] = (stn_rods_rigid_body){
        .struct_size = sizeof *body, .mass = 3.0, .inertia = {1.0, 2.0, 2.5, 0.1, 0.2, 0.3}};
    velocities[3] = 1.0, velocities[4] = 2.0;
    TEST_ASSERT_EQUAL(STN_OK, create_rigid());
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5 * (1.0 + 2.0 * 4.0 + 2.0 * 0.1 * 2.0), kinetic_energy(0));
}

static void test_what_nothing_holds_has_no_equilibrium(void)
{
    TEST_ASSERT_EQUAL(STN_OK, create_rigid());
    const signature_value arguments[] = {
        {.pointer = rods}, {.pointer = &input}, {.u64 = 0}, {.pointer = NULL}};
    TEST_ASSERT_EQUAL(STN_ERROR_UNSUPPORTED, call("equilibrium", arguments, 4).i32);
}

/* ---- misuse ---- */

static void check_refused(stn_status expected, stn_status actual, const char *text)
{
    const char *said = call("last_error", NULL, 0).pointer;
    TEST_ASSERT_EQUAL_MESSAGE(expected, actual, said);
    TEST_ASSERT_NULL(rods);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, text), said);
    setUp();
}

static void refuse_trees(const char *text)
{
    check_refused(STN_ERROR_INVALID_ARGUMENT, create_trees(), text);
}

static void refuse_rigid(const char *text)
{
    check_refused(STN_ERROR_INVALID_ARGUMENT, create_rigid(), text);
}

static void test_wrong_trees_are_refused_by_name(void)
{
    static const double bad_root[7 * TREES] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0};
    parents[5] = 1; /* its own parent, the shortest cycle */
    refuse_trees("'tree 1', element 1: its parent is element 1");
    parents[2] = 3;
    refuse_trees("'tree 0', element 2: its parent is element 3");
    parents[6] = -2;
    refuse_trees("tree 1, element 2: its parent is -2");
    lengths[6] = 0.0;
    refuse_trees("'tree 1', element 2: its element length is 0");
    natural[3 * 7] = NAN;
    refuse_trees("'tree 1', element 3: its natural curvature");
    materials[2].twist = -1e30;
    refuse_trees("'tree 0', element 2: its twisting stiffness");
    materials[1].bend[0] = INFINITY;
    refuse_trees("'tree 0', element 1: its bending stiffness about n1 is inf");
    offsets[4 * 5] = 3.0;
    refuse_trees("'tree 1', element 1: its offset");
    offsets[4 * 4] = NAN;
    refuse_trees("'tree 1', element 0: its offset");
    trees.roots = bad_root;
    refuse_trees("rod 1: its root's quaternion has the length 2");
    trees.material_count = 3;
    refuse_trees("material_count is 3");
    trees.trees = 0;
    refuse_trees("0 trees");
    trees.elements = 0;
    refuse_trees("0 elements");
    trees.parents = NULL;
    refuse_trees("'parents' is NULL");
    trees.lengths = NULL;
    refuse_trees("'lengths' is NULL");
    trees.materials = NULL;
    refuse_trees("'materials' is NULL");
    trees.reserved = 1;
    refuse_trees("reserved");
}

/* Either it steps or it says why it does not; never NaN. */
static void test_absurd_stiffness_steps_or_is_told(void)
{
    static const double stiffness[] = {1e-30, 1e30, 1e-300, 1e300};
    for (size_t i = 0; i < sizeof stiffness / sizeof *stiffness; i++) {
        for (int k = 0; k < ELEMENTS; k++) {
            materials[k].bend[0] = materials[k].bend[1] = materials[k].twist = stiffness[i];
        }
        TEST_ASSERT_EQUAL(STN_OK, create_trees());
        const stn_status st = step(0.01);
        TEST_ASSERT_TRUE(st == STN_OK || st == STN_ERROR_DIVERGED);
        double q[UNKNOWNS], v[UNKNOWNS];
        get_state(rods, 1, q, v);
        for (int k = 0; k < UNKNOWNS; k++) TEST_ASSERT_TRUE(isfinite(q[k]) && isfinite(v[k]));
        tearDown();
    }
}

static void test_wrong_rigid_bodies_are_refused_by_name(void)
{
    body[1].shape = STN_SHAPE_MESH;
    refuse_rigid("'rigid', body 1: its shape");
    body[0].size[1] = 0.0;
    refuse_rigid("'rigid', body 0");
    body[0].size[2] = NAN;
    refuse_rigid("'rigid', body 0");
    body[0].density = 1.0;
    refuse_rigid("body 0: expected a density or a mass");
    body[1].density = 0.0;
    refuse_rigid("body 1: expected a density or a mass");
    body[1].density = -1.0;
    refuse_rigid("body 1: its mass is -");
    body[0].mass = NAN;
    refuse_rigid("body 0: its mass is nan");
    body[0].skin_drag = -1.0;
    refuse_rigid("body 0: its drag");
    body[0].shape = 0;
    refuse_rigid("body 0: its inertia");
    body[0].shape = 0, body[0].inertia[0] = 1.0, body[0].inertia[1] = 1.0, body[0].inertia[2] = 5.0;
    refuse_rigid("principal moment");
    body[1].shape = 0;
    refuse_rigid("body 1: without a shape");
    poses[10] = 0.5;
    refuse_rigid("'rigid', body 1: its rotation's length is 0.5");
    velocities[7] = INFINITY;
    refuse_rigid("body 1: its velocity");
    rigid.bodies = 0;
    refuse_rigid("0 bodies");
    rigid.body = NULL;
    refuse_rigid("'body' is NULL");
    rigid.reserved = 7;
    refuse_rigid("reserved");
}

static void test_descs_and_handles_that_are_null_are_refused(void)
{
    static const char *const entries[] = {"tree_create", "rigid_create"};
    for (int k = 0; k < 2; k++) {
        const signature_value no_desc[] = {{.pointer = NULL}, {.pointer = &rods}};
        const signature_value no_out[] = {{.pointer = k ? (void *)&rigid : (void *)&trees},
                                          {.pointer = NULL}};
        TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, call(entries[k], no_desc, 2).i32);
        TEST_ASSERT_NOT_NULL(strstr(call("last_error", NULL, 0).pointer, "'desc' is NULL"));
        TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, call(entries[k], no_out, 2).i32);
        TEST_ASSERT_NOT_NULL(strstr(call("last_error", NULL, 0).pointer, "'out' is NULL"));
    }
}

static void test_sizes_of_descs_and_items_are_read(void)
{
    struct {
        stn_rod_material known;
        double unknown;
    } wide[ELEMENTS] = {0};
    trees.struct_size = 4;
    check_refused(STN_ERROR_STRUCT_SIZE, create_trees(), "'desc'");
    rigid.struct_size = 7;
    check_refused(STN_ERROR_STRUCT_SIZE, create_rigid(), "'desc'");
    body[1].struct_size = 8;
    check_refused(STN_ERROR_STRUCT_SIZE, create_rigid(), "'body' 1: struct_size is 8");
    for (int k = 0; k < ELEMENTS; k++) { /* of a newer caller, with nothing in what is new */
        wide[k].known = materials[k];
        wide[k].known.struct_size = sizeof *wide;
    }
    trees.materials = &wide[0].known;
    TEST_ASSERT_EQUAL(STN_OK, create_trees());
    double q[2][UNKNOWNS];
    TEST_ASSERT_EQUAL(STN_OK, step(1e-3));
    get_state(rods, 0, q[0], NULL);
    tearDown();
    setUp();
    TEST_ASSERT_EQUAL(STN_OK, create_trees());
    TEST_ASSERT_EQUAL(STN_OK, step(1e-3));
    get_state(rods, 0, q[1], NULL);
    TEST_ASSERT_EQUAL_MEMORY(q[0], q[1], sizeof *q);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_tree_has_the_bits_of_the_core);
    RUN_TEST(test_a_tree_of_one_branch_is_a_super_helix);
    RUN_TEST(test_a_tree_comes_to_rest_where_its_energy_has_no_slope);
    RUN_TEST(test_the_jacobian_of_a_tree_moves_its_tips);
    RUN_TEST(test_a_rigid_body_falls_and_spins_as_theory_says);
    RUN_TEST(test_a_capsule_lies_along_z_with_the_mass_of_its_density);
    RUN_TEST(test_a_body_without_shape_has_the_inertia_that_is_given);
    RUN_TEST(test_what_nothing_holds_has_no_equilibrium);
    RUN_TEST(test_wrong_trees_are_refused_by_name);
    RUN_TEST(test_absurd_stiffness_steps_or_is_told);
    RUN_TEST(test_wrong_rigid_bodies_are_refused_by_name);
    RUN_TEST(test_descs_and_handles_that_are_null_are_refused);
    RUN_TEST(test_sizes_of_descs_and_items_are_read);
    return UNITY_END();
}

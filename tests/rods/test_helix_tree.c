/* SPDX-License-Identifier: Apache-2.0
 *
 * The recursive super-helix: against the composite one where it is a chain, against what must be
 * equal, kept or lost where it is a tree.
 */
#include "rods/helix_tree.h"

#include "math/so3.h"
#include "rods/super_helix_group.h"
#include "support/counting_allocator.h"
#include "support/rod_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { MOST = ROD_RIG_MOST };

static random_source rng;
static rod_rig rig;

/* A tree beside the rig: what the next planting takes, and what it made. */
static struct {
    uint32_t parent[MOST];
    quat offset[MOST];
    double lengths[MOST], natural[3 * MOST];
    rod_material material[MOST];
    helix_tree_source source;
    helix_tree *t;
    double *state, *work;
} tree;

static void uproot(void)
{
    helix_tree_destroy(tree.t);
    free(tree.state);
    free(tree.work);
    tree.t = NULL;
    tree.state = tree.work = NULL;
}

void setUp(void)
{
    rng = (random_source){47};
    rig = (rod_rig){.in = {.h = 1e-3}};
}

void tearDown(void)
{
    rod_rig_free(&rig);
    uproot();
}

/* Rod 0 of the rig as a chain. */
static void copy_chain(void)
{
    const uint32_t n = rig.source.elements;
    for (uint32_t e = 0; e < n; e++) {
        tree.parent[e] = e ? e - 1 : HELIX_TREE_ROOT;
        tree.offset[e] = quat_identity();
        tree.material[e] = rig.material[0];
    }
    memcpy(tree.lengths, rig.lengths, n * sizeof(double));
    memcpy(tree.natural, rig.natural, 3 * n * sizeof(double));
    tree.source = (helix_tree_source){.name = "willow",
                                      .elements = n,
                                      .free_root = rig.source.free_root,
                                      .parent = tree.parent,
                                      .offset = tree.offset,
                                      .lengths = tree.lengths,
                                      .natural = tree.natural,
                                      .material = tree.material};
}

static void plant(void)
{
    error err = {0};
    TEST_ASSERT_EQUAL_MESSAGE(
        STATUS_OK, helix_tree_create(&tree.source, &allocator_system, &tree.t, &err), err.text);
    tree.state = calloc(helix_tree_state_count(tree.t), sizeof(double));
    tree.work = calloc(helix_tree_work_count(tree.t), sizeof(double));
    TEST_ASSERT_TRUE(tree.state && tree.work);
    helix_tree_rest(tree.t, &rig.root[0], NULL, tree.state);
}

/* A random tree: every element grows from the root or from one before it. */
static void plant_random(uint32_t elements, bool free_root)
{
    rod_rig_fill(&rig, &rng, 1, elements, 1.0);
    rig.source.free_root = free_root;
    copy_chain();
    for (uint32_t e = 0; e < elements; e++) {
        const uint32_t parent = random_below(&rng, e + 1);
        tree.parent[e] = parent < e ? parent : HELIX_TREE_ROOT;
        tree.offset[e] = so3_exp(random_v3(&rng));
        tree.material[e].density *= random_between(&rng, 0.5, 2.0);
        tree.material[e].twist *= random_between(&rng, 0.5, 2.0);
    }
    plant();
}

static double *tree_v(void) { return tree.state + helix_tree_unknowns(tree.t); }

static void shake(double size)
{
    for (size_t i = 0; i < helix_tree_unknowns(tree.t); i++) {
        tree_v()[i] = random_between(&rng, -size, size);
    }
}

static void step(void)
{
    TEST_ASSERT_TRUE(helix_tree_step(tree.t, &rig.in, tree.state, tree.work, tree.state));
}

static void assert_near(double relative, const double *expected, const double *actual, size_t count)
{
    double size = 0.0;
    for (size_t i = 0; i < count; i++) size = fmax(size, fabs(expected[i]));
    for (size_t i = 0; i < count; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(relative * size, expected[i], actual[i]);
    }
}

/* The recursive velocities solve the composite's equations: what A makes of the difference is
 * rounding of A times the velocities, row by row (A_ij is at most sqrt(A_ii A_jj)). As inertias are
 * in the axes of space, the largest of an element's three rows rounds the others. */
static void check_equations(const double *v, const double *other)
{
    enum { UNKNOWNS = 6 + 3 * MOST };
    const ldl_shape *shape = &rig.g->shape;
    const double *LD = body_factors(rig.g, rig.work, 0);
    double off[UNKNOWNS], A_off[UNKNOWNS], root[UNKNOWNS], size = 0.0;
    for (size_t i = 0; i < shape->n; i++) {
        double diagonal = LD[ldl_index(shape, i, i)];
        for (size_t j = 0; j < i; j++) {
            const double L = LD[ldl_index(shape, i, j)];
            diagonal += L * L * LD[ldl_index(shape, j, j)];
        }
        root[i] = sqrt(diagonal);
        off[i] = other[i] - v[i];
    }
    for (size_t i = 0; i < shape->n; i += 3) {
        const double most = fmax(root[i], fmax(root[i + 1], root[i + 2]));
        root[i] = root[i + 1] = root[i + 2] = most;
        size += most * (fabs(v[i]) + fabs(v[i + 1]) + fabs(v[i + 2]));
    }
    rod_rig_multiply(&rig, 0, off, A_off);
    for (size_t i = 0; i < shape->n; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-14 * root[i] * size, 0.0, A_off[i]);
    }
}

/* Everything that can act, at once, with a root that moves; step after step from the composite's
 * states. In metres of floppy rod rounding grows with the condition of A, whichever way it is
 * solved; in a stiff one the velocities themselves are compared. */
static void check_chain(uint32_t elements, double turn, bool free_root, bool stiff)
{
    double air[3 * (MOST + 1)], field[3 * (MOST + 1)];
    rod_rig_fill(&rig, &rng, 1, elements, turn);
    rig.material[0].drag = 0.3;
    rig.material[0].damping = 0.02;
    if (stiff) {
        rig.material[0].twist *= 1e6, rig.material[0].bend[0] *= 1e6,
            rig.material[0].bend[1] *= 1e6;
    }
    rig.source.free_root = free_root;
    rod_rig_build(&rig, "super-helix");
    copy_chain();
    plant();
    for (uint32_t i = 0; i < 3 * (elements + 1); i++) {
        air[i] = random_between(&rng, -3.0, 3.0);
        field[i] = random_between(&rng, -3.0, 3.0);
    }
    const uint32_t last = elements - 1;
    const body_load on_rod[] = {{.at = {0.05, 0.001, 0.002}, .force = {0.02, 0.01, 0.0}},
                                {.at = {1e3, 0.0, 0.0}, .moment = {0.001, 0.0, -0.001}}};
    const body_load on_tree[] = {on_rod[0],
                                 {.body = last, .at = {1e3, 0.0, 0.0}, .moment = on_rod[1].moment}};
    pose root = rig.root[0];
    rig.in = (body_input){.h = 2e-3, .gravity = {1.0, -2.0, -9.81}, .root = &root, .air = air};
    rig.in.field = field;
    for (int i = 0; i < 4; i++) {
        root.position = v3_add(root.position, v3_scale(0.01, random_v3(&rng)));
        root.rotation = quat_mul(so3_exp(v3_scale(0.1, random_v3(&rng))), root.rotation);
        memcpy(tree.state, rig.state, rig.g->state_count * sizeof(double));
        rig.in.load_count = 2;
        rig.in.loads = on_tree;
        step();
        rig.in.loads = on_rod;
        rod_rig_step(&rig);
        check_equations(rig.v, tree.work);
        if (!stiff) continue;
        assert_near(1e-10, rig.v, tree.work, rig.g->unknowns);
        assert_near(1e-10, rig.state, tree.state, rig.g->state_count);
    }
    rod_rig_free(&rig);
    uproot();
}

static void test_chains_move_as_composite_super_helices(void)
{
    static const uint32_t elements[] = {1, 2, 3, 5, 8, 13, 30, 60};
    static const double turns[] = {0.01, 0.3, 1.5, 6.0};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
            for (int mode = 0; mode < 4; mode++) {
                check_chain(elements[i], turns[k], mode % 2, mode / 2);
            }
        }
    }
}

static void test_chains_have_the_places_and_energies_of_composite_super_helices(void)
{
    for (int free_root = 0; free_root < 2; free_root++) {
        rod_rig_fill(&rig, &rng, 1, 7, 1.0);
        rig.source.free_root = free_root;
        rod_rig_build(&rig, "super-helix");
        copy_chain();
        plant();
        rig.in.gravity = (v3){1.0, 2.0, -9.81};
        for (int i = 0; i < 50; i++) rod_rig_step(&rig);
        memcpy(tree.state, rig.state, rig.g->state_count * sizeof(double));
        const body_energy a = body_get_energy(rig.g, &rig.in, rig.state, 0);
        const body_energy b = helix_tree_energy(tree.t, &rig.in, tree.state, tree.work);
        assert_near(1e-13, &a.kinetic, &b.kinetic, 3);
        const v3 X = {0.03, 0.001, -0.002};
        double before = 0.0;
        for (uint32_t e = 0; e < 7; before += rig.lengths[e++]) {
            const body_place p = body_find_place(rig.g, rig.state, 0, (v3){before + X.x, X.y, X.z});
            const body_place q = helix_tree_find_place(tree.t, tree.state, e, X);
            assert_near(1e-14, &p.position.x, &q.position.x, 3);
            assert_near(1e-14, &p.rotation.w, &q.rotation.w, 4);
        }
        rod_rig_free(&rig);
        uproot();
    }
}

/* Turned half about n2, so that it runs backwards, a curvature is (k0, k1, -k2). */
static void turn_back(const double *from, double *to)
{
    to[0] = from[0], to[1] = from[1], to[2] = -from[2];
}

enum { ROD = 4, HALF = ROD / 2, ROD_UNKNOWNS = 6 + 3 * ROD };

/* Rod 0 of the rig as two branches that part in its middle: elements 2, 3, then 1, 0 backwards. */
static void part_in_the_middle(void)
{
    copy_chain();
    for (uint32_t e = 0; e < ROD; e++) {
        const uint32_t from = e < HALF ? HALF + e : ROD - 1 - e;
        tree.parent[e] = e % HALF ? e - 1 : HELIX_TREE_ROOT;
        tree.lengths[e] = rig.lengths[from];
        memcpy(tree.natural + 3 * e, rig.natural + 3 * from, 3 * sizeof(double));
        if (e >= HALF) turn_back(rig.natural + 3 * from, tree.natural + 3 * e);
    }
    tree.offset[HALF] = (quat){0.0, 0.0, 0.0, 1.0};
}

/* The velocities v of the rod as the parted one has them, by the Jacobian of the middle. */
static void see_from_the_middle(v3 X, const double *v, double *parted)
{
    double linear[3 * ROD_UNKNOWNS], angular[3 * ROD_UNKNOWNS];
    v3 v_0, omega_0;
    body_jacobian(rig.g, rig.work, 0, X, linear, angular, &v_0, &omega_0);
    memset(parted, 0, ROD_UNKNOWNS * sizeof(double));
    for (uint32_t i = 0; i < 3 * ROD_UNKNOWNS; i++) {
        parted[i / ROD_UNKNOWNS] += linear[i] * v[i % ROD_UNKNOWNS];
        parted[3 + i / ROD_UNKNOWNS] += angular[i] * v[i % ROD_UNKNOWNS];
    }
    memcpy(parted + 6, v + 6 + 3 * HALF, 3 * HALF * sizeof(double));
    turn_back(v + 9, parted + 6 + 3 * HALF);
    turn_back(v + 6, parted + 9 + 3 * HALF);
}

static void test_a_free_rod_is_the_same_seen_from_its_middle(void)
{
    rod_rig_fill(&rig, &rng, 1, ROD, 1.0);
    rig.material[0].radius = 1e-9; /* the section's inertia is about the beginning of elements */
    rig.material[0].drag = 0.2;
    rig.material[0].damping = 0.01;
    rig.source.free_root = true;
    rod_rig_build(&rig, "super-helix");
    part_in_the_middle();
    plant();
    const v3 X = {rig.lengths[0] + rig.lengths[1], 0.0, 0.0};
    const body_place middle = body_find_place(rig.g, rig.state, 0, X);
    helix_tree_rest(tree.t, &middle, NULL, tree.state);
    double *v = body_v(rig.g, rig.state, 0), expected[ROD_UNKNOWNS];
    for (uint32_t i = 0; i < ROD_UNKNOWNS; i++) v[i] = random_between(&rng, -3.0, 3.0);
    rig.in.gravity = (v3){1.0, 2.0, -9.81};
    body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 1);
    see_from_the_middle(X, v, tree_v());
    TEST_ASSERT_TRUE(helix_tree_predict(tree.t, &rig.in, tree.state, tree.work));
    see_from_the_middle(X, body_v_free(rig.g, rig.work, 0), expected);
    assert_near(1e-10, expected, tree.work, ROD_UNKNOWNS);
}

enum { TRUNK = 2, BRANCH = 3, ALL = TRUNK + BRANCH };

/* A trunk along x and two branches that are each other's mirror image in the plane of x and z. */
static void test_mirrored_branches_move_as_mirror_images(void)
{
    rod_rig_fill(&rig, &rng, 1, TRUNK + 2 * BRANCH, 0.5);
    rig.root[0] = pose_identity();
    rig.material[0].damping = 0.01;
    copy_chain();
    for (uint32_t e = 0; e < TRUNK; e++) tree.natural[3 * e] = tree.natural[3 * e + 2] = 0.0;
    for (uint32_t e = TRUNK; e < ALL; e++) {
        const double *k = tree.natural + 3 * e;
        double *mirrored = tree.natural + 3 * (e + BRANCH);
        mirrored[0] = -k[0], mirrored[1] = k[1], mirrored[2] = -k[2];
        tree.lengths[e + BRANCH] = tree.lengths[e];
    }
    tree.parent[ALL] = TRUNK - 1;
    tree.offset[TRUNK] = so3_exp((v3){0.3, 0.1, 0.6});
    tree.offset[ALL] = so3_exp((v3){-0.3, 0.1, -0.6});
    plant();
    pose root = pose_identity();
    rig.in = (body_input){.h = 2e-3, .gravity = {2.0, 0.0, -9.81}, .root = &root};
    for (int i = 0; i < 300; i++) {
        root.position = v3_add(root.position, (v3){1e-3, 0.0, 2e-3});
        root.rotation = quat_mul(so3_exp((v3){0.0, 3e-3, 0.0}), root.rotation);
        step();
    }
    const double *q = tree.state;
    for (uint32_t e = 0; e < TRUNK; e++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, q[3 * e]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, q[3 * e + 2]);
    }
    for (uint32_t e = TRUNK; e < ALL; e++) {
        const double *k = q + 3 * e;
        const double expected[3] = {-k[0], k[1], -k[2]};
        assert_near(1e-10, expected, q + 3 * (e + BRANCH), 3);
    }
    TEST_ASSERT_TRUE(fabs(q[3 * TRUNK] - tree.natural[3 * TRUNK]) > 1e-3); /* it did move */
}

/* Lets a branch on the trunk hang for a while: one of double weight and stiffness, or two. */
static void hang_branches(int branches)
{
    copy_chain();
    tree.offset[TRUNK] = so3_exp((v3){0.3, -0.4, 0.6});
    for (uint32_t e = TRUNK; e < ALL; e++) {
        rod_material *m = &tree.material[e];
        const uint32_t twin = e + BRANCH;
        tree.parent[twin] = e == TRUNK ? TRUNK - 1 : twin - 1;
        tree.offset[twin] = tree.offset[e];
        tree.lengths[twin] = tree.lengths[e];
        tree.material[twin] = *m;
        memcpy(tree.natural + 3 * twin, tree.natural + 3 * e, 3 * sizeof(double));
        if (branches == 2) continue;
        m->density *= 2.0, m->twist *= 2.0, m->bend[0] *= 2.0, m->bend[1] *= 2.0;
    }
    if (branches == 2) tree.source.elements += BRANCH;
    plant();
    rig.in.gravity = (v3){1.0, 2.0, -9.81};
    for (int i = 0; i < 100; i++) step();
}

static void test_two_equal_branches_move_as_one_of_double_strength(void)
{
    double one[3 * ALL];
    rod_rig_fill(&rig, &rng, 1, ALL, 0.7);
    hang_branches(1);
    memcpy(one, tree.state, sizeof one);
    uproot();
    hang_branches(2);
    const double *branch = tree.state + 3 * TRUNK;
    assert_near(1e-11, one, tree.state, 3 * ALL);
    TEST_ASSERT_EQUAL_MEMORY(branch, branch + 3 * BRANCH, 3 * BRANCH * sizeof(double));
}

static double energy(void)
{
    const body_energy e = helix_tree_energy(tree.t, &rig.in, tree.state, tree.work);
    return e.kinetic + e.elastic;
}

static void test_the_energy_of_a_tree_never_rises_without_forcing(void)
{
    static const double steps[] = {1e-4, 1e-3, 1e-2, 0.1};
    for (int k = 0; k < 8; k++) {
        plant_random(12, k % 2);
        rig.in.h = steps[k / 2];
        shake(30.0);
        const double first = energy();
        double last = first;
        for (int i = 0; i < 500; i++) {
            step();
            const double now = energy();
            TEST_ASSERT_TRUE(now <= last + 1e-11 * first);
            last = now;
        }
        TEST_ASSERT_TRUE(last < first);
        uproot();
    }
}

/* Chords of a fortieth of a radian are too short by an error of second order, which a second polygon
 * takes away; what is left, of fourth order, is below 1e-10. */
static double measured_length(uint32_t e)
{
    const double turn = tree.lengths[e] * v3_norm(v3_load(tree.state + 3 * e));
    double sums[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        const int chords = (100 + (int)(40.0 * turn)) << k;
        v3 a = helix_tree_find_place(tree.t, tree.state, e, (v3){0.0, 0.0, 0.0}).position;
        for (int i = 1; i <= chords; i++) {
            const v3 X = {tree.lengths[e] * i / chords, 0.0, 0.0};
            const v3 b = helix_tree_find_place(tree.t, tree.state, e, X).position;
            sums[k] += v3_norm(v3_sub(b, a));
            a = b;
        }
    }
    return sums[1] + (sums[1] - sums[0]) / 3.0;
}

static void test_a_tree_keeps_its_lengths_and_joints_after_violent_steps(void)
{
    pose stations[13];
    plant_random(12, false);
    pose root = rig.root[0];
    rig.in = (body_input){.h = 5e-3, .root = &root};
    for (int i = 0; i < 2000; i++) {
        rig.in.gravity = v3_scale(50.0, random_v3(&rng));
        root.position = v3_add(rig.root[0].position, v3_scale(0.1, random_v3(&rng)));
        root.rotation = quat_mul(so3_exp(random_v3(&rng)), rig.root[0].rotation);
        step();
    }
    helix_tree_find_stations(tree.t, tree.state, stations);
    for (uint32_t e = 0; e < 12; e++) {
        const v3 begin = helix_tree_find_place(tree.t, tree.state, e, (v3){0.0, 0.0, 0.0}).position;
        const body_place end = helix_tree_find_place(tree.t, tree.state, e, (v3){9.0, 0.0, 0.0});
        const v3 from = stations[tree.parent[e] + 1].position; /* the root's number wraps to 0 */
        assert_near(1e-14, &from.x, &begin.x, 3);
        assert_near(1e-14, &stations[e + 1].position.x, &end.position.x, 3);
        assert_near(1e-14, &stations[e + 1].rotation.w, &end.rotation.w, 4);
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, tree.lengths[e], measured_length(e));
    }
}

static void check_refused(const char *expected)
{
    helix_tree *t = NULL;
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      helix_tree_create(&tree.source, &allocator_system, &t, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, expected), err.text);
    copy_chain();
}

static void test_bad_input_is_refused_with_the_element_named(void)
{
    rod_rig_fill(&rig, &rng, 1, 6, 1.0);
    copy_chain();
    tree.parent[2] = 4;
    check_refused("'willow', element 2: its parent is element 4, expected one before it");
    tree.parent[3] = 3;
    check_refused("'willow', element 3: its parent is element 3");
    tree.parent[5] = 77;
    check_refused("'willow', element 5: its parent is element 77");
    tree.lengths[4] = NAN;
    check_refused("'willow', element 4: its element length is nan, expected a positive number");
    tree.natural[5] = INFINITY;
    check_refused("'willow', element 1: its natural curvature is inf");
    tree.material[1].twist = 0.0;
    check_refused("'willow', element 1: its twisting stiffness is 0");
    tree.offset[1] = (quat){1.0, 1.0, 0.0, 0.0};
    check_refused(
        "'willow', element 1: its offset is a quaternion of squared length 2, expected 1");
    tree.offset[0].y = NAN;
    check_refused("'willow', element 0: its offset");
    tree.source.elements = 0;
    check_refused("'willow' has no elements");
}

static void test_numbers_out_of_range_fail_the_step_and_leave_the_state(void)
{
    for (int k = 0; k < 3; k++) {
        plant_random(5, k == 2);
        const size_t size = helix_tree_state_count(tree.t) * sizeof(double);
        rig.in = (body_input){.h = 1e-3, .gravity = {0.0, 0.0, -9.81}};
        if (k == 0) rig.in.gravity.x = NAN;
        if (k == 1) rig.in.h = 1e200;
        if (k == 2) tree.state[9] = 1e200;
        double *before = malloc(size);
        memcpy(before, tree.state, size);
        TEST_ASSERT_FALSE(helix_tree_step(tree.t, &rig.in, tree.state, tree.work, tree.state));
        TEST_ASSERT_EQUAL_MEMORY(before, tree.state, size);
        free(before);
        uproot();
    }
}

static void test_failed_allocations_are_errors_and_steps_allocate_nothing(void)
{
    plant_random(5, false);
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        helix_tree *t = NULL;
        error err = {0};
        counting_init(&memory, k);
        const status st = helix_tree_create(&tree.source, &memory.from, &t, &err);
        const uint64_t allocations = memory.allocations;
        if (st == STATUS_OK) {
            TEST_ASSERT_TRUE(helix_tree_step(t, &rig.in, tree.state, tree.work, tree.state));
            TEST_ASSERT_EQUAL_UINT64(allocations, memory.allocations);
            helix_tree_destroy(t);
        }
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_chains_move_as_composite_super_helices);
    RUN_TEST(test_chains_have_the_places_and_energies_of_composite_super_helices);
    RUN_TEST(test_a_free_rod_is_the_same_seen_from_its_middle);
    RUN_TEST(test_mirrored_branches_move_as_mirror_images);
    RUN_TEST(test_two_equal_branches_move_as_one_of_double_strength);
    RUN_TEST(test_the_energy_of_a_tree_never_rises_without_forcing);
    RUN_TEST(test_a_tree_keeps_its_lengths_and_joints_after_violent_steps);
    RUN_TEST(test_bad_input_is_refused_with_the_element_named);
    RUN_TEST(test_numbers_out_of_range_fail_the_step_and_leave_the_state);
    RUN_TEST(test_failed_allocations_are_errors_and_steps_allocate_nothing);
    return UNITY_END();
}

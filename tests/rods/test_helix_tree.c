/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of helices: what must be equal, kept or lost, and what is refused. How they agree with the
 * composite super-helix is in test_recursive_helix.c.
 */
#include "math/so3.h"
#include "support/counting_allocator.h"
#include "support/tree_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static random_source rng;
static rod_rig rig;
static tree_rig tree;

void setUp(void)
{
    rng = (random_source){48};
    rig = (rod_rig){.in = {.h = 1e-3}};
}

void tearDown(void)
{
    rod_rig_free(&rig);
    tree_rig_free(&tree);
}

/* A random tree: every element grows from the root or from one before it. */
static void plant_random(uint32_t elements, bool free_root)
{
    rod_rig_fill(&rig, &rng, 1, elements, 1.0);
    rig.source.free_root = free_root;
    tree_rig_fill(&tree, &rig);
    for (uint32_t e = 0; e < elements; e++) {
        const uint32_t parent = random_below(&rng, e + 1);
        tree.parent[e] = parent < e ? parent : HELIX_TREE_ROOT;
        tree.offset[e] = so3_exp(random_v3(&rng));
        tree.material[e].density *= random_between(&rng, 0.5, 2.0);
        tree.material[e].twist *= random_between(&rng, 0.5, 2.0);
    }
    tree_rig_build(&tree, &rig.root[0]);
}

static void shake(double size)
{
    for (size_t i = 0; i < helix_tree_unknowns(tree.t); i++) {
        tree.v[i] = random_between(&rng, -size, size);
    }
}

enum { TRUNK = 2, BRANCH = 3, ALL = TRUNK + BRANCH };

/* A trunk along x and two branches that are each other's mirror image in the plane of x and z. */
static void test_mirrored_branches_move_as_mirror_images(void)
{
    rod_rig_fill(&rig, &rng, 1, TRUNK + 2 * BRANCH, 0.5);
    rig.root[0] = pose_identity();
    rig.material[0].damping = 0.01;
    tree_rig_fill(&tree, &rig);
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
    tree_rig_build(&tree, &rig.root[0]);
    pose root = pose_identity();
    rig.in = (body_input){.h = 2e-3, .gravity = {2.0, 0.0, -9.81}, .root = &root};
    for (int i = 0; i < 300; i++) {
        root.position = v3_add(root.position, (v3){1e-3, 0.0, 2e-3});
        root.rotation = quat_mul(so3_exp((v3){0.0, 3e-3, 0.0}), root.rotation);
        tree_rig_step(&tree, &rig.in);
    }
    const double *q = tree.state;
    for (uint32_t e = 0; e < TRUNK; e++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, q[3 * e]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, q[3 * e + 2]);
    }
    for (uint32_t e = TRUNK; e < ALL; e++) {
        const double *k = q + 3 * e;
        const double expected[3] = {-k[0], k[1], -k[2]};
        assert_reals_near(1e-10, expected, q + 3 * (e + BRANCH), 3);
    }
    TEST_ASSERT_TRUE(fabs(q[3 * TRUNK] - tree.natural[3 * TRUNK]) > 1e-3); /* it did move */
}

/* Lets a branch on the trunk hang in a wind: one of double weight, stiffness and drag, or two. */
static void hang_branches(int branches)
{
    double air[3 * (ALL + BRANCH + 1)];
    for (uint32_t i = 0; i < 3 * (ALL + BRANCH + 1); i++) {
        const uint32_t station = i / 3 > ALL ? i / 3 - BRANCH : i / 3;
        air[i] = (double)((7 * station + i % 3) % 5) - 2.0;
    }
    tree_rig_fill(&tree, &rig);
    tree.offset[TRUNK] = so3_exp((v3){0.3, -0.4, 0.6});
    for (uint32_t e = 0; e < ALL; e++) tree.material[e].drag = 0.1;
    for (uint32_t e = TRUNK; e < ALL; e++) {
        rod_material *m = &tree.material[e];
        const uint32_t twin = e + BRANCH;
        tree.parent[twin] = e == TRUNK ? TRUNK - 1 : twin - 1;
        tree.offset[twin] = tree.offset[e];
        tree.lengths[twin] = tree.lengths[e];
        tree.material[twin] = *m;
        memcpy(tree.natural + 3 * twin, tree.natural + 3 * e, 3 * sizeof(double));
        if (branches == 2) continue;
        m->density *= 2.0, m->drag *= 2.0;
        m->twist *= 2.0, m->bend[0] *= 2.0, m->bend[1] *= 2.0;
    }
    if (branches == 2) tree.source.elements += BRANCH;
    tree_rig_build(&tree, &rig.root[0]);
    rig.in = (body_input){.h = 1e-3, .gravity = {1.0, 2.0, -9.81}, .air = air};
    for (int i = 0; i < 100; i++) tree_rig_step(&tree, &rig.in);
}

static void test_two_equal_branches_move_as_one_of_double_strength(void)
{
    double one[3 * ALL];
    rod_rig_fill(&rig, &rng, 1, ALL, 0.7);
    hang_branches(1);
    memcpy(one, tree.state, sizeof one);
    tree_rig_free(&tree);
    hang_branches(2);
    const double *branch = tree.state + 3 * TRUNK;
    assert_reals_near(1e-11, one, tree.state, 3 * ALL);
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
            tree_rig_step(&tree, &rig.in);
            const double now = energy();
            TEST_ASSERT_TRUE(now <= last + 1e-11 * first);
            last = now;
        }
        TEST_ASSERT_TRUE(last < first);
        tree_rig_free(&tree);
    }
}

/* Chords of a fortieth of a radian are too short by an error of second order, which a second
 * polygon takes away; what is left, of fourth order, is below 1e-10. */
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
        tree_rig_step(&tree, &rig.in);
    }
    helix_tree_find_stations(tree.t, tree.state, stations);
    for (uint32_t e = 0; e < 12; e++) {
        const v3 begin = helix_tree_find_place(tree.t, tree.state, e, (v3){0.0, 0.0, 0.0}).position;
        const body_place end = helix_tree_find_place(tree.t, tree.state, e, (v3){9.0, 0.0, 0.0});
        const v3 from = stations[tree.parent[e] + 1].position; /* the root's number wraps to 0 */
        assert_reals_near(1e-14, &from.x, &begin.x, 3);
        assert_reals_near(1e-14, &stations[e + 1].position.x, &end.position.x, 3);
        assert_reals_near(1e-14, &stations[e + 1].rotation.w, &end.rotation.w, 4);
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
    tree_rig_fill(&tree, &rig);
}

static void test_bad_input_is_refused_with_the_element_named(void)
{
    rod_rig_fill(&rig, &rng, 1, 6, 1.0);
    tree_rig_fill(&tree, &rig);
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
        tree_rig_free(&tree);
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
    RUN_TEST(test_mirrored_branches_move_as_mirror_images);
    RUN_TEST(test_two_equal_branches_move_as_one_of_double_strength);
    RUN_TEST(test_the_energy_of_a_tree_never_rises_without_forcing);
    RUN_TEST(test_a_tree_keeps_its_lengths_and_joints_after_violent_steps);
    RUN_TEST(test_bad_input_is_refused_with_the_element_named);
    RUN_TEST(test_numbers_out_of_range_fail_the_step_and_leave_the_state);
    RUN_TEST(test_failed_allocations_are_errors_and_steps_allocate_nothing);
    return UNITY_END();
}

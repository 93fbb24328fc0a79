/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of helices as a body_group: each tree is the tree it was made of, and what the group alone
 * can tell, Jacobians and slopes, is right.
 */
#include "math/so3.h"
#include "rods/helix_tree_group.h"
#include "support/counting_allocator.h"
#include "support/rod_rig.h"
#include "support/tree_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { TREES = 3, ELEMENTS = 7, ALL = TREES * ELEMENTS, MOST = 6 + 3 * ELEMENTS };

static random_source rng;
static rod_rig rig;
static tree_rig forest;
static helix_trees_source source;
static body_group *g;
static double *state, *work;

void setUp(void)
{
    rng = (random_source){49};
    rig = (rod_rig){.in = {.h = 1e-3, .gravity = {1.0, 2.0, -9.81}}};
}

void tearDown(void)
{
    body_group_destroy(g);
    free(state);
    free(work);
    tree_rig_free(&forest);
    rod_rig_free(&rig);
    g = NULL;
    state = work = NULL;
}

/* Every element grows from the root of its tree or from one before it. */
static void fill_forest(bool free_root)
{
    rod_rig_fill(&rig, &rng, TREES, ELEMENTS, 1.0);
    rig.source.free_root = free_root;
    tree_rig_fill(&forest, &rig);
    memcpy(forest.lengths, rig.lengths, ALL * sizeof(double));
    memcpy(forest.natural, rig.natural, 3 * (size_t)ALL * sizeof(double));
    for (uint32_t i = 0; i < ALL; i++) {
        const uint32_t e = i % ELEMENTS, parent = random_below(&rng, e + 1);
        forest.parent[i] = parent < e ? parent : HELIX_TREE_ROOT;
        forest.offset[i] = so3_exp(random_v3(&rng));
        forest.material[i] = rig.material[i / ELEMENTS];
        forest.material[i].bend[0] *= random_between(&rng, 0.5, 2.0);
    }
    source = (helix_trees_source){TREES, forest.source};
}

static void build_forest(void)
{
    error err = {0};
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, helix_trees_create(&source, &allocator_system, &g, &err),
                              err.text);
    state = calloc(g->count * g->state_count, sizeof(double));
    work = calloc(g->count * g->work_count, sizeof(double));
    TEST_ASSERT_TRUE(state && work);
    helix_trees_place(g, rig.root, NULL, state);
}

static void shake(double size)
{
    for (uint32_t body = 0; body < TREES; body++) {
        double *q = body_q(g, state, body), *v = body_v(g, state, body);
        for (size_t i = g->unknowns - 3 * ELEMENTS; i < g->unknowns; i++) {
            q[i] += random_between(&rng, -size, size);
            v[i] = random_between(&rng, -size, size);
        }
        body_settle(g, state, body);
    }
}

static const body_load loads[] = {
    {.body = 0, .at = {0.3, 0.0, 0.0}, .force = {0.01, 0.0, 0.02}},
    {.body = 1, .at = {0.55, 0.002, 0.001}, .force = {0.01, 0.02, 0.0}, .moment = {1e-3, 0, 0}},
    {.body = 1, .at = {0.05, 0.0, 0.0}, .force = {0.0, 0.02, -0.01}},
};

/* Loads, air, fields and moving roots reach the tree that they are meant for. */
static void test_every_tree_takes_the_step_that_it_takes_alone(void)
{
    static double air[3 * TREES * (ELEMENTS + 1)], field[3 * TREES * (ELEMENTS + 1)];
    pose root[TREES];
    fill_forest(false);
    build_forest();
    shake(1.0);
    for (size_t i = 0; i < sizeof air / sizeof *air; i++) {
        air[i] = random_between(&rng, -3.0, 3.0);
        field[i] = random_between(&rng, -3.0, 3.0);
    }
    for (size_t k = 0; k < TREES; k++) {
        root[k] = rig.root[k];
        root[k].position = v3_add(root[k].position, v3_scale(1e-3, random_v3(&rng)));
    }
    rig.in.root = root, rig.in.air = air, rig.in.field = field;
    rig.in.loads = loads, rig.in.load_count = 3;
    body_predict(g, &rig.in, state, work, 0, TREES);
    for (uint32_t k = 0; k < TREES; k++) {
        helix_tree_source own = forest.source;
        const size_t at = (size_t)k * ELEMENTS, stations = 3 * (size_t)k * (ELEMENTS + 1);
        own.parent += at, own.offset += at, own.lengths += at, own.material += at;
        own.natural += 3 * at;
        body_input in = rig.in;
        in.root = root + k, in.air = air + stations, in.field = field + stations;
        static const size_t first[TREES + 1] = {0, 1, 3, 3};
        in.loads = loads + first[k], in.load_count = first[k + 1] - first[k];
        helix_tree *t = NULL;
        double *then = calloc(g->state_count, sizeof(double));
        double *own_work = calloc(g->work_count, sizeof(double));
        error err = {0};
        TEST_ASSERT_EQUAL(STATUS_OK, helix_tree_create(&own, &allocator_system, &t, &err));
        TEST_ASSERT_TRUE(helix_tree_step(t, &in, body_q(g, state, k), own_work, then));
        double *v = calloc(TREES * (size_t)g->unknowns, sizeof(double));
        memcpy(v + k * g->unknowns, body_v_free(g, work, k), g->unknowns * sizeof(double));
        body_correct(g, &rig.in, state, work, v, state, k, k + 1);
        TEST_ASSERT_EQUAL_MEMORY(then, body_q(g, state, k), g->state_count * sizeof(double));
        helix_tree_destroy(t);
        free(v);
        free(then);
        free(own_work);
    }
}

/* Central differences of e: their error is e^2 times a third derivative, about 1 in these units,
 * and the rounding of places over e. */
static void test_jacobians_move_points_as_the_curvatures_do(void)
{
    enum { BODY = 1 };
    const double e = 1e-5;
    fill_forest(false);
    build_forest();
    shake(1.0);
    body_predict(g, &rig.in, state, work, 0, TREES);
    for (int trial = 0; trial < 5; trial++) {
        const v3 X = {random_between(&rng, 0.0, 0.6), 0.003, -0.002};
        double linear[3 * MOST], angular[3 * MOST];
        v3 v_0, omega_0;
        body_jacobian(g, work, BODY, X, linear, angular, &v_0, &omega_0);
        TEST_ASSERT_EQUAL_DOUBLE(0.0, v3_norm(v_0) + v3_norm(omega_0));
        for (size_t i = 0; i < g->unknowns; i++) {
            double *q = body_q(g, state, BODY);
            q[i] += e;
            const body_place b = body_find_place(g, state, BODY, X);
            q[i] -= 2.0 * e;
            const body_place a = body_find_place(g, state, BODY, X);
            q[i] += e;
            const v3 move = v3_scale(0.5 / e, v3_sub(b.position, a.position));
            const v3 turn =
                v3_scale(0.5 / e, so3_log(quat_mul(b.rotation, quat_conjugate(a.rotation))));
            const v3 column = {linear[i], linear[g->unknowns + i], linear[2 * g->unknowns + i]};
            const v3 spin = {angular[i], angular[g->unknowns + i], angular[2 * g->unknowns + i]};
            TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, v3_norm(v3_sub(move, column)));
            TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, v3_norm(v3_sub(turn, spin)));
        }
    }
}

/* A chain is a super-helix: energies, slopes, Jacobians and places agree but for rounding, with a
 * root that is free, too. */
static void check_chain(bool free_root)
{
    double a[MOST], b[MOST], linear[2][3 * MOST], angular[2][3 * MOST];
    rod_rig_fill(&rig, &rng, 1, ELEMENTS, 1.0);
    rig.source.free_root = free_root;
    rod_rig_build(&rig, "super-helix");
    tree_rig_fill(&forest, &rig);
    source = (helix_trees_source){1, forest.source};
    build_forest();
    for (size_t i = 0; i < g->unknowns; i++) {
        body_v(rig.g, rig.state, 0)[i] = random_between(&rng, -1.0, 1.0);
    }
    memcpy(state, rig.state, g->state_count * sizeof(double));
    rig.in.loads = loads, rig.in.load_count = 1;
    pose root = rig.root[0];
    root.position.x += 1e-3;
    root.rotation = quat_mul(so3_exp((v3){0.0, 0.01, 0.02}), root.rotation);
    rig.in.root = &root;
    const body_energy one = body_get_energy(rig.g, &rig.in, rig.state, 0);
    const body_energy two = body_get_energy(g, &rig.in, state, 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13 * one.kinetic, one.kinetic, two.kinetic);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13 * fabs(one.gravity), one.gravity, two.gravity);
    body_gradient(rig.g, &rig.in, rig.state, 0, a);
    body_gradient(g, &rig.in, state, 0, b);
    assert_reals_near(1e-13, a, b, g->unknowns);
    body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 1);
    body_predict(g, &rig.in, state, work, 0, 1);
    for (int k = 0; k < 2; k++) {
        const v3 X = {k == 0 ? 0.33 : 1e3, 0.004, -0.003};
        v3 v_0[2], omega_0[2];
        body_jacobian(rig.g, rig.work, 0, X, linear[0], angular[0], &v_0[0], &omega_0[0]);
        body_jacobian(g, work, 0, X, linear[1], angular[1], &v_0[1], &omega_0[1]);
        assert_reals_near(1e-13, linear[0], linear[1], 3 * (size_t)g->unknowns);
        assert_reals_near(1e-13, angular[0], angular[1], 3 * (size_t)g->unknowns);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(v_0[0], v_0[1])));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, v3_norm(v3_sub(omega_0[0], omega_0[1])));
        const v3 p = body_find_place(rig.g, rig.state, 0, X).position;
        const v3 q = body_find_place(g, state, 0, X).position;
        TEST_ASSERT_DOUBLE_WITHIN(1e-14 * (1.0 + v3_norm(p)), 0.0, v3_norm(v3_sub(p, q)));
    }
}

static void test_a_clamped_chain_is_a_super_helix(void) { check_chain(false); }

static void test_a_free_chain_is_a_super_helix(void) { check_chain(true); }

/* The energy without its loads, and their work, by central differences. */
static void test_the_gradient_is_the_slope_of_the_energy(void)
{
    enum { BODY = 1 };
    const double e = 1e-4;
    double slope[MOST];
    fill_forest(false);
    build_forest();
    shake(1.0);
    rig.in.loads = loads + 2, rig.in.load_count = 1;
    body_gradient(g, &rig.in, state, BODY, slope);
    for (size_t i = 0; i < g->unknowns; i++) {
        double energy[2];
        for (int k = 0; k < 2; k++) {
            double *q = body_q(g, state, BODY);
            const double kept = q[i];
            q[i] += k ? -e : e;
            const body_energy at = body_get_energy(g, &rig.in, state, BODY);
            const v3 x = body_find_place(g, state, BODY, loads[2].at).position;
            energy[k] = at.elastic + at.gravity - v3_dot(x, loads[2].force);
            q[i] = kept;
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-8, (energy[0] - energy[1]) / (2.0 * e), slope[i]);
    }
}

/* Sums of lengths lead to the end of an element, not to the beginning of the next one. */
static void test_the_end_of_an_element_belongs_to_it(void)
{
    fill_forest(false);
    source.trees = 1;
    for (int k = 0; k < ELEMENTS; k++) forest.lengths[k] = 0.1;
    forest.parent[3] = 0; /* a branch: element 3 begins elsewhere than element 2 ends */
    tree_rig_build(&forest, &rig.root[0]);
    double sum = 0.0;
    for (uint32_t k = 0; k < ELEMENTS; k++) {
        sum += 0.1;
        double s[2] = {sum, 0.1 * (k + 1)};
        for (int i = 0; i < 2; i++) {
            TEST_ASSERT_EQUAL_UINT32(k, helix_tree_find_element(forest.t, &s[i]));
            TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.1, s[i]);
        }
    }
    double before = -1.0, beyond = 9.0;
    TEST_ASSERT_EQUAL_UINT32(0, helix_tree_find_element(forest.t, &before));
    TEST_ASSERT_EQUAL_UINT32(ELEMENTS - 1, helix_tree_find_element(forest.t, &beyond));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, before);
    TEST_ASSERT_EQUAL_DOUBLE(0.1, beyond);
}

static void test_failed_allocations_leave_nothing_behind(void)
{
    fill_forest(false);
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        error err = {0};
        body_group *made = NULL;
        counting_init(&memory, k);
        const status st = helix_trees_create(&source, &memory.from, &made, &err);
        if (st >= 0) body_group_destroy(made);
        counting_check(&memory);
        if (st >= 0) {
            TEST_ASSERT_EQUAL_UINT64(TREES + 3,
                                     k); /* the block, the trees, the scratch; and none */
            break;
        }
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        TEST_ASSERT_NULL(made);
    }
}

static void test_wrong_trees_are_refused_by_number(void)
{
    error err = {0};
    fill_forest(false);
    forest.parent[2 * ELEMENTS + 4] = 4;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      helix_trees_create(&source, &allocator_system, &g, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "'willow 2', element 4: its parent"), err.text);
    source.trees = 0;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      helix_trees_create(&source, &allocator_system, &g, &err));
    TEST_ASSERT_NULL(g);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_tree_takes_the_step_that_it_takes_alone);
    RUN_TEST(test_jacobians_move_points_as_the_curvatures_do);
    RUN_TEST(test_a_clamped_chain_is_a_super_helix);
    RUN_TEST(test_a_free_chain_is_a_super_helix);
    RUN_TEST(test_the_gradient_is_the_slope_of_the_energy);
    RUN_TEST(test_the_end_of_an_element_belongs_to_it);
    RUN_TEST(test_failed_allocations_leave_nothing_behind);
    RUN_TEST(test_wrong_trees_are_refused_by_number);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The recursive super-helix against the composite one.
 */
#include "math/so3.h"
#include "support/tree_rig.h"

#include <string.h>
#include <unity.h>

static random_source rng;
static rod_rig rig;
static tree_rig tree;

void setUp(void)
{
    rng = (random_source){47};
    rig = (rod_rig){.in = {.h = 1e-3}};
}

void tearDown(void)
{
    rod_rig_free(&rig);
    tree_rig_free(&tree);
}

/* The recursive velocities solve the composite's equations: what A makes of the difference is
 * rounding of A times the velocities, row by row (A_ij is at most sqrt(A_ii A_jj)). As inertias are
 * in the axes of space, the largest of an element's three rows rounds the others. */
static void check_equations(const double *v, const double *other)
{
    enum { UNKNOWNS = 6 + 3 * ROD_RIG_MOST };
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
    double air[3 * (ROD_RIG_MOST + 1)], field[3 * (ROD_RIG_MOST + 1)];
    rod_rig_fill(&rig, &rng, 1, elements, turn);
    rig.material[0].drag = 0.3;
    rig.material[0].damping = 0.02;
    const double stiffer = stiff ? 1e6 : 1.0;
    rig.material[0].twist *= stiffer;
    rig.material[0].bend[0] *= stiffer;
    rig.material[0].bend[1] *= stiffer;
    rig.source.free_root = free_root;
    rod_rig_build(&rig, "super-helix");
    tree_rig_fill(&tree, &rig);
    tree_rig_build(&tree, &rig.root[0]);
    for (uint32_t i = 0; i < 3 * (elements + 1); i++) {
        air[i] = random_between(&rng, -3.0, 3.0);
        field[i] = random_between(&rng, -3.0, 3.0);
    }
    const body_load loads[] = {{.at = {0.05, 0.001, 0.002}, .force = {0.02, 0.01, 0.0}},
                               {.at = {1e3, 0.0, 0.0}, .moment = {0.001, 0.0, -0.001}}};
    pose root = rig.root[0];
    rig.in = (body_input){.h = 2e-3, .gravity = {1.0, -2.0, -9.81}, .root = &root, .air = air};
    rig.in.field = field;
    for (int i = 0; i < 4; i++) {
        root.position = v3_add(root.position, v3_scale(0.01, random_v3(&rng)));
        root.rotation = quat_mul(so3_exp(v3_scale(0.1, random_v3(&rng))), root.rotation);
        memcpy(tree.state, rig.state, rig.g->state_count * sizeof(double));
        rig.in.load_count = 2;
        rig.in.loads = loads;
        tree_rig_step(&tree, &rig.in);
        rod_rig_step(&rig);
        check_equations(rig.v, tree.work);
        if (!stiff) continue;
        assert_reals_near(1e-10, rig.v, tree.work, rig.g->unknowns);
        assert_reals_near(1e-10, rig.state, tree.state, rig.g->state_count);
    }
    rod_rig_free(&rig);
    tree_rig_free(&tree);
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
        tree_rig_fill(&tree, &rig);
        tree_rig_build(&tree, &rig.root[0]);
        rig.in.gravity = (v3){1.0, 2.0, -9.81};
        for (int i = 0; i < 50; i++) rod_rig_step(&rig);
        memcpy(tree.state, rig.state, rig.g->state_count * sizeof(double));
        const body_energy a = body_get_energy(rig.g, &rig.in, rig.state, 0);
        const body_energy b = helix_tree_energy(tree.t, &rig.in, tree.state, tree.work);
        assert_reals_near(1e-13, &a.kinetic, &b.kinetic, 3);
        const v3 X = {0.03, 0.001, -0.002};
        double before = 0.0;
        for (uint32_t e = 0; e < 7; before += rig.lengths[e++]) {
            const body_place p = body_find_place(rig.g, rig.state, 0, (v3){before + X.x, X.y, X.z});
            const body_place q = helix_tree_find_place(tree.t, tree.state, e, X);
            assert_reals_near(1e-14, &p.position.x, &q.position.x, 3);
            assert_reals_near(1e-14, &p.rotation.w, &q.rotation.w, 4);
        }
        rod_rig_free(&rig);
        tree_rig_free(&tree);
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
    tree_rig_fill(&tree, &rig);
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

static void check_ends_and_energy(void)
{
    const v3 root =
        helix_tree_find_place(tree.t, tree.state, ROD - 1, (v3){9.0, 0.0, 0.0}).position;
    const v3 tip =
        helix_tree_find_place(tree.t, tree.state, HALF - 1, (v3){9.0, 0.0, 0.0}).position;
    const v3 rod_tip = body_find_place(rig.g, rig.state, 0, (v3){9.0, 0.0, 0.0}).position;
    const body_energy a = body_get_energy(rig.g, &rig.in, rig.state, 0);
    const body_energy b = helix_tree_energy(tree.t, &rig.in, tree.state, tree.work);
    assert_reals_near(1e-14, &rig.root[0].position.x, &root.x, 3);
    assert_reals_near(1e-14, &rod_tip.x, &tip.x, 3);
    assert_reals_near(1e-13, &a.kinetic, &b.kinetic, 3);
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
    tree_rig_build(&tree, &rig.root[0]);
    const v3 X = {rig.lengths[0] + rig.lengths[1], 0.0, 0.0};
    const body_place middle = body_find_place(rig.g, rig.state, 0, X);
    helix_tree_rest(tree.t, &middle, NULL, tree.state);
    double *v = body_v(rig.g, rig.state, 0), expected[ROD_UNKNOWNS];
    for (uint32_t i = 0; i < ROD_UNKNOWNS; i++) v[i] = random_between(&rng, -3.0, 3.0);
    rig.in.gravity = (v3){1.0, 2.0, -9.81};
    body_predict(rig.g, &rig.in, rig.state, rig.work, 0, 1);
    see_from_the_middle(X, v, tree.v);
    check_ends_and_energy();
    TEST_ASSERT_TRUE(helix_tree_predict(tree.t, &rig.in, tree.state, tree.work));
    see_from_the_middle(X, body_v_free(rig.g, rig.work, 0), expected);
    assert_reals_near(1e-10, expected, tree.work, ROD_UNKNOWNS);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_chains_move_as_composite_super_helices);
    RUN_TEST(test_chains_have_the_places_and_energies_of_composite_super_helices);
    RUN_TEST(test_a_free_rod_is_the_same_seen_from_its_middle);
    return UNITY_END();
}

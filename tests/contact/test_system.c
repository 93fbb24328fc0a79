/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems of bodies, nodes and contacts against their explicit form, closed forms, and misuse.
 */
#include "contact/nodes.h"
#include "contact/system_solve.h"

#include "support/cloth_cases.h"
#include "support/counting_allocator.h"
#include "support/tower.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static counting_allocator memory;
static random_source source;
static error err;

void setUp(void)
{
    counting_init(&memory, 0);
    source = (random_source){5};
}

void tearDown(void) { counting_check(&memory); }

static status solve(const contact_system *s, const char *name, double tolerance, double *r,
                    double *u, double *v, system_answer *answer)
{
    const solver_options options = {
        .tolerance = tolerance, .max_iterations = 20000, .local = &local_table[0]};
    system_solver chosen;
    TEST_ASSERT_TRUE(system_solver_find(name, &chosen));
    return system_solve(s, &memory.from, &chosen, &options, r, u, v, answer, &err);
}

/* Velocities are unique where friction is small; sweeps and the explicit form then agree. */
static void check_agreement(const cloth_case *c)
{
    contact_system *s = cloth_case_make(c, &source);
    const size_t n = 3 * (size_t)s->contacts;
    double *swept = calloc(2 * n, sizeof *swept), *condensed = calloc(2 * n, sizeof *condensed);
    system_answer a, b;
    TEST_ASSERT_EQUAL_MESSAGE(
        STATUS_OK, solve(s, "nodal-gauss-seidel", 1e-13, swept, swept + n, NULL, &a), err.text);
    TEST_ASSERT_TRUE(a.report.converged);
    TEST_ASSERT_EQUAL_MESSAGE(
        STATUS_OK, solve(s, "proximal-newton", 1e-12, condensed, condensed + n, NULL, &b),
        err.text);
    TEST_ASSERT_TRUE(b.report.converged);
    for (size_t k = n; k < 2 * n; k++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, condensed[k], swept[k]);
    free(swept);
    free(condensed);
    cloth_case_free(s);
}

static void test_nodes_agree_with_the_explicit_form(void)
{
    check_agreement(&(cloth_case){.sheets = 1, .side = 8, .mu = 0.3, .touching = 0.5});
    check_agreement(
        &(cloth_case){.sheets = 2, .side = 7, .mu = 0.3, .touching = 0.5, .several = 0.3});
}

static void test_bodies_agree_with_the_explicit_form(void)
{
    check_agreement(&(cloth_case){.rods = 6, .rod_unknowns = 9, .side = 3, .mu = 0.3});
}

static void test_nodes_on_bodies_agree_with_the_explicit_form(void)
{
    check_agreement(&(cloth_case){
        .sheets = 1, .side = 8, .rods = 5, .rod_unknowns = 9, .mu = 0.3, .touching = 0.4});
}

/* A node of 2 kg that comes down at 1 m/s and sideways at 2 m/s: mu = 0.5 takes 0.5 m/s of it. */
static void test_a_sliding_node_keeps_what_friction_leaves(void)
{
    static const uint32_t start[2] = {0, 1}, zero[1] = {0};
    static const double A[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, f[3] = {-2.0, 4.0, 0.0};
    static const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u_0[3] = {0}, mu[1] = {0.5};
    const contact_system s = {.nodes = 1,
                              .contacts = 1,
                              .row_start = start,
                              .col = zero,
                              .blocks = A,
                              .force = f,
                              .mu = mu,
                              .velocity = u_0,
                              .term_start = start,
                              .term_target = zero,
                              .term_H = H};
    double r[3] = {0}, u[3], v[3] = {0};
    system_answer answer;
    TEST_ASSERT_EQUAL(STATUS_OK, solve(&s, "auto", 1e-14, r, u, v, &answer));
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 2.0, r[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, -1.0, r[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 1.5, v[1]);
    TEST_ASSERT_EQUAL(1, answer.measure.slide);
}

/* ---- closed forms ---- */

/* Contact k carries the weight of all masses above and hands the sideways pull down to the floor.
 * Where every contact sticks, an impulse differs from the answer by at most the levels' masses times
 * the residuals: 6 * 2 * 6 * 1e-13. */
static void check_stack(tower_material m, const char *name)
{
    static tower t;
    tower_build(&t, m, TOWER_LEVELS, (v3){-0.1, 0.0, 0.0}, (v3){-0.1, 0.03, 0.02}, TOWER_MASS);
    double r[3 * TOWER_LEVELS] = {0};
    system_answer answer;
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, solve(&t.s, name, 1e-12, r, NULL, NULL, &answer), name);
    TEST_ASSERT_TRUE_MESSAGE(answer.report.converged, name);
    for (size_t i = 0; i < TOWER_LEVELS; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0.1 * TOWER_MASS * (double)(TOWER_LEVELS - i), r[3 * i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-11, -0.03 * TOWER_MASS, r[3 * i + 1]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-11, -0.02 * TOWER_MASS, r[3 * i + 2]);
    }
    TEST_ASSERT_EQUAL(TOWER_LEVELS, answer.measure.stick);
}

static void test_a_stack_carries_its_weight_whatever_it_is_made_of(void)
{
    for (tower_material m = TOWER_BODIES; m <= TOWER_BOTH; m++) {
        check_stack(m, "auto");
        check_stack(m, "nodal-gauss-seidel");
        check_stack(m, "proximal-newton");
    }
}

/* On a slope with tan = mu (1 + excess) a mass keeps g dt cos mu excess, and nothing below. */
static void check_slope(tower_material m, double excess)
{
    static tower t;
    const double mu = 0.5, along = mu * (1.0 + excess);
    tower_build(&t, m, 1, (v3){0}, (v3){-1.0, 0.0, along}, TOWER_MASS);
    double r[3] = {0}, u[3], v[3] = {0};
    system_answer answer;
    TEST_ASSERT_EQUAL(STATUS_OK, solve(&t.s, "auto", 1e-13, r, u, v, &answer));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, excess > 0.0 ? mu * excess : 0.0, u[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, excess > 0.0 ? mu * excess : 0.0, v[2]);
    TEST_ASSERT_EQUAL(excess > 0.0, answer.measure.slide);
    TEST_ASSERT_EQUAL(excess < 0.0, answer.measure.stick);
}

static void test_a_slope_holds_up_to_the_angle_of_friction_and_not_beyond(void)
{
    for (tower_material m = TOWER_BODIES; m <= TOWER_NODES; m++) {
        check_slope(m, -1e-6);
        check_slope(m, 1e-6);
    }
}

/* ---- the residual ---- */

static void test_the_residual_sees_wrong_impulses_velocities_and_dynamics(void)
{
    static tower t;
    tower_build(&t, TOWER_BOTH, 2, (v3){-0.1, 0.0, 0.0}, (v3){-0.1, 0.0, 0.0}, TOWER_MASS);
    nodes_problem p;
    TEST_ASSERT_EQUAL(STATUS_OK, nodes_problem_create(&p, &memory.from, &t.s, &err));
    double r[6] = {0.4, 0, 0, 0.2, 0, 0}, v[3] = {0}, g[3], w[3];
    nodes_state(&p, r, g, w);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, nodes_residual(&p, r, v, g, w));
    r[3] += 0.01; /* kg m/s too much between body and node: 5 mm/s at either of them */
    nodes_state(&p, r, g, w);
    TEST_ASSERT_TRUE(nodes_residual(&p, r, v, g, w) >= 0.005 - 1e-15);
    r[3] -= 0.01;
    nodes_state(&p, r, g, w);
    v[1] = 0.003; /* m/s that nothing accounts for */
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.003, nodes_dynamics_residual(&p, g, v));
    TEST_ASSERT_TRUE(nodes_residual(&p, r, v, g, w) >= 0.003 - 1e-15);
    v[1] = 0.0;
    g[2] += 0.02; /* kg m/s on 2 kg */
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.01, nodes_residual(&p, r, v, g, w));
    g[2] = NAN;
    TEST_ASSERT_TRUE(isinf(nodes_residual(&p, r, v, g, w)));
    nodes_problem_destroy(&p);
}

/* ---- misuse ---- */

static void refuse(const contact_system *s, const char *text)
{
    double *r = calloc(3 * (size_t)s->contacts + 1, sizeof *r);
    system_answer answer;
    TEST_ASSERT_LESS_THAN(0, solve(s, "auto", 1e-8, r, NULL, NULL, &answer));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
    free(r);
}

static void test_bad_systems_are_refused_with_a_reason(void)
{
    const cloth_case c = {.sheets = 1, .side = 4, .rods = 2, .rod_unknowns = 6, .touching = 0.5};
    contact_system *s = cloth_case_make(&c, &source), bad = *s;
    const double nan3[3] = {0.0, NAN, 0.0};
    double *numbers = calloc(9 * (size_t)s->row_start[s->nodes], sizeof *numbers);
    const uint32_t nothing[2] = {0, 0}, no_unknowns[2] = {6, 0}, far[1] = {99};
    const uint32_t one_term[2] = {0, 1};
    bad.contacts = 0;
    refuse(&bad, "no contacts");
    bad = *s;
    bad.force = nan3;
    refuse(&bad, "node 0: its force");
    bad = *s;
    bad.blocks = numbers;
    refuse(&bad, "not positive definite");
    bad = *s;
    bad.body_unknowns = no_unknowns;
    refuse(&bad, "body 1: it has no unknowns");
    bad = *s;
    bad.contacts = 1;
    bad.term_start = nothing;
    refuse(&bad, "contact 0: it has no terms");
    bad.term_start = one_term;
    bad.term_target = far;
    refuse(&bad, "has the target 99");
    free(numbers);
    cloth_case_free(s);
}

/* Two nodes, each with a contact, and two bodies of two unknowns. */
static void test_matrices_must_be_symmetric_and_positive_definite(void)
{
    static const uint32_t start[3] = {0, 2, 4}, col[4] = {0, 1, 0, 1}, terms[3] = {0, 1, 2};
    static const uint32_t unknowns[2] = {2, 2}, nodes[2] = {2, 3}, bodies[2] = {0, 1};
    static const double f[6] = {1, 0, 0, 2, 0, 0}, v_free[4] = {1, 0, 1, 0}, mu[2] = {0.5, 0.5};
    static const double H[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double u_0[6] = {0};
    double A[36], inertia[8] = {2, 1, 1, 2, 2, 1, 1, 2};
    for (size_t k = 0; k < 36; k++) A[k] = k % 9 % 4 ? 0.0 : k / 9 % 3 == 0 ? 2.0 : -1.0;
    contact_system s = {2, 2, 2,  unknowns, inertia, v_free, start, col,
                        A, f, mu, u_0,      terms,   nodes,  H};
    double r[6] = {0};
    system_answer answer;
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, solve(&s, "auto", 1e-8, r, NULL, NULL, &answer), err.text);
    A[9] = -1.5;
    refuse(&s, "A: the blocks (0, 1) and (1, 0)");
    A[9] = A[18] = -3.0;
    refuse(&s, "A is not positive definite");
    A[9] = A[18] = -1.0;
    inertia[5] = 1.5;
    refuse(&s, "body 1: its inertia has");
    inertia[5] = inertia[6] = 3.0;
    refuse(&s, "body 1: its inertia is not positive definite");
    s.nodes = 0;
    s.term_target = bodies;
    refuse(&s, "body 1: its inertia is not positive definite");
    inertia[5] = inertia[6] = NAN;
    refuse(&s, "body 1: its inertia has");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nodes_agree_with_the_explicit_form);
    RUN_TEST(test_bodies_agree_with_the_explicit_form);
    RUN_TEST(test_nodes_on_bodies_agree_with_the_explicit_form);
    RUN_TEST(test_a_sliding_node_keeps_what_friction_leaves);
    RUN_TEST(test_a_stack_carries_its_weight_whatever_it_is_made_of);
    RUN_TEST(test_a_slope_holds_up_to_the_angle_of_friction_and_not_beyond);
    RUN_TEST(test_the_residual_sees_wrong_impulses_velocities_and_dynamics);
    RUN_TEST(test_matrices_must_be_symmetric_and_positive_definite);
    RUN_TEST(test_bad_systems_are_refused_with_a_reason);
    return UNITY_END();
}

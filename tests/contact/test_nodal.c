/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/corners.h"
#include "contact/nodal.h"
#include "contact/nodal_explicit.h"
#include "contact/problem.h"
#include "math/frame.h"
#include "support/random.h"

#include <unity.h>

enum { MOST = 4 };

static double w, v[3];
static uint32_t first[2];
static nodal_contact contacts[MOST];
static nodal_problem problem;

void setUp(void)
{
    w = 0.5;
    v[0] = v[1] = v[2] = 0.0;
    first[0] = first[1] = 0;
    problem = (nodal_problem){.w = &w,
                              .v = v,
                              .first = first,
                              .contacts = contacts,
                              .tolerance = 1e-12,
                              .max_iterations = 10000};
}

void tearDown(void) {}

static nodal_contact *add_contact(v3 N, double mu)
{
    nodal_contact *c = &contacts[first[1]++];
    *c = (nodal_contact){.F = frame_from_normal(v3_normalize(N)), .mu = mu};
    return c;
}

static void set_velocity(double x, double y, double z) { v3_store(v, (v3){x, y, z}); }

static void test_a_node_without_contacts_flies_on(void)
{
    set_velocity(1.0, 2.0, 3.0);
    const nodal_report report = nodal_solve_range(&problem, 0, 1);
    TEST_ASSERT_TRUE(v[0] == 1.0 && v[1] == 2.0 && v[2] == 3.0);
    TEST_ASSERT_EQUAL_UINT64(0, report.stick + report.slide + report.takeoff);
}

static void test_a_gap_is_closed_and_not_more(void)
{
    add_contact((v3){0.0, 0.0, 1.0}, 0.0)->g = 0.25;
    set_velocity(0.0, 0.0, -1.0);
    nodal_solve_range(&problem, 0, 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, -0.25, v[2]);
}

static void test_friction_is_relative_to_the_surface(void)
{
    add_contact((v3){0.0, 0.0, 1.0}, 10.0)->s = (v3){3.0, -1.0, 0.5};
    set_velocity(0.0, 0.0, -1.0);
    nodal_solve_range(&problem, 0, 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 3.0, v[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, -1.0, v[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5, v[2]);
}

/* Pushed into a right-angled trough, a node slides along it with the friction of both walls: each wall
 * takes the component of the push normal to it. */
static void test_a_trough_slows_with_the_friction_of_both_walls(void)
{
    const double mu = 0.2;
    add_contact((v3){1.0, 0.0, 1.0}, mu);
    add_contact((v3){-1.0, 0.0, 1.0}, mu);
    set_velocity(0.0, 2.0, -1.0);
    const nodal_report report = nodal_solve_range(&problem, 0, 1);
    TEST_ASSERT_EQUAL_UINT64(0, report.missed);
    TEST_ASSERT_EQUAL_UINT64(2, report.slide);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, 2.0 - 2.0 * mu * sqrt(0.5), v[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0.0, v[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0.0, v[2]);
}

static void test_a_corner_of_three_walls_stops_a_node(void)
{
    add_contact((v3){1.0, 0.0, 0.0}, 0.3);
    add_contact((v3){0.0, 1.0, 0.0}, 0.6);
    add_contact((v3){0.0, 0.0, 1.0}, 0.1);
    set_velocity(-1.0, -2.0, -3.0);
    const nodal_report report = nodal_solve_range(&problem, 0, 1);
    TEST_ASSERT_EQUAL_UINT64(0, report.missed);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0.0, v3_norm(v3_load(v)));
}

/* As a scene does: sweeps, then what they leave over. */
static nodal_report solve_corner(arena *scratch)
{
    error err;
    nodal_report report = nodal_solve_range(&problem, 0, 1);
    if (report.missed == 0) return report;
    TEST_ASSERT_EQUAL(STATUS_OK, corners_solve(&problem, 0, 1, scratch, &err));
    return nodal_measure_range(&problem, 0, 1);
}

static void test_random_corners_reach_the_tolerance(void)
{
    random_source source = {3};
    arena scratch;
    arena_init(&scratch, &allocator_system);
    for (int i = 0; i < 20000; i++) {
        first[1] = 0;
        const uint32_t count = 2 + random_below(&source, MOST - 1);
        for (uint32_t k = 0; k < count; k++) {
            const v3 d = random_direction(&source);
            add_contact((v3){d.x, d.y, fabs(d.z) + 0.2}, random_between(&source, 0.0, 2.0));
        }
        v3_store(v, v3_scale(5.0, random_v3(&source)));
        const nodal_report report = solve_corner(&scratch);
        TEST_ASSERT_EQUAL_UINT64(0, report.missed);
        TEST_ASSERT_TRUE(report.worst.natural <= problem.tolerance);
    }
    arena_destroy(&scratch);
}

/* A node slides on the floor and reaches a nearly vertical wall within the step. To stick there it
 * would have to leave the floor or enter it, so friction at the wall must first meet its limit. A
 * solution exists for mu < 1. */
static void test_a_node_that_reaches_a_wall_is_solved(void)
{
    random_source source = {5};
    arena scratch;
    arena_init(&scratch, &allocator_system);
    problem.tolerance = 1e-10;
    for (int i = 0; i < 5000; i++) {
        const double mu = random_between(&source, 0.1, 0.95),
                     speed = random_between(&source, 0.0, 0.3);
        const v3 to = random_direction(&source);
        first[1] = 0;
        w = 2e5;
        add_contact((v3){0.0, 0.0, 1.0}, mu);
        add_contact((v3){-to.x, -to.y, random_between(&source, -0.01, 0.01)}, mu)->g =
            random_between(&source, 0.0, i % 2 ? 1e-5 : 0.05);
        set_velocity(speed * to.x, speed * to.y, -0.1);
        TEST_ASSERT_EQUAL_UINT64(0, solve_corner(&scratch).missed);
    }
    arena_destroy(&scratch);
}

/* Two walls that close in on the node: no velocity is right, and the report says so. */
static void test_an_impossible_squeeze_is_reported(void)
{
    add_contact((v3){0.0, 0.0, 1.0}, 0.5)->s = (v3){0.0, 0.0, 1.0};
    add_contact((v3){0.0, 0.0, -1.0}, 0.5)->s = (v3){0.0, 0.0, -1.0};
    problem.max_iterations = 50;
    arena scratch;
    arena_init(&scratch, &allocator_system);
    const nodal_report report = solve_corner(&scratch);
    arena_destroy(&scratch);
    TEST_ASSERT_EQUAL_UINT64(1, report.missed);
    TEST_ASSERT_TRUE(isfinite(v[2]));
}

static void test_reports_merge_to_sums_and_maxima(void)
{
    nodal_report a = {.worst = {1.0, 5.0, 2.0},
                      .takeoff = 1,
                      .stick = 2,
                      .slide = 3,
                      .missed = 1,
                      .iterations = 4};
    const nodal_report b = {.worst = {2.0, 3.0, 1.0},
                            .takeoff = 10,
                            .stick = 20,
                            .slide = 30,
                            .missed = 0,
                            .iterations = 9};
    nodal_report_merge(&a, &b);
    TEST_ASSERT_TRUE(a.worst.natural == 2.0 && a.worst.fischer_burmeister == 5.0 &&
                     a.worst.alart_curnier == 2.0);
    TEST_ASSERT_EQUAL_UINT64(11, a.takeoff);
    TEST_ASSERT_EQUAL_UINT64(22, a.stick);
    TEST_ASSERT_EQUAL_UINT64(33, a.slide);
    TEST_ASSERT_EQUAL_UINT64(1, a.missed);
    TEST_ASSERT_EQUAL_UINT32(9, a.iterations);
}

/* Three nodes with two, no and one contact, written out: the operator gives the solver's velocities
 * back, and its blocks are those of one node only. */
static void test_the_problem_written_out_has_the_same_answer(void)
{
    const double masses[3] = {0.5, 1.0, 2.0};
    double velocities[9] = {0.3, 2.0, -1.0, 1.0, 1.0, 1.0, 0.0, -0.5, -2.0};
    const uint32_t firsts[4] = {0, 2, 2, 3};
    add_contact((v3){1.0, 0.2, 1.0}, 0.2)->s = (v3){0.1, 0.0, 0.0};
    add_contact((v3){-1.0, 0.0, 1.0}, 0.4)->g = 0.01;
    add_contact((v3){0.0, 0.0, 1.0}, 0.7);
    problem.w = masses;
    problem.v = velocities;
    problem.first = firsts;
    TEST_ASSERT_EQUAL_UINT64(0, nodal_solve_range(&problem, 0, 3).missed);
    arena scratch;
    arena_init(&scratch, &allocator_system);
    error err = {0};
    nodal_explicit e;
    TEST_ASSERT_EQUAL(STATUS_OK, nodal_explicit_make(&e, &problem, 0, 3, &scratch, &err));
    const uint32_t rows[4] = {0, 2, 4, 5}, cols[5] = {0, 1, 0, 1, 2};
    TEST_ASSERT_EQUAL_UINT32_ARRAY(rows, e.row_start, 4);
    TEST_ASSERT_EQUAL_UINT32_ARRAY(cols, e.col, 5);
    const contact_source source = {e.contacts, e.row_start, e.col, e.blocks, e.b, e.mu};
    contact_problem explicit_problem;
    TEST_ASSERT_EQUAL(STATUS_OK,
                      contact_problem_create(&explicit_problem, &allocator_system, &source, &err));
    double u[9];
    contact_problem_velocity(&explicit_problem, NULL, e.r, u);
    for (int k = 0; k < 9; k++) TEST_ASSERT_DOUBLE_WITHIN(1e-14, e.u[k], u[k]);
    TEST_ASSERT_TRUE(contact_problem_residual(&explicit_problem, e.r, u) <= problem.tolerance);
    contact_problem_destroy(&explicit_problem, &allocator_system);
    arena_destroy(&scratch);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_node_without_contacts_flies_on);
    RUN_TEST(test_a_gap_is_closed_and_not_more);
    RUN_TEST(test_friction_is_relative_to_the_surface);
    RUN_TEST(test_a_trough_slows_with_the_friction_of_both_walls);
    RUN_TEST(test_a_corner_of_three_walls_stops_a_node);
    RUN_TEST(test_random_corners_reach_the_tolerance);
    RUN_TEST(test_a_node_that_reaches_a_wall_is_solved);
    RUN_TEST(test_an_impossible_squeeze_is_reported);
    RUN_TEST(test_reports_merge_to_sums_and_maxima);
    RUN_TEST(test_the_problem_written_out_has_the_same_answer);
    return UNITY_END();
}

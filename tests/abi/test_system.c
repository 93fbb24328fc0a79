/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems through the contact extension, called through libffi: a body, a node and both in one
 * system with known answers, and misuse.
 */
#include "check.h"
#include "rows.h"

#include <math.h>
#include <string.h>

static const stn_ext_contact *contact;

/* Bodies 0 and 1 of 3 unknowns and 2 kg, nodes 0 and 1 of 2 kg, all of which come down at 1 m/s and
 * move sideways, with mu = 0.5:
 *     contact 0: body 0 on the floor, 2 m/s sideways, of which friction takes 0.5;
 *     contact 1: node 0 on the floor, 0.4 m/s sideways, which friction holds;
 *     contact 2: node 1 on body 1, which flies up at 1 m/s: their mean normal velocity is 0. */
enum { BODIES = 2, NODES = 2, CONTACTS = 3, TERMS = 4 };
static uint32_t unknowns[BODIES], row_start[NODES + 1], col[NODES], term_start[CONTACTS + 1],
    target[TERMS];
static double inertia[9 * BODIES], blocks[9 * NODES], mu[CONTACTS], H[9 * TERMS];
static double v_free[3 * BODIES], force[3 * NODES], velocity[3 * CONTACTS];
static stn_contact_system problem;
static stn_contact_options options;

/* n diagonal matrices. */
static void fill_diagonal(double *A, size_t n, double value)
{
    for (size_t k = 0; k < 9 * n; k++) A[k] = k % 9 % 4 ? 0.0 : value;
}

#define FILL(array, ...) memcpy(array, (__typeof__(array)){__VA_ARGS__}, sizeof(array))

void setUp(void)
{
    contact = rows_contact();
    FILL(unknowns, 3, 3);
    FILL(row_start, 0, 1, 2);
    FILL(col, 0, 1);
    FILL(term_start, 0, 1, 2, 4);
    FILL(target, 0, 2, 3, 1);
    FILL(v_free, -1, 0, 2, 1, 0, 0);
    FILL(force, -2, 0.8, 0, -2, 0, 0);
    FILL(velocity, 0);
    FILL(mu, 0.5, 0.5, 0.5);
    fill_diagonal(inertia, BODIES, 2.0);
    fill_diagonal(blocks, NODES, 2.0);
    fill_diagonal(H, TERMS - 1, 1.0);
    fill_diagonal(H + 9 * (TERMS - 1), 1, -1.0);
    problem = (stn_contact_system){sizeof problem, BODIES,     NODES,  CONTACTS, unknowns, inertia,
                                   v_free,         row_start,  col,    blocks,   force,    mu,
                                   velocity,       term_start, target, H};
    options = (stn_contact_options){.struct_size = sizeof options, .tolerance = 1e-12};
}

void tearDown(void) {}

static signature_value call(const char *name, const signature_value *arguments, size_t count)
{
    return row_call(rows_find("entry", "stn_ext_contact", name), arguments, count);
}

static stn_status solve(double *r, double *u, double *v, stn_contact_result *result)
{
    const signature_value arguments[] = {{.pointer = &problem}, {.pointer = &options},
                                         {.pointer = r},        {.pointer = u},
                                         {.pointer = v},        {.pointer = result}};
    return call("solve_system", arguments, 6).i32;
}

static void check_numbers(const char *name, size_t count, const double *expected,
                          const double *found)
{
    for (size_t k = 0; k < count; k++) {
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-11, expected[k], found[k], name);
    }
}

static void check_answer(const char *name)
{
    static const double r_expected[9] = {2, 0, -1, 2, -0.8, 0, 2, 0, 0};
    static const double u_expected[9] = {0, 0, 1.5, 0, 0, 0, 0, 0, 0};
    static const double v_expected[12] = {0, 0, 1.5, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    double r[9] = {0}, u[9], v[12] = {0};
    stn_contact_result result = {.struct_size = sizeof result};
    TEST_ASSERT_EQUAL_MESSAGE(STN_OK, solve(r, u, v, &result), contact->last_error());
    check_numbers(name, 9, r_expected, r);
    check_numbers(name, 9, u_expected, u);
    check_numbers(name, 12, v_expected, v);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(1, result.converged, name);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(2, result.stick, name);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(1, result.slide, name);
    TEST_ASSERT_TRUE_MESSAGE(result.residual_relative <= 1e-12, name);
}

static void test_every_solver_finds_the_known_answer(void)
{
    const uint64_t count = call("system_solver_count", NULL, 0).u64;
    bool nodal = false;
    for (uint64_t i = 0; i < count; i++) {
        stn_solver_info info = {.struct_size = sizeof info};
        const signature_value arguments[] = {{.u64 = i}, {.pointer = &info}};
        TEST_ASSERT_EQUAL(STN_OK, call("system_solver_info", arguments, 2).i32);
        TEST_ASSERT_TRUE(info.name[0] && info.doc[0]);
        options.solver = info.name;
        check_answer(info.name);
        nodal = nodal || strcmp(info.name, "nodal-gauss-seidel") == 0;
    }
    TEST_ASSERT_TRUE(nodal);
    stn_solver_info info = {.struct_size = sizeof info};
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, contact->system_solver_info(count, &info));
}

static void test_the_default_is_auto_and_nothing_but_r_is_needed(void)
{
    stn_solver_info info = {.struct_size = sizeof info};
    TEST_ASSERT_EQUAL(STN_OK, contact->system_solver_info(0, &info));
    TEST_ASSERT_EQUAL_STRING("auto", info.name);
    check_answer("default");
    double r[9] = {0};
    TEST_ASSERT_EQUAL(STN_OK, solve(r, NULL, NULL, NULL));
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, 2.0, r[0]);
}

/* Contact 0 alone needs no nodes, contact 1 alone no bodies. */
static void test_what_is_not_there_may_be_null(void)
{
    double r[3] = {0};
    problem.contacts = 1;
    problem.nodes = 0;
    problem.row_start = problem.col = NULL;
    problem.blocks = problem.force = NULL;
    TEST_ASSERT_EQUAL_MESSAGE(STN_OK, solve(r, NULL, NULL, NULL), contact->last_error());
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, -1.0, r[2]);
    setUp();
    static const uint32_t first_node[1] = {0};
    problem.contacts = 1;
    problem.bodies = 0;
    problem.body_unknowns = NULL;
    problem.body_inertia = problem.body_velocity = NULL;
    problem.term_target = first_node;
    TEST_ASSERT_EQUAL_MESSAGE(STN_OK, solve(r, NULL, NULL, NULL), contact->last_error());
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, -0.8, r[1]);
}

static void test_a_result_of_no_size_is_refused_before_anything_changes(void)
{
    stn_contact_result result = {.struct_size = 3};
    double r[9] = {0.25};
    TEST_ASSERT_EQUAL(STN_ERROR_STRUCT_SIZE, solve(r, NULL, NULL, &result));
    TEST_ASSERT_TRUE(r[0] == 0.25 && r[3] == 0.0);
}

/* Errors leave what the caller has as it is. */
static void refuse(stn_status expected, const char *text)
{
    double r[9] = {0.25}, u[9] = {0.5}, v[12] = {0.75};
    TEST_ASSERT_EQUAL(expected, solve(r, u, v, NULL));
    const char *said = call("last_error", NULL, 0).pointer;
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, text), said);
    TEST_ASSERT_TRUE(r[0] == 0.25 && u[0] == 0.5 && v[0] == 0.75);
}

static void test_wrong_systems_are_refused_with_a_reason(void)
{
    mu[1] = -0.1;
    refuse(STN_ERROR_INVALID_ARGUMENT, "contact 1: mu is -0.1");
    setUp();
    target[3] = 4;
    refuse(STN_ERROR_INVALID_ARGUMENT, "contact 2: term 1 has the target 4");
    setUp();
    H[9] = NAN;
    refuse(STN_ERROR_INVALID_ARGUMENT, "contact 1: H of term 0");
    setUp();
    inertia[0] = -2.0;
    refuse(STN_ERROR_INVALID_ARGUMENT, "body 0: its inertia is not positive definite");
    setUp();
    blocks[1] = 0.5;
    refuse(STN_ERROR_INVALID_ARGUMENT, "A: the blocks (0, 0)");
    setUp();
    col[1] = 2;
    refuse(STN_ERROR_INVALID_ARGUMENT, "A: row 1 has a block in column 2");
    setUp();
    term_start[2] = 1;
    refuse(STN_ERROR_INVALID_ARGUMENT, "contact 1: it has no terms");
    setUp();
    problem.contacts = 0;
    refuse(STN_ERROR_INVALID_ARGUMENT, "no contacts");
}

static void test_missing_pointers_are_named(void)
{
    problem.body_inertia = NULL;
    refuse(STN_ERROR_INVALID_ARGUMENT, "body_inertia");
    setUp();
    problem.force = NULL;
    refuse(STN_ERROR_INVALID_ARGUMENT, "force");
    setUp();
    problem.term_H = NULL;
    refuse(STN_ERROR_INVALID_ARGUMENT, "term_H");
    setUp();
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, solve(NULL, NULL, NULL, NULL));
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT,
                      contact->solve_system(NULL, NULL, NULL, NULL, NULL, NULL));
}

static void test_wrong_options_and_starts_are_refused(void)
{
    options.solver = "nodal-gauss-siedel";
    refuse(STN_ERROR_UNKNOWN_NAME, "did you mean 'nodal-gauss-seidel'");
    setUp();
    options.tolerance = NAN;
    refuse(STN_ERROR_INVALID_ARGUMENT, "tolerance");
    setUp();
    problem.struct_size = 3;
    refuse(STN_ERROR_STRUCT_SIZE, "system");
    setUp();
    double r[9] = {0.0, INFINITY}, v[12] = {0};
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, solve(r, NULL, NULL, NULL));
    r[1] = 0.0;
    v[6] = NAN;
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, solve(r, NULL, v, NULL));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_solver_finds_the_known_answer);
    RUN_TEST(test_the_default_is_auto_and_nothing_but_r_is_needed);
    RUN_TEST(test_what_is_not_there_may_be_null);
    RUN_TEST(test_a_result_of_no_size_is_refused_before_anything_changes);
    RUN_TEST(test_wrong_systems_are_refused_with_a_reason);
    RUN_TEST(test_missing_pointers_are_named);
    RUN_TEST(test_wrong_options_and_starts_are_refused);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact extension, every entry called through libffi from its declared signature: a small
 * problem with a known answer, and misuse.
 */
#include "check.h"
#include "rows.h"

#include <math.h>
#include <string.h>

static const stn_ext_contact *contact;

/* Two nodes of 1 kg on a floor under 1 m/s of downward speed: the first is pushed sideways with
 * 0.4 m/s, which mu = 0.5 holds, the second with 2 m/s, of which it takes 0.5. */
static const uint32_t row_start[3] = {0, 1, 2}, col[2] = {0, 1};
static const double blocks[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static double b[6], mu[2];
static stn_contact_problem problem;
static stn_contact_options options;

void setUp(void)
{
    contact = rows_contact();
    const double start[6] = {-1.0, 0.4, 0.0, -1.0, 0.0, 2.0};
    memcpy(b, start, sizeof b);
    mu[0] = mu[1] = 0.5;
    problem = (stn_contact_problem){.struct_size = sizeof problem,
                                    .contacts = 2,
                                    .row_start = row_start,
                                    .col = col,
                                    .blocks = blocks,
                                    .b = b,
                                    .mu = mu};
    options = (stn_contact_options){.struct_size = sizeof options, .tolerance = 1e-12};
}

void tearDown(void) {}

static signature_value call(const char *name, const signature_value *arguments, size_t count)
{
    return row_call(rows_find("entry", "stn_ext_contact", name), arguments, count);
}

static stn_status solve(double *r, double *u, stn_contact_result *result)
{
    const signature_value arguments[] = {{.pointer = &problem},
                                         {.pointer = &options},
                                         {.pointer = r},
                                         {.pointer = u},
                                         {.pointer = result}};
    return call("solve", arguments, 5).i32;
}

static void check_answer(const char *name)
{
    static const double r_expected[6] = {1.0, -0.4, 0.0, 1.0, 0.0, -0.5};
    static const double u_expected[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.5};
    double r[6] = {0}, u[6];
    stn_contact_result result = {.struct_size = sizeof result};
    TEST_ASSERT_EQUAL_MESSAGE(STN_OK, solve(r, u, &result), name);
    for (int k = 0; k < 6; k++) {
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-11, r_expected[k], r[k], name);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-11, u_expected[k], u[k], name);
    }
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(1, result.converged, name);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(1, result.stick, name);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(1, result.slide, name);
    TEST_ASSERT_TRUE_MESSAGE(result.residual_relative <= 1e-12, name);
}

static void test_every_solver_finds_the_known_answer(void)
{
    const uint64_t count = call("solver_count", NULL, 0).u64;
    TEST_ASSERT_GREATER_THAN_UINT64(1, count);
    for (uint64_t i = 0; i < count; i++) {
        stn_solver_info info = {.struct_size = sizeof info};
        const signature_value arguments[] = {{.u64 = i}, {.pointer = &info}};
        TEST_ASSERT_EQUAL(STN_OK, call("solver_info", arguments, 2).i32);
        TEST_ASSERT_TRUE(info.name[0] && info.doc[0]);
        options.solver = info.name;
        check_answer(info.name);
    }
}

static void test_the_default_is_the_first_of_each_table(void)
{
    stn_solver_info info = {.struct_size = sizeof info};
    TEST_ASSERT_EQUAL(STN_OK, contact->solver_info(0, &info));
    TEST_ASSERT_EQUAL_STRING("auto", info.name);
    const signature_value arguments[] = {{.u64 = 0}, {.pointer = &info}};
    TEST_ASSERT_EQUAL(STN_OK, call("local_info", arguments, 2).i32);
    TEST_ASSERT_EQUAL_STRING("ladder", info.name);
    TEST_ASSERT_GREATER_THAN_UINT64(1, call("local_count", NULL, 0).u64);
    check_answer("default");
}

static void refuse(stn_status expected, const char *text)
{
    double r[6] = {0};
    TEST_ASSERT_EQUAL(expected, solve(r, NULL, NULL));
    const char *said = call("last_error", NULL, 0).pointer;
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, text), said);
}

static void test_wrong_problems_are_refused_with_a_reason(void)
{
    mu[1] = -0.1;
    refuse(STN_ERROR_INVALID_ARGUMENT, "contact 1: mu is -0.1");
    setUp();
    b[4] = NAN;
    refuse(STN_ERROR_INVALID_ARGUMENT, "contact 1: b");
    setUp();
    problem.contacts = 0;
    refuse(STN_ERROR_INVALID_ARGUMENT, "no contacts");
    setUp();
    static const uint32_t beyond[2] = {0, 7};
    problem.col = beyond;
    refuse(STN_ERROR_INVALID_ARGUMENT, "beyond the 2");
    setUp();
    static const uint32_t falling[3] = {0, 2, 1};
    problem.row_start = falling;
    refuse(STN_ERROR_INVALID_ARGUMENT, "row_start");
    setUp();
    static const double empty[18] = {0};
    problem.blocks = empty;
    refuse(STN_ERROR_INVALID_ARGUMENT, "trace");
}

static void test_wrong_options_are_refused_with_a_reason(void)
{
    options.solver = "momentun";
    refuse(STN_ERROR_UNKNOWN_NAME, "did you mean 'momentum'");
    setUp();
    options.local = "ladde";
    refuse(STN_ERROR_UNKNOWN_NAME, "did you mean 'ladder'");
    setUp();
    options.tolerance = NAN;
    refuse(STN_ERROR_INVALID_ARGUMENT, "tolerance");
    setUp();
    options.reserved = 1;
    refuse(STN_ERROR_INVALID_ARGUMENT, "reserved");
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, contact->solve(NULL, NULL, NULL, NULL, NULL));
}

static void test_a_start_that_is_not_finite_is_refused(void)
{
    double r[6] = {0.0, INFINITY};
    TEST_ASSERT_EQUAL(STN_ERROR_INVALID_ARGUMENT, solve(r, NULL, NULL));
}

/* Nothing moves and nothing is asked: r = 0 at once. */
static void test_a_problem_at_rest_is_solved(void)
{
    double r[6] = {0};
    memset(b, 0, sizeof b);
    stn_contact_result result = {.struct_size = sizeof result};
    TEST_ASSERT_EQUAL(STN_OK, solve(r, NULL, &result));
    TEST_ASSERT_TRUE(result.residual == 0.0 && result.residual_relative == 0.0);
}

/* ---- one contact at a time ---- */

static stn_local_batch local_batch(const char *local, double *r, uint32_t *verdict)
{
    return (stn_local_batch){.struct_size = sizeof(stn_local_batch),
                             .count = 2,
                             .local = local,
                             .W = blocks,
                             .b = b,
                             .mu = mu,
                             .r = r,
                             .verdict = verdict};
}

static stn_status solve_locals(const stn_local_batch *batch, stn_local_result *result)
{
    const signature_value arguments[] = {{.pointer = (void *)batch}, {.pointer = result}};
    return call("solve_locals", arguments, 2).i32;
}

/* W is the identity: even one pass from normal to tangent is exact. Slip along an axis suits the
 * pyramid. */
static void test_every_one_contact_solver_finds_the_known_answers(void)
{
    static const double expected[6] = {1.0, -0.4, 0.0, 1.0, 0.0, -0.5};
    for (uint64_t i = 0; i < contact->local_count(); i++) {
        stn_solver_info info = {.struct_size = sizeof info};
        contact->local_info(i, &info);
        double r[6];
        uint32_t verdict[2] = {7, 7}, iterations[2];
        stn_local_batch batch = local_batch(info.name, r, verdict);
        batch.iterations = iterations;
        stn_local_result result = {.struct_size = sizeof result};
        TEST_ASSERT_EQUAL_MESSAGE(STN_OK, solve_locals(&batch, &result), info.name);
        for (int k = 0; k < 6; k++) {
            TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, expected[k], r[k], info.name);
        }
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, verdict[0] | verdict[1], info.name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(iterations[0] + iterations[1], result.iterations,
                                         info.name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, result.failures + result.fallbacks, info.name);
    }
}

/* Slip between two axes: the four-sided cone is wrong, and the enumeration puts it right. */
static void test_failures_and_fallbacks_are_told_for_each_answer(void)
{
    b[4] = 1.5;
    double r[6];
    uint32_t verdict[2];
    stn_local_result result = {.struct_size = sizeof result};
    const stn_local_batch pure = local_batch("pyramid", r, verdict);
    TEST_ASSERT_EQUAL(STN_OK, solve_locals(&pure, &result));
    TEST_ASSERT_EQUAL_UINT32(0, verdict[0]);
    TEST_ASSERT_EQUAL_UINT32(STN_LOCAL_FAILED, verdict[1]);
    TEST_ASSERT_EQUAL_UINT64(1, result.failures);
    const stn_local_batch hybrid = local_batch("pyramid+enum", r, verdict);
    TEST_ASSERT_EQUAL(STN_OK, solve_locals(&hybrid, &result));
    TEST_ASSERT_EQUAL_UINT32(0, verdict[0]);
    TEST_ASSERT_EQUAL_UINT32(STN_LOCAL_FELL_BACK, verdict[1]);
    TEST_ASSERT_EQUAL_UINT64(1, result.fallbacks);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.3, r[4]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.4, r[5]);
}

static void refuse_batch(const stn_local_batch *batch, stn_status expected, const char *text)
{
    TEST_ASSERT_EQUAL(expected, solve_locals(batch, NULL));
    const char *said = call("last_error", NULL, 0).pointer;
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, text), said);
}

static void test_wrong_batches_are_refused_with_a_reason(void)
{
    stn_local_batch batch = local_batch("laddre", NULL, NULL);
    refuse_batch(&batch, STN_ERROR_UNKNOWN_NAME, "did you mean 'ladder'");
    batch = local_batch(NULL, NULL, NULL);
    TEST_ASSERT_EQUAL(STN_OK, solve_locals(&batch, NULL));
    mu[1] = -1.0;
    refuse_batch(&batch, STN_ERROR_INVALID_ARGUMENT, "problem 1: mu is -1");
    setUp();
    b[0] = NAN;
    refuse_batch(&batch, STN_ERROR_INVALID_ARGUMENT, "problem 0: W, b or guess");
    setUp();
    static const double empty[18] = {0};
    batch.W = empty;
    refuse_batch(&batch, STN_ERROR_INVALID_ARGUMENT, "problem 0: the trace of W is 0");
    batch.W = NULL;
    refuse_batch(&batch, STN_ERROR_INVALID_ARGUMENT, "W");
    refuse_batch(NULL, STN_ERROR_INVALID_ARGUMENT, "batch");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_solver_finds_the_known_answer);
    RUN_TEST(test_the_default_is_the_first_of_each_table);
    RUN_TEST(test_wrong_problems_are_refused_with_a_reason);
    RUN_TEST(test_wrong_options_are_refused_with_a_reason);
    RUN_TEST(test_a_start_that_is_not_finite_is_refused);
    RUN_TEST(test_a_problem_at_rest_is_solved);
    RUN_TEST(test_every_one_contact_solver_finds_the_known_answers);
    RUN_TEST(test_failures_and_fallbacks_are_told_for_each_answer);
    RUN_TEST(test_wrong_batches_are_refused_with_a_reason);
    return UNITY_END();
}

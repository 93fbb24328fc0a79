/* SPDX-License-Identifier: Apache-2.0
 *
 * The systems here are diagonal matrices, whose solutions are known; test_pcg_bsr3.c has large
 * ones.
 */
#include "linalg/pcg.h"

#include "support/random.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unity.h>

static random_source rng;

void setUp(void) { rng = (random_source){14}; }
void tearDown(void) {}

static void fill_random(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = random_between(&rng, -1.0, 1.0);
}

/* y = diag(d) x, counting the calls */

enum { SMALL = 12, SMALL_WORK = 4 * SMALL + 1 };

typedef struct diagonal {
    const double *d;
    int calls;
    int spoil_at; /* the call that answers NaN, from 1 */
} diagonal;

static void apply_diagonal(void *user, const double *x, double *y)
{
    diagonal *D = user;
    D->calls++;
    for (size_t i = 0; i < SMALL; i++) y[i] = D->calls == D->spoil_at ? NAN : D->d[i] * x[i];
}

static const double THREE_EIGENVALUES[SMALL] = {1, 1, 5, 5, 5, 100, 1, 5, 100, 100, 1, 100};
static const double ONES[SMALL] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static pcg_system diagonal_system(diagonal *D)
{
    return (pcg_system){.n = SMALL, .A = {apply_diagonal, D}};
}

static void test_the_workspace_is_as_large_as_it_says(void)
{
    TEST_ASSERT_EQUAL_size_t(SMALL_WORK, pcg_work_count(SMALL));
    TEST_ASSERT_EQUAL_size_t(0, pcg_work_count(0));
}

/* In exact arithmetic there are as many iterations as different eigenvalues. */
static void test_three_eigenvalues_take_three_iterations(void)
{
    diagonal D = {.d = THREE_EIGENVALUES};
    const pcg_system system = diagonal_system(&D);
    double x[SMALL] = {0.0}, work[SMALL_WORK];
    const pcg_report report = pcg_solve(&system, ONES, x, 1e-12, 100, work);
    TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, report.outcome);
    TEST_ASSERT_EQUAL_UINT32(3, report.iterations);
    TEST_ASSERT_TRUE(report.relative_residual <= 1e-12);
    for (int i = 0; i < SMALL; i++) {
        /* the smallest eigenvalue is 1: the error is at most the residual, tolerance |b| */
        TEST_ASSERT_DOUBLE_WITHIN(1e-12 * 4, 1.0 / THREE_EIGENVALUES[i], x[i]);
    }
}

static void test_a_perfect_preconditioner_takes_one_iteration(void)
{
    double inverse[SMALL];
    for (int i = 0; i < SMALL; i++) inverse[i] = 1.0 / THREE_EIGENVALUES[i];
    diagonal D = {.d = THREE_EIGENVALUES}, M = {.d = inverse};
    pcg_system system = diagonal_system(&D);
    system.M = (pcg_operator){apply_diagonal, &M};
    double x[SMALL] = {0.0}, work[SMALL_WORK];
    const pcg_report report = pcg_solve(&system, ONES, x, 1e-14, 100, work);
    TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, report.outcome);
    TEST_ASSERT_EQUAL_UINT32(1, report.iterations);
}

static void test_a_zero_right_hand_side_gives_zero_at_once(void)
{
    diagonal D = {.d = THREE_EIGENVALUES};
    const pcg_system system = diagonal_system(&D);
    const double b[SMALL] = {0.0};
    double x[SMALL], work[SMALL_WORK];
    for (int i = 0; i < SMALL; i++) x[i] = NAN;
    const pcg_report report = pcg_solve(&system, b, x, 1e-10, 100, work);
    TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, report.outcome);
    TEST_ASSERT_EQUAL_UINT32(0, report.iterations);
    TEST_ASSERT_TRUE(report.relative_residual == 0.0);
    TEST_ASSERT_EQUAL_INT(0, D.calls);
    for (int i = 0; i < SMALL; i++) TEST_ASSERT_TRUE(x[i] == 0.0);
}

static void test_a_system_without_unknowns_is_solved(void)
{
    const pcg_system system = {.n = 0};
    const pcg_report report = pcg_solve(&system, NULL, NULL, 1e-10, 100, NULL);
    TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, report.outcome);
}

static void test_starting_from_the_solution_takes_no_iteration(void)
{
    diagonal D = {.d = THREE_EIGENVALUES};
    const pcg_system system = diagonal_system(&D);
    double x[SMALL], b[SMALL], before[SMALL], work[SMALL_WORK];
    fill_random(x, SMALL);
    memcpy(before, x, sizeof x);
    for (int i = 0; i < SMALL; i++) b[i] = THREE_EIGENVALUES[i] * x[i];
    const pcg_report report = pcg_solve(&system, b, x, 0.0, 100, work);
    TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, report.outcome);
    TEST_ASSERT_EQUAL_UINT32(0, report.iterations);
    TEST_ASSERT_EQUAL_MEMORY(before, x, sizeof x);
}

static void test_too_few_iterations_are_reported_with_the_true_residual(void)
{
    diagonal D = {.d = THREE_EIGENVALUES};
    const pcg_system system = diagonal_system(&D);
    for (uint32_t most = 0; most < 3; most++) {
        double x[SMALL] = {0.0}, work[SMALL_WORK], square = 0.0;
        const pcg_report report = pcg_solve(&system, ONES, x, 1e-12, most, work);
        TEST_ASSERT_EQUAL_INT(PCG_MAX_ITERATIONS, report.outcome);
        TEST_ASSERT_EQUAL_UINT32(most, report.iterations);
        for (int i = 0; i < SMALL; i++) {
            const double r = 1.0 - THREE_EIGENVALUES[i] * x[i];
            square += r * r;
        }
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, sqrt(square / SMALL), report.relative_residual);
    }
}

static void test_an_indefinite_matrix_is_found_out(void)
{
    double d[SMALL];
    for (int bad = 0; bad < SMALL; bad++) {
        memcpy(d, THREE_EIGENVALUES, sizeof d);
        d[bad] = -1000.0;
        diagonal D = {.d = d};
        const pcg_system system = diagonal_system(&D);
        double x[SMALL] = {0.0}, work[SMALL_WORK];
        const pcg_report report = pcg_solve(&system, ONES, x, 1e-12, 100, work);
        TEST_ASSERT_EQUAL_INT(PCG_NOT_POSITIVE_DEFINITE, report.outcome);
        TEST_ASSERT_TRUE(isfinite(report.relative_residual));
    }
}

static void test_a_zero_matrix_is_not_positive_definite(void)
{
    const double d[SMALL] = {0.0};
    diagonal D = {.d = d};
    const pcg_system system = diagonal_system(&D);
    double x[SMALL] = {0.0}, work[SMALL_WORK];
    const pcg_report report = pcg_solve(&system, ONES, x, 1e-12, 100, work);
    TEST_ASSERT_EQUAL_INT(PCG_NOT_POSITIVE_DEFINITE, report.outcome);
    TEST_ASSERT_TRUE(report.relative_residual == 1.0);
}

static void test_an_indefinite_preconditioner_is_found_out(void)
{
    double minus[SMALL];
    for (int i = 0; i < SMALL; i++) minus[i] = -1.0;
    diagonal D = {.d = THREE_EIGENVALUES}, M = {.d = minus};
    pcg_system system = diagonal_system(&D);
    system.M = (pcg_operator){apply_diagonal, &M};
    double x[SMALL] = {0.0}, work[SMALL_WORK];
    const pcg_report report = pcg_solve(&system, ONES, x, 1e-12, 100, work);
    TEST_ASSERT_EQUAL_INT(PCG_NOT_POSITIVE_DEFINITE, report.outcome);
    TEST_ASSERT_EQUAL_UINT32(0, report.iterations);
}

static void test_numbers_that_are_not_finite_are_found_out_where_they_enter(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        diagonal D = {.d = THREE_EIGENVALUES};
        const pcg_system system = diagonal_system(&D);
        double x[SMALL] = {0.0}, b[SMALL], work[SMALL_WORK];
        memcpy(b, ONES, sizeof b);
        b[5] = bad[k];
        pcg_report report = pcg_solve(&system, b, x, 1e-12, 100, work);
        TEST_ASSERT_EQUAL_INT(PCG_NOT_FINITE, report.outcome);
        TEST_ASSERT_TRUE(isnan(report.relative_residual));
        TEST_ASSERT_TRUE(x[5] == 0.0);

        x[5] = bad[k];
        report = pcg_solve(&system, ONES, x, 1e-12, 100, work);
        TEST_ASSERT_EQUAL_INT(PCG_NOT_FINITE, report.outcome);
        TEST_ASSERT_EQUAL_UINT32(0, report.iterations);
    }
}

static void test_an_operator_that_answers_NaN_leaves_the_last_finite_x(void)
{
    for (int call = 1; call <= 4; call++) {
        diagonal D = {.d = THREE_EIGENVALUES, .spoil_at = call};
        const pcg_system system = diagonal_system(&D);
        double x[SMALL] = {0.0}, work[SMALL_WORK];
        const pcg_report report = pcg_solve(&system, ONES, x, 1e-12, 100, work);
        TEST_ASSERT_EQUAL_INT(PCG_NOT_FINITE, report.outcome);
        TEST_ASSERT_EQUAL_INT(call, D.calls);
        for (int i = 0; i < SMALL; i++) TEST_ASSERT_TRUE(isfinite(x[i]));
    }
}

static void test_a_preconditioner_that_answers_NaN_is_found_out(void)
{
    diagonal D = {.d = THREE_EIGENVALUES}, M = {.d = ONES, .spoil_at = 2};
    pcg_system system = diagonal_system(&D);
    system.M = (pcg_operator){apply_diagonal, &M};
    double x[SMALL] = {0.0}, work[SMALL_WORK];
    const pcg_report report = pcg_solve(&system, ONES, x, 1e-12, 100, work);
    TEST_ASSERT_EQUAL_INT(PCG_NOT_FINITE, report.outcome);
    TEST_ASSERT_EQUAL_UINT32(1, report.iterations);
    for (int i = 0; i < SMALL; i++) TEST_ASSERT_TRUE(isfinite(x[i]));
}

/* The step rz / pq = 1e200 / 1e-110 is not a double. */
static void test_an_overflowing_step_is_found_out_and_not_taken(void)
{
    double d[SMALL], b[SMALL], x[SMALL] = {0.0}, work[SMALL_WORK];
    for (int i = 0; i < SMALL; i++) {
        d[i] = 1e-310;
        b[i] = 1e100;
    }
    diagonal D = {.d = d};
    const pcg_system system = diagonal_system(&D);
    const pcg_report report = pcg_solve(&system, b, x, 1e-12, 100, work);
    TEST_ASSERT_EQUAL_INT(PCG_NOT_FINITE, report.outcome);
    for (int i = 0; i < SMALL; i++) TEST_ASSERT_TRUE(x[i] == 0.0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_workspace_is_as_large_as_it_says);
    RUN_TEST(test_three_eigenvalues_take_three_iterations);
    RUN_TEST(test_a_perfect_preconditioner_takes_one_iteration);
    RUN_TEST(test_a_zero_right_hand_side_gives_zero_at_once);
    RUN_TEST(test_a_system_without_unknowns_is_solved);
    RUN_TEST(test_starting_from_the_solution_takes_no_iteration);
    RUN_TEST(test_too_few_iterations_are_reported_with_the_true_residual);
    RUN_TEST(test_an_indefinite_matrix_is_found_out);
    RUN_TEST(test_a_zero_matrix_is_not_positive_definite);
    RUN_TEST(test_an_indefinite_preconditioner_is_found_out);
    RUN_TEST(test_numbers_that_are_not_finite_are_found_out_where_they_enter);
    RUN_TEST(test_an_operator_that_answers_NaN_leaves_the_last_finite_x);
    RUN_TEST(test_a_preconditioner_that_answers_NaN_is_found_out);
    RUN_TEST(test_an_overflowing_step_is_found_out_and_not_taken);
    return UNITY_END();
}

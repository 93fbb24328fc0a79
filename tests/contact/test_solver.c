/* SPDX-License-Identifier: Apache-2.0
 *
 * Every solver of the table on random problems. The judge is always the problem's own residual,
 * computed here from r alone.
 */
#include "contact/solver.h"

#include "support/contact_cases.h"
#include "support/counting_allocator.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static counting_allocator memory;
static random_source source;
static contact_problem p;
static error err;

void setUp(void)
{
    counting_init(&memory, 0);
    source = (random_source){41};
}

void tearDown(void) { counting_check(&memory); }

static double true_residual(const double *r)
{
    double *u = malloc(3 * (size_t)p.contacts * sizeof *u);
    contact_problem_velocity(&p, NULL, r, u);
    const double residual = contact_problem_residual(&p, r, u) / p.scale;
    free(u);
    return residual;
}

static solver_options options_with(double tolerance)
{
    return (solver_options){
        .tolerance = tolerance, .max_iterations = 20000, .local = &local_table[0]};
}

/* Claims are checked: converged means that the true residual is within the tolerance. */
static bool solve(const solver *s, const solver_options *options, double *r)
{
    solver_report report = {0};
    memset(r, 0, 3 * (size_t)p.contacts * sizeof *r);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, s->solve(&p, &memory.from, options, r, &report, &err),
                              s->name);
    const double residual = true_residual(r);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12 + 1e-6 * residual, residual, report.residual / p.scale,
                                      s->name);
    TEST_ASSERT_EQUAL_MESSAGE(residual <= options->tolerance, report.converged, s->name);
    return report.converged;
}

static void test_every_solver_solves_loose_problems(void)
{
    const contact_case loose = {.bodies = 40, .contacts = 40, .mu = 0.8, .pushed = 1.0};
    const solver_options options = options_with(1e-8);
    for (size_t k = 0; k < 6; k++) {
        double r[3 * 40];
        contact_case_make(&loose, &source, &memory.from, &p);
        for (size_t s = 0; s < solver_count; s++) {
            TEST_ASSERT_TRUE_MESSAGE(solve(&solver_table[s], &options, r), solver_table[s].name);
        }
        contact_problem_destroy(&p, &memory.from);
    }
}

/* Four contacts a body: 12 equations for 6 unknowns, as in packed heaps. */
static void test_auto_solves_packed_problems(void)
{
    const contact_case packed = {.bodies = 25, .contacts = 100, .mu = 1.0, .pushed = 1.0};
    const solver_options options = options_with(1e-6);
    for (size_t k = 0; k < 15; k++) {
        double r[3 * 100];
        contact_case_make(&packed, &source, &memory.from, &p);
        TEST_ASSERT_TRUE(solve(&solver_table[0], &options, r));
        contact_problem_destroy(&p, &memory.from);
    }
}

static void test_the_bits_do_not_depend_on_threads(void)
{
    const contact_case packed = {.bodies = 500, .contacts = 560, .mu = 0.7, .pushed = 1.0};
    contact_case_make(&packed, &source, &memory.from, &p);
    static double one[3 * 560], many[3 * 560];
    for (size_t s = 0; s < solver_count; s++) {
        solver_options options = options_with(1e-7);
        options.max_iterations = 60;
        solve(&solver_table[s], &options, one);
        for (uint32_t threads = 2; threads <= 4; threads += 2) {
            options.threads = pool_create(&memory.from, threads, NULL);
            solve(&solver_table[s], &options, many);
            pool_destroy(options.threads);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(one, many, sizeof one, solver_table[s].name);
        }
    }
    contact_problem_destroy(&p, &memory.from);
}

static int stop_at_third(void *user, uint32_t iteration, double residual)
{
    (void)residual;
    *(uint32_t *)user = iteration;
    return iteration >= 3;
}

static void test_trace_can_stop_every_solver(void)
{
    const contact_case packed = {.bodies = 30, .contacts = 90, .mu = 0.7, .pushed = 1.0};
    contact_case_make(&packed, &source, &memory.from, &p);
    for (size_t s = 0; s < solver_count; s++) {
        double r[3 * 90] = {0};
        uint32_t seen = 0;
        solver_report report = {0};
        solver_options options = options_with(1e-14);
        options.trace = stop_at_third;
        options.trace_user = &seen;
        const status st = solver_table[s].solve(&p, &memory.from, &options, r, &report, &err);
        TEST_ASSERT_EQUAL_MESSAGE(STATUS_CANCELLED, st, solver_table[s].name);
        TEST_ASSERT_TRUE_MESSAGE(seen >= 3 && seen < 100, solver_table[s].name);
        TEST_ASSERT_TRUE_MESSAGE(isfinite(true_residual(r)), solver_table[s].name);
    }
    contact_problem_destroy(&p, &memory.from);
}

static void test_every_failed_allocation_is_survived(void)
{
    const contact_case packed = {.bodies = 6, .contacts = 24, .mu = 1.0, .pushed = 1.0};
    contact_case_make(&packed, &source, &memory.from, &p);
    for (size_t s = 0; s < solver_count; s++) {
        for (uint64_t k = 1;; k++) {
            double r[3 * 24] = {0};
            counting_allocator scarce;
            solver_report report = {0};
            solver_options options = options_with(1e-9);
            options.max_iterations = 500;
            counting_init(&scarce, k);
            const status st = solver_table[s].solve(&p, &scarce.from, &options, r, &report, &err);
            counting_check(&scarce);
            if (scarce.allocations < k) break; /* none was refused */
            TEST_ASSERT_TRUE_MESSAGE(st == STATUS_OUT_OF_MEMORY || st == STATUS_OK,
                                     solver_table[s].name);
        }
    }
    contact_problem_destroy(&p, &memory.from);
}

static void test_names_find_solvers(void)
{
    for (size_t s = 0; s < solver_count; s++) {
        TEST_ASSERT_EQUAL_PTR(&solver_table[s], solver_find(solver_table[s].name));
    }
    TEST_ASSERT_EQUAL_STRING("auto", solver_table[0].name);
    TEST_ASSERT_NULL(solver_find("magic"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_solver_solves_loose_problems);
    RUN_TEST(test_auto_solves_packed_problems);
    RUN_TEST(test_the_bits_do_not_depend_on_threads);
    RUN_TEST(test_trace_can_stop_every_solver);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_names_find_solvers);
    return UNITY_END();
}

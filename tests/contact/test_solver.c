/* SPDX-License-Identifier: Apache-2.0
 *
 * Every solver of the table on random problems. The judge is always the problem's own residual,
 * computed here from r alone.
 */
#include "contact/solver.h"

#include "contact/auto.h"
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

/* Those with facets have another law; test_facets.c has their tests. */
static bool is_exact(const solver *s) { return strncmp(s->name, "facets-", 7) != 0; }

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
            if (!is_exact(&solver_table[s])) continue;
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
        if (!is_exact(&solver_table[s])) continue;
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

enum { STOREYS = 60, TOWERS = 2, TOWER_CONTACTS = STOREYS * TOWERS };

/* Two towers of cubes of 1 kg, side by side: contact i is between cubes i - 1 and i, so
 * W_ii = 2 I (I on the ground) and W_ij = -I for neighbours. All fall with 1 m/s and the topmost is
 * pushed sideways. Sweeps take the weight down one storey each, Newton's method all at once. */
static void make_towers(void)
{
    static uint32_t row_start[TOWER_CONTACTS + 1], col[3 * TOWER_CONTACTS];
    static double blocks[9 * 3 * TOWER_CONTACTS], b[3 * TOWER_CONTACTS], mu[TOWER_CONTACTS];
    uint32_t at = 0;
    for (uint32_t i = 0; i < TOWER_CONTACTS; i++) {
        const uint32_t storey = i % STOREYS, first = storey > 0 ? i - 1 : i;
        const uint32_t last = storey + 1 < STOREYS ? i + 1 : i;
        for (uint32_t j = first; j <= last; j++, at++) {
            const double w = j != i ? -1.0 : storey > 0 ? 2.0 : 1.0;
            col[at] = j;
            for (size_t k = 0; k < 9; k++) blocks[9 * (size_t)at + k] = k % 4 == 0 ? w : 0.0;
        }
        row_start[i + 1] = at;
        b[3 * i] = storey == 0 ? -1.0 : 0.0;
        b[3 * i + 1] = storey + 1 == STOREYS ? 0.1 * (1.0 + i / STOREYS) : 0.0;
        mu[i] = 0.5;
    }
    const contact_source towers = {TOWER_CONTACTS, row_start, col, blocks, b, mu};
    TEST_ASSERT_EQUAL(STATUS_OK, contact_problem_create(&p, &memory.from, &towers, &err));
}

typedef struct curve {
    uint32_t points, last, backward;
    uint32_t early; /* points at which the tolerance seemed to be met, the last one too */
    double tolerance, residual;
} curve;

static int draw(void *user, uint32_t iteration, double residual)
{
    curve *c = user;
    c->backward += iteration <= c->last;
    c->last = iteration;
    c->points++;
    c->residual = residual;
    c->early += residual <= c->tolerance;
    return 0;
}

/* Iterations count on from phase to phase and from island to island, and the residual is that of
 * the worst island: it meets the tolerance only at the end, where it is the answer's. */
static void test_the_trace_is_one_curve_for_every_solver(void)
{
    make_towers();
    for (size_t s = 0; s < solver_count; s++) {
        if (!is_exact(&solver_table[s])) continue;
        double r[3 * TOWER_CONTACTS] = {0};
        curve c = {.tolerance = 1e-8};
        solver_report report = {0};
        solver_options options = options_with(c.tolerance);
        options.max_iterations = 2000;
        options.trace = draw;
        options.trace_user = &c;
        const status st = solver_table[s].solve(&p, &memory.from, &options, r, &report, &err);
        TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, solver_table[s].name);
        TEST_ASSERT_TRUE_MESSAGE(c.points > 0 && c.backward == 0, solver_table[s].name);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(report.iterations, c.last, solver_table[s].name);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(report.converged, c.early, solver_table[s].name);
        if (!report.converged) continue;
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, report.residual / p.scale, c.residual,
                                          solver_table[s].name);
    }
    contact_problem_destroy(&p, &memory.from);
}

/* `auto` is done with sweeps after a while and goes from island to island. */
static void test_auto_tells_its_phases_apart(void)
{
    make_towers();
    double r[3 * TOWER_CONTACTS] = {0};
    solver_report report = {0};
    const solver_options options = options_with(1e-8);
    TEST_ASSERT_EQUAL(STATUS_OK, auto_solve(&p, &memory.from, &options, r, &report, &err));
    TEST_ASSERT_TRUE(report.converged);
    TEST_ASSERT_EQUAL_UINT32(2, report.islands);
    TEST_ASSERT_TRUE(report.seconds.sweeps > 0.0);
    TEST_ASSERT_TRUE(report.seconds.newton > 0.0);
    TEST_ASSERT_TRUE(report.seconds.linear > 0.0);
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

static solver_report report_of(const char *name, const char *local, uint32_t iterations)
{
    double r[3 * 90] = {0};
    solver_report report = {0};
    solver_options options = options_with(1e-14);
    options.local = local_find(local);
    options.max_iterations = iterations;
    const status st = solver_find(name)->solve(&p, &memory.from, &options, r, &report, &err);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, name);
    return report;
}

/* Where newton-ac is stuck it sweeps; the pure one gives up there and never calls a one-contact
 * solver. */
static void test_pure_newton_makes_no_sweeps(void)
{
    const contact_case packed = {.bodies = 5, .contacts = 60, .mu = 2.0, .pushed = 0.1};
    uint64_t calls = 0;
    for (int k = 0; k < 30; k++) {
        contact_case_make(&packed, &source, &memory.from, &p);
        TEST_ASSERT_EQUAL_UINT64(0, report_of("newton-ac-pure", "ladder", 200).local.calls);
        calls += report_of("newton-ac", "ladder", 200).local.calls;
        contact_problem_destroy(&p, &memory.from);
    }
    TEST_ASSERT_GREATER_THAN_UINT64(0, calls);
}

/* At r = 0 a contact that opens is settled; all others are solved in the first sweep. */
static void test_sweeps_count_what_the_one_contact_solver_did(void)
{
    const contact_case packed = {.bodies = 30, .contacts = 90, .mu = 0.7, .pushed = 1.0};
    contact_case_make(&packed, &source, &memory.from, &p);
    const local_tally exact = report_of("gauss-seidel", "ladder", 10).local;
    TEST_ASSERT_TRUE(exact.calls > 90 && exact.calls <= 10 * 90);
    TEST_ASSERT_EQUAL_UINT64(0, exact.failures);
    const local_tally pure = report_of("gauss-seidel", "pyramid", 1).local;
    const local_tally hybrid = report_of("gauss-seidel", "pyramid+enum", 1).local;
    TEST_ASSERT_TRUE(pure.failures > 0 && pure.failures <= pure.calls && pure.calls <= 90);
    TEST_ASSERT_EQUAL_UINT64(0, pure.fallbacks + hybrid.failures);
    TEST_ASSERT_TRUE(hybrid.fallbacks > 0 && hybrid.iterations > hybrid.calls);
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
    RUN_TEST(test_the_trace_is_one_curve_for_every_solver);
    RUN_TEST(test_auto_tells_its_phases_apart);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_pure_newton_makes_no_sweeps);
    RUN_TEST(test_sweeps_count_what_the_one_contact_solver_did);
    RUN_TEST(test_names_find_solvers);
    return UNITY_END();
}

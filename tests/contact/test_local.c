/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/local.h"
#include "math/quat.h"
#include "support/random.h"

#include <float.h>
#include <stdio.h>
#include <unity.h>

static random_source source;

void setUp(void) { source = (random_source){23}; }

void tearDown(void) {}

typedef struct problem {
    sym3 W;
    v3 b;
    double mu;
} problem;

static const v3 zero = {0.0, 0.0, 0.0};

static local_answer solve(const char *name, const problem *p, v3 guess)
{
    return local_find(name)->solve(&p->W, p->b, p->mu, guess);
}

/* W has eigenvalues between 1 / condition and 1. */
static problem random_problem(double condition, double mu_low, double mu_high)
{
    const v3 axis = random_v3(&source), any = random_v3(&source);
    const double turn = random_between(&source, 0.1, 1.0), low = 1.0 / condition;
    const double middle = pow(low, random_between(&source, 0.0, 1.0));
    const double b_N = random_between(&source, -1.0, 0.3);
    const double mu = random_between(&source, mu_low, mu_high);
    const m3 Q = quat_to_m3(quat_normalize((quat){turn, axis.x, axis.y, axis.z}));
    const sym3 D = {1.0, 0.0, 0.0, middle, 0.0, low};
    return (problem){.W = sym3_rotate(&D, &Q), .b = {b_N, any.y, any.z}, .mu = mu};
}

/* Sliding solutions are unique if mu |g| < s_1 / s_0 (then |r_T| - mu r_N falls with alpha); the
 * eigenvalues of S lie between those of W, and |g| <= |W_TN| / W_NN. */
static bool has_one_solution(const problem *p, double condition)
{
    const double coupling = sqrt(p->W.xy * p->W.xy + p->W.xz * p->W.xz) / p->W.xx;
    return p->mu * coupling < 1.0 / condition;
}

static double relative_residual(const problem *p, v3 r)
{
    const v3 u = v3_add(sym3_mul_v3(&p->W, r), p->b);
    return coulomb_residual(u, r, p->mu, sym3_trace(&p->W) / 3.0) / v3_norm(p->b);
}

static void test_the_table_starts_with_the_ladder_and_finds_by_name(void)
{
    TEST_ASSERT_EQUAL_STRING("ladder", local_table[0].name);
    for (size_t i = 0; i < local_count; i++) {
        TEST_ASSERT_EQUAL_PTR(&local_table[i], local_find(local_table[i].name));
    }
    TEST_ASSERT_NULL(local_find("Ladder"));
}

/* All are accurate to a few roundings of u, and r = W^-1 (u - b) multiplies those by the condition
 * 4. */
static void test_exact_methods_find_the_same_answer_where_there_is_one(void)
{
    static const char *const exact[] = {"ladder", "exact", "enum"};
    const double condition = 4.0;
    int compared = 0;
    for (int i = 0; i < 50000; i++) {
        const problem p = random_problem(condition, 0.0, 2.0);
        if (!has_one_solution(&p, condition)) continue;
        const local_answer a = solve(exact[0], &p, zero);
        compared++;
        for (size_t k = 0; k < 3; k++) {
            const local_answer c = solve(exact[k], &p, zero);
            TEST_ASSERT_FALSE(c.failed);
            TEST_ASSERT_EQUAL(a.state, c.state);
            TEST_ASSERT_DOUBLE_WITHIN(200.0 * DBL_EPSILON, 0.0, v3_norm(v3_sub(a.r, c.r)));
        }
    }
    TEST_ASSERT_GREATER_THAN(10000, compared);
}

/* The verdict allows 1e-10 |b| < 2e-10, and r is up to condition times as far off. */
static void test_iterations_that_converge_find_the_same_answer(void)
{
    static const char *const iterative[] = {"mfb", "pac", "dac", "duriez08"};
    const double condition = 4.0;
    for (int i = 0; i < 20000; i++) {
        const problem p = random_problem(condition, 0.0, 2.0);
        if (!has_one_solution(&p, condition)) continue;
        const local_answer a = solve("ladder", &p, zero);
        for (size_t k = 0; k < 4; k++) {
            const local_answer c = solve(iterative[k], &p, zero);
            if (c.failed) continue;
            TEST_ASSERT_DOUBLE_WITHIN(20.0 * condition * 1e-10, 0.0, v3_norm(v3_sub(a.r, c.r)));
        }
    }
}

typedef struct batch {
    const char *name;
    double condition, mu_low, mu_high;
    double away; /* how far b was from here when the guess was the solution; negative: guess 0 */
} batch;

/* Prints what paper 001 tabulates: who fails how often. Exact methods must not. */
static void test_failures_are_counted_and_exact_methods_have_none(void)
{
    static const batch batches[] = {
        {"easy, near guess", 10.0, 0.1, 1.0, 1e-3}, {"easy, rough guess", 10.0, 0.1, 1.0, 0.1},
        {"easy, no guess", 10.0, 0.1, 1.0, -1.0},   {"coupled, no guess", 100.0, 0.1, 2.0, -1.0},
        {"much friction", 100.0, 1.0, 10.0, -1.0},  {"ill-conditioned", 1e4, 0.1, 2.0, -1.0},
    };
    enum { COUNT = 10000 };
    for (size_t k = 0; k < sizeof batches / sizeof *batches; k++) {
        const batch *t = &batches[k];
        printf("%-18s", t->name);
        for (size_t m = 0; m < local_count; m++) {
            int failed = 0;
            setUp();
            for (int i = 0; i < COUNT; i++) {
                const problem p = random_problem(t->condition, t->mu_low, t->mu_high);
                problem before = p;
                before.b = v3_add_scaled(p.b, t->away, random_v3(&source));
                const v3 guess = t->away < 0.0 ? zero : solve("ladder", &before, zero).r;
                const local_answer a = solve(local_table[m].name, &p, guess);
                failed += a.failed;
                TEST_ASSERT_EQUAL(a.failed, !(relative_residual(&p, a.r) <= 1e-10));
            }
            printf("  %s %.2f%%", local_table[m].name, 100.0 * failed / COUNT);
            if (m < 3) TEST_ASSERT_EQUAL(0, failed);
        }
        printf("\n");
    }
}

/* Errors of 1e-3, 1e-6, 1e-12: three steps, and a few more where the state is not that of the
 * guess. */
static void test_newton_methods_take_few_steps_from_a_good_guess(void)
{
    static const char *const newton[] = {"mfb", "pac", "dac"};
    enum { COUNT = 10000 };
    for (size_t k = 0; k < 3; k++) {
        uint32_t failed = 0, steps = 0;
        for (int i = 0; i < COUNT; i++) {
            const problem p = random_problem(10.0, 0.1, 1.0);
            problem before = p;
            before.b = v3_add_scaled(p.b, 1e-3, random_v3(&source));
            const local_answer a = solve(newton[k], &p, solve("ladder", &before, zero).r);
            failed += a.failed;
            steps += a.iterations;
        }
        TEST_ASSERT_LESS_THAN(COUNT / 1000, failed);
        TEST_ASSERT_LESS_THAN(3 * COUNT, steps);
    }
}

static void test_one_pass_is_exact_for_isotropic_operators_only(void)
{
    problem p = {.W = sym3_diagonal(2.0), .b = {-1.0, 0.7, -0.4}, .mu = 0.3};
    const local_answer a = solve("duriez06", &p, zero), c = solve("ladder", &p, zero);
    TEST_ASSERT_FALSE(a.failed);
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, 0.0, v3_norm(v3_sub(a.r, c.r)));
    /* r_N = 1/2 moves the tangent by 1/4, and the cone is wide enough to stop all of it */
    p.W.xy = 0.5;
    p.mu = 2.0;
    const local_answer coupled = solve("duriez06", &p, zero);
    TEST_ASSERT_TRUE(coupled.failed);
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, -0.95 / 2.0, coupled.r.y);
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, 0.4 / 2.0, coupled.r.z);
}

/* Along an axis the pyramid touches the cone; along the diagonal it holds sqrt(2) times as much. */
static void test_the_pyramid_is_right_along_its_axes_and_holds_too_much_between(void)
{
    const sym3 W = sym3_diagonal(1.0);
    const problem along = {W, {-1.0, 0.8, 0.0}, 0.5}, between = {W, {-1.0, 0.8, 0.8}, 0.5};
    const local_answer a = solve("pyramid", &along, zero), c = solve("pyramid", &between, zero);
    TEST_ASSERT_FALSE(a.failed);
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, -0.5, a.r.y);
    TEST_ASSERT_TRUE(c.failed);
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, sqrt(0.5), coulomb_tangent_norm(c.r));
}

static void test_the_ladder_does_not_depend_on_the_guess(void)
{
    for (int i = 0; i < 1000; i++) {
        const problem p = random_problem(100.0, 0.0, 5.0);
        const local_answer a = solve("ladder", &p, zero),
                           c = solve("ladder", &p, random_v3(&source));
        TEST_ASSERT_TRUE(a.r.x == c.r.x && a.r.y == c.r.y && a.r.z == c.r.z);
    }
}

/* Powers of two change exponents alone, in the first rung as in the enumeration. */
static void test_scales_change_the_exponents_of_the_answer_alone(void)
{
    for (int i = 0; i < 5000; i++) {
        const problem p = random_problem(i % 2 ? 1e9 : 10.0, 0.0, 3.0);
        const double s = pow(2.0, floor(random_between(&source, -400.0, 400.0)));
        const double t = pow(2.0, floor(random_between(&source, -400.0, 400.0)));
        const problem q = {{s * p.W.xx, s * p.W.xy, s * p.W.xz, s * p.W.yy, s * p.W.yz, s * p.W.zz},
                           v3_scale(t, p.b),
                           p.mu};
        const local_answer a = solve("ladder", &p, zero), c = solve("ladder", &q, zero);
        const v3 r = v3_scale(t / s, a.r);
        TEST_ASSERT_EQUAL(a.failed, c.failed);
        TEST_ASSERT_TRUE(r.x == c.r.x && r.y == c.r.y && r.z == c.r.z);
    }
}

/* Nothing moves along the normal: u_N = b_N < 0 whatever r. */
static void test_a_contact_that_cannot_open_has_no_solution(void)
{
    const problem p = {{0.0, 0.0, 0.0, 2.0, 0.5, 1.0}, {-1.0, 0.3, 0.2}, 0.5};
    const local_answer a = solve("ladder", &p, zero);
    TEST_ASSERT_TRUE(a.failed);
    TEST_ASSERT_TRUE(a.r.x == 0.0);
    const problem q = {p.W, {0.0, 0.3, 0.2}, 0.5};
    TEST_ASSERT_FALSE(solve("ladder", &q, zero).failed);
    TEST_ASSERT_FALSE(solve("ladder", &q, zero).fell_back);
}

/* W with W_NN = 1, S = diag(1, 0), g = (-1, 2), and b with b_N = -1, c = (c_0, 0.1): W z = 0 for
 * z = (1, 0, -1/2) times the sign that puts it into the cone for mu = 1, and b . z < 0. */
static problem jam(double c_0)
{
    return (problem){
        .W = {1.0, -1.0, 2.0, 2.0, -2.0, 4.0}, .b = {-1.0, c_0 + 1.0, 0.1 - 2.0}, .mu = 1.0};
}

/* A jam has sliding solutions in pairs: two for c_0 = 5, none for c_0 = 0. Where they meet and
 * disappear the residual of the best point grows from 0: no jump. */
static void test_the_best_point_of_a_jam_gets_worse_without_a_jump(void)
{
    double with = 5.0, without = 0.0;
    const problem solvable = jam(with), not_solvable = jam(without);
    TEST_ASSERT_FALSE(solve("ladder", &solvable, zero).failed);
    TEST_ASSERT_TRUE(solve("ladder", &not_solvable, zero).failed);
    TEST_ASSERT_TRUE(solve("ladder", &not_solvable, zero).fell_back);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (with + without);
        const problem p = jam(middle);
        if (solve("ladder", &p, zero).failed) {
            without = middle;
        } else {
            with = middle;
        }
    }
    const problem p = jam(without);
    TEST_ASSERT_DOUBLE_WITHIN(1.1e-10, 0.0, relative_residual(&p, solve("ladder", &p, zero).r));
}

/* The same problems: a hybrid falls back where its method fails, and only there. */
static void test_hybrids_enumerate_exactly_where_their_method_misses(void)
{
    static const char *const methods[] = {"mfb", "pac", "dac", "duriez08", "pyramid"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        char hybrid[32];
        int fallbacks = 0;
        snprintf(hybrid, sizeof hybrid, "%s+enum", methods[m]);
        for (int i = 0; i < 3000; i++) {
            const problem p = random_problem(1e4, 0.1, 2.0);
            const local_answer a = solve(methods[m], &p, zero), c = solve(hybrid, &p, zero);
            TEST_ASSERT_FALSE_MESSAGE(a.fell_back, methods[m]);
            TEST_ASSERT_EQUAL_MESSAGE(a.failed, c.fell_back, hybrid);
            TEST_ASSERT_FALSE_MESSAGE(c.failed, hybrid);
            fallbacks += c.fell_back;
        }
        TEST_ASSERT_GREATER_THAN_MESSAGE(0, fallbacks, hybrid);
    }
}

static void test_the_ladder_says_when_it_enumerates(void)
{
    const problem easy = {.W = {1.0, 0.1, 0.2, 1.0, 0.3, 1.0}, .b = {-1.0, 2.0, 3.0}, .mu = 0.5};
    TEST_ASSERT_FALSE(solve("ladder", &easy, zero).fell_back);
    const problem jammed = jam(0.0);
    TEST_ASSERT_TRUE(solve("ladder", &jammed, zero).fell_back);
    TEST_ASSERT_FALSE(solve("enum", &jammed, zero).fell_back);
}

static void test_numbers_that_are_not_finite_fail_with_a_finite_answer(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t m = 0; m < local_count; m++) {
        for (int i = 0; i < 27; i++) {
            problem p = {.W = {1.0, 0.1, 0.2, 1.0, 0.3, 1.0}, .b = {-1.0, 2.0, 3.0}, .mu = 0.5};
            double *const members[] = {&p.W.xx, &p.W.xy, &p.W.xz, &p.W.yy, &p.W.yz,
                                       &p.W.zz, &p.b.x,  &p.b.y,  &p.b.z};
            *members[i / 3] = bad[i % 3];
            const local_answer a = solve(local_table[m].name, &p, (v3){1.0, 0.1, 0.1});
            TEST_ASSERT_TRUE_MESSAGE(v3_is_finite(a.r), local_table[m].name);
            TEST_ASSERT_TRUE_MESSAGE(a.failed || p.b.x > 0.0, local_table[m].name);
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_table_starts_with_the_ladder_and_finds_by_name);
    RUN_TEST(test_exact_methods_find_the_same_answer_where_there_is_one);
    RUN_TEST(test_iterations_that_converge_find_the_same_answer);
    RUN_TEST(test_failures_are_counted_and_exact_methods_have_none);
    RUN_TEST(test_newton_methods_take_few_steps_from_a_good_guess);
    RUN_TEST(test_one_pass_is_exact_for_isotropic_operators_only);
    RUN_TEST(test_the_pyramid_is_right_along_its_axes_and_holds_too_much_between);
    RUN_TEST(test_the_ladder_does_not_depend_on_the_guess);
    RUN_TEST(test_scales_change_the_exponents_of_the_answer_alone);
    RUN_TEST(test_a_contact_that_cannot_open_has_no_solution);
    RUN_TEST(test_the_best_point_of_a_jam_gets_worse_without_a_jump);
    RUN_TEST(test_hybrids_enumerate_exactly_where_their_method_misses);
    RUN_TEST(test_the_ladder_says_when_it_enumerates);
    RUN_TEST(test_numbers_that_are_not_finite_fail_with_a_finite_answer);
    return UNITY_END();
}

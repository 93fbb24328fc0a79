/* SPDX-License-Identifier: Apache-2.0
 *
 * Lemke's method: answers known beforehand, all bases enumerated, cycling, rays.
 */
#include "contact/lemke.h"

#include "math/scalar.h"
#include "support/counting_allocator.h"
#include "support/random.h"

#include <string.h>
#include <unity.h>

enum { MOST = 24, SMALL = 6 };

static counting_allocator memory;
static random_source source;
static lemke_report report;

void setUp(void)
{
    counting_init(&memory, 0);
    source = (random_source){17};
}

void tearDown(void) { counting_check(&memory); }

static lemke_end solve(uint32_t n, const double *M, const double *q, double *z)
{
    const lcp p = {n, M, q};
    const lemke_options options = {.max_pivots = 1000};
    TEST_ASSERT_EQUAL(STATUS_OK, lemke_solve(&p, &memory.from, &options, z, &report));
    return report.end;
}

/* The worst of |min(z_i, w_i)|, which is zero exactly for solutions. */
static double violation(uint32_t n, const double *M, const double *q, const double *z)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double w = q[i];
        for (uint32_t j = 0; j < n; j++) w += M[i * n + j] * z[j];
        worst = scalar_max(worst, fabs(scalar_min(z[i], w)));
    }
    return worst;
}

static void test_nothing_to_do_is_done_in_no_pivots(void)
{
    const double M[] = {1.0, -5.0, 2.0, 1.0}, q[] = {0.0, 3.0};
    double z[2];
    TEST_ASSERT_EQUAL(LEMKE_SOLVED, solve(2, M, q, z));
    TEST_ASSERT_EQUAL(0, report.pivots);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, z[0]);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, z[1]);
}

static void test_problems_with_known_answers(void)
{
    /* the minimum of x^2 + y^2 - 2 x - 5 y over x, y >= 0, x + y <= 2: its conditions */
    const double M[] = {2.0, 0.0, 1.0, 0.0, 2.0, 1.0, -1.0, -1.0, 0.0};
    const double q[] = {-2.0, -5.0, 2.0};
    double z[3];
    TEST_ASSERT_EQUAL(LEMKE_SOLVED, solve(3, M, q, z));
    /* 2 x + l = 2, 2 y + l = 5, x + y = 2 */
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.25, z[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.75, z[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.5, z[2]);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, report.artificial);
}

/* Murty's triangular matrix, on which pivoting visits many bases; z = (0, ..., 0, 1). */
static void test_murtys_example_is_solved(void)
{
    double M[MOST * MOST] = {0}, q[MOST], z[MOST];
    const uint32_t n = 10;
    for (uint32_t i = 0; i < n; i++) {
        q[i] = -1.0;
        for (uint32_t j = 0; j < n; j++) M[i * n + j] = j == i ? 1.0 : j > i ? 2.0 : 0.0;
    }
    TEST_ASSERT_EQUAL(LEMKE_SOLVED, solve(n, M, q, z));
    for (uint32_t i = 0; i < n; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, i == n - 1 ? 1.0 : 0.0, z[i]);
    }
}

/* ---- against the enumeration of bases ---- */

/* Solves A x = y for n <= SMALL with partial pivoting; A and y are used up. */
static bool eliminate(uint32_t n, double A[SMALL][SMALL], double *y)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++) {
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        }
        if (A[best][k] == 0.0) return false;
        for (uint32_t j = 0; j < n; j++) {
            const double swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        const double swap = y[k];
        y[k] = y[best];
        y[best] = swap;
        for (uint32_t i = 0; i < n; i++) {
            const double f = i == k ? 0.0 : A[i][k] / A[k][k];
            for (uint32_t j = 0; j < n; j++) A[i][j] -= f * A[k][j];
            y[i] -= f * y[k];
        }
    }
    for (uint32_t k = 0; k < n; k++) y[k] /= A[k][k];
    return true;
}

/* z with the bits of `active` not zero and w = 0 there; false if that breaks an inequality. */
static bool try_basis(uint32_t n, const double *M, const double *q, uint32_t active, double *z)
{
    double A[SMALL][SMALL];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const double identity = i == j ? 1.0 : 0.0;
            A[i][j] = active >> j & 1 ? M[i * n + j] : -identity;
        }
        z[i] = -q[i];
    }
    if (!eliminate(n, A, z)) return false;
    bool good = true;
    for (uint32_t i = 0; i < n; i++) {
        good = good && z[i] >= -1e-12;
        if (!(active >> i & 1)) z[i] = 0.0;
    }
    return good;
}

static void random_p_matrix(uint32_t n, double *M)
{
    double B[SMALL][SMALL], skew[SMALL][SMALL];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            B[i][j] = random_between(&source, -1.0, 1.0);
            skew[i][j] = random_between(&source, -2.0, 2.0);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            double sum = (i == j ? 0.1 : 0.0) + skew[i][j] - skew[j][i];
            for (uint32_t k = 0; k < n; k++) sum += B[i][k] * B[j][k];
            M[i * n + j] = sum;
        }
    }
}

/* Positive definite with a skew part: exactly one solution, for every q. */
static void test_random_p_matrices_agree_with_the_enumeration_of_bases(void)
{
    for (int round = 0; round < 500; round++) {
        const uint32_t n = 1 + random_below(&source, SMALL);
        double M[SMALL * SMALL], q[SMALL], z[SMALL], expected[SMALL];
        random_p_matrix(n, M);
        for (uint32_t i = 0; i < n; i++) q[i] = random_between(&source, -1.0, 1.0);
        uint32_t active = 0;
        while (active < 1u << n && !try_basis(n, M, q, active, expected)) active++;
        TEST_ASSERT_LESS_THAN_UINT32(1u << n, active);
        TEST_ASSERT_EQUAL(LEMKE_SOLVED, solve(n, M, q, z));
        /* the smallest eigenvalue of the symmetric part is at least 0.1 */
        for (uint32_t i = 0; i < n; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-12, expected[i], z[i]);
    }
}

/* ---- degenerate ---- */

/* A basis that came back would make a loop, and the loop would end at the limit of pivots. */
static void test_ties_everywhere_do_not_make_it_cycle(void)
{
    for (int round = 0; round < 300; round++) {
        const uint32_t n = 2 + random_below(&source, MOST - 2);
        double M[MOST * MOST] = {0}, q[MOST], z[MOST];
        /* the KKT matrix of a linear program with small whole numbers: (0, A^T; -A, 0) */
        const uint32_t rows = n / 2;
        for (uint32_t i = 0; i < rows; i++) {
            for (uint32_t j = rows; j < n; j++) {
                const double a = (double)random_below(&source, 3);
                M[i * n + j] = -a;
                M[j * n + i] = a;
            }
        }
        /* costs and capacities, many of them 0; a need of 1 wherever something can meet it, so that
         * the program and its dual are both feasible */
        for (uint32_t i = 0; i < n; i++) {
            q[i] = (double)random_below(&source, 2);
            bool any = false;
            for (uint32_t j = 0; j < rows; j++) any = any || M[i * n + j] > 0.0;
            if (any) q[i] = -1.0;
        }
        TEST_ASSERT_EQUAL(LEMKE_SOLVED, solve(n, M, q, z));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, violation(n, M, q, z));
    }
}

/* Taking the first of the tied rows would go round in a loop here. */
static void test_an_example_that_cycles_without_the_rule_is_solved(void)
{
    const double M[] = {2.0, -1.0, 3.0, 0.0, 1.0, -1.0, 3.0, 3.0, 1.0}, q[] = {-1.0, -1.0, -1.0};
    double z[3];
    TEST_ASSERT_EQUAL(LEMKE_SOLVED, solve(3, M, q, z));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, violation(3, M, q, z));
}

/* Rank 2 and q in the range: z is not unique, w is. */
static void test_singular_symmetric_matrices_are_solved(void)
{
    for (int round = 0; round < 200; round++) {
        const uint32_t n = 12;
        double H[12][2], M[12 * 12], q[12], z[12];
        const double v[2] = {random_between(&source, -1.0, 1.0),
                             random_between(&source, -1.0, 1.0)};
        for (uint32_t i = 0; i < n; i++) {
            H[i][0] = random_between(&source, -1.0, 1.0);
            H[i][1] = random_between(&source, -1.0, 1.0);
            q[i] = H[i][0] * v[0] + H[i][1] * v[1];
        }
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n; j++) M[i * n + j] = H[i][0] * H[j][0] + H[i][1] * H[j][1];
        }
        TEST_ASSERT_EQUAL(LEMKE_SOLVED, solve(n, M, q, z));
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, violation(n, M, q, z));
    }
}

/* Positive for all z >= 0 though its eigenvalues are 3 and -1: Lemke's method solves it for every
 * q, here with one of (1, 0), (0, 1) and (1/3, 1/3). */
static void test_strictly_copositive_matrices_are_solved(void)
{
    const double M[] = {1.0, 2.0, 2.0, 1.0}, q[] = {-1.0, -1.0};
    double z[2];
    TEST_ASSERT_EQUAL(LEMKE_SOLVED, solve(2, M, q, z));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, violation(2, M, q, z));
}

/* ---- no answer ---- */

static void test_what_has_no_solution_ends_on_a_ray(void)
{
    const double nothing[] = {0.0}, down[] = {-1.0};
    double z[3];
    TEST_ASSERT_EQUAL(LEMKE_RAY, solve(1, nothing, down, z));
    TEST_ASSERT_TRUE(report.artificial > 0.0);
    /* w1 + w2 = -1 whatever z is */
    const double M[] = {1.0, -1.0, -1.0, 1.0}, q[] = {-0.25, -0.75};
    TEST_ASSERT_EQUAL(LEMKE_RAY, solve(2, M, q, z));
    TEST_ASSERT_TRUE(isfinite(z[0]) && isfinite(z[1]));
    TEST_ASSERT_TRUE(report.artificial > 0.0);
}

/* Copositive, solved by (1, 1), but q . z < 0 for z = (1, 0), which has M z >= 0 and z . M z = 0:
 * the path is promised nothing there. */
static void test_a_ray_may_hide_a_solution(void)
{
    const double M[] = {0.0, 1.0, 1.0, 0.0}, q[] = {-1.0, -1.0}, one[] = {1.0, 1.0};
    double z[2];
    TEST_ASSERT_EQUAL_DOUBLE(0.0, violation(2, M, q, one));
    TEST_ASSERT_EQUAL(LEMKE_RAY, solve(2, M, q, z));
}

static void test_the_limit_of_pivots_is_kept(void)
{
    double M[MOST * MOST] = {0}, q[MOST], z[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        M[i * MOST + i] = 1.0;
        q[i] = -1.0 - (double)i;
    }
    const lcp p = {MOST, M, q};
    const lemke_options options = {.max_pivots = 5};
    TEST_ASSERT_EQUAL(STATUS_OK, lemke_solve(&p, &memory.from, &options, z, &report));
    TEST_ASSERT_EQUAL(LEMKE_LIMIT, report.end);
    TEST_ASSERT_EQUAL(5, report.pivots);
}

static int stop_at_two(void *user, uint32_t pivots, const double *z)
{
    memcpy(user, z, MOST * sizeof *z);
    return pivots == 2;
}

static void test_watching_can_stop_it(void)
{
    double M[MOST * MOST] = {0}, q[MOST], z[MOST], seen[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        M[i * MOST + i] = 1.0;
        q[i] = -1.0 - (double)i;
    }
    const lcp p = {MOST, M, q};
    const lemke_options options = {.max_pivots = 1000, .watch = stop_at_two, .user = seen};
    TEST_ASSERT_EQUAL(STATUS_OK, lemke_solve(&p, &memory.from, &options, z, &report));
    TEST_ASSERT_EQUAL(LEMKE_STOPPED, report.end);
    TEST_ASSERT_EQUAL(2, report.pivots);
    for (uint32_t i = 0; i < MOST; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-13, seen[i], z[i]);
}

static void test_without_memory_it_says_so(void)
{
    const double M[] = {1.0}, q[] = {-1.0};
    const lcp p = {1, M, q};
    const lemke_options options = {.max_pivots = 10};
    double z[1];
    counting_allocator none;
    counting_init(&none, 1);
    TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, lemke_solve(&p, &none.from, &options, z, &report));
    counting_check(&none);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nothing_to_do_is_done_in_no_pivots);
    RUN_TEST(test_problems_with_known_answers);
    RUN_TEST(test_murtys_example_is_solved);
    RUN_TEST(test_random_p_matrices_agree_with_the_enumeration_of_bases);
    RUN_TEST(test_ties_everywhere_do_not_make_it_cycle);
    RUN_TEST(test_an_example_that_cycles_without_the_rule_is_solved);
    RUN_TEST(test_singular_symmetric_matrices_are_solved);
    RUN_TEST(test_strictly_copositive_matrices_are_solved);
    RUN_TEST(test_what_has_no_solution_ends_on_a_ray);
    RUN_TEST(test_a_ray_may_hide_a_solution);
    RUN_TEST(test_the_limit_of_pivots_is_kept);
    RUN_TEST(test_watching_can_stop_it);
    RUN_TEST(test_without_memory_it_says_so);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#define REAL_LANES 2
#include "linalg/ldl_lanes.h"

#include "linalg/ldl.h"
#include "support/random.h"

#include <unity.h>

enum { MOST = 21 };

static random_source rng;

void setUp(void) { rng = (random_source){21}; }
void tearDown(void) {}

/* Random, and positive definite by its diagonal. */
static void fill(double *A, double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) A[i * n + j] = random_between(&rng, -1.0, 1.0);
        A[i * n + i] = (double)n + random_between(&rng, 0.0, 1.0);
        x[i] = random_between(&rng, -1.0, 1.0);
    }
}

static void put_in_lane(size_t lane, const double *from, size_t count, real *to)
{
    for (size_t i = 0; i < count; i++) real_set_lane(&to[i], lane, from[i]);
}

static void assert_same_bits(double expected, const real *actual, size_t lane)
{
    const double value = real_lane(actual, lane);
    TEST_ASSERT_EQUAL_MEMORY(&expected, &value, sizeof value);
}

static void test_every_lane_has_the_bits_of_the_plain_factors(void)
{
    for (size_t n = 1; n <= MOST; n++) {
        double A[REAL_LANES][MOST * MOST], x[REAL_LANES][MOST];
        real wide_A[MOST * MOST], wide_x[MOST];
        const ldl_shape shape = ldl_dense(n);
        for (size_t k = 0; k < REAL_LANES; k++) {
            fill(A[k], x[k], n);
            put_in_lane(k, A[k], n * n, wide_A);
            put_in_lane(k, x[k], n, wide_x);
            TEST_ASSERT_TRUE(ldl_factor(&shape, A[k], NULL));
            ldl_solve(&shape, A[k], x[k]);
        }
        ldl_lanes_factor(n, wide_A);
        ldl_lanes_solve(n, wide_A, wide_x);
        for (size_t k = 0; k < REAL_LANES; k++) {
            for (size_t i = 0; i < n * n; i++) assert_same_bits(A[k][i], &wide_A[i], k);
            for (size_t i = 0; i < n; i++) assert_same_bits(x[k][i], &wide_x[i], k);
        }
    }
}

static void test_a_bad_pivot_spoils_its_own_lane_alone(void)
{
    double A[9], x[3];
    real wide_A[9], wide_x[3];
    fill(A, x, 3);
    for (size_t k = 0; k < REAL_LANES; k++) {
        put_in_lane(k, A, 9, wide_A);
        put_in_lane(k, x, 3, wide_x);
    }
    real_set_lane(&wide_A[4], 1, -1.0);
    ldl_lanes_factor(3, wide_A);
    ldl_lanes_solve(3, wide_A, wide_x);
    for (size_t i = 0; i < 3; i++) {
        TEST_ASSERT_TRUE(isfinite(real_lane(&wide_x[i], 0)));
        TEST_ASSERT_DOUBLE_IS_NAN(real_lane(&wide_x[i], 1));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_lane_has_the_bits_of_the_plain_factors);
    RUN_TEST(test_a_bad_pivot_spoils_its_own_lane_alone);
    return UNITY_END();
}

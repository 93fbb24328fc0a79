/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg/lanes.h"

#include "support/random.h"

#include <float.h>
#include <math.h>
#include <unity.h>

enum { MOST = 70 };

static random_source rng;

void setUp(void) { rng = (random_source){12}; }
void tearDown(void) {}

static void test_dot_products_of_all_lengths_are_right_to_rounding(void)
{
    double a[MOST], b[MOST];
    for (size_t n = 0; n <= MOST; n++) {
        long double expected = 0.0L, magnitude = 0.0L;
        for (size_t i = 0; i < n; i++) {
            a[i] = random_between(&rng, -1.0, 1.0);
            b[i] = random_between(&rng, -1.0, 1.0);
            expected += (long double)a[i] * b[i];
            magnitude += fabsl((long double)a[i] * b[i]);
        }
        /* a product and at most n/4 + 5 additions touch each term */
        const double bound = (double)(n / 4 + 6) * 0.5 * DBL_EPSILON * (double)magnitude;
        TEST_ASSERT_DOUBLE_WITHIN(bound, (double)expected, lanes_dot(a, b, n));
    }
}

/* Whoever reorders the sum changes these bits. */
static void test_the_order_of_summation_is_the_one_written_down(void)
{
    double a[MOST], one[MOST];
    for (size_t i = 0; i < MOST; i++) {
        a[i] = random_between(&rng, -1.0, 1.0);
        one[i] = 1.0;
    }
    for (size_t n = 0; n <= MOST; n++) {
        double lane[4] = {0.0, 0.0, 0.0, 0.0};
        for (size_t i = 0; i < n / 4 * 4; i++) lane[i % 4] += a[i];
        for (size_t i = n / 4 * 4; i < n; i++) lane[0] += a[i];
        TEST_ASSERT_TRUE((lane[0] + lane[2]) + (lane[1] + lane[3]) == lanes_dot(a, one, n));
    }
}

static void test_adding_a_multiple_touches_n_items_and_no_more(void)
{
    for (size_t n = 0; n < MOST; n++) {
        double x[MOST], y[MOST], before[MOST];
        for (size_t i = 0; i < MOST; i++) {
            x[i] = random_between(&rng, -1.0, 1.0);
            before[i] = y[i] = random_between(&rng, -1.0, 1.0);
        }
        lanes_add_scaled(y, 0.3, x, n);
        for (size_t i = 0; i < MOST; i++) {
            TEST_ASSERT_TRUE(y[i] == (i < n ? before[i] + 0.3 * x[i] : before[i]));
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_dot_products_of_all_lengths_are_right_to_rounding);
    RUN_TEST(test_the_order_of_summation_is_the_one_written_down);
    RUN_TEST(test_adding_a_multiple_touches_n_items_and_no_more);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The references are the C library's long double functions, where long double is wider than double.
 */
#include "math/trig.h"

#include "support/random.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unity.h>

enum { ROUNDS = 300000 };

static const double PI = 3.14159265358979323846;
static random_source rng;

void setUp(void) { rng = (random_source){9}; }
void tearDown(void) {}

/* One unit in the last place of a double near x. */
static double ulp(long double x)
{
    return fabsl(x) < DBL_MIN ? DBL_TRUE_MIN : ldexp(1.0, ilogb((double)fabsl(x)) - 52);
}

static void assert_near(double bound, long double expected, double actual)
{
    TEST_ASSERT_TRUE_MESSAGE(fabsl(actual - expected) <= bound, "further off than the header says");
}

/* The header's promise: below 3 ulp, and below 2^-52. */
static void assert_sincos_is_good(double angle)
{
    const trig_pair p = trig_sincos(angle);
    const long double s = sinl(angle), c = cosl(angle);
    assert_near(fmin(3.0 * ulp(s), 0x1p-52), s, p.sin);
    assert_near(fmin(3.0 * ulp(c), 0x1p-52), c, p.cos);
}

static void require_long_double(void)
{
    if (LDBL_MANT_DIG < 64) TEST_IGNORE_MESSAGE("long double is no wider than double");
}

/* A magnitude spread evenly over the powers of ten, and a random sign. */
static double random_magnitude(double low, double high)
{
    const double a = exp(random_between(&rng, log(low), log(high)));
    return random_bits(&rng) & 1 ? a : -a;
}

static void test_sine_and_cosine_keep_their_accuracy_up_to_the_promised_angle(void)
{
    require_long_double();
    for (int i = 0; i < ROUNDS; i++) {
        assert_sincos_is_good(random_between(&rng, -8.0, 8.0));
        assert_sincos_is_good(random_magnitude(1e-3, 1.6e6));
    }
}

static void test_sine_and_cosine_keep_their_accuracy_near_their_zeros(void)
{
    require_long_double();
    for (int k = -1000000; k <= 1000000; k += 7) {
        const double angle = (double)(k * 1.57079632679489661923132169163975L);
        assert_sincos_is_good(angle);
        assert_sincos_is_good(nextafter(angle, INFINITY));
        assert_sincos_is_good(nextafter(angle, -INFINITY));
    }
}

static void test_small_angles_are_their_own_sine(void)
{
    static const double small[] = {0.0, DBL_TRUE_MIN, DBL_MIN, 1e-300, 1e-100, 1e-9};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        TEST_ASSERT_TRUE(trig_sincos(small[i]).sin == small[i]);
        TEST_ASSERT_TRUE(trig_sincos(-small[i]).sin == -small[i]);
        TEST_ASSERT_TRUE(trig_sincos(small[i]).cos == 1.0);
    }
}

static void test_sine_is_odd_and_cosine_even_to_the_last_bit(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const double angle = random_magnitude(1e-10, 1e6);
        const trig_pair p = trig_sincos(angle), q = trig_sincos(-angle);
        TEST_ASSERT_TRUE(p.sin == -q.sin && p.cos == q.cos);
    }
}

static void test_large_angles_lose_accuracy_no_faster_than_promised(void)
{
    require_long_double();
    for (int i = 0; i < ROUNDS; i++) {
        const double angle = random_magnitude(1.6e6, 1e15), bound = 0x1p-53 * fabs(angle) + 0x1p-52;
        const trig_pair p = trig_sincos(angle);
        assert_near(bound, sinl(angle), p.sin);
        assert_near(bound, cosl(angle), p.cos);
    }
}

static void test_angles_without_meaning_give_NaN(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1.1e15, -1.1e15, DBL_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const trig_pair p = trig_sincos(bad[i]);
        TEST_ASSERT_TRUE(isnan(p.sin) && isnan(p.cos));
    }
}

static void assert_atan2_is_good(double y, double x)
{
    const long double expected = atan2l(y, x);
    assert_near(2.0 * ulp(expected), expected, trig_atan2(y, x));
}

static void test_the_arc_tangent_keeps_its_accuracy_all_around(void)
{
    require_long_double();
    for (int i = 0; i < ROUNDS; i++) {
        assert_atan2_is_good(random_between(&rng, -1.0, 1.0), random_between(&rng, -1.0, 1.0));
        assert_atan2_is_good(random_magnitude(1e-150, 1e150), random_magnitude(1e-150, 1e150));
    }
}

static void test_the_arc_tangent_keeps_its_accuracy_where_its_pieces_meet(void)
{
    require_long_double();
    static const double joints[] = {7.0 / 16.0, 11.0 / 16.0, 19.0 / 16.0, 39.0 / 16.0,
                                    0.5,        1.0,         1.5};
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
        double y = joints[i];
        for (int k = 0; k < 20; k++) y = nextafter(y, 0.0);
        for (int k = 0; k < 40; k++) {
            for (int signs = 0; signs < 4; signs++) {
                assert_atan2_is_good(signs & 1 ? -y : y, signs & 2 ? -1.0 : 1.0);
            }
            y = nextafter(y, INFINITY);
        }
    }
}

static void test_the_arc_tangent_on_the_axes_and_at_the_ends_of_the_range(void)
{
    TEST_ASSERT_TRUE(trig_atan2(0.0, 0.0) == 0.0);
    TEST_ASSERT_TRUE(trig_atan2(0.0, 2.0) == 0.0);
    TEST_ASSERT_TRUE(trig_atan2(0.0, -2.0) == PI);
    TEST_ASSERT_TRUE(trig_atan2(2.0, 0.0) == PI / 2);
    TEST_ASSERT_TRUE(trig_atan2(-2.0, 0.0) == -PI / 2);
    TEST_ASSERT_TRUE(trig_atan2(DBL_MAX, DBL_TRUE_MIN) == PI / 2);
    TEST_ASSERT_TRUE(trig_atan2(-DBL_TRUE_MIN, -DBL_MAX) == -PI);
    TEST_ASSERT_TRUE(trig_atan2(DBL_TRUE_MIN, DBL_TRUE_MIN) == PI / 4);
    TEST_ASSERT_TRUE(trig_atan2(DBL_MAX, DBL_MAX) == PI / 4);
    TEST_ASSERT_TRUE(trig_atan2(INFINITY, 1.0) == PI / 2);
    TEST_ASSERT_TRUE(trig_atan2(1.0, INFINITY) == 0.0);
    TEST_ASSERT_TRUE(trig_atan2(1.0, -INFINITY) == PI);
    TEST_ASSERT_TRUE(isnan(trig_atan2(INFINITY, INFINITY)));
    TEST_ASSERT_TRUE(isnan(trig_atan2(NAN, 1.0)));
    TEST_ASSERT_TRUE(isnan(trig_atan2(1.0, NAN)));
    TEST_ASSERT_TRUE(isnan(trig_atan2(0.0, NAN)));
}

static void add_to_hash(uint64_t *hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    *hash = (*hash ^ bits) * 0x100000001b3u;
}

/* The number was printed by this test once; every compiler and processor has to agree on it. */
static void test_the_bits_are_the_same_everywhere(void)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 10000; i++) {
        const double a = random_between(&rng, -100.0, 100.0);
        const double b = random_between(&rng, -100.0, 100.0);
        const trig_pair p = trig_sincos(a);
        add_to_hash(&hash, p.sin);
        add_to_hash(&hash, p.cos);
        add_to_hash(&hash, trig_atan2(a, b));
    }
    TEST_ASSERT_EQUAL_HEX64(0x90084df49ae96f2au, hash);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_sine_and_cosine_keep_their_accuracy_up_to_the_promised_angle);
    RUN_TEST(test_sine_and_cosine_keep_their_accuracy_near_their_zeros);
    RUN_TEST(test_small_angles_are_their_own_sine);
    RUN_TEST(test_sine_is_odd_and_cosine_even_to_the_last_bit);
    RUN_TEST(test_large_angles_lose_accuracy_no_faster_than_promised);
    RUN_TEST(test_angles_without_meaning_give_NaN);
    RUN_TEST(test_the_arc_tangent_keeps_its_accuracy_all_around);
    RUN_TEST(test_the_arc_tangent_keeps_its_accuracy_where_its_pieces_meet);
    RUN_TEST(test_the_arc_tangent_on_the_axes_and_at_the_ends_of_the_range);
    RUN_TEST(test_the_bits_are_the_same_everywhere);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "math/v3.h"

#include "support/random.h"

#include <float.h>
#include <unity.h>

enum { ROUNDS = 1000 };

static random_source rng;

void setUp(void) { rng = (random_source){4}; }
void tearDown(void) {}

static void assert_v3_equal(v3 expected, v3 actual)
{
    TEST_ASSERT_TRUE(expected.x == actual.x);
    TEST_ASSERT_TRUE(expected.y == actual.y);
    TEST_ASSERT_TRUE(expected.z == actual.z);
}

static void test_arithmetic_goes_component_by_component(void)
{
    const v3 a = {1.0, -2.0, 3.0}, b = {0.5, 4.0, -8.0};
    assert_v3_equal((v3){1.5, 2.0, -5.0}, v3_add(a, b));
    assert_v3_equal((v3){0.5, -6.0, 11.0}, v3_sub(a, b));
    assert_v3_equal((v3){-2.0, 4.0, -6.0}, v3_scale(-2.0, a));
    assert_v3_equal((v3){-1.0, 2.0, -3.0}, v3_neg(a));
    assert_v3_equal((v3){2.0, 6.0, -13.0}, v3_add_scaled(a, 2.0, b));
    TEST_ASSERT_TRUE(v3_dot(a, b) == -31.5);
}

static void test_what_is_stored_is_loaded(void)
{
    double memory[5] = {9.0, 9.0, 9.0, 9.0, 9.0};
    v3_store(memory + 1, (v3){1.0, 2.0, 3.0});
    assert_v3_equal((v3){1.0, 2.0, 3.0}, v3_load(memory + 1));
    TEST_ASSERT_TRUE(memory[0] == 9.0 && memory[4] == 9.0);
}

static void test_the_cross_product_is_right_handed_and_orthogonal_to_both(void)
{
    assert_v3_equal((v3){0.0, 0.0, 1.0}, v3_cross((v3){1.0, 0.0, 0.0}, (v3){0.0, 1.0, 0.0}));
    for (int i = 0; i < ROUNDS; i++) {
        const v3 a = random_v3(&rng), b = random_v3(&rng), c = v3_cross(a, b);
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, 0.0, v3_dot(a, c));
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, 0.0, v3_dot(b, c));
        /* |a x b|^2 + (a . b)^2 = |a|^2 |b|^2 <= 9 */
        TEST_ASSERT_DOUBLE_WITHIN(9 * 8 * DBL_EPSILON, v3_dot(a, a) * v3_dot(b, b),
                                  v3_dot(c, c) + v3_dot(a, b) * v3_dot(a, b));
    }
}

static void test_normalised_vectors_have_length_one_and_keep_their_direction(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const v3 a = random_direction(&rng);
        const double scale = random_between(&rng, 1e-150, 1e-149) * (i % 2 ? 1.0 : 1e299);
        const v3 n = v3_normalize(v3_scale(scale, a));
        TEST_ASSERT_DOUBLE_WITHIN(3 * DBL_EPSILON, 1.0, v3_norm(n));
        TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON, 0.0, v3_norm(v3_sub(n, a)));
    }
}

static void test_interpolation_ends_exactly_at_its_ends(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const v3 a = random_v3(&rng), b = v3_scale(1e10, random_v3(&rng));
        assert_v3_equal(a, v3_lerp(a, b, 0.0));
        assert_v3_equal(b, v3_lerp(a, b, 1.0));
    }
    assert_v3_equal((v3){1.0, 2.0, 3.0}, v3_lerp((v3){0.0, 0.0, 0.0}, (v3){4.0, 8.0, 12.0}, 0.25));
}

static void test_a_vector_is_finite_if_all_components_are(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    TEST_ASSERT_TRUE(v3_is_finite((v3){DBL_MAX, -DBL_MAX, DBL_TRUE_MIN}));
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_FALSE(v3_is_finite((v3){bad[i], 0.0, 0.0}));
        TEST_ASSERT_FALSE(v3_is_finite((v3){0.0, bad[i], 0.0}));
        TEST_ASSERT_FALSE(v3_is_finite((v3){0.0, 0.0, bad[i]}));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_arithmetic_goes_component_by_component);
    RUN_TEST(test_what_is_stored_is_loaded);
    RUN_TEST(test_the_cross_product_is_right_handed_and_orthogonal_to_both);
    RUN_TEST(test_normalised_vectors_have_length_one_and_keep_their_direction);
    RUN_TEST(test_interpolation_ends_exactly_at_its_ends);
    RUN_TEST(test_a_vector_is_finite_if_all_components_are);
    return UNITY_END();
}

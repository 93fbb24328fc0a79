/* SPDX-License-Identifier: Apache-2.0 */
#include "math/m3.h"

#include "math/quat.h"
#include "support/random.h"

#include <float.h>
#include <string.h>
#include <unity.h>

enum { ROUNDS = 1000 };

static random_source rng;

void setUp(void) { rng = (random_source){5}; }
void tearDown(void) {}

static m3 random_m3(void)
{
    const v3 a = random_v3(&rng), b = random_v3(&rng);
    return (m3){{a, b, random_v3(&rng)}};
}

static sym3 random_sym3(void)
{
    const v3 a = random_v3(&rng), b = random_v3(&rng);
    return (sym3){a.x, a.y, a.z, b.x, b.y, b.z};
}

/* Largest absolute row sum. */
static double m3_norm(const m3 *A)
{
    double norm = 0.0;
    for (int i = 0; i < 3; i++) {
        const v3 r = A->row[i];
        norm = fmax(norm, fabs(r.x) + fabs(r.y) + fabs(r.z));
    }
    return norm;
}

static void assert_v3_within(double delta, v3 expected, v3 actual)
{
    TEST_ASSERT_DOUBLE_WITHIN(delta, expected.x, actual.x);
    TEST_ASSERT_DOUBLE_WITHIN(delta, expected.y, actual.y);
    TEST_ASSERT_DOUBLE_WITHIN(delta, expected.z, actual.z);
}

static void assert_m3_within(double delta, m3 expected, m3 actual)
{
    for (int i = 0; i < 3; i++) assert_v3_within(delta, expected.row[i], actual.row[i]);
}

static void test_the_identity_changes_nothing(void)
{
    const m3 I = m3_identity(), two = m3_diagonal(2.0), A = random_m3();
    assert_m3_within(0.0, A, m3_mul(&I, &A));
    assert_m3_within(0.0, A, m3_mul(&A, &I));
    assert_m3_within(0.0, m3_add(&A, &A), m3_mul(&two, &A));
}

static void test_a_product_of_matrices_is_one_product_after_the_other(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const m3 A = random_m3(), B = random_m3(), AB = m3_mul(&A, &B);
        const v3 x = random_v3(&rng);
        /* two levels of sums of three, entries at most 1: |error| < 9 * 6 roundings */
        assert_v3_within(54 * DBL_EPSILON, m3_mul_v3(&A, m3_mul_v3(&B, x)), m3_mul_v3(&AB, x));
    }
}

static void test_the_transposed_product_is_the_product_with_the_transpose(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const m3 A = random_m3(), At = m3_transpose(&A);
        const v3 x = random_v3(&rng);
        assert_v3_within(4 * DBL_EPSILON, m3_mul_v3(&At, x), m3_tmul_v3(&A, x));
    }
}

static void test_the_determinant_of_a_product_is_the_product_of_determinants(void)
{
    const m3 A = {{{2.0, 0.0, 0.0}, {5.0, 3.0, 0.0}, {7.0, 11.0, -4.0}}};
    TEST_ASSERT_TRUE(m3_det(&A) == -24.0);
    for (int i = 0; i < ROUNDS; i++) {
        const m3 B = random_m3(), C = random_m3(), BC = m3_mul(&B, &C);
        /* det(BC) has six products of three sums of three: 162 terms, each at most 1 */
        TEST_ASSERT_DOUBLE_WITHIN(162 * DBL_EPSILON, m3_det(&B) * m3_det(&C), m3_det(&BC));
    }
}

static void test_a_matrix_times_its_inverse_is_the_identity(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const m3 A = random_m3();
        m3 inverse;
        TEST_ASSERT_TRUE(m3_invert(&A, &inverse));
        const double condition = m3_norm(&A) * m3_norm(&inverse);
        /* cofactors carry the error of products of two rows: condition^2 bounds it */
        const double delta = 16 * DBL_EPSILON * condition * fmax(condition, 1.0);
        assert_m3_within(delta, m3_identity(), m3_mul(&A, &inverse));
    }
}

static void test_matrices_without_an_inverse_are_refused_and_nothing_is_written(void)
{
    const m3 bad[] = {
        m3_diagonal(0.0),
        {{{1.0, 2.0, 3.0}, {2.0, 4.0, 6.0}, {0.0, 1.0, 0.0}}}, /* two rows in line */
        {{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}}}, /* arithmetic rows */
        m3_diagonal(NAN),
        m3_diagonal(INFINITY),
        {{{INFINITY, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
        {{{1.0, 0.0, 0.0}, {0.0, 1.0, -INFINITY}, {0.0, 0.0, 1.0}}},
        m3_diagonal(1e200),  /* the cofactors overflow */
        m3_diagonal(1e150),  /* or the determinant */
        m3_diagonal(1e-200), /* or vanishes */
        {{{1e-103, 0.0, 0.0},
          {0.0, 1e-103, 0.0},
          {0.0, 1e100, 1e-103}}}, /* the inverse overflows */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        m3 inverse = m3_diagonal(7.0);
        TEST_ASSERT_FALSE(m3_invert(&bad[i], &inverse));
        assert_m3_within(0.0, m3_diagonal(7.0), inverse);
    }
}

static void test_symmetric_products_agree_with_the_full_matrix(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const sym3 A = random_sym3();
        const m3 full = sym3_to_m3(&A), transposed = m3_transpose(&full);
        const v3 x = random_v3(&rng);
        assert_m3_within(0.0, full, transposed);
        assert_v3_within(0.0, m3_mul_v3(&full, x), sym3_mul_v3(&A, x));
        TEST_ASSERT_TRUE(sym3_trace(&A) == full.row[0].x + full.row[1].y + full.row[2].z);
    }
    const sym3 three = sym3_diagonal(3.0);
    assert_m3_within(0.0, m3_diagonal(3.0), sym3_to_m3(&three));
}

static void test_a_rotated_symmetric_matrix_is_R_A_Rt(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const sym3 A = random_sym3();
        const m3 R = quat_to_m3(quat_from_axis_angle(random_direction(&rng), (double)i));
        const m3 full = sym3_to_m3(&A), Rt = m3_transpose(&R), RA = m3_mul(&R, &full);
        const sym3 rotated = sym3_rotate(&A, &R);
        assert_m3_within(32 * DBL_EPSILON, m3_mul(&RA, &Rt), sym3_to_m3(&rotated));
        TEST_ASSERT_DOUBLE_WITHIN(32 * DBL_EPSILON, sym3_trace(&A), sym3_trace(&rotated));
    }
}

/* B B^T + shift */
static sym3 random_positive(double shift)
{
    const m3 B = random_m3();
    const v3 *r = B.row;
    return (sym3){v3_dot(r[0], r[0]) + shift, v3_dot(r[0], r[1]), v3_dot(r[0], r[2]),
                  v3_dot(r[1], r[1]) + shift, v3_dot(r[1], r[2]), v3_dot(r[2], r[2]) + shift};
}

static void test_solving_leaves_a_residual_of_rounding_size(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const sym3 A = random_positive(i % 2 ? 1.0 : 1e-6);
        const m3 full = sym3_to_m3(&A);
        const v3 b = random_v3(&rng);
        v3 x;
        TEST_ASSERT_TRUE(sym3_solve(&A, b, &x));
        /* backward stable without pivoting: |A x - b| <= c eps |A| |x|, c about 3 n */
        const double delta = 9 * DBL_EPSILON * m3_norm(&full) * v3_norm(x) + DBL_EPSILON;
        assert_v3_within(delta, b, sym3_mul_v3(&A, x));
    }
}

static void test_matrices_that_are_not_positive_definite_are_refused(void)
{
    const sym3 bad[] = {
        sym3_diagonal(0.0),
        sym3_diagonal(-1.0),
        sym3_diagonal(NAN),
        {1.0, 0.0, 0.0, -1.0, 0.0, 1.0},
        {1.0, 0.0, 0.0, 1.0, 0.0, -1.0},
        {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, /* rank one */
        {1.0, 2.0, 0.0, 1.0, 0.0, 1.0}, /* eigenvalue -1 */
        {0.0, 1.0, 0.0, 1.0, 0.0, 1.0}, /* zero first pivot */
        {1.0, 0.0, 0.0, 1.0, NAN, 1.0},
        {1e-320, 1.0, 0.0, 1.0, 0.0, 1.0} /* subnormal pivot */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        v3 x = {7.0, 7.0, 7.0};
        TEST_ASSERT_FALSE(sym3_solve(&bad[i], (v3){1.0, 1.0, 1.0}, &x));
        assert_v3_within(0.0, (v3){7.0, 7.0, 7.0}, x);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_identity_changes_nothing);
    RUN_TEST(test_a_product_of_matrices_is_one_product_after_the_other);
    RUN_TEST(test_the_transposed_product_is_the_product_with_the_transpose);
    RUN_TEST(test_the_determinant_of_a_product_is_the_product_of_determinants);
    RUN_TEST(test_a_matrix_times_its_inverse_is_the_identity);
    RUN_TEST(test_matrices_without_an_inverse_are_refused_and_nothing_is_written);
    RUN_TEST(test_symmetric_products_agree_with_the_full_matrix);
    RUN_TEST(test_a_rotated_symmetric_matrix_is_R_A_Rt);
    RUN_TEST(test_solving_leaves_a_residual_of_rounding_size);
    RUN_TEST(test_matrices_that_are_not_positive_definite_are_refused);
    return UNITY_END();
}

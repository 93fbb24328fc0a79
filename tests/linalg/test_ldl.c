/* SPDX-License-Identifier: Apache-2.0
 *
 * Every test runs over dense and banded shapes. Places that the factorisation must not touch (above
 * the diagonal, outside the band) hold NaN: reading one would spoil the result, writing one is
 * seen.
 */
#include "linalg/ldl.h"

#include "support/random.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unity.h>

enum { MOST = 40, ROOM = MOST * (MOST + 7) };

typedef struct matrix {
    ldl_shape shape;
    double full[MOST][MOST]; /* the truth */
    double stored[ROOM];     /* what is factored */
} matrix;

static random_source rng;
static matrix A;

void setUp(void) { rng = (random_source){11}; }
void tearDown(void) {}

static bool is_stored(const ldl_shape *shape, size_t i, size_t j)
{
    return j <= i && i - j <= shape->width;
}

/* Copies the truth to where the shape wants it. */
static void store(matrix *m)
{
    for (size_t k = 0; k < ROOM; k++) m->stored[k] = NAN;
    for (size_t i = 0; i < m->shape.n; i++) {
        for (size_t j = 0; j <= i; j++) {
            if (is_stored(&m->shape, i, j)) m->stored[ldl_index(&m->shape, i, j)] = m->full[i][j];
        }
    }
}

/* L + L^T of random entries, with a diagonal that dominates by `margin`. */
static void make_positive(matrix *m, ldl_shape shape, double margin)
{
    m->shape = shape;
    for (size_t i = 0; i < shape.n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double a = is_stored(&shape, i, j) ? random_between(&rng, -1.0, 1.0) : 0.0;
            m->full[i][j] = m->full[j][i] = a;
        }
    }
    for (size_t i = 0; i < shape.n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < shape.n; j++) sum += j == i ? 0.0 : fabs(m->full[i][j]);
        m->full[i][i] = sum + margin;
    }
    store(m);
}

static void fill_random(size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] = random_between(&rng, -1.0, 1.0);
}

/* The shapes tried, dense first; false when there are no more. */
static bool get_shape(size_t k, ldl_shape *shape)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 13, 30, MOST};
    static const size_t widths[] = {0, 1, 2, 3, 5, 6};
    enum { SIZES = sizeof sizes / sizeof *sizes, WIDTHS = sizeof widths / sizeof *widths };
    const size_t n = sizes[k % SIZES];
    *shape = k < SIZES ? ldl_dense(n) : ldl_banded(n, widths[k / SIZES % WIDTHS]);
    return k < SIZES * (1 + WIDTHS);
}

/* Entry (i, j) of L from the factors. */
static double get_L(const matrix *m, size_t i, size_t j)
{
    if (i == j) return 1.0;
    return is_stored(&m->shape, i, j) ? m->stored[ldl_index(&m->shape, i, j)] : 0.0;
}

static double get_D(const matrix *m, size_t i) { return m->stored[ldl_index(&m->shape, i, i)]; }

static void test_the_factors_multiply_to_the_matrix(void)
{
    ldl_shape shape;
    for (size_t s = 0; get_shape(s, &shape); s++) {
        make_positive(&A, shape, 1e-3);
        TEST_ASSERT_TRUE(ldl_factor(&shape, A.stored, NULL));
        for (size_t i = 0; i < shape.n; i++) {
            for (size_t j = 0; j <= i; j++) {
                long double sum = 0.0L, magnitude = 0.0L;
                for (size_t k = 0; k <= j; k++) {
                    const long double term =
                        (long double)get_L(&A, i, k) * get_D(&A, k) * get_L(&A, j, k);
                    sum += term;
                    magnitude += fabsl(term);
                }
                /* |A - L D L^T| <= (n + 1) eps |L| |D| |L^T| */
                const double bound = (double)(shape.n + 1) * DBL_EPSILON * (double)magnitude;
                TEST_ASSERT_DOUBLE_WITHIN(bound, A.full[i][j], (double)sum);
            }
        }
    }
}

static void test_places_outside_the_stored_triangle_are_left_alone(void)
{
    ldl_shape shape;
    for (size_t s = 0; get_shape(s, &shape); s++) {
        bool inside[ROOM] = {false};
        make_positive(&A, shape, 1.0);
        for (size_t i = 0; i < shape.n; i++) {
            for (size_t j = 0; j <= i; j++) {
                if (is_stored(&shape, i, j)) inside[ldl_index(&shape, i, j)] = true;
            }
        }
        TEST_ASSERT_TRUE(ldl_factor(&shape, A.stored, NULL));
        for (size_t k = 0; k < ROOM; k++) TEST_ASSERT_EQUAL(inside[k], !isnan(A.stored[k]));
        for (size_t k = ldl_count(&shape); k < ROOM; k++) TEST_ASSERT_FALSE(inside[k]);
        TEST_ASSERT_TRUE(inside[ldl_count(&shape) - 1]);
    }
}

/* max_i |b - A x|_i, and as the scale of rounding max_i (|A| |x|)_i. */
static void get_residual(const matrix *m, const double *b, const double *x, double *residual,
                         double *scale)
{
    *residual = *scale = 0.0;
    for (size_t i = 0; i < m->shape.n; i++) {
        long double sum = b[i], magnitude = 0.0L;
        for (size_t j = 0; j < m->shape.n; j++) {
            sum -= (long double)m->full[i][j] * x[j];
            magnitude += fabsl((long double)m->full[i][j] * x[j]);
        }
        *residual = fmax(*residual, fabs((double)sum));
        *scale = fmax(*scale, (double)magnitude);
    }
}

static void assert_solves(const matrix *m)
{
    double b[MOST], x[MOST], residual, scale;
    fill_random(m->shape.n, b);
    memcpy(x, b, sizeof x);
    ldl_solve(&m->shape, m->stored, x);
    get_residual(m, b, x, &residual, &scale);
    /* positive definite A has factors no larger than itself, hence backward stability */
    TEST_ASSERT_DOUBLE_WITHIN(3 * (double)m->shape.n * DBL_EPSILON * scale, 0.0, residual);
}

static void test_solutions_leave_residuals_of_rounding_size(void)
{
    ldl_shape shape;
    for (size_t s = 0; get_shape(s, &shape); s++) {
        make_positive(&A, shape, s % 2 ? 1.0 : 1e-9);
        TEST_ASSERT_TRUE(ldl_factor(&shape, A.stored, NULL));
        assert_solves(&A);
    }
}

static void test_an_ill_conditioned_matrix_is_solved_backward_stably(void)
{
    A.shape = ldl_dense(10); /* the Hilbert matrix, condition 1.6e13 */
    for (size_t i = 0; i < 10; i++) {
        for (size_t j = 0; j < 10; j++) A.full[i][j] = 1.0 / (double)(i + j + 1);
    }
    store(&A);
    TEST_ASSERT_TRUE(ldl_factor(&A.shape, A.stored, NULL));
    assert_solves(&A);
}

static void test_the_half_solves_undo_products_with_the_factors(void)
{
    ldl_shape shape;
    for (size_t s = 0; get_shape(s, &shape); s++) {
        const size_t n = shape.n;
        double x[MOST], Lx[MOST], Ltx[MOST], Dx[MOST];
        make_positive(&A, shape, 1.0);
        TEST_ASSERT_TRUE(ldl_factor(&shape, A.stored, NULL));
        fill_random(n, x);
        for (size_t i = 0; i < n; i++) {
            Lx[i] = Ltx[i] = 0.0;
            for (size_t j = 0; j <= i; j++) Lx[i] += get_L(&A, i, j) * x[j];
            for (size_t j = i; j < n; j++) Ltx[i] += get_L(&A, j, i) * x[j];
            Dx[i] = get_D(&A, i) * x[i];
        }
        ldl_forward(&shape, A.stored, Lx);
        ldl_divide(&shape, A.stored, Dx);
        ldl_backward(&shape, A.stored, Ltx);
        /* a dominant diagonal keeps L and its inverse near 1 in norm */
        const double bound = 4 * (double)n * DBL_EPSILON;
        for (size_t i = 0; i < n; i++) {
            TEST_ASSERT_DOUBLE_WITHIN(bound, x[i], Lx[i]);
            TEST_ASSERT_DOUBLE_WITHIN(bound, x[i], Ltx[i]);
            TEST_ASSERT_DOUBLE_WITHIN(bound, x[i], Dx[i]);
        }
    }
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void test_whitened_vectors_have_the_inner_product_of_the_inverse(void)
{
    ldl_shape shape;
    for (size_t s = 0; get_shape(s, &shape); s++) {
        double roots[MOST], a[MOST], b[MOST], white_a[MOST], white_b[MOST], solved[MOST];
        make_positive(&A, shape, 1.0);
        TEST_ASSERT_TRUE(ldl_factor(&shape, A.stored, NULL));
        ldl_inverse_roots(&shape, A.stored, roots);
        fill_random(shape.n, a);
        fill_random(shape.n, b);
        memcpy(white_a, a, sizeof a);
        memcpy(white_b, b, sizeof b);
        memcpy(solved, b, sizeof b);
        ldl_whiten(&shape, A.stored, roots, white_a);
        ldl_whiten(&shape, A.stored, roots, white_b);
        ldl_solve(&shape, A.stored, solved);
        /* A is at least 1, so all of this is at most n */
        const double n = (double)shape.n, bound = 8 * n * n * DBL_EPSILON;
        TEST_ASSERT_DOUBLE_WITHIN(bound, dot(shape.n, a, solved), dot(shape.n, white_a, white_b));

        ldl_whiten_transposed(&shape, A.stored, roots, white_b);
        for (size_t i = 0; i < shape.n; i++) {
            TEST_ASSERT_DOUBLE_WITHIN(8 * n * DBL_EPSILON, solved[i], white_b[i]);
        }
    }
}

static void test_dense_and_banded_storage_give_the_same_solution(void)
{
    static matrix dense;
    make_positive(&A, ldl_banded(MOST, 5), 1.0);
    dense = A;
    dense.shape = ldl_dense(MOST);
    store(&dense);
    double x[MOST], y[MOST];
    fill_random(MOST, x);
    memcpy(y, x, sizeof y);
    TEST_ASSERT_TRUE(ldl_factor(&A.shape, A.stored, NULL));
    TEST_ASSERT_TRUE(ldl_factor(&dense.shape, dense.stored, NULL));
    ldl_solve(&A.shape, A.stored, x);
    ldl_solve(&dense.shape, dense.stored, y);
    for (size_t i = 0; i < MOST; i++) TEST_ASSERT_DOUBLE_WITHIN(64 * DBL_EPSILON, x[i], y[i]);
}

/* L D L^T of small integers, exact in double, where D has one entry to choose. */
static void make_with_pivot(matrix *m, ldl_shape shape, size_t pivot, double d)
{
    m->shape = shape;
    for (size_t i = 0; i < shape.n; i++) {
        for (size_t j = 0; j < shape.n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k <= i && k <= j; k++) {
                const size_t width = shape.width;
                const double l_ik = i == k ? 1.0 : i - k <= width ? (double)((i + k) % 3) : 0.0;
                const double l_jk = j == k ? 1.0 : j - k <= width ? (double)((j + k) % 3) : 0.0;
                sum += l_ik * l_jk * (k == pivot ? d : 1.0);
            }
            m->full[i][j] = sum;
        }
    }
    store(m);
}

static void test_the_first_pivot_that_is_not_positive_is_named(void)
{
    static const double bad[] = {0.0, -1.0, -1e6, NAN, INFINITY, -INFINITY};
    for (size_t s = 0; s < 2; s++) {
        const ldl_shape shape = s ? ldl_banded(12, 3) : ldl_dense(12);
        for (size_t pivot = 0; pivot < shape.n; pivot++) {
            for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
                size_t found = 999;
                make_with_pivot(&A, shape, pivot, isfinite(bad[k]) ? bad[k] : 1.0);
                if (!isfinite(bad[k])) A.stored[ldl_index(&shape, pivot, pivot)] = bad[k];
                TEST_ASSERT_FALSE(ldl_factor(&shape, A.stored, &found));
                TEST_ASSERT_EQUAL_size_t(pivot, found);
            }
        }
        size_t untouched = 999;
        make_with_pivot(&A, shape, 0, 2.0);
        TEST_ASSERT_TRUE(ldl_factor(&shape, A.stored, &untouched));
        TEST_ASSERT_EQUAL_size_t(999, untouched);
        TEST_ASSERT_TRUE(get_D(&A, 0) == 2.0);
    }
}

static void test_entries_that_are_not_finite_never_pass(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    ldl_shape shape;
    for (size_t s = 0; get_shape(s, &shape); s++) {
        const size_t i = shape.n - 1, j = i > shape.width ? i - shape.width : 0;
        for (size_t k = 0; k < 3; k++) {
            make_positive(&A, shape, 1.0);
            A.stored[ldl_index(&shape, i, j)] = bad[k];
            size_t found = 999;
            TEST_ASSERT_FALSE(ldl_factor(&shape, A.stored, &found));
            TEST_ASSERT_EQUAL_size_t(i, found);
        }
    }
}

static void test_a_pivot_too_small_to_divide_by_is_found_out(void)
{
    A.shape = ldl_dense(2);
    A.full[0][0] = DBL_TRUE_MIN;
    A.full[1][0] = A.full[1][1] = 1.0;
    store(&A);
    size_t found = 999;
    TEST_ASSERT_FALSE(ldl_factor(&A.shape, A.stored, &found));
    TEST_ASSERT_EQUAL_size_t(1, found);
}

static void test_an_empty_matrix_needs_nothing(void)
{
    const ldl_shape shapes[] = {ldl_dense(0), ldl_banded(0, 0), ldl_banded(0, 4)};
    for (size_t i = 0; i < 3; i++) {
        TEST_ASSERT_EQUAL_size_t(0, ldl_count(&shapes[i]));
        TEST_ASSERT_TRUE(ldl_factor(&shapes[i], NULL, NULL));
        ldl_solve(&shapes[i], NULL, NULL);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_factors_multiply_to_the_matrix);
    RUN_TEST(test_places_outside_the_stored_triangle_are_left_alone);
    RUN_TEST(test_solutions_leave_residuals_of_rounding_size);
    RUN_TEST(test_an_ill_conditioned_matrix_is_solved_backward_stably);
    RUN_TEST(test_the_half_solves_undo_products_with_the_factors);
    RUN_TEST(test_whitened_vectors_have_the_inner_product_of_the_inverse);
    RUN_TEST(test_dense_and_banded_storage_give_the_same_solution);
    RUN_TEST(test_the_first_pivot_that_is_not_positive_is_named);
    RUN_TEST(test_entries_that_are_not_finite_never_pass);
    RUN_TEST(test_a_pivot_too_small_to_divide_by_is_found_out);
    RUN_TEST(test_an_empty_matrix_needs_nothing);
    return UNITY_END();
}

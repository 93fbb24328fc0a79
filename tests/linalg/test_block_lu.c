/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg/block_lu.h"

#include "support/counting_allocator.h"
#include "support/random.h"

#include <stdlib.h>
#include <unity.h>

static counting_allocator memory;
static random_source source;
static bsr3 A;
static block_lu lu;

void setUp(void)
{
    counting_init(&memory, 0);
    source = (random_source){23};
}

void tearDown(void) { counting_check(&memory); }

static m3 random_block(void)
{
    return (m3){{random_v3(&source), random_v3(&source), random_v3(&source)}};
}

/* A random symmetric pattern with `extra` couplings, diagonally dominant so that no pivoting is
 * needed: 9 entries of size 1 per off-diagonal block. */
static void make_matrix(uint32_t n, size_t extra)
{
    const size_t count = n + 2 * extra;
    bsr3_place *places = malloc(count * sizeof *places);
    for (uint32_t i = 0; i < n; i++) places[i] = (bsr3_place){i, i};
    for (size_t k = 0; k < extra; k++) {
        const uint32_t i = random_below(&source, n), j = random_below(&source, n);
        places[n + 2 * k] = (bsr3_place){i, j};
        places[n + 2 * k + 1] = (bsr3_place){j, i};
    }
    TEST_ASSERT_EQUAL(STATUS_OK, bsr3_create(&A, &memory.from, n, n, places, count));
    free(places);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t s = A.row_start[i]; s < A.row_start[i + 1]; s++) A.block[s] = random_block();
        const m3 heavy = m3_diagonal(4.0 * (A.row_start[i + 1] - A.row_start[i]));
        bsr3_add_block(&A, i, i, &heavy);
    }
}

/* |A x - b| relative to |b|: a few hundred roundings for a well-conditioned matrix. */
static double solve_error(uint32_t n)
{
    double *b = malloc(3 * n * sizeof *b), *x = malloc(3 * n * sizeof *x);
    double *y = malloc(3 * n * sizeof *y), off = 0.0, size = 0.0;
    for (uint32_t k = 0; k < 3 * n; k++) x[k] = b[k] = random_between(&source, -1.0, 1.0);
    block_lu_solve(&lu, x);
    bsr3_mul(&A, NULL, x, y);
    for (uint32_t k = 0; k < 3 * n; k++) {
        off = fmax(off, fabs(y[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    free(b), free(x), free(y);
    return off / size;
}

static void test_random_systems_are_solved_to_rounding(void)
{
    for (uint32_t n = 1; n <= 300; n = 2 * n + 1) {
        make_matrix(n, 2 * n);
        TEST_ASSERT_EQUAL(STATUS_OK, block_lu_create(&lu, &memory.from, &A, SIZE_MAX));
        TEST_ASSERT_TRUE(block_lu_factor(&lu, &A, NULL));
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, solve_error(n));
        block_lu_destroy(&lu);
        bsr3_destroy(&A);
    }
}

static void test_rows_that_are_diagonal_only_are_taken_as_such(void)
{
    enum { N = 60 };
    bool only[N];
    make_matrix(N, 150);
    TEST_ASSERT_EQUAL(STATUS_OK, block_lu_create(&lu, &memory.from, &A, SIZE_MAX));
    for (uint32_t i = 0; i < N; i++) {
        only[i] = random_below(&source, 2) == 0;
    }
    TEST_ASSERT_TRUE(block_lu_factor(&lu, &A, only));
    /* now make the matrix what the factors are of */
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t s = A.row_start[i]; only[i] && s < A.row_start[i + 1]; s++) {
            if (A.col[s] != i) A.block[s] = m3_diagonal(0.0);
        }
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, solve_error(N));
    block_lu_destroy(&lu);
    bsr3_destroy(&A);
}

static void test_a_singular_block_is_reported(void)
{
    make_matrix(5, 5);
    TEST_ASSERT_EQUAL(STATUS_OK, block_lu_create(&lu, &memory.from, &A, SIZE_MAX));
    bsr3_set_zero(&A);
    TEST_ASSERT_FALSE(block_lu_factor(&lu, &A, NULL));
    block_lu_destroy(&lu);
    bsr3_destroy(&A);
}

/* Without fill a chain of n has n - 1 entries, whatever the numbering; a bad order has more. */
static void test_a_chain_in_random_order_does_not_fill(void)
{
    enum { N = 200 };
    uint32_t name[N];
    bsr3_place places[N + 2 * (N - 1)];
    for (uint32_t i = 0; i < N; i++) name[i] = i;
    for (uint32_t i = N - 1; i > 0; i--) {
        const uint32_t j = random_below(&source, i + 1), t = name[i];
        name[i] = name[j];
        name[j] = t;
    }
    for (uint32_t i = 0; i < N; i++) places[i] = (bsr3_place){i, i};
    for (uint32_t i = 0; i + 1 < N; i++) {
        places[N + 2 * i] = (bsr3_place){name[i], name[i + 1]};
        places[N + 2 * i + 1] = (bsr3_place){name[i + 1], name[i]};
    }
    min_degree m;
    TEST_ASSERT_EQUAL(STATUS_OK, bsr3_create(&A, &memory.from, N, N, places, N + 2 * (N - 1)));
    TEST_ASSERT_EQUAL(STATUS_OK, min_degree_create(&m, &memory.from, &A, SIZE_MAX));
    TEST_ASSERT_EQUAL(N - 1, m.entries.count);
    for (uint32_t i = 0; i < N; i++) TEST_ASSERT_EQUAL_UINT32(i, m.rank[m.order[i]]);
    min_degree_destroy(&m);
    bsr3_destroy(&A);
}

static void test_a_limit_on_fill_is_kept(void)
{
    make_matrix(100, 1000);
    TEST_ASSERT_EQUAL(STATUS_UNSUPPORTED, block_lu_create(&lu, &memory.from, &A, 500));
    bsr3_destroy(&A);
}

static void test_every_failed_allocation_leaves_nothing(void)
{
    make_matrix(50, 200);
    for (uint64_t k = 1;; k++) {
        counting_allocator scarce;
        counting_init(&scarce, k);
        const status st = block_lu_create(&lu, &scarce.from, &A, SIZE_MAX);
        if (st == STATUS_OK) block_lu_destroy(&lu);
        counting_check(&scarce);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
    }
    bsr3_destroy(&A);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_random_systems_are_solved_to_rounding);
    RUN_TEST(test_rows_that_are_diagonal_only_are_taken_as_such);
    RUN_TEST(test_a_singular_block_is_reported);
    RUN_TEST(test_a_chain_in_random_order_does_not_fill);
    RUN_TEST(test_a_limit_on_fill_is_kept);
    RUN_TEST(test_every_failed_allocation_leaves_nothing);
    return UNITY_END();
}

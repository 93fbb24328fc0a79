/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg/bsr3.h"

#include "support/counting_allocator.h"
#include "support/random.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { ROWS = 23, COLS = 17, PLACES = 150 };

static counting_allocator memory;
static random_source rng;
static bsr3_place places[PLACES];
static double dense[3 * ROWS][3 * COLS]; /* the truth */
static bsr3 A;

static m3 random_m3(void)
{
    const v3 a = random_v3(&rng), b = random_v3(&rng);
    return (m3){{a, b, random_v3(&rng)}};
}

static void add_to_dense(bsr3_place at, const m3 *B)
{
    for (uint32_t i = 0; i < 3; i++) {
        double *row = &dense[3 * at.row + i][3 * at.col];
        v3_store(row, v3_add(v3_load(row), B->row[i]));
    }
}

/* A random matrix whose list of places has repetitions; each repetition adds a block. */
void setUp(void)
{
    rng = (random_source){13};
    counting_init(&memory, 0);
    memset(dense, 0, sizeof dense);
    for (int k = 0; k < PLACES; k++) {
        const uint32_t row = random_below(&rng, ROWS - 1); /* the last row stays empty */
        places[k] = (bsr3_place){row, random_below(&rng, COLS)};
        if (k % 5 == 4) places[k] = places[k - 3];
    }
    TEST_ASSERT_EQUAL_INT(STATUS_OK, bsr3_create(&A, &memory.from, ROWS, COLS, places, PLACES));
    for (int k = 0; k < PLACES; k++) {
        const m3 B = random_m3();
        TEST_ASSERT_TRUE(bsr3_add_block(&A, places[k].row, places[k].col, &B));
        add_to_dense(places[k], &B);
    }
}

void tearDown(void)
{
    bsr3_destroy(&A);
    counting_check(&memory);
}

static bool is_listed(uint32_t row, uint32_t col)
{
    for (int k = 0; k < PLACES; k++) {
        if (places[k].row == row && places[k].col == col) return true;
    }
    return false;
}

static void test_the_pattern_has_each_listed_place_once_and_columns_rise(void)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t j = 0; j < COLS; j++) {
            const uint32_t slot = bsr3_find_slot(&A, i, j);
            TEST_ASSERT_EQUAL(is_listed(i, j), slot != BSR3_NO_SLOT);
            if (slot == BSR3_NO_SLOT) continue;
            listed++;
            TEST_ASSERT_EQUAL_UINT32(j, A.col[slot]);
            TEST_ASSERT_TRUE(A.row_start[i] <= slot && slot < A.row_start[i + 1]);
            if (slot > A.row_start[i]) TEST_ASSERT_TRUE(A.col[slot - 1] < j);
        }
    }
    TEST_ASSERT_EQUAL_UINT32(listed, A.blocks);
    TEST_ASSERT_EQUAL_UINT32(0, A.row_start[0]);
    TEST_ASSERT_EQUAL_UINT32(A.blocks, A.row_start[ROWS]);
}

static void test_places_outside_the_matrix_have_no_slot(void)
{
    const m3 I = m3_identity();
    TEST_ASSERT_EQUAL_UINT32(BSR3_NO_SLOT, bsr3_find_slot(&A, ROWS, 0));
    TEST_ASSERT_EQUAL_UINT32(BSR3_NO_SLOT, bsr3_find_slot(&A, 0, COLS));
    TEST_ASSERT_EQUAL_UINT32(BSR3_NO_SLOT, bsr3_find_slot(&A, UINT32_MAX, UINT32_MAX));
    TEST_ASSERT_FALSE(bsr3_add_block(&A, ROWS - 1, 0, &I));
}

static void test_the_pattern_does_not_depend_on_the_order_of_the_list(void)
{
    for (int round = 0; round < 20; round++) {
        for (uint32_t k = PLACES - 1; k > 0; k--) {
            const uint32_t other = random_below(&rng, k + 1);
            const bsr3_place swap = places[k];
            places[k] = places[other];
            places[other] = swap;
        }
        bsr3 B;
        TEST_ASSERT_EQUAL_INT(STATUS_OK, bsr3_create(&B, &memory.from, ROWS, COLS, places, PLACES));
        TEST_ASSERT_EQUAL_UINT32(A.blocks, B.blocks);
        TEST_ASSERT_EQUAL_UINT32_ARRAY(A.row_start, B.row_start, ROWS + 1);
        TEST_ASSERT_EQUAL_UINT32_ARRAY(A.col, B.col, A.blocks);
        TEST_ASSERT_EQUAL_UINT32_ARRAY(A.diagonal, B.diagonal, ROWS);
        bsr3_destroy(&B);
    }
}

static void test_a_new_matrix_is_zero(void)
{
    bsr3 B;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, bsr3_create(&B, &memory.from, ROWS, COLS, places, PLACES));
    for (uint32_t slot = 0; slot < B.blocks; slot++) {
        TEST_ASSERT_TRUE(v3_norm(B.block[slot].row[0]) + v3_norm(B.block[slot].row[1]) +
                             v3_norm(B.block[slot].row[2]) ==
                         0.0);
    }
    bsr3_destroy(&B);
}

/* y_i against the dense row (or column, transposed) i, plus what y was. */
static void assert_product(const double *was, const double *x, const double *y, bool transposed)
{
    const size_t n = transposed ? 3 * COLS : 3 * ROWS, m = transposed ? 3 * ROWS : 3 * COLS;
    for (size_t i = 0; i < n; i++) {
        long double sum = was ? was[i] : 0.0, magnitude = fabsl(sum);
        for (size_t j = 0; j < m; j++) {
            const double a = transposed ? dense[j][i] : dense[i][j];
            sum += (long double)a * x[j];
            magnitude += fabsl((long double)a * x[j]);
        }
        const double bound = (double)m * DBL_EPSILON * (double)magnitude;
        TEST_ASSERT_DOUBLE_WITHIN(bound, (double)sum, y[i]);
    }
}

static void fill_random(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = random_between(&rng, -1.0, 1.0);
}

static void test_the_product_is_that_of_the_dense_matrix(void)
{
    double x[3 * COLS], y[3 * ROWS];
    fill_random(x, 3 * COLS);
    for (size_t i = 0; i < 3 * ROWS; i++) y[i] = NAN; /* must be overwritten */
    bsr3_mul(&A, NULL, x, y);
    assert_product(NULL, x, y, false);
}

static void test_the_added_product_keeps_what_was_there(void)
{
    double x[3 * COLS], y[3 * ROWS], was[3 * ROWS];
    fill_random(x, 3 * COLS);
    fill_random(was, 3 * ROWS);
    memcpy(y, was, sizeof y);
    bsr3_mul_add(&A, NULL, x, y);
    assert_product(was, x, y, false);
}

static void test_the_transposed_product_is_that_of_the_dense_transpose(void)
{
    double x[3 * ROWS], y[3 * COLS];
    fill_random(x, 3 * ROWS);
    for (size_t i = 0; i < 3 * COLS; i++) y[i] = NAN;
    bsr3_mul_transposed(&A, x, y);
    assert_product(NULL, x, y, true);
}

static void test_diagonal_blocks_are_found_where_there_are_any(void)
{
    int found = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        const m3 *block = bsr3_diagonal(&A, i);
        const uint32_t slot = bsr3_find_slot(&A, i, i);
        TEST_ASSERT_EQUAL_PTR(slot == BSR3_NO_SLOT ? NULL : &A.block[slot], block);
        found += block != NULL;
    }
    TEST_ASSERT_TRUE(found > 0 && found < ROWS);
}

static void test_a_zeroed_matrix_keeps_its_pattern_and_can_be_filled_again(void)
{
    const uint32_t blocks = A.blocks;
    double x[3 * COLS], y[3 * ROWS];
    fill_random(x, 3 * COLS);
    bsr3_set_zero(&A);
    memset(dense, 0, sizeof dense);
    bsr3_mul(&A, NULL, x, y);
    assert_product(NULL, x, y, false);

    const m3 B = random_m3();
    bsr3_add_to_slot(&A, bsr3_find_slot(&A, places[7].row, places[7].col), &B);
    add_to_dense(places[7], &B);
    bsr3_mul(&A, NULL, x, y);
    assert_product(NULL, x, y, false);
    TEST_ASSERT_EQUAL_UINT32(blocks, A.blocks);
}

static void test_a_place_outside_the_matrix_is_refused(void)
{
    const bsr3_place bad[] = {{0, COLS}, {ROWS, 0}, {UINT32_MAX, UINT32_MAX}};
    for (int k = 0; k < 3; k++) {
        bsr3 B;
        TEST_ASSERT_EQUAL_INT(STATUS_INVALID_ARGUMENT,
                              bsr3_create(&B, &memory.from, ROWS, COLS, &bad[k], 1));
        TEST_ASSERT_EQUAL_UINT32(0, B.blocks);
        bsr3_destroy(&B);
    }
}

static void test_matrices_without_blocks_rows_or_columns_work(void)
{
    static const uint32_t sizes[][2] = {{0, 0}, {4, 0}, {0, 4}, {4, 4}};
    for (int k = 0; k < 4; k++) {
        const double x[12] = {1.0, 2.0, 3.0};
        double y[12];
        bsr3 B;
        TEST_ASSERT_EQUAL_INT(STATUS_OK,
                              bsr3_create(&B, &memory.from, sizes[k][0], sizes[k][1], NULL, 0));
        TEST_ASSERT_EQUAL_UINT32(BSR3_NO_SLOT, bsr3_find_slot(&B, 0, 0));
        for (int i = 0; i < 12; i++) y[i] = 7.0;
        bsr3_mul(&B, NULL, x, y);
        for (uint32_t i = 0; i < 12; i++)
            TEST_ASSERT_TRUE(y[i] == (i < 3 * sizes[k][0] ? 0.0 : 7.0));
        for (int i = 0; i < 12; i++) y[i] = 7.0;
        bsr3_mul_transposed(&B, x, y);
        for (uint32_t i = 0; i < 12; i++)
            TEST_ASSERT_TRUE(y[i] == (i < 3 * sizes[k][1] ? 0.0 : 7.0));
        bsr3_destroy(&B);
    }
}

/* A matrix with more rows than a chunk of the pool has. */
enum { BIG = 5 * POOL_CHUNK + 3, BIG_PLACES = 7 * BIG };

static void make_big(bsr3 *B)
{
    bsr3_place *list = malloc(BIG_PLACES * sizeof *list);
    TEST_ASSERT_NOT_NULL(list);
    for (uint32_t k = 0; k < BIG_PLACES; k++) {
        list[k] = (bsr3_place){k % BIG, random_below(&rng, BIG)};
    }
    const status made = bsr3_create(B, &memory.from, BIG, BIG, list, BIG_PLACES);
    free(list);
    TEST_ASSERT_EQUAL_INT(STATUS_OK, made);
    for (uint32_t slot = 0; slot < B->blocks; slot++) B->block[slot] = random_m3();
}

static void test_the_product_has_the_same_bits_for_every_number_of_threads(void)
{
    static double x[3 * BIG], y[3 * BIG], expected[3 * BIG];
    bsr3 B;
    make_big(&B);
    fill_random(x, 3 * BIG);
    bsr3_mul(&B, NULL, x, expected);
    for (uint32_t threads = 1; threads <= 4; threads++) {
        pool *p = pool_create(&memory.from, threads, NULL);
        TEST_ASSERT_NOT_NULL(p);
        memset(y, 0xff, sizeof y);
        bsr3_mul(&B, p, x, y);
        TEST_ASSERT_EQUAL_MEMORY(expected, y, sizeof y);
        memset(y, 0, sizeof y);
        bsr3_mul_add(&B, p, x, y);
        TEST_ASSERT_EQUAL_MEMORY(expected, y, sizeof y);
        pool_destroy(p);
    }
    bsr3_destroy(&B);
}

static void test_every_failed_allocation_is_survived(void)
{
    for (uint64_t k = 1;; k++) {
        counting_allocator failing;
        counting_init(&failing, k);
        bsr3 B;
        const status made = bsr3_create(&B, &failing.from, ROWS, COLS, places, PLACES);
        const bool refused = failing.allocations >= k;
        TEST_ASSERT_EQUAL_INT(refused ? STATUS_OUT_OF_MEMORY : STATUS_OK, made);
        TEST_ASSERT_EQUAL_UINT32(refused ? 0 : A.blocks, B.blocks);
        bsr3_destroy(&B);
        counting_check(&failing);
        if (!refused) break;
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_pattern_has_each_listed_place_once_and_columns_rise);
    RUN_TEST(test_places_outside_the_matrix_have_no_slot);
    RUN_TEST(test_the_pattern_does_not_depend_on_the_order_of_the_list);
    RUN_TEST(test_a_new_matrix_is_zero);
    RUN_TEST(test_the_product_is_that_of_the_dense_matrix);
    RUN_TEST(test_the_added_product_keeps_what_was_there);
    RUN_TEST(test_the_transposed_product_is_that_of_the_dense_transpose);
    RUN_TEST(test_diagonal_blocks_are_found_where_there_are_any);
    RUN_TEST(test_a_zeroed_matrix_keeps_its_pattern_and_can_be_filled_again);
    RUN_TEST(test_a_place_outside_the_matrix_is_refused);
    RUN_TEST(test_matrices_without_blocks_rows_or_columns_work);
    RUN_TEST(test_the_product_has_the_same_bits_for_every_number_of_threads);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

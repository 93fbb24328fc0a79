/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are wrong: each error must name the dataset, the value and what was expected, and
 * nothing may crash or be let through.
 */
#include "fclib/fclib.h"

#include "problem_maker.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { N = 6 };

static const double mu[2] = {0.3, 0.5};
static fclib_problem problem;
static fclib_error err;

/* Two contacts, 18 entries in W. */
static void make_problem(maker_layout layout)
{
    static const double q[N] = {-1, 0, 0, -1, 0, 0};
    double W[N * N] = {0};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            if (i / 3 == j / 3) W[i * N + j] = i == j ? 4.0 : 1.0;
        }
    }
    maker_begin();
    maker_integer("/fclib_local/spacedim", 3);
    maker_matrix("/fclib_local/W", W, N, N, layout);
    maker_reals("/fclib_local/vectors/q", q, N);
    maker_reals("/fclib_local/vectors/mu", mu, 2);
}

void setUp(void)
{
    temporary_make();
    make_problem(MAKER_COLUMNS);
    problem = (fclib_problem){0};
    err = (fclib_error){0};
}

void tearDown(void)
{
    fclib_free(&problem);
    temporary_remove();
}

static void expect_error(const char *name, fclib_reason reason, const char *text)
{
    const bool good = fclib_read(temporary_path(name), &problem, &err);
    TEST_ASSERT_FALSE_MESSAGE(good, text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(reason, err.reason, err.text);
}

static void expect_wrong(const char *text) { expect_error(MAKER_FILE, FCLIB_WRONG, text); }

static void test_the_problem_that_these_tests_spoil_is_good(void)
{
    TEST_ASSERT_TRUE_MESSAGE(fclib_read(temporary_path(MAKER_FILE), &problem, &err), err.text);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void test_a_file_that_is_not_there_is_unreadable(void)
{
    expect_error("nothing.hdf5", FCLIB_UNREADABLE, "No such file");
}

static void test_a_folder_is_no_file(void)
{
    expect_error("", FCLIB_UNREADABLE, "this is no file");
}

static void test_other_files_are_not_HDF5(void)
{
    temporary_write_text("text.hdf5", "a text that is long enough to hold a header\n");
    expect_error("text.hdf5", FCLIB_WRONG, "this is not an HDF5 file");
    temporary_write("empty.hdf5", "", 0);
    expect_error("empty.hdf5", FCLIB_WRONG, "this is not an HDF5 file");
}

static void test_HDF5_without_a_problem_says_what_is_missing(void)
{
    maker_begin();
    expect_wrong("expected the group /fclib_local or /fclib_global");
}

static void test_truncated_files_are_refused_wherever_they_end(void)
{
    size_t size;
    char *whole = temporary_read(MAKER_FILE, &size);
    for (size_t cut = 0; cut < size; cut += 1 + cut / 50) {
        temporary_write("cut.hdf5", whole, cut);
        const bool good = fclib_read(temporary_path("cut.hdf5"), &problem, &err);
        TEST_ASSERT_FALSE(good);
        TEST_ASSERT_EQUAL_INT(FCLIB_WRONG, err.reason);
    }
    free(whole);
}

/* ---- datasets -------------------------------------------------------------------------------- */

static void test_every_dataset_that_is_missing_is_named(void)
{
    static const char *const paths[] = {"spacedim", "W/m", "W/n", "W/nz",      "W/nzmax",
                                        "W/p",      "W/i", "W/x", "vectors/q", "vectors/mu"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char path[64], text[96];
        snprintf(path, sizeof path, "/fclib_local/%s", paths[i]);
        snprintf(text, sizeof text, "%s is missing", path);
        make_problem(MAKER_COLUMNS);
        maker_remove(path);
        expect_wrong(text);
    }
}

static void test_missing_groups_are_named_by_what_they_should_hold(void)
{
    maker_remove("/fclib_local/W");
    expect_wrong("/fclib_local/W/m is missing");
}

static void test_a_group_is_no_dataset(void)
{
    maker_remove("/fclib_local/W/x");
    maker_integer("/fclib_local/W/x/y", 1);
    expect_wrong("/fclib_local/W/x: this is not a readable dataset");
}

static void test_data_types_are_checked(void)
{
    maker_text("/fclib_local/vectors/mu", "rough");
    expect_wrong("/fclib_local/vectors/mu: the data type is wrong, expected real numbers");
    maker_reals("/fclib_local/W/nz", mu, 1);
    expect_wrong("/fclib_local/W/nz: the data type is wrong, expected whole numbers");
}

static void test_arrays_have_one_dimension(void)
{
    maker_column("/fclib_local/vectors/mu", mu, 2);
    expect_wrong("/fclib_local/vectors/mu: 2 dimensions, expected 1");
}

static void test_a_length_without_data_fills_no_memory(void)
{
    maker_unwritten("/fclib_local/vectors/q", (size_t)1 << 40);
    expect_wrong(
        "/fclib_local/vectors/q: 1099511627776 numbers, but their data is not in the file");
}

static void test_vectors_have_the_length_of_W(void)
{
    maker_reals("/fclib_local/vectors/q", mu, 2);
    expect_wrong("/fclib_local/vectors/q: 2 numbers, expected 6");
    make_problem(MAKER_COLUMNS);
    maker_reals("/fclib_local/vectors/mu", mu, 1);
    expect_wrong("/fclib_local/vectors/mu: 1 numbers, expected 2");
}

static void test_single_numbers_are_single(void)
{
    const int two[] = {3, 3};
    maker_integers("/fclib_local/spacedim", two, 2);
    expect_wrong("/fclib_local/spacedim: 2 numbers, expected 1");
    maker_integers("/fclib_local/spacedim", two, 0);
    expect_wrong("/fclib_local/spacedim: 0 numbers, expected 1");
}

/* ---- meaning --------------------------------------------------------------------------------- */

static void test_flat_problems_are_not_supported(void)
{
    maker_integer("/fclib_local/spacedim", 2);
    expect_wrong("2-D problems are not supported");
    maker_integer("/fclib_local/spacedim", 4);
    expect_wrong("/fclib_local/spacedim is 4, expected 3");
}

static void test_joints_are_not_supported(void)
{
    maker_integer("/fclib_local/V/m", 1);
    expect_wrong("/fclib_local/V: problems with bilateral constraints are not supported");
}

static void test_a_problem_without_contacts_is_refused(void)
{
    maker_integer("/fclib_local/W/m", 0);
    expect_wrong("/fclib_local/W/m is 0, expected a whole number from 1");
}

static void test_sizes_are_checked(void)
{
    maker_integer("/fclib_local/W/n", -3);
    expect_wrong("/fclib_local/W/n is -3, expected a whole number from 1");
    maker_integer("/fclib_local/W/n", 6);
    maker_integer("/fclib_local/W/nz", -3);
    expect_wrong("/fclib_local/W/nz is -3, expected a whole number from -2");
    maker_integer("/fclib_local/W/nz", -1);
    maker_integer("/fclib_local/W/m", 9);
    expect_wrong("/fclib_local/W/m is 9, expected 6");
}

static void test_columns_come_in_threes(void)
{
    const double one[] = {1, 1, 1, 1};
    maker_matrix("/fclib_local/W", one, 2, 2, MAKER_COLUMNS);
    expect_wrong("/fclib_local/W/n is 2, expected a multiple of 3");
}

static void test_not_a_number_and_infinity_are_refused(void)
{
    const double bad[] = {0.3, NAN};
    maker_reals("/fclib_local/vectors/mu", bad, 2);
    expect_wrong("/fclib_local/vectors/mu: element 1 is nan, expected a finite number");
    make_problem(MAKER_COLUMNS);
    const double endless[N] = {0, 0, -INFINITY};
    maker_reals("/fclib_local/vectors/q", endless, N);
    expect_wrong("/fclib_local/vectors/q: element 2 is -inf, expected a finite number");
}

static void test_negative_friction_is_refused(void)
{
    const double bad[] = {-0.25, 0.3};
    maker_reals("/fclib_local/vectors/mu", bad, 2);
    expect_wrong("/fclib_local/vectors/mu: element 0 is -0.25, expected 0 or more");
}

/* ---- the sparse forms ------------------------------------------------------------------------ */

static void test_column_beginnings_rise_from_zero_to_the_end(void)
{
    static const int good[] = {0, 3, 6, 9, 12, 15, 18};
    static const struct {
        int at, value;
        const char *text;
    } cases[] = {
        {0, 1, "/fclib_local/W/p: element 0 is 1, expected 0 to 0"},
        {3, 5, "/fclib_local/W/p: element 3 is 5, expected 6 to 18"},
        {3, -9, "/fclib_local/W/p: element 3 is -9, expected 6 to 18"},
        {6, 19, "/fclib_local/W/p: element 6 is 19, expected 15 to 18"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int p[7];
        memcpy(p, good, sizeof p);
        p[cases[i].at] = cases[i].value;
        maker_integers("/fclib_local/W/p", p, 7);
        expect_wrong(cases[i].text);
    }
    maker_integers("/fclib_local/W/p", good, 6);
    expect_wrong("/fclib_local/W/p: 6 numbers, expected 7, one more than there are columns");
}

static void test_indices_are_in_range(void)
{
    int i[18] = {0};
    i[7] = 6;
    maker_integers("/fclib_local/W/i", i, 18);
    expect_wrong("/fclib_local/W/i: element 7 is 6, expected an index from 0 to 5");
    make_problem(MAKER_TRIPLETS);
    i[7] = -1;
    maker_integers("/fclib_local/W/p", i, 18);
    expect_wrong("/fclib_local/W/p: element 7 is -1, expected an index from 0 to 5");
}

static void test_indices_and_values_are_as_many_as_the_entries(void)
{
    const int i[18] = {0};
    maker_integers("/fclib_local/W/i", i, 17);
    expect_wrong("/fclib_local/W/i: 17 numbers, expected 18 entries");
    make_problem(MAKER_ROWS);
    maker_reals("/fclib_local/W/x", mu, 2);
    expect_wrong("/fclib_local/W/x: 2 numbers, expected 18 entries");
    make_problem(MAKER_TRIPLETS);
    maker_integer("/fclib_local/W/nz", 19);
    expect_wrong("/fclib_local/W/nz gives 19 entries, expected no more than nzmax = 18");
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* HDF5 1.10 itself forgets some memory when it refuses a damaged file: not ours to find. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

/* Whatever a few flipped bytes do, the answer is a problem in good order or an error. */
static void check_order(const fclib_problem *p)
{
    TEST_ASSERT_EQUAL_UINT32(0, p->row_start[0]);
    for (uint32_t i = 0; i < p->contacts; i++) {
        TEST_ASSERT_TRUE(p->row_start[i] <= p->row_start[i + 1]);
        TEST_ASSERT_TRUE(p->mu[i] >= 0.0 && isfinite(p->mu[i]));
        for (uint32_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            TEST_ASSERT_TRUE(p->col[k] < p->contacts);
        }
    }
}

static void test_flipped_bytes_give_an_error_or_a_problem_in_good_order(void)
{
    random_source random = {3};
    size_t size;
    char *whole = temporary_read(MAKER_FILE, &size);
    for (int round = 0; round < 400; round++) {
        char *copy = malloc(size);
        memcpy(copy, whole, size);
        for (int k = 0; k < 3; k++) {
            const uint32_t at = random_below(&random, (uint32_t)size);
            copy[at] ^= (char)(1 << random_below(&random, 8));
        }
        temporary_write("flipped.hdf5", copy, size);
        free(copy);
        if (fclib_read(temporary_path("flipped.hdf5"), &problem, &err)) check_order(&problem);
        fclib_free(&problem);
    }
    free(whole);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_problem_that_these_tests_spoil_is_good);
    RUN_TEST(test_a_file_that_is_not_there_is_unreadable);
    RUN_TEST(test_a_folder_is_no_file);
    RUN_TEST(test_other_files_are_not_HDF5);
    RUN_TEST(test_HDF5_without_a_problem_says_what_is_missing);
    RUN_TEST(test_truncated_files_are_refused_wherever_they_end);
    RUN_TEST(test_every_dataset_that_is_missing_is_named);
    RUN_TEST(test_missing_groups_are_named_by_what_they_should_hold);
    RUN_TEST(test_a_group_is_no_dataset);
    RUN_TEST(test_data_types_are_checked);
    RUN_TEST(test_arrays_have_one_dimension);
    RUN_TEST(test_a_length_without_data_fills_no_memory);
    RUN_TEST(test_vectors_have_the_length_of_W);
    RUN_TEST(test_single_numbers_are_single);
    RUN_TEST(test_flat_problems_are_not_supported);
    RUN_TEST(test_joints_are_not_supported);
    RUN_TEST(test_a_problem_without_contacts_is_refused);
    RUN_TEST(test_sizes_are_checked);
    RUN_TEST(test_columns_come_in_threes);
    RUN_TEST(test_not_a_number_and_infinity_are_refused);
    RUN_TEST(test_negative_friction_is_refused);
    RUN_TEST(test_column_beginnings_rise_from_zero_to_the_end);
    RUN_TEST(test_indices_are_in_range);
    RUN_TEST(test_indices_and_values_are_as_many_as_the_entries);
    RUN_TEST(test_flipped_bytes_give_an_error_or_a_problem_in_good_order);
    return UNITY_END();
}

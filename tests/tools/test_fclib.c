/* SPDX-License-Identifier: Apache-2.0 */
#include "fclib/fclib.h"

#include "problem_maker.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { N = 6, UNKNOWNS = 7 };

/* Two contacts, coupled one way only in one entry: W need not be symmetric. */
static const double W[N * N] = {
    4, 1, 0, 0, 0, 0, /**/
    1, 3, 0, 0, 2, 0, /**/
    0, 0, 5, 0, 0, 0, /**/
    0, 0, 0, 6, 0, 1, /**/
    0, 2, 7, 0, 8, 0, /**/
    0, 0, 0, 1, 0, 9,
};
static const double q[N] = {-1, 0.5, 0.25, -2, 1e-300, 3};
static const double mu[2] = {0.3, 0};

static fclib_problem problem;
static fclib_error err;

void setUp(void)
{
    temporary_make();
    maker_begin();
    problem = (fclib_problem){0};
    err = (fclib_error){0};
}

void tearDown(void)
{
    fclib_free(&problem);
    temporary_remove();
}

static void make_local(maker_layout layout)
{
    maker_begin();
    maker_integer("/fclib_local/spacedim", 3);
    maker_matrix("/fclib_local/W", W, N, N, layout);
    maker_reals("/fclib_local/vectors/q", q, N);
    maker_reals("/fclib_local/vectors/mu", mu, 2);
}

static void read_file(const char *name)
{
    fclib_free(&problem);
    const bool good = fclib_read(temporary_path(name), &problem, &err);
    TEST_ASSERT_TRUE_MESSAGE(good, err.text);
}

/* The blocks as a dense matrix. */
static void expand(const fclib_problem *p, double dense[N * N])
{
    memset(dense, 0, N * N * sizeof *dense);
    for (uint32_t i = 0; i < p->contacts; i++) {
        for (uint32_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            for (uint32_t e = 0; e < 9; e++) {
                dense[(3 * i + e / 3) * N + 3 * p->col[k] + e % 3] = p->blocks[9 * k + e];
            }
        }
    }
}

static void expect_local(void)
{
    double dense[N * N];
    TEST_ASSERT_EQUAL_UINT32(2, problem.contacts);
    expand(&problem, dense);
    TEST_ASSERT_EQUAL_MEMORY(W, dense, sizeof dense);
    TEST_ASSERT_EQUAL_MEMORY(q, problem.b, sizeof q);
    TEST_ASSERT_EQUAL_MEMORY(mu, problem.mu, sizeof mu);
}

/* ---- local ----------------------------------------------------------------------------------- */

static void test_compressed_columns_rows_and_triplets_give_the_same_problem(void)
{
    const maker_layout layouts[] = {MAKER_COLUMNS, MAKER_ROWS, MAKER_TRIPLETS};
    for (size_t i = 0; i < 3; i++) {
        make_local(layouts[i]);
        read_file(MAKER_FILE);
        expect_local();
    }
}

static void test_blocks_of_a_row_are_sorted_and_empty_ones_left_out(void)
{
    double sparse_W[N * N] = {0};
    for (int i = 0; i < N; i++) sparse_W[i * N + i] = 1.0;
    sparse_W[4 * N + 1] = 2.0; /* contact 1 by contact 0, not the other way round */
    make_local(MAKER_COLUMNS);
    maker_matrix("/fclib_local/W", sparse_W, N, N, MAKER_COLUMNS);
    read_file(MAKER_FILE);
    const uint32_t starts[] = {0, 1, 3}, cols[] = {0, 0, 1};
    TEST_ASSERT_EQUAL_UINT32_ARRAY(starts, problem.row_start, 3);
    TEST_ASSERT_EQUAL_UINT32_ARRAY(cols, problem.col, 3);
}

static void test_triplets_at_one_place_add_up(void)
{
    const int i[] = {0, 1, 2, 0, 1}, p[] = {0, 1, 2, 0, 1};
    const double x[] = {1, 2, 3, 0.5, -2};
    make_local(MAKER_TRIPLETS);
    maker_integer("/fclib_local/W/m", 3);
    maker_integer("/fclib_local/W/n", 3);
    maker_integer("/fclib_local/W/nz", 5);
    maker_integers("/fclib_local/W/i", i, 5);
    maker_integers("/fclib_local/W/p", p, 5);
    maker_reals("/fclib_local/W/x", x, 5);
    maker_reals("/fclib_local/vectors/q", q, 3);
    maker_reals("/fclib_local/vectors/mu", mu, 1);
    read_file(MAKER_FILE);
    const double block[9] = {1.5, 0, 0, 0, 0, 0, 0, 0, 3};
    TEST_ASSERT_EQUAL_UINT32(1, problem.row_start[1]);
    TEST_ASSERT_EQUAL_MEMORY(block, problem.blocks, sizeof block);
}

static void test_arrays_may_have_room_for_more_than_they_hold(void)
{
    const int i[] = {0, 1, 2, -99}, p[] = {0, 1, 2, -99};
    const double x[] = {1, 2, 3, 99};
    make_local(MAKER_TRIPLETS);
    maker_integer("/fclib_local/W/m", 3);
    maker_integer("/fclib_local/W/n", 3);
    maker_integer("/fclib_local/W/nz", 3);
    maker_integer("/fclib_local/W/nzmax", 4);
    maker_integers("/fclib_local/W/i", i, 4);
    maker_integers("/fclib_local/W/p", p, 4);
    maker_reals("/fclib_local/W/x", x, 4);
    maker_reals("/fclib_local/vectors/q", q, 3);
    maker_reals("/fclib_local/vectors/mu", mu, 1);
    read_file(MAKER_FILE);
    TEST_ASSERT_EQUAL_UINT32(1, problem.row_start[1]);
    TEST_ASSERT_EQUAL_DOUBLE(3.0, problem.blocks[8]);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_file(const char *name)
{
    const stn_contact_problem view = fclib_view(&problem);
    const bool good = fclib_write(temporary_path(name), &view, "a test", &err);
    TEST_ASSERT_TRUE_MESSAGE(good, err.text);
}

static void test_what_is_written_is_read_back_to_the_bit(void)
{
    make_local(MAKER_ROWS);
    read_file(MAKER_FILE);
    write_file("again.hdf5");
    read_file("again.hdf5");
    expect_local();
}

/* A chain of contacts, long enough for every array to be compressed. */
static void make_chain(uint32_t contacts)
{
    random_source random = {5};
    const size_t blocks = 2 * (size_t)contacts - 1;
    problem = (fclib_problem){.contacts = contacts,
                              .row_start = calloc(contacts + 1, sizeof(uint32_t)),
                              .col = calloc(blocks, sizeof(uint32_t)),
                              .blocks = calloc(9 * blocks, sizeof(double)),
                              .b = calloc(3 * (size_t)contacts, sizeof(double)),
                              .mu = calloc(contacts, sizeof(double))};
    uint32_t next = 0;
    for (uint32_t i = 0; i < contacts; i++) {
        for (uint32_t j = i ? i - 1 : 0; j <= i; j++) problem.col[next++] = j;
        problem.row_start[i + 1] = next;
        problem.mu[i] = random_between(&random, 0.0, 2.0);
    }
    for (size_t k = 0; k < 9 * blocks; k++) problem.blocks[k] = random_between(&random, -1.0, 1.0);
    for (size_t k = 0; k < 3 * (size_t)contacts; k++) {
        problem.b[k] = random_between(&random, -1.0, 1.0);
    }
}

static void test_long_arrays_survive_compression(void)
{
    enum { CONTACTS = 20000 };
    make_chain(CONTACTS);
    write_file("chain.hdf5");
    fclib_problem made = problem;
    problem = (fclib_problem){0};
    read_file("chain.hdf5");
    const bool equal =
        memcmp(made.row_start, problem.row_start, (CONTACTS + 1) * sizeof(uint32_t)) == 0 &&
        memcmp(made.col, problem.col, (2 * CONTACTS - 1) * sizeof(uint32_t)) == 0 &&
        memcmp(made.blocks, problem.blocks, 9 * (2 * CONTACTS - 1) * sizeof(double)) == 0 &&
        memcmp(made.b, problem.b, 3 * CONTACTS * sizeof(double)) == 0 &&
        memcmp(made.mu, problem.mu, CONTACTS * sizeof(double)) == 0;
    fclib_free(&made);
    TEST_ASSERT_TRUE(equal);
}

static void test_a_disk_that_is_full_is_an_error(void)
{
    make_chain(20000);
    temporary_limit_files(100000);
    const stn_contact_problem view = fclib_view(&problem);
    const bool good = fclib_write(temporary_path("full.hdf5"), &view, "a test", &err);
    temporary_limit_files(-1);
    TEST_ASSERT_FALSE(good);
    TEST_ASSERT_EQUAL_INT(FCLIB_UNREADABLE, err.reason);
    TEST_ASSERT_NOT_NULL(strstr(err.text, "cannot be written"));
}

static void test_a_folder_that_is_not_there_is_an_error(void)
{
    make_chain(2);
    const stn_contact_problem view = fclib_view(&problem);
    TEST_ASSERT_FALSE(fclib_write(temporary_path("no/where.hdf5"), &view, "a test", &err));
    TEST_ASSERT_EQUAL_INT(FCLIB_UNREADABLE, err.reason);
}

/* ---- global ---------------------------------------------------------------------------------- */

typedef struct global {
    double M[UNKNOWNS * UNKNOWNS], H[UNKNOWNS * N], f[UNKNOWNS], w[N];
} global;

/* Three components that lie between one another: unknowns 0 3 5, 1 4 6 and 2. */
static global make_global(void)
{
    static const int component[UNKNOWNS] = {0, 1, 2, 0, 1, 0, 1};
    random_source random = {11};
    global g = {0};
    for (int i = 0; i < UNKNOWNS; i++) {
        for (int j = 0; j < i; j++) {
            if (component[i] != component[j]) continue;
            const double value = random_between(&random, -1.0, 1.0);
            g.M[i * UNKNOWNS + j] = g.M[j * UNKNOWNS + i] = value;
        }
        g.M[i * UNKNOWNS + i] = random_between(&random, 3.0, 4.0); /* dominant: positive definite */
        g.f[i] = random_between(&random, -1.0, 1.0);
        for (int j = 0; j < N; j++) {
            if ((i + j) % 3) g.H[i * N + j] = random_between(&random, -1.0, 1.0);
        }
    }
    for (int j = 0; j < N; j++) g.w[j] = random_between(&random, -1.0, 1.0);
    return g;
}

static void write_global(const global *g, maker_layout layout)
{
    maker_begin();
    maker_integer("/fclib_global/spacedim", 3);
    maker_matrix("/fclib_global/M", g->M, UNKNOWNS, UNKNOWNS, layout);
    maker_matrix("/fclib_global/H", g->H, UNKNOWNS, N, layout);
    maker_reals("/fclib_global/vectors/f", g->f, UNKNOWNS);
    maker_reals("/fclib_global/vectors/w", g->w, N);
    maker_reals("/fclib_global/vectors/mu", mu, 2);
}

/* x = M^-1 x by Gauss-Jordan elimination. */
static void solve_dense(const double *matrix, double x[UNKNOWNS])
{
    double a[UNKNOWNS * UNKNOWNS];
    memcpy(a, matrix, sizeof a);
    for (int k = 0; k < UNKNOWNS; k++) {
        for (int i = 0; i < UNKNOWNS; i++) {
            if (i == k) continue;
            const double factor = a[i * UNKNOWNS + k] / a[k * UNKNOWNS + k];
            for (int j = k; j < UNKNOWNS; j++) {
                a[i * UNKNOWNS + j] -= factor * a[k * UNKNOWNS + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = 0; k < UNKNOWNS; k++) x[k] /= a[k * UNKNOWNS + k];
}

/* H^T x */
static double project(const global *g, int column, const double x[UNKNOWNS])
{
    double sum = 0.0;
    for (int i = 0; i < UNKNOWNS; i++) sum += g->H[i * N + column] * x[i];
    return sum;
}

/* M is dominant with eigenvalues in [1, 6], so its condition is at most 6: rounding of a few
 * hundred operations on numbers of order 1. */
static const double ROUNDING = 300 * DBL_EPSILON;

static void test_global_problems_become_local_ones(void)
{
    const global g = make_global();
    const maker_layout layouts[] = {MAKER_COLUMNS, MAKER_ROWS, MAKER_TRIPLETS};
    for (size_t l = 0; l < 3; l++) {
        write_global(&g, layouts[l]);
        read_file(MAKER_FILE);
        double dense[N * N], v[UNKNOWNS];
        expand(&problem, dense);
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < UNKNOWNS; i++) v[i] = g.H[i * N + j];
            solve_dense(g.M, v);
            for (int i = 0; i < N; i++) {
                TEST_ASSERT_DOUBLE_WITHIN(ROUNDING, project(&g, i, v), dense[i * N + j]);
                TEST_ASSERT_TRUE(dense[i * N + j] == dense[j * N + i]);
            }
        }
        memcpy(v, g.f, sizeof v);
        solve_dense(g.M, v);
        for (int j = 0; j < N; j++) {
            TEST_ASSERT_DOUBLE_WITHIN(ROUNDING, project(&g, j, v) + g.w[j], problem.b[j]);
        }
    }
}

static void expect_refused(const char *text)
{
    TEST_ASSERT_FALSE(fclib_read(temporary_path(MAKER_FILE), &problem, &err));
    TEST_ASSERT_EQUAL_INT(FCLIB_WRONG, err.reason);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
}

static void test_a_singular_mass_matrix_is_refused_by_row(void)
{
    global g = make_global();
    for (int j = 0; j < UNKNOWNS; j++) {
        g.M[4 * UNKNOWNS + j] = g.M[j * UNKNOWNS + 4] = 0.0; /* nothing holds unknown 4 */
    }
    write_global(&g, MAKER_COLUMNS);
    expect_refused("/fclib_global/M is singular or indefinite at row 4");
}

static void test_a_mass_matrix_that_is_singular_to_rounding_is_refused(void)
{
    global g = make_global();
    const double third =
        1.0 / 3.0; /* rows 0 and 3 in proportion, so that elimination leaves rounding */
    const int rows[] = {0, 3, 5};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) g.M[rows[a] * UNKNOWNS + rows[b]] = third * (1 + a) * (1 + b);
    }
    write_global(&g, MAKER_COLUMNS);
    expect_refused("/fclib_global/M is singular or indefinite at row 3");
}

static void test_a_negative_mass_is_refused(void)
{
    global g = make_global();
    g.M[2 * UNKNOWNS + 2] = -1.0;
    write_global(&g, MAKER_COLUMNS);
    expect_refused("/fclib_global/M is singular or indefinite at row 2");
}

static void test_a_mass_matrix_must_be_symmetric(void)
{
    global g = make_global();
    g.M[3 * UNKNOWNS + 0] = 0.0; /* but not M(0, 3) */
    write_global(&g, MAKER_COLUMNS);
    expect_refused("/fclib_global/M is not symmetric");
}

static void test_H_must_have_a_row_for_every_unknown(void)
{
    const global g = make_global();
    write_global(&g, MAKER_COLUMNS);
    maker_matrix("/fclib_global/H", g.H, UNKNOWNS - 1, N, MAKER_COLUMNS);
    expect_refused("/fclib_global/H/m is 6, expected 7");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_compressed_columns_rows_and_triplets_give_the_same_problem);
    RUN_TEST(test_blocks_of_a_row_are_sorted_and_empty_ones_left_out);
    RUN_TEST(test_triplets_at_one_place_add_up);
    RUN_TEST(test_arrays_may_have_room_for_more_than_they_hold);
    RUN_TEST(test_what_is_written_is_read_back_to_the_bit);
    RUN_TEST(test_long_arrays_survive_compression);
    RUN_TEST(test_a_disk_that_is_full_is_an_error);
    RUN_TEST(test_a_folder_that_is_not_there_is_an_error);
    RUN_TEST(test_global_problems_become_local_ones);
    RUN_TEST(test_a_singular_mass_matrix_is_refused_by_row);
    RUN_TEST(test_a_mass_matrix_that_is_singular_to_rounding_is_refused);
    RUN_TEST(test_a_negative_mass_is_refused);
    RUN_TEST(test_a_mass_matrix_must_be_symmetric);
    RUN_TEST(test_H_must_have_a_row_for_every_unknown);
    return UNITY_END();
}

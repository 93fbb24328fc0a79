/* SPDX-License-Identifier: Apache-2.0
 *
 * Global problems as the systems they are: bodies, nodes, and what is neither.
 */
#include "fclib/fclib.h"

#include "problem_maker.h"
#include "support/temporary_folder.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

static fclib_system as_it_is;
static fclib_error err;

void setUp(void)
{
    temporary_make();
    maker_begin();
}

void tearDown(void)
{
    fclib_free_system(&as_it_is);
    temporary_remove();
}

static const double w[6] = {-1, 0.5, 0.25, -2, 1e-300, 3};
static const double mu[2] = {0.3, 0};

static void write_global(const double *M, const double *H, const double *f, int unknowns,
                         int contacts)
{
    maker_begin();
    maker_integer("/fclib_global/spacedim", 3);
    maker_matrix("/fclib_global/M", M, unknowns, unknowns, MAKER_COLUMNS);
    maker_matrix("/fclib_global/H", H, unknowns, 3 * contacts, MAKER_COLUMNS);
    maker_reals("/fclib_global/vectors/f", f, (size_t)unknowns);
    maker_reals("/fclib_global/vectors/w", w, 3 * (size_t)contacts);
    maker_reals("/fclib_global/vectors/mu", mu, (size_t)contacts);
}

static void read_system(void)
{
    const bool good = fclib_read_system(temporary_path(MAKER_FILE), &as_it_is, &err);
    TEST_ASSERT_TRUE_MESSAGE(good, err.text);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

enum { UNKNOWNS = 7, N = 6 };

/* Even and odd unknowns are a body each; contact 0 touches the odd ones, contact 1 all. */
typedef struct pair {
    double M[UNKNOWNS * UNKNOWNS], H[UNKNOWNS * N], f[UNKNOWNS];
} pair;

static pair make_pair(void)
{
    pair p = {0};
    for (int i = 0; i < UNKNOWNS; i++) {
        for (int j = i % 2; j < UNKNOWNS; j += 2) {
            p.M[i * UNKNOWNS + j] = i == j ? 8.0 : 1.0 / (1 + i + j);
        }
        for (int j = i % 2 ? 0 : 3; j < N; j++) p.H[i * N + j] = 1.0 + i + 10.0 * j;
        p.f[i] = 1.0 + i;
    }
    return p;
}

/* A term of contact c at body b, whose unknown l is number 2 l + b of the file. */
static const double *check_term(const pair *p, const double *H, int c, int b)
{
    for (int row = 0; row < 3; row++) {
        for (int i = b; i < UNKNOWNS; i += 2) {
            TEST_ASSERT_TRUE(*H++ == p->H[i * N + 3 * c + row]);
        }
    }
    return H;
}

static void test_groups_of_unknowns_become_bodies(void)
{
    static const uint32_t unknowns[2] = {4, 3}, starts[3] = {0, 1, 3}, targets[3] = {1, 0, 1};
    const pair p = make_pair();
    write_global(p.M, p.H, p.f, UNKNOWNS, 2);
    read_system();
    TEST_ASSERT_EQUAL_UINT32(0, as_it_is.nodes);
    TEST_ASSERT_EQUAL_UINT32(2, as_it_is.bodies);
    TEST_ASSERT_EQUAL_UINT32(2, as_it_is.contacts);
    TEST_ASSERT_EQUAL_UINT32_ARRAY(unknowns, as_it_is.body_unknowns, 2);
    TEST_ASSERT_EQUAL_UINT32_ARRAY(starts, as_it_is.term_start, 3);
    TEST_ASSERT_EQUAL_UINT32_ARRAY(targets, as_it_is.term_target, 3);
    const double *H = check_term(&p, as_it_is.term_H, 0, 1);
    check_term(&p, check_term(&p, H, 1, 0), 1, 1);
    TEST_ASSERT_EQUAL_MEMORY(w, as_it_is.velocity, sizeof w);
    TEST_ASSERT_EQUAL_MEMORY(mu, as_it_is.mu, sizeof mu);
}

/* A v = f for every body; some fifty operations on numbers of at most 8. */
static void test_bodies_have_the_inertia_and_the_free_velocity_of_the_file(void)
{
    const pair p = make_pair();
    write_global(p.M, p.H, p.f, UNKNOWNS, 2);
    read_system();
    const double *A = as_it_is.body_inertia, *v = as_it_is.body_velocity;
    for (uint32_t b = 0; b < 2; b++) {
        const uint32_t n = as_it_is.body_unknowns[b];
        for (uint32_t k = 0; k < n; k++) {
            double sum = 0.0;
            for (uint32_t l = 0; l < n; l++) {
                TEST_ASSERT_TRUE(A[k * n + l] == p.M[(2 * k + b) * UNKNOWNS + 2 * l + b]);
                sum += A[k * n + l] * v[l];
            }
            TEST_ASSERT_DOUBLE_WITHIN(400 * DBL_EPSILON, p.f[2 * k + b], sum);
        }
        A += n * n;
        v += n;
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

enum { CHAIN = 300 };

/* A chain of unknowns, 3 on the diagonal and -1 beside it, with one contact at the last three. */
static void write_chain(int unknowns)
{
    const size_t n = (size_t)unknowns;
    double *M = calloc(n * n, sizeof *M), *H = calloc(3 * n, sizeof *H);
    double *f = calloc(n, sizeof *f);
    TEST_ASSERT_TRUE(M && H && f);
    for (size_t i = 0; i < n; i++) {
        M[i * n + i] = 3.0;
        if (i > 0) M[i * n + i - 1] = M[(i - 1) * n + i] = -1.0;
        f[i] = (double)i;
    }
    for (size_t k = 0; k < 3; k++) H[(n - 3 + k) * 3 + k] = (double)(k + 1);
    write_global(M, H, f, unknowns, 1);
    free(M);
    free(H);
    free(f);
}

static void test_unknowns_that_all_hang_together_become_nodes(void)
{
    static const double diagonal[9] = {3, -1, 0, -1, 3, -1, 0, -1, 3};
    static const double after[9] = {0, 0, 0, 0, 0, 0, -1, 0, 0};
    static const double H[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    write_chain(CHAIN);
    read_system();
    TEST_ASSERT_EQUAL_UINT32(0, as_it_is.bodies);
    TEST_ASSERT_EQUAL_UINT32(CHAIN / 3, as_it_is.nodes);
    TEST_ASSERT_EQUAL_UINT32(CHAIN - 2, as_it_is.row_start[CHAIN / 3]); /* 3 per node but at ends */
    TEST_ASSERT_EQUAL_UINT32(1, as_it_is.col[1]);
    TEST_ASSERT_EQUAL_MEMORY(diagonal, as_it_is.blocks, sizeof diagonal);
    TEST_ASSERT_EQUAL_MEMORY(after, as_it_is.blocks + 9, sizeof after);
    TEST_ASSERT_TRUE(as_it_is.force[CHAIN - 1] == CHAIN - 1);
    TEST_ASSERT_EQUAL_UINT32(1, as_it_is.term_start[1]);
    TEST_ASSERT_EQUAL_UINT32(CHAIN / 3 - 1, as_it_is.term_target[0]);
    TEST_ASSERT_EQUAL_MEMORY(H, as_it_is.term_H, sizeof H);
}

/* ---- neither --------------------------------------------------------------------------------- */

static void refuse(const char *text)
{
    TEST_ASSERT_FALSE(fclib_read_system(temporary_path(MAKER_FILE), &as_it_is, &err));
    TEST_ASSERT_EQUAL_INT(FCLIB_WRONG, err.reason);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
}

static void test_what_is_no_system_is_refused(void)
{
    maker_integer("/fclib_local/spacedim", 3);
    refuse("expected the group /fclib_global");
    write_chain(CHAIN + 1);
    refuse("/fclib_global/M couples 301 unknowns and has 301 rows");
    pair p = make_pair();
    p.M[2 * UNKNOWNS + 2] = -1.0;
    write_global(p.M, p.H, p.f, UNKNOWNS, 2);
    refuse("/fclib_global/M is singular or indefinite at row 2");
    p.M[2 * UNKNOWNS + 2] = 8.0;
    p.M[2] = 0.0;
    write_global(p.M, p.H, p.f, UNKNOWNS, 2);
    refuse("/fclib_global/M is not symmetric");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_groups_of_unknowns_become_bodies);
    RUN_TEST(test_bodies_have_the_inertia_and_the_free_velocity_of_the_file);
    RUN_TEST(test_unknowns_that_all_hang_together_become_nodes);
    RUN_TEST(test_what_is_no_system_is_refused);
    return UNITY_END();
}

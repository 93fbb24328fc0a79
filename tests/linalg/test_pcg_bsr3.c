/* SPDX-License-Identifier: Apache-2.0
 *
 * The large system is a net of springs with random directions and masses at its nodes.
 */
#include "linalg/pcg_bsr3.h"

#include "support/random.h"

#include <string.h>
#include <unity.h>

static random_source rng;

void setUp(void) { rng = (random_source){14}; }
void tearDown(void) {}

static void fill_random(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = random_between(&rng, -1.0, 1.0);
}

/* The net: SIDE x SIDE nodes, springs to the right and upper neighbours. */

enum { SIDE = 40, NODES = SIDE * SIDE, UNKNOWNS = 3 * NODES };

typedef struct net {
    bsr3 A;
    sym3 inverse[NODES];
    double b[UNKNOWNS], x[UNKNOWNS];
    double work[4 * UNKNOWNS + UNKNOWNS / POOL_CHUNK + 1];
} net;

static net mesh;

/* k n n^T, stiff along the spring; a little of the identity keeps nodes from moving freely across
 * */
static void add_spring(bsr3 *A, uint32_t i, uint32_t j)
{
    const v3 n = random_direction(&rng);
    const double k = 1000.0, across = 1.0;
    m3 K = {{v3_scale(k * n.x, n), v3_scale(k * n.y, n), v3_scale(k * n.z, n)}};
    const m3 rest = m3_diagonal(across);
    K = m3_add(&K, &rest);
    const m3 minus = {{v3_neg(K.row[0]), v3_neg(K.row[1]), v3_neg(K.row[2])}};
    TEST_ASSERT_TRUE(bsr3_add_block(A, i, i, &K) && bsr3_add_block(A, j, j, &K));
    TEST_ASSERT_TRUE(bsr3_add_block(A, i, j, &minus) && bsr3_add_block(A, j, i, &minus));
}

/* The places of the blocks, or the springs into them. */
static void walk_net(bsr3 *A, bsr3_place *places, uint32_t *count)
{
    for (uint32_t i = 0; i < NODES; i++) {
        const bool right = i % SIDE + 1 < SIDE, up = i / SIDE + 1 < SIDE;
        if (places) places[(*count)++] = (bsr3_place){i, i};
        for (uint32_t k = 0; k < 2; k++) {
            if (!(k ? up : right)) continue;
            const uint32_t j = k ? i + SIDE : i + 1;
            if (places) {
                places[(*count)++] = (bsr3_place){i, j};
                places[(*count)++] = (bsr3_place){j, i};
            } else {
                add_spring(A, i, j);
            }
        }
    }
}

static void make_net(net *m, double lightest, double heaviest)
{
    static bsr3_place places[5 * NODES];
    uint32_t count = 0;
    walk_net(NULL, places, &count);
    TEST_ASSERT_EQUAL_INT(STATUS_OK,
                          bsr3_create(&m->A, &allocator_system, NODES, NODES, places, count));
    walk_net(&m->A, NULL, NULL);
    for (uint32_t i = 0; i < NODES; i++) {
        const m3 mass = m3_diagonal(i % 2 ? lightest : heaviest);
        TEST_ASSERT_TRUE(bsr3_add_block(&m->A, i, i, &mass));
    }
    TEST_ASSERT_TRUE(pcg_bsr3_invert_diagonal(&m->A, m->inverse, NULL));
    fill_random(m->b, UNKNOWNS);
}

static pcg_report solve_net(net *m, const sym3 *inverse, pool *threads, double tolerance,
                            uint32_t max_iterations)
{
    pcg_bsr3 pair = {&m->A, inverse, threads};
    const pcg_system system = pcg_bsr3_system(&pair);
    TEST_ASSERT_EQUAL_size_t(UNKNOWNS, system.n);
    TEST_ASSERT_TRUE(pcg_work_count(UNKNOWNS) <= sizeof m->work / sizeof *m->work);
    memset(m->x, 0, sizeof m->x);
    return pcg_solve(&system, m->b, m->x, tolerance, max_iterations, m->work);
}

/* |b - A x| / |b| in long double sums. */
static double net_residual(const net *m)
{
    static double Ax[UNKNOWNS];
    long double rr = 0.0L, bb = 0.0L;
    bsr3_mul(&m->A, NULL, m->x, Ax);
    for (size_t i = 0; i < UNKNOWNS; i++) {
        const long double r = (long double)m->b[i] - Ax[i];
        rr += r * r;
        bb += (long double)m->b[i] * m->b[i];
    }
    return (double)sqrtl(rr / bb);
}

static void test_a_net_of_springs_is_solved_to_every_tolerance(void)
{
    make_net(&mesh, 1.0, 1.0);
    for (double tolerance = 1e-2; tolerance > 1e-13; tolerance *= 1e-2) {
        const pcg_report report = solve_net(&mesh, mesh.inverse, NULL, tolerance, 10000);
        TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, report.outcome);
        TEST_ASSERT_TRUE(report.relative_residual <= tolerance);
        /* both are computed from x, in different orders of summation */
        TEST_ASSERT_DOUBLE_WITHIN(1e-12 * tolerance, net_residual(&mesh), report.relative_residual);
    }
    bsr3_destroy(&mesh.A);
}

static void test_a_tolerance_out_of_reach_ends_after_the_iterations_allowed(void)
{
    make_net(&mesh, 1.0, 1.0);
    const pcg_report report = solve_net(&mesh, mesh.inverse, NULL, 1e-18, 2000);
    TEST_ASSERT_EQUAL_INT(PCG_MAX_ITERATIONS, report.outcome);
    TEST_ASSERT_EQUAL_UINT32(2000, report.iterations);
    TEST_ASSERT_TRUE(report.relative_residual > 1e-18);
    TEST_ASSERT_TRUE(report.relative_residual < 1e-12);
    /* the residual carried along is far smaller by now */
    TEST_ASSERT_DOUBLE_WITHIN(1e-18, net_residual(&mesh), report.relative_residual);
    bsr3_destroy(&mesh.A);
}

static void test_block_jacobi_saves_iterations_where_masses_differ(void)
{
    make_net(&mesh, 1.0, 1e6);
    const pcg_report plain = solve_net(&mesh, NULL, NULL, 1e-8, 20000);
    const pcg_report with = solve_net(&mesh, mesh.inverse, NULL, 1e-8, 20000);
    TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, plain.outcome);
    TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, with.outcome);
    TEST_ASSERT_TRUE(2 * with.iterations < plain.iterations);
    bsr3_destroy(&mesh.A);
}

static void test_the_bits_do_not_depend_on_the_number_of_threads(void)
{
    static double expected[UNKNOWNS];
    make_net(&mesh, 1.0, 10.0);
    const pcg_report alone = solve_net(&mesh, mesh.inverse, NULL, 1e-8, 10000);
    memcpy(expected, mesh.x, sizeof expected);
    for (uint32_t threads = 1; threads <= 4; threads++) {
        pool *p = pool_create(&allocator_system, threads, NULL);
        TEST_ASSERT_NOT_NULL(p);
        const pcg_report report = solve_net(&mesh, mesh.inverse, p, 1e-8, 10000);
        pool_destroy(p);
        TEST_ASSERT_EQUAL_UINT32(alone.iterations, report.iterations);
        TEST_ASSERT_TRUE(alone.relative_residual == report.relative_residual);
        TEST_ASSERT_EQUAL_MEMORY(expected, mesh.x, sizeof expected);
    }
    bsr3_destroy(&mesh.A);
}

static void test_block_jacobi_is_the_inverse_of_a_block_diagonal_matrix(void)
{
    const bsr3_place places[] = {{0, 0}, {1, 1}};
    const m3 blocks[] = {{{{4.0, 1.0, 0.0}, {1.0, 3.0, -1.0}, {0.0, -1.0, 2.0}}},
                         {{{1e6, 10.0, 0.0}, {10.0, 1e-3, 0.0}, {0.0, 0.0, 1.0}}}};
    bsr3 A;
    TEST_ASSERT_EQUAL_INT(STATUS_OK, bsr3_create(&A, &allocator_system, 2, 2, places, 2));
    for (uint32_t i = 0; i < 2; i++) TEST_ASSERT_TRUE(bsr3_add_block(&A, i, i, &blocks[i]));
    sym3 inverse[2];
    TEST_ASSERT_TRUE(pcg_bsr3_invert_diagonal(&A, inverse, NULL));
    pcg_bsr3 pair = {&A, inverse, NULL};
    const pcg_system system = pcg_bsr3_system(&pair);
    const double b[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    double x[6] = {0.0}, work[4 * 6 + 1];
    const pcg_report report = pcg_solve(&system, b, x, 1e-12, 10, work);
    TEST_ASSERT_EQUAL_INT(PCG_CONVERGED, report.outcome);
    TEST_ASSERT_EQUAL_UINT32(1, report.iterations);
    bsr3_destroy(&A);
}

static void test_rows_without_a_positive_definite_diagonal_block_are_named(void)
{
    const bsr3_place places[] = {{0, 0}, {1, 1}, {2, 1}};
    const m3 I = m3_identity();
    const m3 bad[] = {m3_diagonal(0.0),
                      m3_diagonal(-1.0),
                      m3_diagonal(NAN),
                      m3_diagonal(1e-320),
                      {{{1.0, 2.0, 0.0}, {2.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        bsr3 A;
        sym3 inverse[3];
        uint32_t row = 99;
        TEST_ASSERT_EQUAL_INT(STATUS_OK, bsr3_create(&A, &allocator_system, 3, 3, places, 3));
        TEST_ASSERT_TRUE(bsr3_add_block(&A, 0, 0, &I) && bsr3_add_block(&A, 1, 1, &I));
        TEST_ASSERT_FALSE(pcg_bsr3_invert_diagonal(&A, inverse, &row));
        TEST_ASSERT_EQUAL_UINT32(2, row); /* has no diagonal block */
        bsr3_set_zero(&A);
        TEST_ASSERT_TRUE(bsr3_add_block(&A, 0, 0, &I) && bsr3_add_block(&A, 1, 1, &bad[k]));
        TEST_ASSERT_FALSE(pcg_bsr3_invert_diagonal(&A, inverse, &row));
        TEST_ASSERT_EQUAL_UINT32(1, row);
        bsr3_destroy(&A);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_net_of_springs_is_solved_to_every_tolerance);
    RUN_TEST(test_a_tolerance_out_of_reach_ends_after_the_iterations_allowed);
    RUN_TEST(test_block_jacobi_saves_iterations_where_masses_differ);
    RUN_TEST(test_the_bits_do_not_depend_on_the_number_of_threads);
    RUN_TEST(test_block_jacobi_is_the_inverse_of_a_block_diagonal_matrix);
    RUN_TEST(test_rows_without_a_positive_definite_diagonal_block_are_named);
    return UNITY_END();
}

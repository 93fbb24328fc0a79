/* SPDX-License-Identifier: Apache-2.0
 *
 * The pyramid instead of the cone: where both laws agree, and how the pyramid's error falls.
 */
#include "contact/facets.h"

#include "math/scalar.h"
#include "support/contact_cases.h"
#include "support/counting_allocator.h"

#include <string.h>
#include <unity.h>

static const double PI = 3.141592653589793;

static counting_allocator memory;
static random_source source;
static contact_problem p;
static solver_report report;
static error err;

void setUp(void)
{
    counting_init(&memory, 0);
    source = (random_source){23};
}

void tearDown(void) { counting_check(&memory); }

static solver_options exactly(void)
{
    return (solver_options){.tolerance = 1e-10, .max_iterations = 100000, .local = &local_table[0]};
}

/* One contact with W = w times the identity. */
static void make_one(double w, v3 b, double mu)
{
    const uint32_t row_start[] = {0, 1}, col[] = {0};
    const double blocks[] = {w, 0.0, 0.0, 0.0, w, 0.0, 0.0, 0.0, w}, numbers[] = {b.x, b.y, b.z};
    const contact_source s = {1, row_start, col, blocks, numbers, &mu};
    TEST_ASSERT_EQUAL(STATUS_OK, contact_problem_create(&p, &memory.from, &s, &err));
}

static v3 solve_one(uint32_t facets, double w, v3 b, double mu)
{
    double r[3];
    const solver_options options = exactly();
    make_one(w, b, mu);
    report = (solver_report){0};
    TEST_ASSERT_EQUAL(STATUS_OK,
                      facets_solve(&p, &memory.from, &options, facets, r, &report, &err));
    TEST_ASSERT_EQUAL(0, report.local.failures);
    contact_problem_destroy(&p, &memory.from);
    return v3_load(r);
}

static v3 along(double angle, double normal, double tangent)
{
    return (v3){normal, tangent * cos(angle), tangent * sin(angle)};
}

static void check_near(v3 expected, v3 actual, double within)
{
    TEST_ASSERT_DOUBLE_WITHIN(within, 0.0, v3_norm(v3_sub(actual, expected)));
}

/* ---- where the pyramid is right ---- */

static void test_take_off_has_no_impulse(void)
{
    check_near((v3){0.0, 0.0, 0.0}, solve_one(8, 2.0, (v3){0.1, 3.0, -4.0}, 0.5), 0.0);
    TEST_ASSERT_TRUE(report.converged);
}

/* |r_T| <= mu r_N cos(pi/k) is inside the polygon whatever the direction. */
static void test_sticking_inside_the_polygon_is_exact(void)
{
    static const uint32_t facets[] = {3, 4, 8, 16, 31};
    for (size_t f = 0; f < 5; f++) {
        for (int i = 0; i < 40; i++) {
            const double mu = random_between(&source, 0.1, 2.0);
            const double tangent = 0.999 * mu * cos(PI / facets[f]);
            const v3 b = along(0.157 * i, -1.0, tangent);
            check_near(v3_scale(-0.5, b), solve_one(facets[f], 2.0, b, mu), 1e-14 * (1.0 + mu));
            TEST_ASSERT_TRUE(report.converged);
        }
    }
}

static void test_sliding_along_a_facet_vector_is_exact(void)
{
    static const uint32_t facets[] = {4, 8, 16};
    for (size_t f = 0; f < 3; f++) {
        for (uint32_t j = 0; j < facets[f]; j++) {
            const double angle = 2.0 * PI * (double)j / (double)facets[f], mu = 0.4;
            const v3 b = along(angle, -1.0, 3.0);
            check_near(along(angle, 0.5, -0.5 * mu), solve_one(facets[f], 2.0, b, mu), 1e-14);
            TEST_ASSERT_TRUE(report.converged);
        }
    }
}

static void test_the_first_facet_is_along_the_first_tangent(void)
{
    const v3 r = solve_one(3, 1.0, (v3){-1.0, -5.0, 0.0}, 0.7);
    check_near((v3){1.0, 0.7, 0.0}, r, 1e-14);
}

static void test_without_friction_only_the_normal_is_left(void)
{
    check_near((v3){0.5, 0.0, 0.0}, solve_one(8, 2.0, (v3){-1.0, 3.0, 1.0}, 0.0), 1e-14);
    TEST_ASSERT_TRUE(report.converged);
}

/* ---- where it is wrong, and by how much ---- */

/* Midway between two facet vectors the polygon is cos(pi/k) nearer: r_T is too small by
 * 1 - cos(pi/k), which is (pi/k)^2/2. */
static void test_between_two_facet_vectors_friction_is_too_weak(void)
{
    for (uint32_t k = 4; k <= 128; k *= 2) {
        const double mu = 0.6, angle = PI / k;
        const v3 r = solve_one(k, 1.0, along(angle, -1.0, 5.0), mu);
        check_near(along(angle, 1.0, -mu * cos(PI / k)), r, 1e-13);
        TEST_ASSERT_FALSE(report.converged);
    }
}

/* Just where sliding begins the answer is the point of the polygon nearest to the circle's. */
static void test_where_sliding_begins_the_error_falls_like_one_over_k_squared(void)
{
    const double mu = 0.6;
    for (uint32_t k = 4; k <= 128; k *= 2) {
        const double most = mu * (1.0 - cos(PI / k));
        double worst = 0.0;
        for (int i = 0; i <= 20; i++) {
            const v3 b = along(0.1 * PI * i / k, -1.0, mu);
            worst = scalar_max(worst, v3_norm(v3_add(solve_one(k, 1.0, b, mu), b)));
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, most, worst);
    }
}

/* What slides fast is braked along the nearest facet vector: beside the middle between two of them
 * friction points in a direction that is wrong by pi/k. */
static void test_fast_sliding_is_braked_in_a_wrong_direction(void)
{
    const double mu = 0.6;
    for (uint32_t k = 4; k <= 128; k *= 2) {
        const v3 r = solve_one(k, 1.0, along(0.999 * PI / k, -1.0, 1e5), mu);
        check_near(along(0.0, 1.0, -mu), r, 1e-10); /* rounding of b, which is 1e5 */
        TEST_ASSERT_FALSE(report.converged);
    }
}

/* ---- many contacts ---- */

/* In m/s; the dissipation's root, because it is a product of two small numbers. */
static double pyramid_violation(const double *r, const double *u, double mu, double d, uint32_t k)
{
    double lambda = 0.0, support = 0.0, dissipation = 0.0;
    for (uint32_t j = 0; j < k; j++) {
        const v3 e = along(2.0 * PI * j / k, 0.0, 1.0);
        lambda = scalar_max(lambda, -(e.y * u[1] + e.z * u[2]));
        const v3 n = along(2.0 * PI * (j + 0.5) / k, 0.0, 1.0);
        support = scalar_max(support, (n.y * r[1] + n.z * r[2]) / cos(PI / k));
    }
    dissipation = r[1] * u[1] + r[2] * u[2] + mu * r[0] * lambda;
    const double outside = d * (support - mu * r[0]);
    const double normal = fabs(scalar_min(d * r[0], u[0]));
    return scalar_max(scalar_max(outside, normal), sqrt(d * fabs(dissipation)));
}

/* The pyramid's own law, said without an LCP: inside the polygon, and of all its points the one
 * that brakes most. */
static void test_packed_problems_satisfy_the_pyramids_law(void)
{
    const contact_case packed = {.bodies = 8, .contacts = 24, .mu = 0.8, .pushed = 1.0};
    const solver_options options = exactly();
    for (int round = 0; round < 20; round++) {
        double r[3 * 24], u[3 * 24];
        contact_case_make(&packed, &source, &memory.from, &p);
        for (uint32_t k = 4; k <= 8; k += 2) {
            report = (solver_report){0};
            TEST_ASSERT_EQUAL(STATUS_OK,
                              facets_solve(&p, &memory.from, &options, k, r, &report, &err));
            TEST_ASSERT_EQUAL(0, report.local.failures);
            contact_problem_velocity(&p, NULL, r, u);
            for (size_t i = 0; i < p.contacts; i++) {
                const double off = pyramid_violation(r + 3 * i, u + 3 * i, p.mu[i], p.d[i], k);
                TEST_ASSERT_DOUBLE_WITHIN(1e-6 * p.scale, 0.0, off);
            }
        }
        contact_problem_destroy(&p, &memory.from);
    }
}

static void test_the_start_does_not_matter(void)
{
    double cold[3] = {0.0, 0.0, 0.0}, warm[3] = {1.0, -0.3, -0.3};
    const solver_options options = exactly();
    make_one(1.0, along(0.7, -1.0, 3.0), 0.5);
    TEST_ASSERT_EQUAL(STATUS_OK, facets_solve_4(&p, &memory.from, &options, cold, &report, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, facets_solve_4(&p, &memory.from, &options, warm, &report, &err));
    TEST_ASSERT_EQUAL_MEMORY(cold, warm, sizeof cold);
    contact_problem_destroy(&p, &memory.from);
}

/* ---- what is refused ---- */

static void test_islands_too_large_for_a_dense_matrix_are_refused(void)
{
    const contact_case heap = {.bodies = 20, .contacts = 400, .mu = 0.5, .pushed = 1.0};
    static double r[3 * 400];
    const solver_options options = exactly();
    contact_case_make(&heap, &source, &memory.from, &p);
    TEST_ASSERT_EQUAL(STATUS_UNSUPPORTED,
                      facets_solve_4(&p, &memory.from, &options, r, &report, &err));
    TEST_ASSERT_EQUAL_STRING("400 contacts that act on one another have 2400 unknowns with 4 "
                             "facets, expected at most 2000: Lemke's method works on a dense "
                             "matrix",
                             err.text);
    contact_problem_destroy(&p, &memory.from);
}

static void test_two_facets_are_refused(void)
{
    double r[3];
    const solver_options options = exactly();
    make_one(1.0, along(0.7, -1.0, 3.0), 0.5);
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      facets_solve(&p, &memory.from, &options, 2, r, &report, &err));
    TEST_ASSERT_EQUAL_STRING("a cone with 2 facets, expected at least 3", err.text);
    contact_problem_destroy(&p, &memory.from);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_take_off_has_no_impulse);
    RUN_TEST(test_sticking_inside_the_polygon_is_exact);
    RUN_TEST(test_sliding_along_a_facet_vector_is_exact);
    RUN_TEST(test_the_first_facet_is_along_the_first_tangent);
    RUN_TEST(test_without_friction_only_the_normal_is_left);
    RUN_TEST(test_between_two_facet_vectors_friction_is_too_weak);
    RUN_TEST(test_where_sliding_begins_the_error_falls_like_one_over_k_squared);
    RUN_TEST(test_fast_sliding_is_braked_in_a_wrong_direction);
    RUN_TEST(test_packed_problems_satisfy_the_pyramids_law);
    RUN_TEST(test_the_start_does_not_matter);
    RUN_TEST(test_islands_too_large_for_a_dense_matrix_are_refused);
    RUN_TEST(test_two_facets_are_refused);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/local_exact.h"
#include "math/quat.h"
#include "support/random.h"

#include <float.h>
#include <unity.h>

static random_source source;

void setUp(void)
{
    source = (random_source){11};
}

void tearDown(void) {}

/* W = Q diag(e) Q^T with eigenvalues between 1/condition and 1. */
static sym3 random_operator(double condition)
{
    const double low = 1.0 / condition;
    const m3 Q = quat_to_m3(quat_normalize((quat){
        random_between(&source, -1.0, 1.0), random_between(&source, -1.0, 1.0),
        random_between(&source, -1.0, 1.0), random_between(&source, 0.1, 1.0)}));
    const sym3 D = {1.0, 0.0, 0.0, pow(low, random_between(&source, 0.0, 1.0)), 0.0, low};
    return sym3_rotate(&D, &Q);
}

static v3 random_velocity(void)
{
    return (v3){random_between(&source, -1.0, 0.3), random_between(&source, -1.0, 1.0),
                random_between(&source, -1.0, 1.0)};
}

static double residual_of(const sym3 *W, v3 b, double mu, const local_answer *a)
{
    const v3 u = v3_add(sym3_mul_v3(W, a->r), b);
    return coulomb_residual(u, a->r, mu, sym3_trace(W) / 3.0);
}

/* u = W r + b carries a rounding error of a few eps |W| |r|, |r| can be |b| < 2 times the condition, and
 * the residual multiplies |u_T| by mu. */
static void test_answers_satisfy_the_law_for_any_operator_and_friction(void)
{
    static const double conditions[] = {1.0, 10.0, 1e3, 1e6};
    for (size_t k = 0; k < 4; k++) {
        for (int i = 0; i < 20000; i++) {
            const sym3 W = random_operator(conditions[k]);
            const v3 b = random_velocity();
            const double mu = pow(10.0, random_between(&source, -3.0, 2.0));
            const local_answer a = local_solve_exact(&W, b, mu);
            TEST_ASSERT_FALSE(a.failed);
            const double bound = 20.0 * DBL_EPSILON * (1.0 + mu) * (1.0 + conditions[k]);
            TEST_ASSERT_DOUBLE_WITHIN(bound, 0.0, residual_of(&W, b, mu, &a));
        }
    }
}

static void test_scale_of_the_operator_and_velocity_does_not_matter(void)
{
    for (int i = 0; i < 2000; i++) {
        const sym3 W = random_operator(100.0);
        const v3 b = random_velocity();
        const double mu = random_between(&source, 0.0, 2.0);
        const double s = pow(2.0, floor(random_between(&source, -200.0, 200.0)));
        const double t = pow(2.0, floor(random_between(&source, -200.0, 200.0)));
        const sym3 sW = {s * W.xx, s * W.xy, s * W.xz, s * W.yy, s * W.yz, s * W.zz};
        const local_answer a = local_solve_exact(&W, b, mu);
        const local_answer c = local_solve_exact(&sW, v3_scale(t, b), mu);
        TEST_ASSERT_EQUAL(a.state, c.state);
        /* powers of two: the same bits but for the exponent */
        TEST_ASSERT_TRUE(v3_norm(v3_sub(v3_scale(t / s, a.r), c.r)) <= 1e-13 * v3_norm(c.r));
    }
}

static void test_closed_form_and_root_finding_agree_for_isotropic_operators(void)
{
    for (int i = 0; i < 10000; i++) {
        const double w = random_between(&source, 0.1, 10.0), mu = random_between(&source, 0.0, 2.0);
        const v3 b = random_velocity();
        const sym3 W = sym3_diagonal(w);
        const local_answer general = local_solve_exact(&W, b, mu);
        const local_answer closed = local_solve_isotropic(w, b, mu);
        TEST_ASSERT_EQUAL(closed.state, general.state);
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, v3_norm(v3_sub(general.r, closed.r)));
    }
}

static void test_states_are_those_of_the_law(void)
{
    const sym3 W = sym3_diagonal(0.5);
    local_answer a = local_solve_exact(&W, (v3){0.0, 3.0, 0.0}, 0.5);
    TEST_ASSERT_EQUAL(CONTACT_TAKEOFF, a.state);
    a = local_solve_exact(&W, (v3){-1.0, 0.4999, 0.0}, 0.5);
    TEST_ASSERT_EQUAL(CONTACT_STICK, a.state);
    TEST_ASSERT_TRUE(a.r.x == 2.0);
    a = local_solve_exact(&W, (v3){-1.0, 0.5001, 0.0}, 0.5);
    TEST_ASSERT_EQUAL(CONTACT_SLIDE, a.state);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, -1.0, a.r.y);
}

static void test_no_friction_leaves_the_tangent_alone(void)
{
    const sym3 W = random_operator(10.0);
    const local_answer a = local_solve_exact(&W, (v3){-1.0, 2.0, 3.0}, 0.0);
    TEST_ASSERT_TRUE(a.r.y == 0.0 && a.r.z == 0.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0 / W.xx, a.r.x);
}

/* Rank one: only the direction n can be moved. If n is normal the contact still slides exactly. */
static void test_singular_operators_give_an_answer_or_say_that_there_is_none(void)
{
    const sym3 normal_only = {2.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    local_answer a = local_solve_exact(&normal_only, (v3){-1.0, 1.0, 0.0}, 0.3);
    TEST_ASSERT_FALSE(a.failed);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, residual_of(&normal_only, (v3){-1.0, 1.0, 0.0}, 0.3, &a));
    const sym3 none = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    a = local_solve_exact(&none, (v3){-1.0, 1.0, 0.0}, 0.3);
    TEST_ASSERT_TRUE(a.failed);
    TEST_ASSERT_TRUE(v3_norm(a.r) == 0.0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_answers_satisfy_the_law_for_any_operator_and_friction);
    RUN_TEST(test_scale_of_the_operator_and_velocity_does_not_matter);
    RUN_TEST(test_closed_form_and_root_finding_agree_for_isotropic_operators);
    RUN_TEST(test_states_are_those_of_the_law);
    RUN_TEST(test_no_friction_leaves_the_tangent_alone);
    RUN_TEST(test_singular_operators_give_an_answer_or_say_that_there_is_none);
    return UNITY_END();
}

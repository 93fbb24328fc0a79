/* SPDX-License-Identifier: Apache-2.0 */
#include "math/f32_bridge.h"

#include "support/random.h"

#include <float.h>
#include <string.h>
#include <unity.h>

enum { ROUNDS = 10000 };

static const float IDENTITY[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const double PI = 3.14159265358979323846;
static random_source rng;

void setUp(void) { rng = (random_source){10}; }
void tearDown(void) {}

static pose random_pose(void)
{
    const v3 axis = random_direction(&rng), place = random_v3(&rng);
    return (pose){v3_scale(100.0, place),
                  quat_from_axis_angle(axis, random_between(&rng, -PI, PI))};
}

/* The matrix of a pose, rounded to float but not by the code under test. */
static void round_to_matrix(const pose *p, float m[16])
{
    const m3 R = quat_to_m3(p->rotation);
    for (int i = 0; i < 3; i++) {
        m[i] = (float)R.row[i].x;
        m[4 + i] = (float)R.row[i].y;
        m[8 + i] = (float)R.row[i].z;
        m[4 * i + 3] = 0.0f;
    }
    m[12] = (float)p->position.x;
    m[13] = (float)p->position.y;
    m[14] = (float)p->position.z;
    m[15] = 1.0f;
}

static void test_a_matrix_gives_the_pose_it_was_made_from(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const pose p = random_pose();
        float m[16];
        round_to_matrix(&p, m);
        pose out;
        const char *why = "not looked at";
        TEST_ASSERT_TRUE(f32_pose_from_matrix(m, &out, &why));
        TEST_ASSERT_NULL(why);
        TEST_ASSERT_TRUE(out.position.x == (double)m[12] && out.position.y == (double)m[13] &&
                         out.position.z == (double)m[14]);
        TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON, 1.0, quat_dot(out.rotation, out.rotation));
        /* sine of half the angle between the two */
        const quat d = quat_mul(quat_conjugate(p.rotation), out.rotation);
        TEST_ASSERT_DOUBLE_WITHIN(4 * (double)FLT_EPSILON, 0.0, v3_norm((v3){d.x, d.y, d.z}));
    }
}

static void test_half_turns_about_the_axes_survive(void)
{
    for (int axis = 0; axis < 3; axis++) {
        float m[16];
        memcpy(m, IDENTITY, sizeof m);
        for (int i = 0; i < 3; i++) m[5 * i] = i == axis ? 1.0f : -1.0f;
        pose out;
        const char *why;
        TEST_ASSERT_TRUE(f32_pose_from_matrix(m, &out, &why));
        const double part[3] = {out.rotation.x, out.rotation.y, out.rotation.z};
        TEST_ASSERT_TRUE(fabs(part[axis]) == 1.0 && out.rotation.w == 0.0);
    }
}

static void test_a_pose_gives_its_matrix_column_by_column(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const pose p = random_pose();
        float expected[16], m[16];
        round_to_matrix(&p, expected);
        f32_pose_to_matrix(&p, m);
        for (int k = 0; k < 12; k++) {
            TEST_ASSERT_FLOAT_WITHIN(4 * FLT_EPSILON, expected[k], m[k]);
        }
        TEST_ASSERT_EQUAL_MEMORY(expected + 12, m + 12, 4 * sizeof *m);
    }
}

static void test_a_pose_survives_the_way_out_and_in(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const pose p = random_pose();
        float m[16];
        f32_pose_to_matrix(&p, m);
        pose out;
        const char *why;
        TEST_ASSERT_TRUE(f32_pose_from_matrix(m, &out, &why));
        TEST_ASSERT_DOUBLE_WITHIN(8 * (double)FLT_EPSILON, 1.0,
                                  fabs(quat_dot(p.rotation, out.rotation)));
    }
}

static void test_matrices_may_lie_at_any_address_of_floats(void)
{
    float memory[32];
    for (int shift = 0; shift < 16; shift++) {
        const pose p = random_pose();
        pose out;
        const char *why;
        f32_pose_to_matrix(&p, memory + shift);
        TEST_ASSERT_TRUE(f32_pose_from_matrix(memory + shift, &out, &why));
    }
}

static void assert_refused(const float m[16], const char *word)
{
    const pose before = pose_identity();
    pose out = before;
    const char *why = NULL;
    TEST_ASSERT_FALSE(f32_pose_from_matrix(m, &out, &why));
    TEST_ASSERT_NOT_NULL(why);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, word), why);
    TEST_ASSERT_EQUAL_MEMORY(&before, &out, sizeof out);
}

/* The identity with one entry changed is refused with a text that has the word in it. */
static void assert_entry_refused(int entry, float value, const char *word)
{
    float m[16];
    memcpy(m, IDENTITY, sizeof m);
    m[entry] = value;
    assert_refused(m, word);
}

static void test_entries_that_are_not_finite_are_refused(void)
{
    for (int i = 0; i < 16; i++) {
        assert_entry_refused(i, NAN, "finite");
        assert_entry_refused(i, INFINITY, "finite");
        assert_entry_refused(i, -INFINITY, "finite");
    }
}

static void test_perspective_is_refused(void)
{
    assert_entry_refused(3, 0.001f, "last row");
    assert_entry_refused(7, -0.001f, "last row");
    assert_entry_refused(11, 1.0f, "last row");
    assert_entry_refused(15, 0.0f, "last row");
    assert_entry_refused(15, 2.0f, "last row");
}

static void test_scale_is_refused(void)
{
    for (int i = 0; i < 3; i++) {
        assert_entry_refused(5 * i, 1.001f, "length 1");
        assert_entry_refused(5 * i, 0.0f, "length 1");
        assert_entry_refused(5 * i, FLT_MAX, "length 1");
    }
}

static void test_shear_is_refused(void)
{
    /* a column of length 1 that leans by 1 per mille */
    const float lean = 0.001f, rest = 0.9999995f;
    for (int i = 0; i < 3; i++) {
        float m[16];
        memcpy(m, IDENTITY, sizeof m);
        m[5 * i] = rest;
        m[4 * i + (i + 1) % 3] = lean;
        assert_refused(m, "orthogonal");
    }
}

static void test_mirrors_are_refused(void)
{
    for (int i = 0; i < 3; i++) assert_entry_refused(5 * i, -1.0f, "mirror");
}

static void test_rounding_of_a_few_float_units_is_accepted(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const pose p = random_pose();
        float m[16];
        round_to_matrix(&p, m);
        for (int k = 0; k < 12; k++) {
            if (k % 4 < 3) m[k] += 1e-5f * (float)random_between(&rng, -1.0, 1.0);
        }
        pose out;
        const char *why;
        TEST_ASSERT_TRUE(f32_pose_from_matrix(m, &out, &why));
    }
}

static void test_float_quaternions_are_normalised_in_double(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = random_pose().rotation;
        /* down to subnormal and up to huge floats: their squares fit into a double */
        const double scale = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 1e38 : 1e-36;
        const float wxyz[4] = {(float)(scale * q.w), (float)(scale * q.x), (float)(scale * q.y),
                               (float)(scale * q.z)};
        const quat out = f32_quat_to_f64(wxyz);
        TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON, 1.0, quat_dot(out, out));
        const quat d = quat_mul(quat_conjugate(q), out);
        TEST_ASSERT_TRUE(d.w > 0.0);
        TEST_ASSERT_DOUBLE_WITHIN((double)FLT_EPSILON, 0.0, v3_norm((v3){d.x, d.y, d.z}));
    }
}

static void test_quaternions_without_a_direction_give_NaN(void)
{
    static const float bad[][4] = {{0, 0, 0, 0}, {NAN, 0, 0, 1}, {1, 0, INFINITY, 0}};
    for (int i = 0; i < 3; i++) {
        const quat q = f32_quat_to_f64(bad[i]);
        TEST_ASSERT_TRUE(isnan(quat_dot(q, q)));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_matrix_gives_the_pose_it_was_made_from);
    RUN_TEST(test_half_turns_about_the_axes_survive);
    RUN_TEST(test_a_pose_gives_its_matrix_column_by_column);
    RUN_TEST(test_a_pose_survives_the_way_out_and_in);
    RUN_TEST(test_matrices_may_lie_at_any_address_of_floats);
    RUN_TEST(test_entries_that_are_not_finite_are_refused);
    RUN_TEST(test_perspective_is_refused);
    RUN_TEST(test_scale_is_refused);
    RUN_TEST(test_shear_is_refused);
    RUN_TEST(test_mirrors_are_refused);
    RUN_TEST(test_rounding_of_a_few_float_units_is_accepted);
    RUN_TEST(test_float_quaternions_are_normalised_in_double);
    RUN_TEST(test_quaternions_without_a_direction_give_NaN);
    return UNITY_END();
}

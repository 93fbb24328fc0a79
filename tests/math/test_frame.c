/* SPDX-License-Identifier: Apache-2.0 */
#include "math/frame.h"

#include "support/random.h"

#include <float.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

/* N is exact; the rest is orthonormal and right-handed to a few roundings. */
static void assert_frame_is_good(v3 N)
{
    const m3 F = frame_from_normal(N), Ft = m3_transpose(&F), product = m3_mul(&F, &Ft);
    TEST_ASSERT_EQUAL_MEMORY(&N, &F.row[0], sizeof N);
    const m3 I = m3_identity();
    for (int i = 0; i < 3; i++) {
        const double error = v3_norm(v3_sub(product.row[i], I.row[i]));
        TEST_ASSERT_DOUBLE_WITHIN(6 * DBL_EPSILON, 0.0, error);
    }
    TEST_ASSERT_DOUBLE_WITHIN(6 * DBL_EPSILON, 1.0, m3_det(&F));
}

static void test_random_normals_give_orthonormal_frames(void)
{
    random_source rng = {6};
    for (int i = 0; i < 100000; i++) assert_frame_is_good(random_direction(&rng));
}

static void test_normals_with_zeros_ties_and_tiny_parts_give_orthonormal_frames(void)
{
    static const double parts[] = {0.0, 1.0, 0.5, 1e-8, 1e-160, DBL_TRUE_MIN};
    enum { PARTS = sizeof parts / sizeof *parts };
    for (int code = 1; code < PARTS * PARTS * PARTS; code++) {
        const v3 a = {parts[code % PARTS], parts[code / PARTS % PARTS],
                      parts[code / PARTS / PARTS]};
        if (v3_norm(a) < 1e-9) continue; /* no direction to speak of */
        for (int signs = 0; signs < 8; signs++) {
            const v3 b = {signs & 1 ? -a.x : a.x, signs & 2 ? -a.y : a.y, signs & 4 ? -a.z : a.z};
            assert_frame_is_good(v3_normalize(b));
        }
    }
}

static void test_a_vector_survives_the_way_into_the_frame_and_back(void)
{
    random_source rng = {7};
    for (int i = 0; i < 1000; i++) {
        const m3 F = frame_from_normal(random_direction(&rng));
        const v3 x = random_v3(&rng);
        const v3 back = m3_tmul_v3(&F, m3_mul_v3(&F, x));
        TEST_ASSERT_DOUBLE_WITHIN(16 * DBL_EPSILON, 0.0, v3_norm(v3_sub(back, x)));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_random_normals_give_orthonormal_frames);
    RUN_TEST(test_normals_with_zeros_ties_and_tiny_parts_give_orthonormal_frames);
    RUN_TEST(test_a_vector_survives_the_way_into_the_frame_and_back);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/materials.h"
#include "support/random.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static void for_every_preset(void (*check)(const cloth_preset *))
{
    for (size_t i = 0; i < cloth_preset_count; i++) check(&cloth_presets[i]);
    for (size_t i = 0; i < cloth_measured_count; i++) check(&cloth_measured[i]);
}

static void check_valid(const cloth_preset *p)
{
    TEST_ASSERT_TRUE_MESSAGE(cloth_membrane_is_valid(&p->material.membrane), p->name);
    TEST_ASSERT_TRUE_MESSAGE(cloth_plate_is_valid(&p->material.plate), p->name);
    TEST_ASSERT_TRUE_MESSAGE(p->material.density > 0.0, p->name);
    TEST_ASSERT_TRUE_MESSAGE(strlen(p->doc) > 10, p->name);
    TEST_ASSERT_TRUE_MESSAGE(cloth_preset_find(p->name) == p, "two presets of one name");
}

static void test_every_preset_is_valid_and_found_by_its_name(void)
{
    for_every_preset(check_valid);
    TEST_ASSERT_NULL(cloth_preset_find("cardboard"));
    TEST_ASSERT_NOT_NULL(cloth_preset_find("tango-red-jet-set"));
    TEST_ASSERT_NOT_NULL(cloth_preset_find("gray-interlock"));
    TEST_ASSERT_NOT_NULL(cloth_preset_find("pink-ribbon-brown"));
}

/* Strain energies and derivatives of size k |e|^n; central differences of a piecewise cubic energy
 * are off by its third derivative, 2 a / onset, times step^2, and by rounding. */
static void check_derivatives(const cloth_preset *p)
{
    const cloth_membrane *m = &p->material.membrane;
    random_source random = {7};
    const double step = 1e-5;
    for (int trial = 0; trial < 20; trial++) {
        double e[3];
        double stiffest = m->warp + m->weft;
        for (int k = 0; k < CLOTH_FIBRE_ANGLES; k++) stiffest += 2.0 * m->fibre[k] / m->onset;
        for (int i = 0; i < 3; i++) e[i] = random_between(&random, -0.1, 0.4);
        const cloth_response at = cloth_membrane_respond(m, 1.0, 1.0, e);
        const double T[3][3] = {
            {at.T[0], at.T[1], at.T[2]}, {at.T[1], at.T[3], at.T[4]}, {at.T[2], at.T[4], at.T[5]}};
        for (int i = 0; i < 3; i++) {
            double ahead[3] = {e[0], e[1], e[2]}, behind[3] = {e[0], e[1], e[2]};
            ahead[i] += step;
            behind[i] -= step;
            const cloth_response a = cloth_membrane_respond(m, 1.0, 1.0, ahead);
            const cloth_response b = cloth_membrane_respond(m, 1.0, 1.0, behind);
            TEST_ASSERT_DOUBLE_WITHIN(stiffest * 1e-9, (a.W - b.W) / (2.0 * step), at.S[i]);
            for (int j = 0; j < 3; j++) {
                TEST_ASSERT_DOUBLE_WITHIN(stiffest * 2e-5, (a.S[j] - b.S[j]) / (2.0 * step),
                                          T[i][j]);
            }
        }
    }
}

static void test_stress_and_tangent_are_derivatives_of_the_energy(void)
{
    for_every_preset(check_derivatives);
}

/* T is C plus nonnegative squares, so it is never softer than C. */
static void check_convex(const cloth_preset *p)
{
    const cloth_membrane *m = &p->material.membrane;
    random_source random = {11};
    for (int trial = 0; trial < 50; trial++) {
        double e[3], y[3];
        for (int i = 0; i < 3; i++) e[i] = random_between(&random, -1.0, 1.0);
        for (int i = 0; i < 3; i++) y[i] = random_between(&random, -1.0, 1.0);
        const cloth_response at = cloth_membrane_respond(m, 1.0, 1.0, e);
        const double *T = at.T;
        const double now = T[0] * y[0] * y[0] + T[3] * y[1] * y[1] + T[5] * y[2] * y[2] +
                           2.0 * (T[1] * y[0] * y[1] + T[2] * y[0] * y[2] + T[4] * y[1] * y[2]);
        const double at_rest = m->warp * y[0] * y[0] + m->weft * y[1] * y[1] +
                               m->shear * y[2] * y[2] + 2.0 * m->coupling * y[0] * y[1];
        TEST_ASSERT_TRUE(at_rest > 0.0);
        TEST_ASSERT_TRUE(now >= at_rest * (1.0 - 1e-12));
    }
}

static void test_cloth_never_softens(void) { for_every_preset(check_convex); }

/* A strip pulled along its length thins by Poisson's ratio and resists with E h. */
static void test_an_isotropic_sheet_has_its_modulus_and_poissons_ratio(void)
{
    const cloth_membrane m = cloth_membrane_isotropic(500.0, 0.3);
    const double e[3] = {0.01, -0.003, 0.0}, shear[3] = {0.0, 0.0, 0.02};
    const cloth_response r = cloth_membrane_respond(&m, 1.0, 1.0, e);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 5.0, r.S[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, r.S[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.025, r.W);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 500.0 / 2.6 * 0.02,
                              cloth_membrane_respond(&m, 1.0, 1.0, shear).S[2]);
}

static void test_a_fibre_is_as_stiff_as_measured_at_the_measured_strain(void)
{
    const cloth_membrane m = {10.0, 10.0, 0.0, 5.0, {40.0}, 0.2};
    const double at[3] = {0.2, 0.0, 0.0}, beyond[3] = {0.3, 0.0, 0.0}, under[3] = {-0.2, 0.0, 0.0};
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, (10.0 + 40.0) * 0.2,
                              cloth_membrane_respond(&m, 1.0, 1.0, at).S[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 10.0 * 0.3 + 40.0 * 0.2 + 80.0 * 0.1,
                              cloth_membrane_respond(&m, 1.0, 1.0, beyond).S[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, -2.0, cloth_membrane_respond(&m, 1.0, 1.0, under).S[0]);
}

static void test_tension_is_the_part_of_stress_that_pulls(void)
{
    const double pull[3] = {3.0, 2.0, 1.0}, press[3] = {-3.0, -2.0, 1.0},
                 both[3] = {1.0, -1.0, 0.0};
    const double turned[3] = {0.0, 0.0, 2.0}; /* +2 along one diagonal, -2 along the other */
    double t[3];
    cloth_membrane_tension(pull, t);
    for (int i = 0; i < 3; i++) TEST_ASSERT_TRUE(t[i] == pull[i]);
    cloth_membrane_tension(press, t);
    for (int i = 0; i < 3; i++) TEST_ASSERT_TRUE(t[i] == 0.0);
    cloth_membrane_tension(both, t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, t[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, t[1]);
    cloth_membrane_tension(turned, t);
    for (int i = 0; i < 3; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, t[i]);
}

/* Bending of strips cut at an angle, cos^4 D_11 + 2 cos^2 sin^2 (D_12 + 2 D_66) + sin^4 D_22. */
static void test_a_plate_bends_as_its_strips_did(void)
{
    const cloth_plate p = cloth_plate_of_strips(5e-6, 4e-6, 2e-6, 0.1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-20, 4e-6,
                              0.25 * (p.warp + p.weft) + 0.5 * (p.coupling + 2.0 * p.twist));
    TEST_ASSERT_TRUE(cloth_plate_is_valid(&p));
    const cloth_plate soft = cloth_plate_of_strips(5e-6, 0.1e-6, 2e-6, 0.0);
    TEST_ASSERT_TRUE(cloth_plate_is_valid(&soft));
}

static void test_materials_without_positive_energy_are_invalid(void)
{
    cloth_membrane m = cloth_membrane_isotropic(100.0, 0.3);
    m.coupling = 200.0;
    TEST_ASSERT_FALSE(cloth_membrane_is_valid(&m));
    m = cloth_membrane_isotropic(100.0, 0.3);
    m.fibre[2] = NAN;
    TEST_ASSERT_FALSE(cloth_membrane_is_valid(&m));
    cloth_plate p = {1.0, 1.0, 2.0, 1.0};
    TEST_ASSERT_FALSE(cloth_plate_is_valid(&p));
    p = (cloth_plate){0.0, 0.0, 0.0, 0.0};
    TEST_ASSERT_TRUE(cloth_plate_is_valid(&p)); /* cloth that does not resist bending */
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_preset_is_valid_and_found_by_its_name);
    RUN_TEST(test_stress_and_tangent_are_derivatives_of_the_energy);
    RUN_TEST(test_cloth_never_softens);
    RUN_TEST(test_an_isotropic_sheet_has_its_modulus_and_poissons_ratio);
    RUN_TEST(test_a_fibre_is_as_stiff_as_measured_at_the_measured_strain);
    RUN_TEST(test_tension_is_the_part_of_stress_that_pulls);
    RUN_TEST(test_a_plate_bends_as_its_strips_did);
    RUN_TEST(test_materials_without_positive_energy_are_invalid);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/presets.h"

#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static const double PI = 3.14159265358979323846;

static void test_a_round_section_has_the_textbook_stiffnesses(void)
{
    const double r = 40e-6, E = 4e9, G = 1e9;
    const rod_substance s = {E, G, 1300.0, {r, r}, 0.01, 1e-4};
    const rod_material m = rod_material_make(&s);
    const double I = PI * r * r * r * r / 4.0;
    TEST_ASSERT_DOUBLE_WITHIN(1e-14 * E * I, E * I, m.bend[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14 * E * I, E * I, m.bend[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14 * G * I, 2.0 * G * I, m.twist);
    TEST_ASSERT_DOUBLE_WITHIN(1e-18, 1300.0 * PI * r * r, m.density);
    TEST_ASSERT_DOUBLE_WITHIN(1e-18, r, m.radius);
}

static void test_a_flat_section_bends_easily_about_its_long_axis(void)
{
    const rod_substance s = {4e9, 1e9, 1300.0, {60e-6, 20e-6}, 0.01, 1e-4};
    const rod_material m = rod_material_make(&s);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 9.0, m.bend[1] / m.bend[0]);
}

/* Along the helix the frame turns by |kappa| per length, once per turn of the length
 * ((2 pi R)^2 + pitch^2)^1/2. */
static void test_a_curl_closes_a_turn_over_its_own_length(void)
{
    const double R = 0.01, pitch = 0.02;
    const v3 kappa = rod_curl(R, pitch);
    const double turn = sqrt(4.0 * PI * PI * R * R + pitch * pitch);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2.0 * PI, v3_norm(kappa) * turn);
    TEST_ASSERT_DOUBLE_WITHIN(0.0, 0.0, v3_norm(rod_curl(0.0, pitch)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, 1.0 / R, rod_curl(R, 0.0).y);
}

static void test_every_preset_is_a_valid_material_with_its_own_name(void)
{
    TEST_ASSERT_GREATER_THAN_size_t(5, rod_preset_count);
    for (size_t i = 0; i < rod_preset_count; i++) {
        const rod_material m = rod_material_make(&rod_presets[i].substance);
        const double length = 0.1;
        const rods_source source = {.name = rod_presets[i].name,
                                    .rods = 1,
                                    .elements = 1,
                                    .lengths = &length,
                                    .material = &m};
        error err = {0};
        TEST_ASSERT_EQUAL_INT_MESSAGE(STATUS_OK, rods_check_source(&source, &err), err.text);
        TEST_ASSERT_TRUE(rod_presets[i].doc[0]);
        for (size_t j = 0; j < i; j++) {
            TEST_ASSERT_TRUE(strcmp(rod_presets[i].name, rod_presets[j].name) != 0);
        }
    }
}

/* A hair of 10 cm sways about once or twice a second: the textbook mode of a cantilever. */
static void test_damping_follows_the_first_mode(void)
{
    const rod_material m = rod_material_make(&rod_presets[0].substance);
    const double time = rod_damping_time(&m, 0.1, 0.1);
    const double soft = m.bend[0] < m.bend[1] ? m.bend[0] : m.bend[1];
    const double omega = 1.875104 * 1.875104 * sqrt(soft / m.density) / (0.1 * 0.1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.1, 0.5 * time * omega);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_round_section_has_the_textbook_stiffnesses);
    RUN_TEST(test_a_flat_section_bends_easily_about_its_long_axis);
    RUN_TEST(test_a_curl_closes_a_turn_over_its_own_length);
    RUN_TEST(test_every_preset_is_a_valid_material_with_its_own_name);
    RUN_TEST(test_damping_follows_the_first_mode);
    return UNITY_END();
}

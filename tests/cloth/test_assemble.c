/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrix and the right side of a step against forces, differences and one another.
 */
#include "support/cloth_rig.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { NX = 6, NY = 5, NODES = (NX + 1) * (NY + 1) };

static cloth_rig r;
static test_mesh m;
static random_source random_numbers;

/* Orthotropic and stiffening; damping is set where it is wanted. */
static const cloth_material fabric = {
    .density = 0.2,
    .membrane = {300.0, 500.0, 100.0, 60.0, {50.0, 20.0, 80.0, 10.0, 90.0}, 0.15},
    .plate = {3e-4, 5e-4, 1e-4, 1.5e-4}};

void setUp(void)
{
    random_numbers = (random_source){17};
    m = test_mesh_grid(0.3, 0.2, NX, NY, GRID_ALTERNATING);
    test_mesh_shake(&m, NX, NY, 0.3, 3);
    cloth_rig_make(&r, &m, &fabric);
}

void tearDown(void)
{
    cloth_rig_free(&r);
    test_mesh_free(&m);
}

static void crumple(double size)
{
    for (size_t i = 0; i < 3 * NODES; i++) {
        r.x[i] += size * random_between(&random_numbers, -1.0, 1.0);
    }
}

static void fill_random(double *x, double size)
{
    for (size_t i = 0; i < 3 * NODES; i++) x[i] = size * random_between(&random_numbers, -1.0, 1.0);
}

static void assemble(const double *v_trial)
{
    cloth_system_begin(&r.solver.system, &r.forcing, NULL);
    cloth_system_assemble(&r.solver.system, v_trial, NULL);
}

static double form(const double *y)
{
    double Ay[3 * NODES], sum = 0.0;
    bsr3_mul(&r.solver.system.A, NULL, y, Ay);
    for (size_t i = 0; i < 3 * NODES; i++) sum += y[i] * Ay[i];
    return sum;
}

static double mass_form(const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < 3 * NODES; i++) sum += r.mass[i / 3] * y[i] * y[i];
    return sum;
}

static void test_the_matrix_is_symmetric_to_the_bit(void)
{
    double v[3 * NODES];
    crumple(0.005);
    fill_random(v, 0.1);
    r.forcing.damping = 1e-3;
    r.forcing.air = (cloth_air){NULL, 0.6, 0.1};
    memcpy(r.v, v, sizeof v);
    r.is_known[3] = r.is_known[20] = 1;
    assemble(v);
    const bsr3 *A = &r.solver.system.A;
    for (uint32_t i = 0; i < A->rows; i++) {
        for (uint32_t slot = A->row_start[i]; slot < A->row_start[i + 1]; slot++) {
            const m3 back = m3_transpose(&A->block[bsr3_find_slot(A, A->col[slot], i)]);
            for (int k = 0; k < 3; k++) {
                TEST_ASSERT_TRUE(v3_is_equal(back.row[k], A->block[slot].row[k]));
            }
        }
    }
}

static void test_elements_never_take_anything_from_the_masses(void)
{
    double y[3 * NODES];
    for (int trial = 0; trial < 20; trial++) {
        crumple(0.01);
        assemble(NULL);
        fill_random(y, 1.0);
        TEST_ASSERT_TRUE(form(y) >= mass_form(y) * (1.0 - 1e-12));
    }
}

/* y . K y at rest is the second difference of the energy: exact for stretch; for bending the bound
 * that stands in for it, which is at least as stiff. Motions in the plane try the first, motions
 * out of it the second. Strains are of 1e-4, and a stiffening energy differs from a quadratic one
 * by about as much. */
static void check_second_difference(const cloth_plate *plate, bool is_flat, double least,
                                    double most)
{
    cloth_material other = fabric;
    double y[3 * NODES], x[3 * NODES];
    error err;
    const double s = 1e-6, h = r.forcing.h;
    other.plate = *plate;
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_sheet_set_material(&r.sheet, &other, &err));
    assemble(NULL);
    for (int trial = 0; trial < 5; trial++) {
        fill_random(y, 1.0);
        for (size_t i = 0; i < 3 * NODES; i++) y[i] = is_flat == (i % 3 < 2) ? y[i] : 0.0;
        for (size_t i = 0; i < 3 * NODES; i++) x[i] = r.x[i] + s * y[i];
        const cloth_energy ahead = cloth_sheet_energy(&r.sheet, x, r.bent);
        for (size_t i = 0; i < 3 * NODES; i++) x[i] = r.x[i] - s * y[i];
        const cloth_energy behind = cloth_sheet_energy(&r.sheet, x, r.bent);
        const double slope = (ahead.stretch + ahead.bend + behind.stretch + behind.bend) / (s * s);
        const double ratio = (form(y) - mass_form(y)) / (h * h * slope);
        TEST_ASSERT_TRUE(ratio >= least && ratio <= most);
    }
}

static void test_stretch_is_exact_at_rest(void)
{
    check_second_difference(&(cloth_plate){0}, true, 1.0 - 1e-3, 1.0 + 1e-3);
}

static void test_bending_in_the_matrix_is_nowhere_softer_than_the_plate(void)
{
    check_second_difference(&fabric.plate, false, 1.0 - 1e-4, INFINITY);
}

/* b = M v_t + h f(x_t) when the trial is the shape at t. */
static void test_the_right_side_has_the_forces(void)
{
    double force[3 * NODES];
    crumple(0.005);
    fill_random(r.v, 1.0);
    r.forcing.gravity = (v3){0.0, 0.0, -9.81};
    assemble(NULL);
    cloth_sheet_force(&r.sheet, r.x, r.bent, force);
    for (size_t i = 0; i < 3 * NODES; i++) {
        const double weight = i % 3 == 2 ? -9.81 * r.mass[i / 3] : 0.0;
        const double expected = r.mass[i / 3] * r.v[i] + r.forcing.h * (weight + force[i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, expected, r.solver.system.b[i]);
    }
}

/* A v^k - b is what v^k leaves of M (v - v_t) = h theta f(x) + h (1 - theta) f(x_t), without
 * damping. */
static void test_what_is_left_at_the_trial_is_the_residual(void)
{
    double v[3 * NODES], x[3 * NODES], now[3 * NODES], then[3 * NODES], Av[3 * NODES];
    const double h = r.forcing.h, theta = 0.6;
    crumple(0.003);
    fill_random(r.v, 1.0);
    fill_random(v, 1.0);
    r.forcing.theta = theta;
    assemble(v);
    cloth_system_move(&r.solver.system, v, x);
    cloth_sheet_force(&r.sheet, x, r.bent, now);
    cloth_sheet_force(&r.sheet, r.x, r.bent, then);
    bsr3_mul(&r.solver.system.A, NULL, v, Av);
    for (size_t i = 0; i < 3 * NODES; i++) {
        const double residual =
            r.mass[i / 3] * (v[i] - r.v[i]) - h * (theta * now[i] + (1.0 - theta) * then[i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, residual, Av[i] - r.solver.system.b[i]);
    }
}

/* Damping does nothing to a cloth that moves as a whole, stretched or not. */
static void test_damping_does_not_see_rigid_motion(void)
{
    double v[3 * NODES], with[3 * NODES], without[3 * NODES];
    crumple(0.003);
    const v3 omega = {1.0, -2.0, 0.5}, speed = {0.3, 0.1, -0.2};
    for (size_t i = 0; i < NODES; i++) {
        v3_store(v + 3 * i, v3_add(speed, v3_cross(omega, v3_load(r.x + 3 * i))));
    }
    assemble(NULL);
    bsr3_mul(&r.solver.system.A, NULL, v, without);
    r.forcing.damping = 0.1;
    assemble(NULL);
    bsr3_mul(&r.solver.system.A, NULL, v, with);
    for (size_t i = 0; i < 3 * NODES; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-13, without[i], with[i]);
}

/* Eliminating known nodes leaves the other equations as they were. */
static void test_known_velocities_move_to_the_right(void)
{
    double v[3 * NODES], free_left[3 * NODES], known_left[3 * NODES], b[3 * NODES];
    crumple(0.003);
    fill_random(v, 1.0);
    assemble(NULL);
    bsr3_mul(&r.solver.system.A, NULL, v, free_left);
    memcpy(b, r.solver.system.b, sizeof b);
    for (size_t i = 0; i < NODES; i += 4) r.is_known[i] = 1;
    memcpy(r.v_known, v, sizeof v);
    assemble(NULL);
    bsr3_mul(&r.solver.system.A, NULL, v, known_left);
    for (size_t i = 0; i < 3 * NODES; i++) {
        const double expected = r.is_known[i / 3] ? 0.0 : free_left[i] - b[i];
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, expected, known_left[i] - r.solver.system.b[i]);
    }
}

static void test_one_two_and_four_threads_give_the_same_bits(void)
{
    tearDown();
    m = test_mesh_grid(1.0, 1.0, 48, 48, GRID_DIAGONAL);
    cloth_rig_make(&r, &m, &fabric);
    for (size_t i = 0; i < r.nodes; i++) r.x[3 * i + 2] = 0.05 * sin(20.0 * r.x[3 * i]);
    r.forcing.theta = 0.5;
    assemble(NULL);
    const bsr3 *A = &r.solver.system.A;
    const size_t size = A->blocks * sizeof *A->block, rows = 3 * r.nodes * sizeof(double);
    m3 *block = malloc(size);
    double *b = malloc(rows);
    memcpy(block, A->block, size);
    memcpy(b, r.solver.system.b, rows);
    for (uint32_t threads = 2; threads <= 4; threads += 2) {
        pool *p = pool_create(&allocator_system, threads, NULL);
        cloth_system_begin(&r.solver.system, &r.forcing, p);
        cloth_system_assemble(&r.solver.system, NULL, p);
        TEST_ASSERT_EQUAL(0, memcmp(block, A->block, size));
        TEST_ASSERT_EQUAL(0, memcmp(b, r.solver.system.b, rows));
        pool_destroy(p);
    }
    free(block);
    free(b);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_matrix_is_symmetric_to_the_bit);
    RUN_TEST(test_elements_never_take_anything_from_the_masses);
    RUN_TEST(test_stretch_is_exact_at_rest);
    RUN_TEST(test_bending_in_the_matrix_is_nowhere_softer_than_the_plate);
    RUN_TEST(test_the_right_side_has_the_forces);
    RUN_TEST(test_what_is_left_at_the_trial_is_the_residual);
    RUN_TEST(test_damping_does_not_see_rigid_motion);
    RUN_TEST(test_known_velocities_move_to_the_right);
    RUN_TEST(test_one_two_and_four_threads_give_the_same_bits);
    return UNITY_END();
}

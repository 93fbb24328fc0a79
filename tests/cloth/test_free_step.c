/* SPDX-License-Identifier: Apache-2.0 */
#include "support/cloth_rig.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static cloth_rig r;
static test_mesh m;

static const cloth_material fabric = {
    .density = 0.2,
    .membrane = {300.0, 500.0, 100.0, 60.0, {50.0, 20.0, 80.0, 10.0, 90.0}, 0.15},
    .plate = {3e-5, 5e-5, 1e-5, 1.5e-5}};

static void make(size_t nx, size_t ny)
{
    m = test_mesh_grid(0.3, 0.2, nx, ny, GRID_ALTERNATING);
    cloth_rig_make(&r, &m, &fabric);
}

void setUp(void) {}

void tearDown(void)
{
    cloth_rig_free(&r);
    test_mesh_free(&m);
}

static void set_random(double *x, double size, uint64_t seed)
{
    random_source random = {seed};
    for (size_t i = 0; i < 3 * r.nodes; i++) x[i] += size * random_between(&random, -1.0, 1.0);
}

/* Elements weigh up to a hundred times the masses (h^2 K / M), so that ten steps solved to 1e-12
 * m/s are right to 1e-9. */
static void test_free_cloth_falls_like_a_stone(void)
{
    make(6, 4);
    r.options.tolerance = 1e-12;
    r.options.linear = 1e-15;
    r.forcing.gravity = (v3){0.0, 0.0, -10.0};
    r.forcing.h = 0.01;
    for (int step = 0; step < 10; step++) cloth_rig_step(&r, NULL);
    for (size_t i = 0; i < r.nodes; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, -1.0, r.v[3 * i + 2]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.055, r.x[3 * i + 2]); /* h^2 g (1 + ... + 10) */
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, m.x[3 * i], r.x[3 * i]);
    }
}

/* Multiplying backward Euler's equation by v: with a convex energy it falls in every step. Cloth's
 * is not convex where it buckles; steps are small enough for the masses to make up for it. */
static void test_energy_never_rises_without_forcing(void)
{
    make(8, 6);
    set_random(r.x, 0.004, 3);
    set_random(r.v, 0.5, 4);
    double before = cloth_rig_elastic_energy(&r) + cloth_rig_kinetic_energy(&r);
    for (int step = 0; step < 100; step++) {
        r.forcing.h = step % 2 ? 1e-3 : 3e-3;
        cloth_rig_step(&r, NULL);
        const double now = cloth_rig_elastic_energy(&r) + cloth_rig_kinetic_energy(&r);
        TEST_ASSERT_TRUE(now <= before * (1.0 + 1e-9));
        before = now;
    }
}

static v3 momentum(void)
{
    v3 sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < r.nodes; i++) {
        sum = v3_add_scaled(sum, r.mass[i], v3_load(r.v + 3 * i));
    }
    return sum;
}

/* Elements push with forces that cancel: what is lost is the sum of what the solver leaves of the
 * nodes' equations, each at most its residual times the mean of its diagonal block. */
static void test_momentum_is_kept_as_well_as_the_equations_are_solved(void)
{
    make(8, 6);
    set_random(r.x, 0.004, 3);
    set_random(r.v, 0.5, 4);
    const v3 before = momentum();
    double bound = 0.0;
    for (int step = 0; step < 20; step++) {
        const double residual = cloth_rig_step(&r, NULL).residual;
        for (uint32_t i = 0; i < r.nodes; i++) {
            const m3 *d = bsr3_diagonal(&r.solver.system.A, i);
            bound += residual * (d->row[0].x + d->row[1].y + d->row[2].z) / 3.0;
        }
    }
    TEST_ASSERT_TRUE(bound < 1e-7);
    TEST_ASSERT_DOUBLE_WITHIN(bound + 1e-15, 0.0, v3_norm(v3_sub(momentum(), before)));
}

static double energy_left(double theta, double damping)
{
    make(8, 6);
    for (size_t i = 0; i < r.nodes; i++) r.x[3 * i] *= 1.02; /* it rings in its plane */
    r.forcing.theta = theta;
    r.forcing.damping = damping;
    r.forcing.h = 2e-4;
    const double before = cloth_rig_elastic_energy(&r);
    for (int step = 0; step < 100; step++) cloth_rig_step(&r, NULL);
    const double now = cloth_rig_elastic_energy(&r) + cloth_rig_kinetic_energy(&r);
    tearDown();
    m = (test_mesh){0};
    r = (cloth_rig){0};
    return now / before;
}

/* The trapezoidal rule keeps the energy of a linear oscillation; strains of 2% are nearly linear.
 * */
static void test_trapezoids_keep_energy_and_damping_takes_it(void)
{
    const double trapezoids = energy_left(0.5, 0.0), euler = energy_left(1.0, 0.0);
    const double damped = energy_left(0.5, 1e-3);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 1.0, trapezoids);
    TEST_ASSERT_TRUE(euler < 0.9);
    TEST_ASSERT_TRUE(damped < 0.9 * trapezoids);
}

/* A weight on a strip held at the top: the strain that the law says, at every resolution and step.
 * */
static double hanging_strain(size_t cells, double h)
{
    m = test_mesh_grid(0.05, 0.2, 2, cells, GRID_DIAGONAL);
    const cloth_material elastic = cloth_rig_fabric(1e-3, 400.0, 1e-7, 0.0);
    cloth_rig_make(&r, &m, &elastic);
    double *load = calloc(3 * r.nodes, sizeof *load);
    for (size_t i = 0; i < 3; i++) {
        const size_t bottom = i * (cells + 1), top = bottom + cells;
        r.is_known[top] = 1;
        load[3 * bottom + 1] = -0.8 * (i == 1 ? 0.5 : 0.25); /* 16 N/m */
    }
    r.forcing.load = load;
    r.forcing.h = h;
    r.forcing.mass_damping = 50.0;
    for (int step = 0; step < 60; step++) cloth_rig_step(&r, NULL);
    const double length = r.x[3 * cells + 1] - r.x[1];
    free(load);
    tearDown();
    m = (test_mesh){0};
    r = (cloth_rig){0};
    return length / 0.2 - 1.0;
}

/* Nominal stress 16 N/m = stretch * 400 N/m * Green's strain, stretch = 1 + s. */
static void test_stiffness_means_the_same_at_every_step_and_resolution(void)
{
    const double steps[2] = {0.02, 0.1};
    for (size_t cells = 4; cells <= 16; cells *= 2) {
        const double s = hanging_strain(cells, steps[cells > 4]), l = 1.0 + s;
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 16.0, l * 400.0 * 0.5 * (l * l - 1.0));
    }
}

/* In still air a flat sheet that falls with its broad side ends at weight = normal v^2. */
static void test_the_air_brakes_to_the_terminal_velocity(void)
{
    make(4, 4);
    r.forcing.gravity = (v3){0.0, 0.0, -9.81};
    r.forcing.air = (cloth_air){NULL, 0.6, 0.05};
    r.forcing.h = 0.01;
    for (int step = 0; step < 300; step++) cloth_rig_step(&r, NULL);
    const double terminal = sqrt(0.2 * 9.81 / 0.6);
    for (size_t i = 0; i < r.nodes; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, -terminal, r.v[3 * i + 2]);
    }
}

/* A slanted sheet in a wind along x is lifted as well as pushed. */
static void test_the_wind_lifts_a_slanted_sheet(void)
{
    make(4, 4);
    for (size_t i = 0; i < r.nodes; i++) {
        const double x = m.x[3 * i];
        r.x[3 * i] = 0.8 * x;
        r.x[3 * i + 2] = -0.6 * x; /* its front looks up and downwind */
    }
    double *air = calloc(3 * r.nodes, sizeof *air);
    for (size_t i = 0; i < r.nodes; i++) air[3 * i] = 5.0;
    r.forcing.air = (cloth_air){air, 0.6, 0.05};
    r.forcing.h = 1e-3;
    cloth_rig_step(&r, NULL);
    double up = 0.0, along = 0.0;
    for (size_t i = 0; i < r.nodes; i++) {
        along += r.mass[i] * r.v[3 * i];
        up += r.mass[i] * r.v[3 * i + 2];
    }
    free(air);
    /* area |u| (0.6 u_n n + 0.05 u_t) h, n = (0.6, 0, 0.8), up to the share that v takes in h */
    const double push = 0.06 * 5.0 * 5.0 * 1e-3;
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * push, push * (0.6 * 0.36 + 0.05 * 0.64), along);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * push, push * (0.6 * 0.48 - 0.05 * 0.48), up);
}

static void test_anchors_pull_nodes_to_their_places(void)
{
    make(4, 4);
    double *stiffness = calloc(r.nodes, sizeof *stiffness), *anchor = calloc(3 * r.nodes, 8);
    memcpy(anchor, m.x, 3 * r.nodes * sizeof *anchor);
    for (size_t i = 0; i < r.nodes; i++) {
        stiffness[i] = 100.0;
        anchor[3 * i + 2] = 0.1;
    }
    r.forcing.anchor = anchor;
    r.forcing.anchor_stiffness = stiffness;
    r.forcing.h = 0.05;
    for (int step = 0; step < 40; step++) cloth_rig_step(&r, NULL);
    for (size_t i = 0; i < r.nodes; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.1, r.x[3 * i + 2]);
    free(stiffness);
    free(anchor);
}

static void test_known_nodes_go_where_they_are_told(void)
{
    make(6, 4);
    for (size_t j = 0; j < 5; j++) {
        r.is_known[j] = 1;
        r.v_known[3 * j] = -0.1;
    }
    r.forcing.gravity = (v3){0.0, 0.0, -9.81};
    r.forcing.h = 5e-3;
    for (int step = 0; step < 20; step++) cloth_rig_step(&r, NULL);
    for (size_t j = 0; j < 5; j++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.01, r.x[3 * j]);
        TEST_ASSERT_TRUE(r.x[3 * j + 2] == 0.0);
    }
    TEST_ASSERT_TRUE(r.x[3 * (r.nodes - 1) + 2] < -0.02);
}

static void run_threads(uint32_t threads, double *x)
{
    m = test_mesh_grid(0.5, 0.5, 40, 40, GRID_DIAGONAL);
    cloth_rig_make(&r, &m, &fabric);
    pool *p = threads ? pool_create(&allocator_system, threads, NULL) : NULL;
    r.is_known[0] = r.is_known[40] = 1;
    r.forcing.gravity = (v3){0.0, 0.0, -9.81};
    r.forcing.h = 2e-3;
    r.options = (cloth_step_options){1, 0.0, 1e-6, 1000};
    for (int step = 0; step < 5; step++) cloth_rig_step(&r, p);
    memcpy(x, r.x, 3 * r.nodes * sizeof *x);
    if (p) pool_destroy(p);
    tearDown();
    m = (test_mesh){0};
    r = (cloth_rig){0};
}

static void test_one_two_and_four_threads_give_the_same_bits(void)
{
    static double alone[3 * 41 * 41], together[3 * 41 * 41];
    run_threads(0, alone);
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        run_threads(threads, together);
        TEST_ASSERT_EQUAL(0, memcmp(alone, together, sizeof alone));
    }
}

static void test_numbers_out_of_range_are_reported(void)
{
    make(4, 4);
    cloth_step_report report;
    error err;
    r.v[5] = 1e200;
    memcpy(r.next, r.v, 3 * r.nodes * sizeof *r.v);
    TEST_ASSERT_EQUAL(STATUS_DIVERGED, cloth_free_step(&r.solver, &r.forcing, &r.options, NULL,
                                                       r.next, &report, &err));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_free_cloth_falls_like_a_stone);
    RUN_TEST(test_energy_never_rises_without_forcing);
    RUN_TEST(test_momentum_is_kept_as_well_as_the_equations_are_solved);
    RUN_TEST(test_trapezoids_keep_energy_and_damping_takes_it);
    RUN_TEST(test_stiffness_means_the_same_at_every_step_and_resolution);
    RUN_TEST(test_the_air_brakes_to_the_terminal_velocity);
    RUN_TEST(test_the_wind_lifts_a_slanted_sheet);
    RUN_TEST(test_anchors_pull_nodes_to_their_places);
    RUN_TEST(test_known_nodes_go_where_they_are_told);
    RUN_TEST(test_one_two_and_four_threads_give_the_same_bits);
    RUN_TEST(test_numbers_out_of_range_are_reported);
    return UNITY_END();
}

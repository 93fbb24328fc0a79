/* SPDX-License-Identifier: Apache-2.0
 *
 * Energies against closed forms, forces against differences of energies, rest shapes.
 */
#include "support/cloth_rig.h"
#include "support/counting_allocator.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static error err;
static cloth_rig r;
static test_mesh m;

void setUp(void) { r = (cloth_rig){0}; }

void tearDown(void)
{
    cloth_rig_free(&r);
    test_mesh_free(&m);
}

static const double PI = 3.14159265358979323846;

/* A fabric with all its terms: orthotropic, coupled, stiffening. */
static cloth_material rich_fabric(void)
{
    return (cloth_material){.density = 0.2,
                            .membrane = {300.0, 500.0, 100.0, 60.0, {50, 20, 80, 10, 90}, 0.15},
                            .plate = {3e-4, 5e-4, 1e-4, 1.5e-4}};
}

static void make_shaken_grid(grid_cut cut, const cloth_material *fabric)
{
    m = test_mesh_grid(0.3, 0.2, 6, 5, cut);
    test_mesh_shake(&m, 6, 5, 0.3, 3);
    cloth_rig_make(&r, &m, fabric);
}

/* x -> F x for every node. */
static void deform(const m3 *F)
{
    for (size_t i = 0; i < r.nodes; i++) {
        v3_store(r.x + 3 * i, m3_mul_v3(F, v3_load(m.x + 3 * i)));
    }
}

/* The patch test: uniform strain has its closed energy on any triangulation, and leaves no force on
 * nodes inside. */
static void test_uniform_strain_is_uniform_on_any_mesh(void)
{
    const cloth_material fabric = rich_fabric();
    const m3 F = {{{1.1, 0.05, 0.0}, {0.02, 0.95, 0.0}, {0.1, -0.2, 1.0}}};
    const v3 F1 = {1.1, 0.02, 0.1}, F2 = {0.05, 0.95, -0.2};
    const double e[3] = {0.5 * (v3_dot(F1, F1) - 1.0), 0.5 * (v3_dot(F2, F2) - 1.0),
                         v3_dot(F1, F2)};
    const double W = cloth_membrane_respond(&fabric.membrane, 1.0, 1.0, e).W;
    for (int cut = 0; cut < GRID_CUTS; cut++) {
        double force[3 * 42];
        make_shaken_grid((grid_cut)cut, &fabric);
        deform(&F);
        const cloth_energy energy = cloth_sheet_energy(&r.sheet, r.x, r.bent);
        TEST_ASSERT_DOUBLE_WITHIN(1e-13 * W, 0.06 * W, energy.stretch);
        TEST_ASSERT_DOUBLE_WITHIN(1e-25, 0.0, energy.bend);
        cloth_sheet_force(&r.sheet, r.x, r.bent, force);
        for (size_t i = 1; i < 6; i++) {
            for (size_t j = 1; j < 5; j++) {
                const double size = v3_norm(v3_load(force + 3 * (i * 6 + j)));
                TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, size); /* stresses are of 100 N/m x 0.05 m */
            }
        }
        if (cut + 1 < GRID_CUTS) tearDown();
    }
}

/* Crumples the sheet by a few millimetres. */
static void crumple(double size, uint64_t seed)
{
    random_source random = {seed};
    for (size_t i = 0; i < 3 * r.nodes; i++) r.x[i] += size * random_between(&random, -1.0, 1.0);
}

static double energy_at(double *x, size_t i, double value)
{
    const double before = x[i];
    x[i] = value;
    const cloth_energy e = cloth_sheet_energy(&r.sheet, x, r.bent);
    x[i] = before;
    return e.stretch + e.bend;
}

/* Energies are below 1 J and change over lengths of 1e-2 m: with steps of 1e-6 m central
 * differences are off by rounding, 1e-15 / 1e-6, and by the third derivative, 1 / 1e-6 times 1e-12,
 * at most. */
static void test_forces_are_minus_the_slope_of_the_energy(void)
{
    const cloth_material fabric = rich_fabric();
    double force[3 * 42];
    const double step = 1e-6;
    make_shaken_grid(GRID_ALTERNATING, &fabric);
    crumple(0.005, 5);
    TEST_ASSERT_TRUE(cloth_rig_elastic_energy(&r) < 1.0);
    cloth_sheet_force(&r.sheet, r.x, r.bent, force);
    for (size_t i = 0; i < 3 * r.nodes; i++) {
        const double x = r.x[i];
        const double slope =
            (energy_at(r.x, i, x + step) - energy_at(r.x, i, x - step)) / 2.0 / step;
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, -slope, force[i]);
    }
}

static void test_moving_as_a_whole_gives_no_force(void)
{
    const cloth_material fabric = rich_fabric();
    double force[3 * 42];
    const double c = 0.8, s = 0.6;
    const m3 turn = {{{c, 0.0, s}, {0.0, 1.0, 0.0}, {-s, 0.0, c}}};
    make_shaken_grid(GRID_DIAGONAL, &fabric);
    deform(&turn);
    for (size_t i = 0; i < r.nodes; i++) r.x[3 * i] += 0.5;
    cloth_sheet_force(&r.sheet, r.x, r.bent, force);
    for (size_t i = 0; i < 3 * r.nodes; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0.0, force[i]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-20, 0.0, cloth_rig_elastic_energy(&r));
}

/* Wraps the sheet on a cylinder of radius R whose axis makes `angle` with y. */
static void roll(double R, double angle)
{
    const double c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < r.nodes; i++) {
        const double u = c * m.x[3 * i] + s * m.x[3 * i + 1];
        const double w = -s * m.x[3 * i] + c * m.x[3 * i + 1];
        const double x = R * sin(u / R), z = R * (1.0 - cos(u / R));
        v3_store(r.x + 3 * i, (v3){c * x - s * w, s * x + c * w, z});
    }
}

/* Away from the border, each triangle of a regular grid has the energy of its curvature: take the
 * difference of two sizes, which cancels the border to first order. */
static double rolled_energy(size_t cells, double angle, grid_cut cut, const cloth_material *fabric)
{
    const double side = 0.01 * (double)cells, R = 1.0;
    m = test_mesh_grid(side, side, cells, cells, cut);
    cloth_rig_make(&r, &m, fabric);
    roll(R, angle);
    const double energy = cloth_sheet_energy(&r.sheet, r.x, r.bent).bend;
    tearDown();
    setUp();
    return energy;
}

/* D kappa^2 / 2 per area inside. The second difference in the number of cells is what a square of
 * cells inside has; angles are of 0.01, so chords are off by 1e-4 / 24. */
static void test_cylinders_have_their_energy_whatever_the_direction(void)
{
    const cloth_material fabric = {.density = 0.2,
                                   .membrane = cloth_membrane_isotropic(100.0, 0.0),
                                   .plate = {3e-4, 5e-4, 1e-4, 1.5e-4}};
    for (int k = 0; k < 8; k++) {
        const double angle = PI * k / 8.0, c2 = cos(angle) * cos(angle), s2 = 1.0 - c2;
        const double D = 3e-4 * c2 * c2 + 5e-4 * s2 * s2 + 2.0 * (1e-4 + 3e-4) * c2 * s2;
        const double a = rolled_energy(8, angle, GRID_DIAGONAL, &fabric);
        const double b = rolled_energy(10, angle, GRID_DIAGONAL, &fabric);
        const double c = rolled_energy(12, angle, GRID_DIAGONAL, &fabric);
        const double per_area = (a - 2.0 * b + c) / (2.0 * 0.02 * 0.02);
        TEST_ASSERT_DOUBLE_WITHIN(1e-3 * D, 0.5 * D, per_area);
    }
}

/* A cut along one diagonal and a cut along both in turn, and cells of any size: the same stiffness
 * against rolling along the axes, but for a strip of half a cell at the two ends. */
static void test_bending_does_not_depend_on_resolution(void)
{
    const cloth_material fabric = cloth_rig_fabric(0.2, 100.0, 2e-4, 0.0);
    for (size_t cells = 4; cells <= 32; cells *= 2) {
        for (int cut = 0; cut < GRID_CUTS; cut++) {
            m = test_mesh_grid(0.2, 0.1, cells, cells, (grid_cut)cut);
            cloth_rig_make(&r, &m, &fabric);
            roll(0.5, 0.0);
            const double area = 0.02 * (1.0 - 1.0 / (double)cells);
            const double turn = 0.2 / (double)cells / 0.5; /* the angle of a cell */
            const double energy = cloth_sheet_energy(&r.sheet, r.x, r.bent).bend;
            TEST_ASSERT_DOUBLE_WITHIN(1e-12 + 1e-3 * turn * turn, 0.5 * 2e-4 * 4.0 * area, energy);
            tearDown();
            setUp();
        }
    }
    m = test_mesh_grid(0.2, 0.1, 2, 2, GRID_DIAGONAL);
    cloth_rig_make(&r, &m, &fabric);
}

static void test_a_bent_rest_shape_has_no_moments(void)
{
    const cloth_material fabric = rich_fabric();
    m = test_mesh_sphere(6);
    cloth_rig_make(&r, &m, &fabric);
    TEST_ASSERT_DOUBLE_WITHIN(1e-25, 0.0, cloth_rig_elastic_energy(&r));
    r.x[2] += 0.01;
    TEST_ASSERT_TRUE(cloth_rig_elastic_energy(&r) > 1e-6);
}

static void test_fronts_that_disagree_change_nothing(void)
{
    const cloth_material fabric = rich_fabric();
    double force[3 * 42], turned[3 * 42];
    make_shaken_grid(GRID_DIAGONAL, &fabric);
    crumple(0.01, 9);
    cloth_sheet_force(&r.sheet, r.x, r.bent, force);
    double *shape = malloc(3 * r.nodes * sizeof *shape);
    memcpy(shape, r.x, 3 * r.nodes * sizeof *shape);
    cloth_rig_free(&r);
    for (size_t f = 0; f < m.triangles; f += 3) {
        const uint32_t corner = m.corner[3 * f];
        m.corner[3 * f] = m.corner[3 * f + 1];
        m.corner[3 * f + 1] = corner;
    }
    cloth_rig_make(&r, &m, &fabric);
    cloth_sheet_force(&r.sheet, shape, r.bent, turned);
    free(shape);
    for (size_t i = 0; i < 3 * r.nodes; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-11, force[i], turned[i]);
}

static void test_the_rest_shape_may_come_from_uv(void)
{
    const uint32_t corner[6] = {0, 1, 2, 0, 2, 3};
    const double x[12] = {0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0}; /* a unit square that stands */
    const double uv[12] = {0, 0, 0.5, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0.5};
    double bent[1];
    cloth_sheet_source source = {.nodes = 4,
                                 .triangles = 2,
                                 .corner = corner,
                                 .rest = {.uv = uv, .uv_scale = 2.0},
                                 .material = rich_fabric()};
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_sheet_create(&r.sheet, &allocator_system, &source, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-25, 0.0, cloth_sheet_energy(&r.sheet, x, bent).stretch);
    cloth_sheet_destroy(&r.sheet);
    source.rest.uv_scale = 1.6; /* warp and weft are stretched by 1.25 */
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_sheet_create(&r.sheet, &allocator_system, &source, &err));
    const double e = 0.5 * (1.25 * 1.25 - 1.0), strain[3] = {e, e, 0.0};
    const double W = cloth_membrane_respond(&source.material.membrane, 1.0, 1.0, strain).W;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * W, 0.64 * W, cloth_sheet_energy(&r.sheet, x, bent).stretch);
    m = test_mesh_cube();
}

/* The warp lies where it is said to: a pull along it meets the warp's stiffness. */
static void test_the_warp_turns_with_its_direction(void)
{
    const uint32_t corner[3] = {0, 1, 2};
    const double x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, wide[9] = {0, 0, 0, 1, 0, 0, 0, 1.1, 0};
    cloth_material fabric = rich_fabric();
    memset(fabric.membrane.fibre, 0, sizeof fabric.membrane.fibre);
    cloth_sheet_source source = {.nodes = 3,
                                 .triangles = 1,
                                 .corner = corner,
                                 .rest = {.positions = x, .warp = {0.0, 2.0, 5.0}},
                                 .material = fabric};
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_sheet_create(&r.sheet, &allocator_system, &source, &err));
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.25 * 300.0 * 0.105 * 0.105,
                              cloth_sheet_energy(&r.sheet, wide, NULL).stretch);
    m = test_mesh_cube();
}

static void test_factors_scale_stretch_shear_and_bending(void)
{
    double factor[42];
    const cloth_material fabric = cloth_rig_fabric(0.2, 100.0, 1e-4, 0.2);
    make_shaken_grid(GRID_DIAGONAL, &fabric);
    crumple(0.01, 2);
    for (size_t i = 0; i < r.nodes; i++) factor[i] = 2.0;
    cloth_sheet_source source = {.nodes = r.nodes,
                                 .triangles = m.triangles,
                                 .corner = m.corner,
                                 .rest = {.positions = m.x, .angles = m.x},
                                 .material = fabric,
                                 .stretch = factor,
                                 .shear = factor,
                                 .bend = factor};
    const cloth_energy once = cloth_sheet_energy(&r.sheet, r.x, r.bent);
    cloth_sheet twice;
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_sheet_create(&twice, &allocator_system, &source, &err));
    const cloth_energy energy = cloth_sheet_energy(&twice, r.x, r.bent);
    cloth_sheet_destroy(&twice);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 2.0 * once.stretch, energy.stretch);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 2.0 * once.bend, energy.bend);
    factor[7] = -1.0;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      cloth_sheet_create(&twice, &allocator_system, &source, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "node 7"));
}

/* A triangle without area is counted and gives nothing; a crowded edge and a lone node do no harm.
 * */
static void test_poor_meshes_are_reported_and_stay_finite(void)
{
    const uint32_t corner[15] = {0, 1, 2, 0, 1, 3, 0, 1, 4, 1, 2, 5, 2, 1, 6};
    const double x[24] = {0, 0, 0, 1,   0,   0, 0, 1, 0, 0, -1, 0,
                          0, 0, 1, 0.5, 0.5, 0, 1, 1, 0, 9, 9,  9};
    double force[24], bent[8];
    const cloth_sheet_source source = {.nodes = 8,
                                       .triangles = 5,
                                       .corner = corner,
                                       .rest = {.positions = x, .angles = x},
                                       .material = rich_fabric()};
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_sheet_create(&r.sheet, &allocator_system, &source, &err));
    TEST_ASSERT_EQUAL(1, r.sheet.rest.flat_triangles);
    TEST_ASSERT_EQUAL(3, r.sheet.rest.first_flat);
    TEST_ASSERT_DOUBLE_WITHIN(1e-16, 0.0, r.sheet.rest.first_flat_area);
    TEST_ASSERT_EQUAL(2, r.sheet.topology.crowded_edges);
    TEST_ASSERT_EQUAL(1, r.sheet.topology.loose_nodes);
    cloth_sheet_force(&r.sheet, x, bent, force);
    for (int i = 0; i < 24; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, force[i]);
    m = test_mesh_cube();
}

static void test_bad_rest_shapes_and_materials_are_refused(void)
{
    const uint32_t corner[3] = {0, 1, 2};
    const double x[9] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
    cloth_sheet_source source = {.nodes = 3,
                                 .triangles = 1,
                                 .corner = corner,
                                 .rest = {.positions = x},
                                 .material = rich_fabric()};
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      cloth_sheet_create(&r.sheet, &allocator_system, &source, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "number 7"));
    source.rest.positions = NULL;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      cloth_sheet_create(&r.sheet, &allocator_system, &source, &err));
    source.material.membrane.shear = -1.0;
    TEST_ASSERT_EQUAL(STATUS_INVALID_ARGUMENT,
                      cloth_sheet_create(&r.sheet, &allocator_system, &source, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "shear -1"));
    m = test_mesh_cube();
}

static void test_every_failed_allocation_leaves_nothing(void)
{
    m = test_mesh_grid(1.0, 1.0, 3, 3, GRID_DIAGONAL);
    const cloth_sheet_source source = {.nodes = m.vertices,
                                       .triangles = m.triangles,
                                       .corner = m.corner,
                                       .rest = {.positions = m.x},
                                       .material = rich_fabric()};
    uint64_t k = 1;
    for (status st = STATUS_OUT_OF_MEMORY; st != STATUS_OK; k++) {
        counting_allocator scarce;
        cloth_sheet sheet;
        cloth_solver solver;
        counting_init(&scarce, k);
        st = cloth_sheet_create(&sheet, &scarce.from, &source, &err);
        if (st == STATUS_OK) {
            st = cloth_solver_create(&solver, &scarce.from, &sheet, &err);
            if (st == STATUS_OK) cloth_solver_destroy(&solver);
            cloth_sheet_destroy(&sheet);
        }
        TEST_ASSERT_TRUE(st == STATUS_OK || st == STATUS_OUT_OF_MEMORY);
        counting_check(&scarce);
    }
    TEST_ASSERT_TRUE(k > 15);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_uniform_strain_is_uniform_on_any_mesh);
    RUN_TEST(test_forces_are_minus_the_slope_of_the_energy);
    RUN_TEST(test_moving_as_a_whole_gives_no_force);
    RUN_TEST(test_cylinders_have_their_energy_whatever_the_direction);
    RUN_TEST(test_bending_does_not_depend_on_resolution);
    RUN_TEST(test_a_bent_rest_shape_has_no_moments);
    RUN_TEST(test_fronts_that_disagree_change_nothing);
    RUN_TEST(test_the_rest_shape_may_come_from_uv);
    RUN_TEST(test_the_warp_turns_with_its_direction);
    RUN_TEST(test_factors_scale_stretch_shear_and_bending);
    RUN_TEST(test_poor_meshes_are_reported_and_stay_finite);
    RUN_TEST(test_bad_rest_shapes_and_materials_are_refused);
    RUN_TEST(test_every_failed_allocation_leaves_nothing);
    return UNITY_END();
}

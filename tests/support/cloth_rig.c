/* SPDX-License-Identifier: Apache-2.0 */
#include "support/cloth_rig.h"

#include "support/random.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static uint32_t *put(uint32_t *at, size_t a, size_t b, size_t c)
{
    at[0] = (uint32_t)a;
    at[1] = (uint32_t)b;
    at[2] = (uint32_t)c;
    return at + 3;
}

static uint32_t *put_square(uint32_t *at, size_t a, size_t b, size_t c, size_t d, bool is_other)
{
    at = is_other ? put(at, a, b, d) : put(at, a, b, c);
    return is_other ? put(at, b, c, d) : put(at, a, c, d);
}

test_mesh test_mesh_grid(double width, double height, size_t nx, size_t ny, grid_cut cut)
{
    const size_t nodes = (nx + 1) * (ny + 1), triangles = 2 * nx * ny;
    test_mesh m = {nodes, triangles, calloc(3 * nodes, sizeof(double)),
                   calloc(3 * triangles, sizeof(uint32_t))};
    TEST_ASSERT_NOT_NULL(m.x);
    TEST_ASSERT_NOT_NULL(m.corner);
    uint32_t *at = m.corner;
    for (size_t i = 0; i <= nx; i++) {
        for (size_t j = 0; j <= ny; j++) {
            const size_t a = i * (ny + 1) + j;
            m.x[3 * a] = width * (double)i / (double)nx;
            m.x[3 * a + 1] = height * (double)j / (double)ny;
            if (i == nx || j == ny) continue;
            const bool is_other = cut == GRID_ALTERNATING && (i + j) % 2;
            at = put_square(at, a, a + ny + 1, a + ny + 2, a + 1, is_other);
        }
    }
    return m;
}

void test_mesh_shake(test_mesh *m, size_t nx, size_t ny, double share, uint64_t seed)
{
    random_source random = {seed};
    const double dx = m->x[3 * (ny + 1)], dy = m->x[4];
    for (size_t i = 1; i < nx; i++) {
        for (size_t j = 1; j < ny; j++) {
            double *x = m->x + 3 * (i * (ny + 1) + j);
            x[0] += share * dx * random_between(&random, -1.0, 1.0);
            x[1] += share * dy * random_between(&random, -1.0, 1.0);
        }
    }
}

cloth_material cloth_rig_fabric(double density, double stiffness, double bending, double poisson)
{
    return (cloth_material){.density = density,
                            .membrane = cloth_membrane_isotropic(stiffness, poisson),
                            .plate = cloth_plate_isotropic(bending, poisson)};
}

static double *numbers(size_t count)
{
    double *x = calloc(count, sizeof *x);
    TEST_ASSERT_NOT_NULL(x);
    return x;
}

void cloth_rig_make(cloth_rig *r, const test_mesh *m, const cloth_material *material)
{
    const size_t n = m->vertices;
    error err;
    const cloth_sheet_source source = {.nodes = n,
                                       .triangles = m->triangles,
                                       .corner = m->corner,
                                       .rest = {.positions = m->x, .angles = m->x},
                                       .material = *material};
    *r = (cloth_rig){.nodes = n};
    TEST_ASSERT_EQUAL(STATUS_OK, cloth_sheet_create(&r->sheet, &allocator_system, &source, &err));
    TEST_ASSERT_EQUAL(STATUS_OK,
                      cloth_solver_create(&r->solver, &allocator_system, &r->sheet, &err));
    r->mass = numbers(n);
    r->x = numbers(3 * n);
    r->v = numbers(3 * n);
    r->next = numbers(3 * n);
    r->v_known = numbers(3 * n);
    r->bent = numbers(r->sheet.topology.hinges + 1);
    r->is_known = calloc(n, 1);
    TEST_ASSERT_NOT_NULL(r->is_known);
    memcpy(r->x, m->x, 3 * n * sizeof *r->x);
    cloth_sheet_find_areas(&r->sheet, r->mass);
    for (size_t i = 0; i < n; i++) r->mass[i] *= material->density;
    r->forcing = (cloth_forcing){.h = 1e-3,
                                 .theta = 1.0,
                                 .damping = material->damping,
                                 .mass = r->mass,
                                 .x = r->x,
                                 .v = r->v,
                                 .is_known = r->is_known,
                                 .v_known = r->v_known};
    r->options = (cloth_step_options){30, 1e-9, 1e-13, 20000};
}

void cloth_rig_free(cloth_rig *r)
{
    cloth_solver_destroy(&r->solver);
    cloth_sheet_destroy(&r->sheet);
    free(r->mass);
    free(r->x);
    free(r->v);
    free(r->next);
    free(r->v_known);
    free(r->bent);
    free(r->is_known);
}

cloth_step_report cloth_rig_step(cloth_rig *r, pool *threads)
{
    cloth_step_report report;
    error err = {.text = ""};
    memcpy(r->next, r->v, 3 * r->nodes * sizeof *r->v);
    const status st =
        cloth_free_step(&r->solver, &r->forcing, &r->options, threads, r->next, &report, &err);
    TEST_ASSERT_EQUAL_MESSAGE(STATUS_OK, st, err.text);
    cloth_system_move(&r->solver.system, r->next, r->x);
    memcpy(r->v, r->next, 3 * r->nodes * sizeof *r->v);
    return report;
}

double cloth_rig_elastic_energy(cloth_rig *r)
{
    const cloth_energy e = cloth_sheet_energy(&r->sheet, r->x, r->bent);
    return e.stretch + e.bend;
}

double cloth_rig_kinetic_energy(const cloth_rig *r)
{
    double sum = 0.0;
    for (size_t i = 0; i < r->nodes; i++) {
        const v3 v = v3_load(r->v + 3 * i);
        sum += 0.5 * r->mass[i] * v3_dot(v, v);
    }
    return sum;
}

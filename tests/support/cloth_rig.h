/* SPDX-License-Identifier: Apache-2.0
 *
 * Rectangles of cloth for tests, triangulated in several ways, and a cloth that steps.
 */
#ifndef SUPPORT_CLOTH_RIG_H
#define SUPPORT_CLOTH_RIG_H

#include "cloth/free_step.h"
#include "support/meshes.h"

typedef enum grid_cut {
    GRID_DIAGONAL,    /* every square cut along the same diagonal */
    GRID_ALTERNATING, /* along the one and the other in turn */
    GRID_CUTS
} grid_cut;

/* From 0 to width along x in nx cells, from 0 to height along y in ny. Node (i, j), i along x, is
 * number i (ny + 1) + j. */
test_mesh test_mesh_grid(double width, double height, size_t nx, size_t ny, grid_cut cut);

/* Moves the nodes inside by up to `share` of a cell, in the plane. */
void test_mesh_shake(test_mesh *m, size_t nx, size_t ny, double share, uint64_t seed);

typedef struct cloth_rig {
    size_t nodes;
    cloth_sheet sheet;
    cloth_solver solver;
    double *mass, *x, *v, *next, *bent; /* x and v start as the mesh at rest */
    uint8_t *is_known;
    double *v_known;
    cloth_forcing forcing; /* backward Euler, no gravity, all arrays set; change what you like */
    cloth_step_options options;
} cloth_rig;

/* At rest as the mesh is. Fails the running test on any error. */
void cloth_rig_make(cloth_rig *r, const test_mesh *m, const cloth_material *material);
void cloth_rig_free(cloth_rig *r);

/* One step; fails the test if it goes wrong. */
cloth_step_report cloth_rig_step(cloth_rig *r, pool *threads);

double cloth_rig_elastic_energy(cloth_rig *r);
double cloth_rig_kinetic_energy(const cloth_rig *r);

/* An isotropic fabric without damping. */
cloth_material cloth_rig_fabric(double density, double stiffness, double bending, double poisson);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Meshes for tests, all closed and counterclockwise from outside, but for the sheet.
 */
#ifndef SUPPORT_MESHES_H
#define SUPPORT_MESHES_H

#include "math/v3.h"

#include <stddef.h>
#include <stdint.h>

typedef struct test_mesh {
    size_t vertices, triangles;
    double *x;        /* 3 per vertex */
    uint32_t *corner; /* 3 per triangle */
} test_mesh;

/* A sphere of radius 1 in rows x 2 rows quads, triangles at the poles. */
test_mesh test_mesh_sphere(size_t rows);

/* Radii 1 and `tube` about z; rings x sides quads. */
test_mesh test_mesh_torus(double tube, size_t rings, size_t sides);

/* The cube from -1 to 1. */
test_mesh test_mesh_cube(void);

/* The square from -half to half in z = 0, cells x cells quads, its front up. */
test_mesh test_mesh_sheet(double half, size_t cells);

void test_mesh_free(test_mesh *m);

#endif

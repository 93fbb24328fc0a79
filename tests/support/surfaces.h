/* SPDX-License-Identifier: Apache-2.0
 *
 * Deforming surfaces for tests: sheets and soups of triangles, with their positions.
 */
#ifndef SUPPORT_SURFACES_H
#define SUPPORT_SURFACES_H

#include "collide/surface.h"
#include "support/meshes.h"
#include "support/random.h"

typedef struct test_surface {
    test_mesh mesh;
    double *x1; /* the end of the step; the beginning is mesh.x */
    surface s;
} test_surface;

/* Takes the mesh. Both ends of the step are where the mesh is. */
void test_surface_make(test_surface *t, test_mesh mesh, const allocator *from);
void test_surface_free(test_surface *t);

/* Begins the step from mesh.x to x1. */
void test_surface_move(test_surface *t, double margin, pool *threads);

/* Triangles of about this size anywhere between -1 and 1; some share vertices, some have no area.
 * */
test_mesh test_mesh_soup(size_t triangles, double size, random_source *rng);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "support/surfaces.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

void test_surface_make(test_surface *t, test_mesh mesh, const allocator *from)
{
    const surface_source source = {
        .vertices = mesh.vertices, .faces = mesh.triangles, .corner = mesh.corner};
    error err = {0};
    t->mesh = mesh;
    t->x1 = calloc(3 * mesh.vertices, sizeof *t->x1);
    TEST_ASSERT_NOT_NULL(t->x1);
    memcpy(t->x1, mesh.x, 3 * mesh.vertices * sizeof *t->x1);
    TEST_ASSERT_EQUAL(STATUS_OK, surface_init(&t->s, from, &source, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, surface_build(&t->s, mesh.x, &err));
}

void test_surface_free(test_surface *t)
{
    surface_destroy(&t->s);
    test_mesh_free(&t->mesh);
    free(t->x1);
}

void test_surface_move(test_surface *t, double margin, pool *threads)
{
    surface_move(&t->s, t->mesh.x, t->x1, margin, threads);
}

test_mesh test_mesh_soup(size_t triangles, double size, random_source *rng)
{
    test_mesh m = {3 * triangles, triangles, calloc(9 * triangles, sizeof(double)),
                   calloc(3 * triangles, sizeof(uint32_t))};
    TEST_ASSERT_NOT_NULL(m.x);
    TEST_ASSERT_NOT_NULL(m.corner);
    for (size_t i = 0; i < triangles; i++) {
        const v3 centre = random_v3(rng);
        for (size_t k = 0; k < 3; k++) {
            v3_store(m.x + 9 * i + 3 * k, v3_add_scaled(centre, size, random_v3(rng)));
            m.corner[3 * i + k] = (uint32_t)(3 * i + k);
        }
        if (i && random_below(rng, 3) == 0) m.corner[3 * i] = m.corner[3 * i - 1];
        if (random_below(rng, 20) == 0) m.corner[3 * i] = m.corner[3 * i + 1];
    }
    return m;
}

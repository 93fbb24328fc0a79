/* SPDX-License-Identifier: Apache-2.0 */
#include "support/meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

static const double TURN = 6.28318530717958647693;

static test_mesh make(size_t vertices, size_t triangles)
{
    test_mesh m = {vertices, triangles, calloc(3 * vertices, sizeof(double)),
                   calloc(3 * triangles, sizeof(uint32_t))};
    TEST_ASSERT_NOT_NULL(m.x);
    TEST_ASSERT_NOT_NULL(m.corner);
    return m;
}

void test_mesh_free(test_mesh *m)
{
    free(m->x);
    free(m->corner);
    *m = (test_mesh){0};
}

static uint32_t *put(uint32_t *at, size_t a, size_t b, size_t c)
{
    at[0] = (uint32_t)a;
    at[1] = (uint32_t)b;
    at[2] = (uint32_t)c;
    return at + 3;
}

test_mesh test_mesh_sphere(size_t rows)
{
    const size_t columns = 2 * rows, ring = columns * (rows - 1), top = ring, bottom = ring + 1;
    test_mesh m = make(ring + 2, 2 * columns * (rows - 1));
    for (size_t i = 1; i < rows; i++) {
        const double polar = 0.5 * TURN * (double)i / (double)rows;
        for (size_t j = 0; j < columns; j++) {
            const double angle = TURN * (double)j / (double)columns;
            double *x = m.x + 3 * ((i - 1) * columns + j);
            v3_store(x, (v3){sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar)});
        }
    }
    m.x[3 * top + 2] = 1.0;
    m.x[3 * bottom + 2] = -1.0;
    uint32_t *at = m.corner;
    for (size_t j = 0; j < columns; j++) {
        const size_t k = (j + 1) % columns, last = (rows - 2) * columns;
        at = put(at, top, j, k);
        at = put(at, bottom, last + k, last + j);
        for (size_t i = 0; i + 2 < rows; i++) {
            const size_t a = i * columns, b = a + columns;
            at = put(at, a + j, b + j, b + k);
            at = put(at, a + j, b + k, a + k);
        }
    }
    return m;
}

test_mesh test_mesh_torus(double tube, size_t rings, size_t sides)
{
    test_mesh m = make(rings * sides, 2 * rings * sides);
    uint32_t *at = m.corner;
    for (size_t i = 0; i < rings; i++) {
        const double u = TURN * (double)i / (double)rings;
        for (size_t j = 0; j < sides; j++) {
            const double v = TURN * (double)j / (double)sides, r = 1.0 + tube * cos(v);
            const size_t a = i * sides, b = (i + 1) % rings * sides, k = (j + 1) % sides;
            v3_store(m.x + 3 * (a + j), (v3){r * cos(u), r * sin(u), tube * sin(v)});
            at = put(at, a + j, b + j, b + k);
            at = put(at, a + j, b + k, a + k);
        }
    }
    return m;
}

test_mesh test_mesh_cube(void)
{
    static const uint32_t corner[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    test_mesh m = make(8, 12);
    for (size_t i = 0; i < 8; i++) {
        for (size_t k = 0; k < 3; k++) m.x[3 * i + k] = i >> k & 1 ? 1.0 : -1.0;
    }
    memcpy(m.corner, corner, sizeof corner);
    return m;
}

test_mesh test_mesh_sheet(double half, size_t cells)
{
    const size_t n = cells + 1;
    test_mesh m = make(n * n, 2 * cells * cells);
    uint32_t *at = m.corner;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double x = half * (2.0 * (double)j / (double)cells - 1.0);
            const double y = half * (2.0 * (double)i / (double)cells - 1.0);
            v3_store(m.x + 3 * (i * n + j), (v3){x, y, 0.0});
            if (i == cells || j == cells) continue;
            const size_t a = i * n + j, b = a + n;
            at = put(at, a, a + 1, b + 1);
            at = put(at, a, b + 1, b);
        }
    }
    return m;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "io/grid.h"

size_t grid_count_nodes(const grid *g)
{
    return ((size_t)g->cells[0] + 1) * ((size_t)g->cells[1] + 1);
}

size_t grid_count_triangles(const grid *g)
{
    return 2 * (size_t)g->cells[0] * (size_t)g->cells[1];
}

/* From -size/2 to size/2; the same distance from the centre on both sides, to the last bit. */
static double coordinate(double size, uint32_t i, uint32_t cells)
{
    return size * (2.0 * i - cells) / (2.0 * cells);
}

void grid_fill_positions(const grid *g, double *positions)
{
    for (uint32_t j = 0; j <= g->cells[1]; j++) {
        for (uint32_t i = 0; i <= g->cells[0]; i++) {
            *positions++ = coordinate(g->size[0], i, g->cells[0]);
            *positions++ = coordinate(g->size[1], j, g->cells[1]);
            *positions++ = 0.0;
        }
    }
}

void grid_fill_triangles(const grid *g, uint32_t *triangles)
{
    const uint32_t row = g->cells[0] + 1;
    for (uint32_t j = 0; j < g->cells[1]; j++) {
        for (uint32_t i = 0; i < g->cells[0]; i++) {
            const uint32_t a = j * row + i, b = a + 1, c = b + row, d = a + row;
            const uint32_t corners[6] = {a, b, c, a, c, d};
            for (int k = 0; k < 6; k++) *triangles++ = corners[k];
        }
    }
}

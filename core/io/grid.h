/* SPDX-License-Identifier: Apache-2.0
 *
 * A rectangular sheet: cells[0] x cells[1] rectangles in the plane z = 0, centred at the origin,
 * sides along x and y. Node (i, j), counted along x and y, has the number j (cells[0] + 1) + i.
 * Each cell is cut from (i, j) to (i + 1, j + 1); triangles turn counterclockwise seen from +z.
 */
#ifndef IO_GRID_H
#define IO_GRID_H

#include <stddef.h>
#include <stdint.h>

typedef struct grid {
    double size[2]; /* m */
    uint32_t cells[2];
} grid;

size_t grid_count_nodes(const grid *g);
size_t grid_count_triangles(const grid *g);
void grid_fill_positions(const grid *g, double *positions);   /* 3 per node */
void grid_fill_triangles(const grid *g, uint32_t *triangles); /* 3 per triangle */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles to samples, in two passes: the first finds out how near the nearest surface is at each
 * sample, the second shades that surface and no other. Both compute the same bits, so depths
 * compare equal.
 */
#ifndef STICTION_PICTURE_RASTER_H
#define STICTION_PICTURE_RASTER_H

#include "mesh.h"

typedef struct raster {
    size_t width, height;
    float *depth; /* per sample, nearer is smaller; FLT_MAX: nothing yet */
} raster;

bool raster_init(raster *out, size_t width, size_t height); /* false: out of memory */
void raster_free(raster *r);

/* `index` is the sample, `at` the interpolated vertex (normal not normalised). */
typedef void raster_shader(void *user, size_t index, const mesh *m, mesh_vertex *at);

/* Draws m as seen through `matrix` (world to clip): depths if shade is NULL, else the shaded
 * samples where m is the nearest. */
void raster_draw(raster *r, const mesh *m, mat4 matrix, raster_shader *shade, void *user);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways in the plane as SVG: one scale for x and y, a grid in metres, a legend.
 */
#ifndef STICTION_PLOT_PATHS_H
#define STICTION_PLOT_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PATHS_MOST = 6 };

typedef struct paths_curve {
    char name[32];
    size_t count;
    double *points; /* x and y of each */
} paths_curve;

typedef struct paths_picture {
    const char *title;
    paths_curve curves[PATHS_MOST];
    size_t count;
} paths_picture;

/* Copies points of `stride` numbers each, x and y first. False: no memory, or too many curves. */
bool paths_add(paths_picture *p, const char *name, const double *points, size_t stride,
               size_t count);
void paths_free(paths_picture *p);

/* False: the stream failed. Names and titles must not need escaping. */
bool paths_write(FILE *out, const paths_picture *p);

#endif

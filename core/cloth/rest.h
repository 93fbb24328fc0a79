/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape in which a cloth has no stress: each triangle flat in its own chart (first coordinate
 * along the warp, second along the weft), and an angle at each hinge.
 *
 * With the chart's gradients d_a of the three barycentric coordinates, a triangle whose corners are
 * at x_a has the deformation
 *     F_i = sum_a d_ai x_a = d_1i (x_1 - x_0) + d_2i (x_2 - x_0),    i = warp, weft.
 */
#ifndef CLOTH_REST_H
#define CLOTH_REST_H

#include "cloth/topology.h"
#include "math/v3.h"

typedef struct cloth_chart {
    double d[2][2]; /* gradients of corners 1 and 2; corner 0 has what makes the sum zero */
    double area;    /* m^2; 0, and no gradients, where the triangle has none */
} cloth_chart;

/* Where the rest shape comes from. Lengths: of `uv` if that is given, else of `positions`. Angles:
 * of `angles`, or flat everywhere. */
typedef struct cloth_rest_source {
    const double *positions; /* [nodes][3] this mesh, or another one with the same triangles, m */
    const double *uv;        /* [triangles][3][2], u along the warp; NULL: positions */
    double uv_scale;         /* metres per unit of uv */
    v3 warp;                 /* with positions: the warp lies along its projection; 0: along x */
    const double *angles;    /* [nodes][3] positions that have the rest angles; NULL: flat */
} cloth_rest_source;

typedef struct cloth_rest {
    const allocator *from;
    uint32_t triangles, hinges;
    cloth_chart *chart;      /* [triangles] */
    double *angle;           /* [hinges] rad, as hinge.h measures it */
    uint32_t flat_triangles; /* without area: they have no stress and their hinges no moment */
    uint32_t first_flat;     /* which is the first one; if flat_triangles > 0 */
    double first_flat_area;  /* and what it has */
} cloth_rest;

/* A triangle counts as one without area when twice its area is below 1e-9 of the square of its
 * longest side. Errors: neither positions nor uv, numbers that are not finite, a scale that is
 * not positive, no memory. */
status cloth_rest_create(cloth_rest *r, const allocator *from, const cloth_topology *t,
                         const cloth_rest_source *source, error *err);
void cloth_rest_destroy(cloth_rest *r);

/* The gradient of corner a (0, 1, 2). */
static inline void cloth_chart_gradient(const cloth_chart *c, int a, double g[2])
{
    for (int i = 0; i < 2; i++) g[i] = a == 0 ? -(c->d[0][i] + c->d[1][i]) : c->d[a - 1][i];
}

#endif

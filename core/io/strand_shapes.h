/* SPDX-License-Identifier: Apache-2.0
 *
 * Strands that scene files ask for by a few numbers, so that examples need no big files.
 *
 *     grow    on the upper half of a sphere, along its normals
 *     bundle  side by side in a round bundle: a ponytail, a handful of spaghetti
 *     braid   a bundle of three that are plaited
 *     arch    over a cylinder, with ends that hang down
 *     knot    one strand with an overhand knot in it
 *
 * The same numbers give the same points everywhere.
 */
#ifndef IO_STRAND_SHAPES_H
#define IO_STRAND_SHAPES_H

#include "math/v3.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum strand_shape {
    STRANDS_GROW,
    STRANDS_BUNDLE,
    STRANDS_BRAID,
    STRANDS_ARCH,
    STRANDS_KNOT
} strand_shape;

typedef struct strand_plan {
    strand_shape shape;
    uint32_t strands, points, seed;
    double length;  /* m, of each strand before it is curled or waved; not of an arch */
    v3 position;    /* where they begin; of an arch the middle of the cylinder, else its axis */
    v3 direction;   /* unit, along the strands; of an arch along the cylinder */
    double radius;  /* of the sphere, the bundle, the cylinder; half the width of a knot, braid */
    double hang[2]; /* of an arch: lengths of its hanging ends */
    double pitch;   /* of a braid: length in which a strand is back in its place */
    double curl_radius, curl_pitch;  /* radius 0: no curls */
    double wave_height, wave_length; /* height 0: no waves */
} strand_plan;

/* How long a strand is along its way before it is curled or waved. */
double strand_plan_length(const strand_plan *p);

/* The points [points][3] of strand i. */
void strand_plan_make(const strand_plan *p, uint32_t i, double *points);

/* The same strand drawn straight, from its first point along its first edge, with the same
 * distances between points. */
void strand_draw_straight(const double *points, uint32_t count, double *straight);

#endif

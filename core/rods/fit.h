/* SPDX-License-Identifier: Apache-2.0
 *
 * From a strand of points to a rod: the nearest piecewise helix with continuous tangents (floating
 * tangents, paper 003, 4.2.4).
 *
 * A smooth curve through the points gives places p_i and tangents t_i at n + 1 equal arc lengths. A
 * helix of less than a turn leads from (x0, t0) to (x1, t1) if and only if
 *     (x1 - x0) . (t1 - t0) = 0                                                  (theorem 4.1)
 * and then there is one. So the tangents are kept and the places float: the x_i nearest to the p_i,
 * x_0 = p_0, under these n linear conditions, which is one tridiagonal system. The material frame of
 * an element turns with its Darboux vector, the only admissible one (4.4.5); at the root it is as
 * the caller wants, up to the turn that brings its x axis to the tangent.
 */
#ifndef RODS_FIT_H
#define RODS_FIT_H

#include "base/memory.h"
#include "base/status.h"
#include "math/quat.h"

#include <stdint.h>

typedef struct rod_fit {
    pose root;
    double length;      /* m, of the fitted rod */
    double error;       /* m, largest distance of a point from the rod at its share of the length */
    uint32_t merged;    /* points that lay on the one before and were left out */
    uint32_t unmatched; /* elements that no helix fits (equal tangents, places aside): straight */
} rod_fit;

/* points: [count][3] from root to tip. lengths: [elements], kappa: [elements][3]. `wanted` is the
 * root's material frame, NULL if any will do. Errors: fewer than two different points, numbers that
 * are not finite, strands longer than 1e9 m; the caller adds which strand. */
status rod_fit_points(const double *points, size_t count, uint32_t elements, const quat *wanted,
                      const allocator *from, double *lengths, double *kappa, rod_fit *out,
                      error *err);

/* The short helix from (x0, t0) to (x1, t1) with unit tangents that meet the condition: its Darboux
 * vector in space and its length. False if there is none. */
bool rod_fit_helix(v3 x0, v3 t0, v3 x1, v3 t1, v3 *darboux, double *length);

#endif

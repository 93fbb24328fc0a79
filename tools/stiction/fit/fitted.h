/* SPDX-License-Identifier: Apache-2.0
 *
 * One strand as a piecewise helix, with as many elements as were asked for or as an accuracy needs.
 */
#ifndef STICTION_FIT_FITTED_H
#define STICTION_FIT_FITTED_H

#include <stiction/ext_rods.h>

enum { FITTED_MOST = 256 }; /* elements */

typedef struct fitted {
    uint32_t elements;
    stn_rod_fit fit;
    double lengths[FITTED_MOST], curvatures[3 * FITTED_MOST];
} fitted;

/* With `elements` elements or, if `accuracy` (m) is not 0, with the fewest of 1, 2, 3, ... up to
 * `elements` whose error is not larger; with all of them if none does. */
stn_status fitted_find(const stn_ext_rods *rods, const double *points, uint64_t count,
                       uint32_t elements, double accuracy, fitted *out);

/* `count` points [count][3] of it, at equal arc lengths from root to tip. */
stn_status fitted_sample(const stn_ext_rods *rods, const fitted *f, uint64_t count, double *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What rods without nodes (helices, clothoids) share: elements by arc length, columns of Jacobians.
 */
#ifndef RODS_REDUCED_ROD_H
#define RODS_REDUCED_ROD_H

#include "math/v3.h"

#include <stddef.h>

/* The element that arc length *s is in; *s becomes the length from its beginning. What lies before
 * the root or beyond the tip is taken there. */
static inline size_t reduced_rod_find_element(const double *lengths, size_t elements, double *s)
{
    size_t e = 0;
    while (e + 1 < elements && *s > lengths[e]) *s -= lengths[e++];
    if (!(*s > 0.0)) *s = 0.0;
    if (*s > lengths[e]) *s = lengths[e];
    return e;
}

/* A column of a Jacobian of n columns; none of NULL. */
static inline void reduced_rod_set_column(double *matrix, size_t n, size_t column, v3 value)
{
    if (!matrix) return;
    matrix[column] = value.x;
    matrix[n + column] = value.y;
    matrix[2 * n + column] = value.z;
}

/* The columns of a free root, for a point r from it. */
void reduced_rod_set_root_columns(double *linear, double *angular, size_t n, v3 r);

#endif

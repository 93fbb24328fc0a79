/* SPDX-License-Identifier: Apache-2.0
 *
 * A global problem, M v = H r + f and u = H^T v + w, as a system that is not condensed.
 *
 * Where M falls apart into small groups of unknowns, each of these is a body. Otherwise, and where
 * no group is larger than a point, every three unknowns are a node.
 */
#ifndef STICTION_FCLIB_SYSTEM_H
#define STICTION_FCLIB_SYSTEM_H

#include "fclib.h"
#include "sparse.h"

/* Fills in everything but mu and velocity. M is square, H has as many rows and 3 columns per
 * contact; f has one number per row of M. `name` is what an error calls M. On failure what was
 * allocated stays in `out`. */
bool system_from_global(fclib_system *out, const sparse *M, const sparse *H, const double *f,
                        const char *name, fclib_error *error);

#endif

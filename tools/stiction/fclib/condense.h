/* SPDX-License-Identifier: Apache-2.0
 *
 * A global problem, M v = H r + f and u = H^T v + w, in local form u = W r + b.
 *
 * With P M P^T = L L^T, where P brings the connected components of M together, and Z = L^-1 P H,
 *     W = H^T M^-1 H = Z^T Z,
 *     b = H^T M^-1 f + w = Z^T (L^-1 P f) + w.
 * A column of Z is zero outside the components that its contact touches; W is symmetric to the bit.
 */
#ifndef STICTION_FCLIB_CONDENSE_H
#define STICTION_FCLIB_CONDENSE_H

#include "fclib.h"
#include "sparse.h"

/* M is square, H has as many rows; f one number per row of M, b one per column of H: w in, b out.
 * `name` is what an error calls M. */
bool condense_problem(sparse *W, double *b, const sparse *M, const sparse *H, const double *f,
                      const char *name, fclib_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * FCLIB's sparse matrices: a group with m, n, nzmax, nz, p, i, x.
 *
 *     nz = -1   compressed columns: p has n + 1 column beginnings, i the rows
 *     nz = -2   compressed rows:    p has m + 1 row beginnings, i the columns
 *     nz >= 0   nz triplets:        i has the rows, p the columns
 *
 * nzmax is how many there is room for: i and x may be that long and hold less.
 */
#ifndef STICTION_FCLIB_MATRIX_H
#define STICTION_FCLIB_MATRIX_H

#include "h5_reader.h"
#include "sparse.h"

/* All three forms become compressed columns. False: the reader's error says why. */
bool matrix_read(const h5_reader *r, const char *group, sparse *out);

#endif

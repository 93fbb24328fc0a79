/* SPDX-License-Identifier: Apache-2.0
 *
 * Between a matrix of numbers and the 3x3 blocks of contacts in compressed rows.
 */
#ifndef STICTION_FCLIB_BLOCKS_H
#define STICTION_FCLIB_BLOCKS_H

#include "fclib.h"
#include "sparse.h"

/* Fills in row_start, col and blocks; W is square, 3 rows per contact. A block is there if it has
 * an entry. On failure what was allocated stays in `out`. */
bool blocks_from_sparse(fclib_problem *out, const sparse *W, fclib_error *error);

/* False: out of memory. */
bool blocks_to_sparse(sparse *W, const stn_contact_problem *problem);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * In which order to eliminate the unknowns of a sparse system so that few entries fill in, and
 * which ones do.
 *
 * Minimum degree on the quotient graph: the unknown with the fewest neighbours goes next. It
 * becomes an element, a list of the unknowns that it couples, and swallows the elements it was
 * part of. Those lists are the rows of the factor. An unknown's neighbours and elements together
 * never become more, so both stay in the place of its row.
 */
#ifndef LINALG_MIN_DEGREE_H
#define LINALG_MIN_DEGREE_H

#include "base/array.h"
#include "linalg/bsr3.h"

typedef struct min_degree {
    uint32_t n;
    uint32_t *order; /* [n] the unknown that is eliminated k-th */
    uint32_t *rank;  /* [n] when an unknown is eliminated */
    size_t *start;   /* [n + 1] where the k-th row of the factor begins in `entries` */
    array entries;   /* uint32_t: ranks of the entries right of the diagonal, unsorted */
} min_degree;

/* For the pattern of A, which must be symmetric (the values need not be). Gives up with
 * STATUS_UNSUPPORTED when the factor would have more than `limit` entries. */
status min_degree_create(min_degree *m, const allocator *from, const bsr3 *A, size_t limit);
void min_degree_destroy(min_degree *m);

#endif

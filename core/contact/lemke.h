/* SPDX-License-Identifier: Apache-2.0
 *
 * Linear complementarity problems by Lemke's pivoting: find z with
 *     w = M z + q,    w >= 0,    z >= 0,    w . z = 0.
 *
 * An artificial variable z_0 is added to every row, w = M z + q + z_0 (1, ..., 1), and starts large
 * enough to make all w positive. Each pivot lets in the partner of the variable that has just left,
 * so that of every pair (w_i, z_i) but one at least one member is zero; when z_0 leaves, the point
 * is a solution. If nothing can leave, the path ends on a ray. For a copositive M that happens only
 * where the problem has no solution, or where its data do not satisfy the condition that guarantees
 * one.
 *
 * Ties are broken as if q were q + (e, e^2, ..., e^n) with a tiny e (the lexicographic rule): no
 * basis comes back, and the method ends after finitely many pivots. M is dense: a pivot costs 2 n^2
 * operations, and most problems need between n and 2 n of them.
 */
#ifndef CONTACT_LEMKE_H
#define CONTACT_LEMKE_H

#include "base/memory.h"
#include "base/status.h"

typedef struct lcp {
    uint32_t n;
    const double *M; /* n x n, row by row */
    const double *q;
} lcp;

typedef enum lemke_end {
    LEMKE_SOLVED,
    LEMKE_RAY,    /* no row can leave: usually there is no solution */
    LEMKE_LIMIT,  /* max_pivots */
    LEMKE_STOPPED /* by watch */
} lemke_end;

typedef struct lemke_options {
    uint32_t max_pivots;
    /* After every pivot, with the z of that moment; not 0 stops. May be NULL. */
    int (*watch)(void *user, uint32_t pivots, const double *z);
    void *user;
} lemke_options;

typedef struct lemke_report {
    lemke_end end;
    uint32_t pivots;
    double artificial; /* z_0 at the end; 0 if solved */
} lemke_report;

/* z: the solution, or the point where the path ended. STATUS_OK however it ended,
 * STATUS_OUT_OF_MEMORY. M and q must be finite and of a size near 1: what is below 1e-7 of the
 * largest number of a column is not pivoted on. */
status lemke_solve(const lcp *problem, const allocator *from, const lemke_options *options,
                   double *z, lemke_report *report);

#endif

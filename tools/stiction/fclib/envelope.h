/* SPDX-License-Identifier: Apache-2.0
 *
 * Cholesky of a symmetric positive definite matrix, A = L L^T, in envelope form: row i keeps
 * everything from its first entry to the diagonal, and elimination fills in nothing else. A block
 * diagonal matrix costs what its blocks cost, dense ones as well as banded ones.
 */
#ifndef STICTION_FCLIB_ENVELOPE_H
#define STICTION_FCLIB_ENVELOPE_H

#include "fclib.h"
#include "sparse.h"

typedef struct envelope {
    uint32_t n;
    uint32_t *first; /* column of the first entry in each row */
    size_t *start;   /* n + 1: row i begins there */
    double *value;
} envelope;

/* Unknown i of A becomes place[i]. Fails if A is not symmetric positive definite, which the error
 * says in terms of A's own rows; it calls A `name`. */
bool envelope_factor(envelope *L, const sparse *A, const uint32_t *place, const char *name,
                     fclib_error *error);
void envelope_free(envelope *L);

/* x = L^-1 x in the rows begin .. end - 1, if x is zero wherever these rows reach back before
 * them. */
void envelope_forward(const envelope *L, uint32_t begin, uint32_t end, double *x);

/* x = L^-T x in all rows. */
void envelope_backward(const envelope *L, double *x);

#endif

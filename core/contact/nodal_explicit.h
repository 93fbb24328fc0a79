/* SPDX-License-Identifier: Apache-2.0
 *
 * A nodal problem with its operator written out: contacts i and j of one node with the inverse mass
 * w have W_ij = w F_i F_j^T, those of two nodes nothing. b_i is what contact i would see if no
 * contact pushed the node: u_i at v_free = v - w sum_k F_k^T r_k.
 */
#ifndef CONTACT_NODAL_EXPLICIT_H
#define CONTACT_NODAL_EXPLICIT_H

#include "base/arena.h"
#include "base/status.h"
#include "contact/nodal.h"

/* See contact_source; r and u are those at hand. */
typedef struct nodal_explicit {
    uint32_t contacts;
    uint32_t *row_start, *col;
    double *blocks, *b, *mu, *r, *u;
} nodal_explicit;

/* Of the nodes [begin, end), in memory of the arena. Errors: STATUS_OUT_OF_MEMORY, and
 * STATUS_UNSUPPORTED for more blocks than can be counted with 32 bits. */
status nodal_explicit_make(nodal_explicit *e, const nodal_problem *p, size_t begin, size_t end,
                           arena *scratch, error *err);

#endif

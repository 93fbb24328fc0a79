/* SPDX-License-Identifier: Apache-2.0
 *
 * A problem of nodes and bodies in explicit form (problem.h), by a sparse factorisation of A:
 *     W = H A^-1 H^T + Z^T Z,    b = H A^-1 f + the bodies' part.
 * A^-1 is dense where nodes hang together, and so is W: good for some thousand contacts.
 */
#ifndef CONTACT_NODES_EXPLICIT_H
#define CONTACT_NODES_EXPLICIT_H

#include "contact/nodes.h"
#include "linalg/block_lu.h"

typedef struct nodes_explicit {
    const nodes_problem *p;
    contact_problem problem; /* contacts in the order of the system */
    block_lu A;
    bool has_factors;
    double *rest; /* [3 nodes] */
} nodes_explicit;

/* STATUS_UNSUPPORTED, with the reason, when it would take too much memory; counted, not timed. */
status nodes_explicit_create(nodes_explicit *e, const nodes_problem *p, const allocator *from,
                             error *err);
void nodes_explicit_destroy(nodes_explicit *e, const allocator *from);

/* What making and solving it would cost, in flops, roughly; infinite where it does not fit. */
status nodes_explicit_work(const nodes_problem *p, const allocator *from, double *flops,
                           error *err);

/* v = A^-1 g, corrected once by what is left of A v = g. */
void nodes_explicit_velocity(const nodes_explicit *e, const double *g, double *v);

#endif

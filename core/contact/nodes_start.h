/* SPDX-License-Identifier: Apache-2.0
 *
 * What nodes do under given impulses, by conjugate gradients: where Gauss-Seidel starts, and how
 * fast the contacts would be without impulses, which is what tolerances are relative to.
 */
#ifndef CONTACT_NODES_START_H
#define CONTACT_NODES_START_H

#include "contact/nodes_gs.h"

/* Sets s->now and s->scale, the largest |u| of a contact without impulses. r: as the caller starts;
 * v (nodes only, may be NULL): a guess. STATUS_INVALID_ARGUMENT if A turns out not to be positive
 * definite, or if a start is not finite. */
status nodes_start(nodes_gs *s, pool *threads, const double *r, const double *v, error *err);

#endif

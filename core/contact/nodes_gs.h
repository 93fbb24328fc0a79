/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodal Gauss-Seidel (paper 004, section 4), for any stencil and for bodies among the nodes.
 *
 * A sweep goes over the nodes. Node i gets the velocity that its own row of A v = g asks for, with
 * all others held; then the contacts whose last node it is are solved one after another, each
 * moving r, g and w and the velocities of all nodes it touches (nodes.h). For a node with one
 * contact of its own the two together are the exact answer of the node and its contact. Momentum
 * extrapolates everything together, as g and w are affine in r.
 */
#ifndef CONTACT_NODES_GS_H
#define CONTACT_NODES_GS_H

#include "contact/gauss_seidel.h"
#include "contact/nodes.h"

/* r, v, g and w, one after another in one piece. */
typedef struct nodes_point {
    double *r, *v, *g, *w;
} nodes_point;

/* All the memory that solves of one problem need; they allocate nothing. */
typedef struct nodes_gs {
    const nodes_problem *p;
    double *memory;
    size_t point_count; /* numbers in a point; memory has four */
    nodes_point now;
    nodes_point before; /* where the sweep before ended */
    nodes_point start;  /* where the last sweep began */
    nodes_point best;
    double scale; /* m/s: what tolerances are relative to; 1 at creation */
} nodes_gs;

/* p must outlive it. */
status nodes_gs_create(nodes_gs *s, const nodes_problem *p, error *err);
void nodes_gs_destroy(nodes_gs *s);

extern const gs_settings nodes_gs_default;

/* Starts from s->now.r and s->now.v; the best point found is then s->best. STATUS_OK whether or not
 * it converged, STATUS_CANCELLED if trace said so. `doubt` as in gauss_seidel.h; may be NULL. */
status nodes_gs_solve(nodes_gs *s, const solver_options *options, const gs_settings *settings,
                      gs_doubt doubt, void *doubt_user, solver_report *report);

#endif

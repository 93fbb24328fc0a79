/* SPDX-License-Identifier: Apache-2.0
 *
 * A one-step frictional contact problem as a simulation has it, before anything is condensed:
 * bodies with a small dense inertia each, nodes with one sparse matrix, and contacts that touch any
 * of them,
 *     A_b v_b = A_b v_b,free + H_b^T r   for every body b,
 *     A v = f + H^T r                    for the nodes,
 *     u_i = sum H v + u_0                and Coulomb's law at every contact i.
 * Bodies alone are form (b) of the problem, nodes alone form (c), both form (d); form (a) is
 * problem.h. A node whose velocity is known is no unknown: its share of u goes into u_0 and that of
 * its neighbours' rows into f.
 */
#ifndef CONTACT_SYSTEM_H
#define CONTACT_SYSTEM_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct contact_system {
    uint32_t bodies, nodes, contacts;
    /* bodies, one after another */
    const uint32_t *body_unknowns;
    const double *body_inertia;  /* unknowns^2 each, row by row, symmetric positive definite */
    const double *body_velocity; /* without contacts */
    /* nodes: A in compressed rows of 3x3 blocks, as contact_source; symmetric positive definite */
    const uint32_t *row_start, *col;
    const double *blocks, *force;
    /* contacts: contact i has the terms term_start[i] .. term_start[i + 1] */
    const double *mu, *velocity; /* u_0 */
    const uint32_t *term_start;
    const uint32_t *term_target; /* a body, or bodies + a node */
    const double *term_H;        /* 3 x unknowns of the target, row by row, one after another */
} contact_system;

static inline size_t contact_system_unknowns(const contact_system *s, uint32_t target)
{
    return target < s->bodies ? s->body_unknowns[target] : 3;
}

/* Everything but whether matrices are positive definite, which factoring finds out: sizes, indices,
 * symmetry, numbers that are not finite, negative mu. */
status contact_system_check(const contact_system *s, error *err);

/* How many unknowns the bodies have, and how many all have: v is the bodies' one after another,
 * then 3 per node. Of a system that passes the check. */
size_t contact_system_body_count(const contact_system *s);
size_t contact_system_velocity_count(const contact_system *s);

#endif

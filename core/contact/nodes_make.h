/* SPDX-License-Identifier: Apache-2.0
 *
 * For nodes*.c: the parts that a problem of nodes is made of. On an error what was allocated stays
 * in the problem.
 */
#ifndef CONTACT_NODES_MAKE_H
#define CONTACT_NODES_MAKE_H

#include "contact/nodes.h"

/* A, its diagonal's inverse and the compliances. */
status nodes_make_matrix(nodes_problem *p, const contact_system *s, error *err);

/* The factored inertias. */
status nodes_make_bodies(nodes_problem *p, const contact_system *s, error *err);

/* The records; the other two must be there. */
status nodes_make_contacts(nodes_problem *p, const contact_system *s, error *err);

static inline status nodes_out_of_memory(error *err)
{
    return error_out_of_memory(err, "a problem of nodes");
}

static inline m3 nodes_load_block(const double *a)
{
    return (m3){{v3_load(a), v3_load(a + 3), v3_load(a + 6)}};
}

static inline double nodes_norm_squared(const m3 *H)
{
    return v3_dot(H->row[0], H->row[0]) + v3_dot(H->row[1], H->row[1]) +
           v3_dot(H->row[2], H->row[2]);
}

static inline ldl_shape nodes_body_shape(const nodes_problem *p, uint32_t b)
{
    return ldl_dense(p->body_at[b + 1] - p->body_at[b]);
}

#endif

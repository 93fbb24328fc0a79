/* SPDX-License-Identifier: Apache-2.0
 *
 * The bodies of a problem of nodes, in factored form.
 */
#include "contact/nodes_make.h"

#include <inttypes.h>
#include <string.h>

static status factor_bodies(nodes_problem *p, const contact_system *s, error *err)
{
    memcpy(p->factors, s->body_inertia, p->factor_at[p->bodies] * sizeof *p->factors);
    memcpy(p->v_free, s->body_velocity, p->body_at[p->bodies] * sizeof *p->v_free);
    for (uint32_t b = 0; b < p->bodies; b++) {
        const ldl_shape shape = nodes_body_shape(p, b);
        size_t bad;
        if (ldl_factor(&shape, p->factors + p->factor_at[b], &bad)) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "body %" PRIu32 ": its inertia is not positive definite, as row %zu shows",
                         b, bad);
    }
    return STATUS_OK;
}

status nodes_make_bodies(nodes_problem *p, const contact_system *s, error *err)
{
    p->body_at = memory_alloc(p->from, memory_size((size_t)p->bodies + 1, 2 * sizeof(size_t)));
    if (!p->body_at) return nodes_out_of_memory(err);
    p->factor_at = p->body_at + p->bodies + 1;
    for (uint32_t b = 0; b < p->bodies; b++) {
        const size_t n = s->body_unknowns[b];
        p->body_at[b + 1] = p->body_at[b] + n;
        p->factor_at[b + 1] = p->factor_at[b] + n * n;
    }
    if (p->bodies == 0) return STATUS_OK;
    p->factors = memory_alloc(p->from, memory_size(p->factor_at[p->bodies], sizeof(double)));
    p->v_free = memory_alloc(p->from, memory_size(p->body_at[p->bodies], sizeof(double)));
    return p->factors && p->v_free ? factor_bodies(p, s, err) : nodes_out_of_memory(err);
}

void nodes_body_velocity(const nodes_problem *p, const double *w, double *v)
{
    for (uint32_t b = 0; b < p->bodies; b++) {
        const ldl_shape shape = nodes_body_shape(p, b);
        const double *LD = p->factors + p->factor_at[b];
        const size_t at = p->body_at[b];
        for (size_t l = 0; l < shape.n; l++) {
            v[at + l] = w[at + l] / sqrt(LD[ldl_index(&shape, l, l)]);
        }
        ldl_backward(&shape, LD, v + at);
        for (size_t l = 0; l < shape.n; l++) v[at + l] += p->v_free[at + l];
    }
}

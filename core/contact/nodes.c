/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/nodes.h"

#include "contact/nodes_make.h"
#include "math/scalar.h"

#include <string.h>

status nodes_problem_create(nodes_problem *p, const allocator *from, const contact_system *source,
                            error *err)
{
    *p = (nodes_problem){.from = from,
                         .nodes = source->nodes,
                         .bodies = source->bodies,
                         .contacts = source->contacts,
                         .A.from = from};
    status st = nodes_make_matrix(p, source, err);
    if (st >= 0) st = nodes_make_bodies(p, source, err);
    if (st >= 0) st = nodes_make_contacts(p, source, err);
    if (st < 0) nodes_problem_destroy(p);
    return st;
}

void nodes_problem_destroy(nodes_problem *p)
{
    const allocator *from = p->from;
    if (p->body_at) {
        memory_free(from, p->factors, p->factor_at[p->bodies] * sizeof *p->factors);
        memory_free(from, p->v_free, p->body_at[p->bodies] * sizeof *p->v_free);
    }
    memory_free(from, p->body_at, ((size_t)p->bodies + 1) * 2 * sizeof *p->body_at);
    memory_free(from, p->f, p->nodes * 4 * sizeof *p->f);
    memory_free(from, p->inverse, p->nodes * sizeof *p->inverse);
    memory_free(from, p->record, p->contacts * sizeof *p->record);
    memory_free(from, p->record_start, ((size_t)p->nodes + 2) * sizeof *p->record_start);
    memory_free(from, p->term, p->term_room * sizeof *p->term);
    memory_free(from, p->pull, p->pull_room * sizeof *p->pull);
    memory_free(from, p->Z, p->Z_count * sizeof *p->Z);
    bsr3_destroy(&p->A);
    *p = (nodes_problem){.from = from, .A.from = from};
}

/* ---- use ---- */

void nodes_state(const nodes_problem *p, const double *r, double *g, double *w)
{
    if (p->nodes) memcpy(g, p->f, 3 * (size_t)p->nodes * sizeof *g);
    if (p->bodies) memset(w, 0, nodes_state_count(p) * sizeof *w);
    for (uint32_t k = 0; k < p->contacts; k++) {
        const nodes_record *c = &p->record[k];
        nodes_push(p, c, v3_load(r + 3 * (size_t)c->contact), g, w);
    }
}

void nodes_velocity(const nodes_problem *p, const double *v, const double *w, double *u)
{
    for (uint32_t k = 0; k < p->contacts; k++) {
        const nodes_record *c = &p->record[k];
        v3_store(u + 3 * (size_t)c->contact, nodes_contact_velocity(p, c, v, w));
    }
}

double nodes_dynamics_residual(const nodes_problem *p, const double *g, const double *v)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < p->nodes; i++) {
        v3 rest = v3_load(g + 3 * (size_t)i);
        for (uint32_t k = p->A.row_start[i]; k < p->A.row_start[i + 1]; k++) {
            const v3 vj = v3_load(v + 3 * (size_t)p->A.col[k]);
            rest = v3_sub(rest, m3_mul_v3(&p->A.block[k], vj));
        }
        const double e = p->compliance[i] * v3_norm(rest);
        if (!isfinite(e)) return INFINITY; /* NaN must not get lost in a maximum */
        worst = scalar_max(worst, e);
    }
    return worst;
}

double nodes_residual(const nodes_problem *p, const double *r, const double *v, const double *g,
                      const double *w)
{
    double worst = nodes_dynamics_residual(p, g, v);
    for (uint32_t k = 0; k < p->contacts; k++) {
        const nodes_record *c = &p->record[k];
        const double e = coulomb_residual(nodes_contact_velocity(p, c, v, w),
                                          v3_load(r + 3 * (size_t)c->contact), c->mu, c->d);
        if (!isfinite(e)) return INFINITY;
        worst = scalar_max(worst, e);
    }
    return worst;
}

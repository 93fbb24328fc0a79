/* SPDX-License-Identifier: Apache-2.0
 *
 * A system (system.h) made ready for Gauss-Seidel over nodes and contacts.
 *
 * The nodes stay as they are: velocities v, and what pushes them, g = f + H^T r, so that A v = g is
 * what dynamics asks for. Bodies are whitened as in bodies.h, w = sum Z r. A contact sees
 *     u = sum H v + Z^T w + b,    b = u_0 + what its bodies do without contacts.
 *
 * With every node held but those that the contact touches (the set T), an impulse dr moves these by
 * Y dr, Y = A_TT^-1 H_T^T, and the contact's local operator is
 *     W = H_T A_TT^-1 H_T^T + Z^T Z:
 * after r has changed by dr and v_T by Y dr, A v = g holds at the touched nodes as well or as badly
 * as before. For a contact of one node this is H A_ii^-1 H^T, the nodal solver of paper 004 without
 * its change of variables; for a vertex on a face or two edges it needs no duplicates and no pins.
 */
#ifndef CONTACT_NODES_H
#define CONTACT_NODES_H

#include "contact/problem.h"
#include "contact/system.h"
#include "linalg/ldl.h"

enum { NODES_MOST_TERMS = 64 }; /* different nodes that one contact may touch */

typedef struct nodes_term {
    m3 H, Yt; /* Y transposed */
    uint32_t node;
} nodes_term;

typedef struct nodes_pull { /* of a contact on a body */
    size_t at, n;           /* the body's unknowns in w */
    size_t Z;               /* where Z begins: 3 columns of n numbers */
} nodes_pull;

typedef struct nodes_record {
    sym3 W;
    v3 b;
    double mu;
    double d;         /* compliance: of nodes |H|^2 / tr(A_ii), of bodies tr(Z^T Z) / 3 */
    uint32_t contact; /* which one of the system it is */
    uint32_t term, terms, pull, pulls;
} nodes_record;

typedef struct nodes_problem {
    const allocator *from;
    uint32_t nodes, bodies, contacts;
    bsr3 A; /* symmetric pattern with the whole diagonal */
    double *f;
    sym3 *inverse;      /* of the diagonal blocks of A */
    double *compliance; /* 3 / tr(A_ii), 1/kg */
    /* Contacts in the order of the last node they touch, those without nodes at the end: node i
     * ends record_start[i] .. record_start[i + 1], as if there were one node more. */
    nodes_record *record;
    uint32_t *record_start; /* [nodes + 2] */
    nodes_term *term;
    nodes_pull *pull;
    double *Z;
    size_t *body_at;   /* [bodies + 1] where each body's unknowns begin in w */
    size_t *factor_at; /* [bodies + 1] and its factored inertia in `factors` */
    double *factors, *v_free;
    size_t term_room, pull_room, Z_count; /* allocated */
} nodes_problem;

/* Copies what it needs of a system that passed contact_system_check. Errors: matrices that are not
 * symmetric positive definite as far as it looks (bodies, diagonal blocks, touched nodes), contacts
 * that move nothing or touch too many nodes. */
status nodes_problem_create(nodes_problem *p, const allocator *from, const contact_system *source,
                            error *err);
void nodes_problem_destroy(nodes_problem *p);

static inline size_t nodes_state_count(const nodes_problem *p) { return p->body_at[p->bodies]; }

/* ---- one contact ---- */

static inline v3 nodes_contact_velocity(const nodes_problem *p, const nodes_record *c,
                                        const double *v, const double *w)
{
    v3 u = c->b;
    for (uint32_t k = c->term; k < c->term + c->terms; k++) {
        u = v3_add(u, m3_mul_v3(&p->term[k].H, v3_load(v + 3 * (size_t)p->term[k].node)));
    }
    for (uint32_t k = c->pull; k < c->pull + c->pulls; k++) {
        const nodes_pull *q = &p->pull[k];
        const double *Z = p->Z + q->Z, *x = w + q->at;
        for (size_t l = 0; l < q->n; l++) {
            u = v3_add(u, v3_scale(x[l], (v3){Z[l], Z[q->n + l], Z[2 * q->n + l]}));
        }
    }
    return u;
}

/* g += H^T dr and w += Z dr */
static inline void nodes_push(const nodes_problem *p, const nodes_record *c, v3 dr, double *g,
                              double *w)
{
    for (uint32_t k = c->term; k < c->term + c->terms; k++) {
        double *gi = g + 3 * (size_t)p->term[k].node;
        v3_store(gi, v3_add(v3_load(gi), m3_tmul_v3(&p->term[k].H, dr)));
    }
    for (uint32_t k = c->pull; k < c->pull + c->pulls; k++) {
        const nodes_pull *q = &p->pull[k];
        const double *Z = p->Z + q->Z;
        for (size_t l = 0; l < q->n; l++) {
            w[q->at + l] += Z[l] * dr.x + Z[q->n + l] * dr.y + Z[2 * q->n + l] * dr.z;
        }
    }
}

/* Z_a^T Z_b of two pulls on a body with n unknowns. */
m3 nodes_multiply_pulls(const double *Z_a, const double *Z_b, size_t n);

/* ---- all of them; r and u in the order of the system ---- */

/* g = f + H^T r, w = Z r */
void nodes_state(const nodes_problem *p, const double *r, double *g, double *w);

void nodes_velocity(const nodes_problem *p, const double *v, const double *w, double *u);

/* How far v is from A v = g: the worst node's |g - A v| times its compliance, m/s. */
double nodes_dynamics_residual(const nodes_problem *p, const double *g, const double *v);

/* The worst of that and of the contacts' residuals; infinite if anything is not a number. */
double nodes_residual(const nodes_problem *p, const double *r, const double *v, const double *g,
                      const double *w);

/* The bodies' own velocities, v_free + G^-T w, one after another. */
void nodes_body_velocity(const nodes_problem *p, const double *w, double *v);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A one-step frictional contact problem of bodies (rods, rigid ones), without its operator W.
 *
 * Body b has m_b unknowns v_b and the inertia A_b = G G^T (linalg/ldl.h). A contact touches one or
 * two bodies; with u_0 what moves by itself, its relative velocity is u = sum H v + u_0, and its
 * impulse r changes v by A^-1 H^T r. Whitened by w = G^T (v - v_free) and Z = G^-1 H^T,
 *     w = sum Z r,    u = Z^T w + b,    b = sum H v_free + u_0,    W_ij = Z_i^T Z_j:
 * a visit to a contact reads its own Z and the w of its bodies and nothing else, so that memory and
 * work grow with the number of contacts, not with that of the pairs that touch one body.
 *
 * Unknowns are filled up with zeros to whole groups of four, and every sum is four sums (lane k
 * adds the items k, k + 4, ...): the same bits from every compiler, vectorised or not.
 */
#ifndef CONTACT_BODIES_H
#define CONTACT_BODIES_H

#include "contact/problem.h"
#include "linalg/ldl.h"

enum { BODIES_GROUP = 4 }; /* unknowns in a group */

#define BODIES_NONE UINT32_MAX

/* What the caller has. */
typedef struct bodies_body {
    ldl_shape shape;       /* shape.n is the number of unknowns */
    const double *factors; /* of the inertia, by ldl_factor */
    const double *v_free;  /* velocity without contacts */
} bodies_body;

typedef struct bodies_side {
    uint32_t body;   /* BODIES_NONE for the second side of a contact with one body */
    const double *H; /* 3 x shape.n, row by row, the sign of the side included */
} bodies_side;

typedef struct bodies_contact {
    bodies_side side[2]; /* may be the same body, which then touches itself */
    v3 u_0;
    double mu;
} bodies_contact;

typedef struct bodies_source {
    uint32_t bodies, contacts;
    const bodies_body *body;
    const bodies_contact *contact;
} bodies_source;

/* A contact as the sweep reads it. */
typedef struct bodies_record {
    sym3 W; /* W_ii */
    v3 b;
    double mu;
    double d;           /* tr(W) / 3 */
    size_t Z;           /* where its first side begins in bodies_problem.Z; the second follows */
    uint32_t groups[2]; /* of unknowns per side; 0: there is no such side */
    uint32_t at[2];     /* where the body's unknowns begin in w, in groups */
} bodies_record;

typedef struct bodies_problem {
    const allocator *from;
    uint32_t contacts, bodies;
    bodies_record *record; /* [contacts] */
    double *Z;             /* in the order of contacts: per side 3 columns of 4 groups[] numbers */
    size_t Z_count;
    uint32_t *start; /* [bodies + 1] where each body's unknowns begin in w, in groups */
    double scale;    /* largest |b_i| */
} bodies_problem;

/* Copies what it needs. Errors: indices out of range, bodies without unknowns, numbers that are not
 * finite, pivots that are not positive, negative mu, contacts that move nothing. */
status bodies_problem_create(bodies_problem *p, const allocator *from, const bodies_source *source,
                             error *err);
void bodies_problem_destroy(bodies_problem *p);

/* How many numbers w has. */
static inline size_t bodies_state_count(const bodies_problem *p)
{
    return BODIES_GROUP * (size_t)p->start[p->bodies];
}

/* w = Z r, and u = Z^T w + b. */
void bodies_state(const bodies_problem *p, const double *r, double *w);
void bodies_velocity(const bodies_problem *p, const double *w, double *u);

/* The worst contact's residual in m/s; infinite if anything is not a number. */
double bodies_residual(const bodies_problem *p, const double *r, const double *w);

/* v = v_free + G^-T w for body k, shape.n numbers. */
void bodies_body_velocity(const bodies_problem *p, const bodies_body *body, uint32_t k,
                          const double *w, double *v);

/* The same problem with its operator, which grows with the pairs of contacts at one body. */
status bodies_make_explicit(const bodies_problem *p, const allocator *from, contact_problem *out,
                            error *err);

/* ---- one contact ---- */

/* Two lanes, named as such: what gcc 12 makes of plain loops over four lanes takes about a fifth
 * longer. Places in w and Z are multiples of 32 bytes, so that w must be aligned as malloc and
 * memory_alloc do. */
typedef double bodies_pair __attribute__((vector_size(16), may_alias));

enum { BODIES_PAIRS = BODIES_GROUP / 2 };

static inline const bodies_pair *bodies_pairs(const double *x) { return (const void *)x; }

/* The lanes (0, 1) and (2, 3) of a sum. */
static inline double bodies_lanes_sum(bodies_pair low, bodies_pair high)
{
    const bodies_pair sum = low + high;
    return sum[0] + sum[1];
}

/* Z^T w of both sides. */
static inline v3 bodies_relative_change(const bodies_problem *p, const bodies_record *c,
                                        const double *w)
{
    bodies_pair N[BODIES_PAIRS] = {{0}}, S[BODIES_PAIRS] = {{0}}, T[BODIES_PAIRS] = {{0}};
    const bodies_pair *Z = bodies_pairs(p->Z + c->Z);
    for (int side = 0; side < 2; side++) {
        const size_t m = BODIES_PAIRS * (size_t)c->groups[side];
        const bodies_pair *x = bodies_pairs(w + BODIES_GROUP * (size_t)c->at[side]);
        for (size_t k = 0; k < m; k += BODIES_PAIRS) {
            for (size_t l = 0; l < BODIES_PAIRS; l++) {
                N[l] += Z[k + l] * x[k + l];
                S[l] += Z[m + k + l] * x[k + l];
                T[l] += Z[2 * m + k + l] * x[k + l];
            }
        }
        Z += 3 * m;
    }
    return (v3){bodies_lanes_sum(N[0], N[1]), bodies_lanes_sum(S[0], S[1]),
                bodies_lanes_sum(T[0], T[1])};
}

static inline v3 bodies_contact_velocity(const bodies_problem *p, const bodies_record *c,
                                         const double *w)
{
    return v3_add(bodies_relative_change(p, c, w), c->b);
}

/* w += Z dr */
static inline void bodies_push(const bodies_problem *p, const bodies_record *c, v3 dr, double *w)
{
    const bodies_pair *Z = bodies_pairs(p->Z + c->Z);
    for (int side = 0; side < 2; side++) {
        const size_t m = BODIES_PAIRS * (size_t)c->groups[side];
        bodies_pair *x = (void *)(w + BODIES_GROUP * (size_t)c->at[side]);
        for (size_t k = 0; k < m; k += BODIES_PAIRS) {
            const bodies_pair low = Z[k] * dr.x + Z[m + k] * dr.y + Z[2 * m + k] * dr.z;
            const bodies_pair high =
                Z[k + 1] * dr.x + Z[m + k + 1] * dr.y + Z[2 * m + k + 1] * dr.z;
            x[k] += low;
            x[k + 1] += high;
        }
        Z += 3 * m;
    }
}

/* Asks for a contact's Z ahead of time. */
static inline void bodies_prefetch(const bodies_problem *p, const bodies_record *c)
{
    enum { LINE = MEMORY_ALIGNMENT / sizeof(double) };
    const size_t count = 3 * BODIES_GROUP * ((size_t)c->groups[0] + c->groups[1]);
    for (size_t k = 0; k < count; k += LINE) __builtin_prefetch(p->Z + c->Z + k);
}

#endif

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
 * Contacts are kept in the order in which they are visited (visit_plan.h); callers see their own.
 *
 * Unknowns are filled up with zeros to whole groups of four, and every sum is four sums (lane k
 * adds the items k, k + 4, ...): the same bits from every compiler, vectorised or not.
 */
#ifndef CONTACT_BODIES_H
#define CONTACT_BODIES_H

#include "base/pool.h"
#include "contact/problem.h"
#include "contact/visit_plan.h"
#include "linalg/ldl.h"
#include "math/pack.h"

enum {
    BODIES_GROUP = 4,               /* unknowns in a group */
    BODIES_BLOCK = 3 * BODIES_GROUP /* numbers of Z that go with a group */
};

#define BODIES_NONE VISIT_NO_BODY

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
    pool *threads; /* that help to whiten; NULL: none */
} bodies_source;

/* A contact as the sweep reads it. */
typedef struct bodies_record {
    sym3 W; /* W_ii */
    v3 b;
    double mu;
    double d;           /* tr(W) / 3 */
    uint32_t Z;         /* where its sides begin in bodies_problem.Z, in BODIES_BLOCK numbers */
    uint32_t groups[2]; /* of unknowns per side; 0: there is no such side */
    uint32_t at[2];     /* where the body's unknowns begin in w, in groups */
    uint32_t contact;   /* its number in the caller's order */
} bodies_record;

typedef struct bodies_problem {
    const allocator *from;
    uint32_t contacts, bodies;
    visit_plan plan;
    bodies_record *record; /* [contacts] in the order of the plan, and so are Z and touches */
    double *Z;             /* per side 3 columns of 4 groups[] numbers */
    size_t Z_count;
    uint32_t (*touches)[2]; /* [contacts] the bodies of each, BODIES_NONE: there is none */
    uint32_t *start;        /* [bodies + 1] where each body's unknowns begin in w, in groups */
    double scale;           /* largest |b_i| */
} bodies_problem;

/* Copies what it needs. Errors: indices out of range, bodies without unknowns, numbers that are not
 * finite, pivots that are not positive, negative mu, contacts that move nothing. */
status bodies_problem_create(bodies_problem *p, const allocator *from, const bodies_source *source,
                             error *err);
void bodies_problem_destroy(bodies_problem *p);

/* The record of the caller's contact i. */
static inline const bodies_record *bodies_record_of(const bodies_problem *p, uint32_t i)
{
    return &p->record[p->plan.turn[i]];
}

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

/* Places in w and Z are multiples of 32 bytes, so that w must be aligned as memory_alloc does. */
static inline const double *bodies_matrix(const bodies_problem *p, const bodies_record *c)
{
    return p->Z + BODIES_BLOCK * (size_t)c->Z;
}

/* Z^T w of both sides. */
static inline v3 bodies_relative_change(const bodies_problem *p, const bodies_record *c,
                                        const double *w)
{
    pack N[PACKS_PER_FOUR] = {{0}}, S[PACKS_PER_FOUR] = {{0}}, T[PACKS_PER_FOUR] = {{0}};
    const double *Z = bodies_matrix(p, c);
    for (int side = 0; side < 2; side++) {
        const size_t m = BODIES_GROUP * (size_t)c->groups[side];
        const double *x = w + BODIES_GROUP * (size_t)c->at[side];
        for (size_t k = 0; k < m; k += BODIES_GROUP) {
            for (size_t l = 0; l < PACKS_PER_FOUR; l++) {
                const size_t at = k + l * PACK;
                const pack xk = pack_load(x + at);
                N[l] += pack_load(Z + at) * xk;
                S[l] += pack_load(Z + m + at) * xk;
                T[l] += pack_load(Z + 2 * m + at) * xk;
            }
        }
        Z += 3 * m;
    }
    return (v3){pack_sum_four(N), pack_sum_four(S), pack_sum_four(T)};
}

static inline v3 bodies_contact_velocity(const bodies_problem *p, const bodies_record *c,
                                         const double *w)
{
    return v3_add(bodies_relative_change(p, c, w), c->b);
}

/* Its residual in m/s; infinite instead of NaN, which gets lost in a maximum. */
static inline double bodies_contact_residual(const bodies_problem *p, const bodies_record *c, v3 r,
                                             const double *w)
{
    const double e = coulomb_residual(bodies_contact_velocity(p, c, w), r, c->mu, c->d);
    return isfinite(e) ? e : INFINITY;
}

/* w += Z dr */
static inline void bodies_push(const bodies_problem *p, const bodies_record *c, v3 dr, double *w)
{
    const double *Z = bodies_matrix(p, c);
    for (int side = 0; side < 2; side++) {
        const size_t m = BODIES_GROUP * (size_t)c->groups[side];
        double *x = w + BODIES_GROUP * (size_t)c->at[side];
        for (size_t k = 0; k < m; k += PACK) {
            const pack change = pack_load(Z + k) * dr.x + pack_load(Z + m + k) * dr.y +
                                pack_load(Z + 2 * m + k) * dr.z;
            pack_store(x + k, pack_load(x + k) + change);
        }
        Z += 3 * m;
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A one-step frictional contact problem with an explicit operator: find r with
 *     u = W r + b   and Coulomb's law with mu_i at every contact i,
 * all vectors with 3 numbers per contact in its frame, the normal one first.
 *
 * W is positive semidefinite, often singular; published problems are sometimes slightly
 * unsymmetric, which is respected: u is always computed with the W that was given.
 */
#ifndef CONTACT_PROBLEM_H
#define CONTACT_PROBLEM_H

#include "contact/coulomb.h"
#include "linalg/bsr3.h"

typedef struct contact_problem {
    uint32_t contacts;
    bsr3 W;       /* its pattern is symmetric and has the whole diagonal */
    double *b;    /* 3 per contact, m/s */
    double *mu;   /* per contact */
    double *d;    /* tr(W_ii) / 3: turns impulses into velocities */
    double scale; /* largest |b_i|: relative residuals are residuals over this */
} contact_problem;

/* Copies blocks in compressed rows: row i has the blocks row_start[i] .. row_start[i + 1] in the
 * columns `col`, 9 numbers each, row by row. Rows need not be sorted; blocks named twice add up.
 * Errors: indices out of range, numbers that are not finite, negative mu, no trace on the
 * diagonal. */
typedef struct contact_source {
    uint32_t contacts;
    const uint32_t *row_start, *col;
    const double *blocks, *b, *mu;
} contact_source;

status contact_problem_create(contact_problem *p, const allocator *from,
                              const contact_source *source, error *err);
void contact_problem_destroy(contact_problem *p, const allocator *from);

/* u = W r + b */
void contact_problem_velocity(const contact_problem *p, pool *threads, const double *r, double *u);

/* The worst contact's residual in m/s, and the whole picture. */
double contact_problem_residual(const contact_problem *p, const double *r, const double *u);

typedef struct contact_measure {
    coulomb_errors worst;
    double cone_violation;      /* largest |r_T| - mu r_N, N s; 0 if none */
    double min_normal_velocity; /* m/s */
    uint32_t takeoff, stick, slide;
} contact_measure;

static inline contact_measure contact_measure_none(void)
{
    return (contact_measure){.min_normal_velocity = INFINITY};
}

/* One contact more. */
/* The law's case that u and r are nearest to. */
contact_state contact_classify(v3 u, v3 r, double mu, double d);

void contact_measure_add(contact_measure *m, v3 u, v3 r, double mu, double d);

contact_measure contact_problem_measure(const contact_problem *p, const double *r, const double *u);

#endif

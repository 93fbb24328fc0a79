/* SPDX-License-Identifier: Apache-2.0
 *
 * Accelerated projected gradient on De Saxce's form of Coulomb's law (paper 003, section 3.2).
 *
 * With s_i = mu_i |u_Ti| held, the law is the optimality condition of a convex problem,
 *     min  1/2 r'W r + (b + s e_N)'r   over r in K.
 * Its projected gradient step, every contact scaled by its compliance d_i, starts from a point y
 * that is extrapolated from the last two iterates (Nesterov):
 *     r+ = P_K( y - D^-1 (W y + b + s e_N) / L ),     y+ = r+ + beta (r+ - r).
 * L starts as an estimate of the largest eigenvalue of D^-1/2 W D^-1/2 by power iteration and
 * grows when a step finds more curvature. The momentum starts over when it points uphill. d_i is
 * one number per contact, so that projections remain those of Euclid.
 *
 * A step costs one product with W: u is affine, so u(y) is extrapolated along with y, while u(r) is
 * always computed afresh.
 *
 * "projected-gradient" lets s follow mu |u_T| in every step. That is no longer the gradient of
 * anything and may circle; then s follows more slowly.
 */
#ifndef CONTACT_PROJECTED_GRADIENT_H
#define CONTACT_PROJECTED_GRADIENT_H

#include "contact/solver.h"

/* What first-order methods share: the best point, the trace, when to end. */
typedef struct descent {
    const contact_problem *p;
    const solver_options *options;
    solver_report *report;
    double *best_r;
    double best; /* m/s */
    bool stopped;
} descent;

/* Judges r with u = W r + b computed afresh; false when it is time to end. */
bool descent_look(descent *d, const double *r, const double *u);

/* Hands the best point back. */
status descent_finish(const descent *d, double *r);

/* The largest eigenvalue of D^-1/2 W D^-1/2: roughly and from below, and a bound from above. x and
 * y are scratch vectors. */
typedef struct curvature {
    double estimate, bound;
} curvature;

curvature curvature_of(const contact_problem *p, pool *threads, double *x, double *y);

/* s_i += follow (mu_i |u_Ti| - s_i); returns the largest change that follow = 1 would make, m/s. */
double desaxce_follow(const contact_problem *p, const double *u, double follow, double *s);

/* How quickly s follows: less when the best residual has not improved for a while. */
typedef struct pace {
    double follow;  /* 1 at first */
    double mark;    /* the best residual when it last improved by a tenth */
    uint32_t quiet; /* steps since */
} pace;

pace pace_start(double best);
void pace_look(pace *pc, double best);

static inline void descent_swap(double **a, double **b)
{
    double *const kept = *a;
    *a = *b;
    *b = kept;
}

/* The accelerated method, one step at a time; s is the caller's to change between steps. */
typedef struct accelerated {
    descent d;
    double *memory;
    double *r, *u; /* now */
    double *next, *u_next;
    double *y, *u_y; /* extrapolated */
    double *s;       /* per contact */
    double L, L_most;
    double theta; /* Nesterov's sequence; 1 is without momentum */
} accelerated;

/* Starts at r. Gives STATUS_OUT_OF_MEMORY, with nothing left to destroy, or STATUS_OK. */
status accelerated_create(accelerated *a, const allocator *from, const contact_problem *p,
                          const solver_options *options, solver_report *report, const double *r,
                          error *err);
void accelerated_destroy(accelerated *a, const allocator *from);

/* One step and a look at it; false when it is time to end. */
bool accelerated_step(accelerated *a);

/* Table entry. */
status projected_gradient_solve(const contact_problem *p, const allocator *from,
                                const solver_options *options, double *r, solver_report *report,
                                error *err);

#endif

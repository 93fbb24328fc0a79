/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes on a floor, tied to one another by linear springs and dragged about by forces:
 *     m x'' = F(t) - K x + r_T,    |r_T| <= mu m g,    against the velocity when it slides.
 * Implicit Euler makes a contact problem of each step,
 *     u_T = W r_T + b_T,    W = (m + h^2 K)^-1,    b_T = W (m v + h F - h K x),
 *     u_N = r_N/m - h g,
 * which goes to a solver of the library, or is solved here without any: with r_N = h m g known, by
 * projections onto the disc or the polygon. Where everything slides all the time the motion is an
 * ordinary differential equation, which is integrated here too.
 */
#ifndef STICTION_VALIDATE_DRAG_H
#define STICTION_VALIDATE_DRAG_H

#include "contact_lab.h"

enum { DRAG_NODES = 9, DRAG_SAMPLES = 256 };

typedef struct drag {
    size_t nodes;
    double mass, mu;                  /* of each node */
    double K[DRAG_NODES][DRAG_NODES]; /* N/m, the same along x and y */
    double duration;
    /* On a node at time t, in a step whose middle is given: forces may jump between steps. */
    vec (*pull)(const void *user, double t, double middle, size_t node);
    const void *user;
    vec x[DRAG_NODES], v[DRAG_NODES]; /* at the start; z is not used */
} drag;

/* The middle of all nodes at evenly spaced times, the start first. */
typedef struct drag_path {
    size_t samples; /* at most DRAG_SAMPLES; there is one more point */
    vec x[DRAG_SAMPLES + 1];
} drag_path;

/* How the friction of a step is found. */
typedef struct drag_law {
    const contact_lab *solvers; /* NULL: by projections */
    const char *solver;
    int facets; /* of projections; 0: the disc */
} drag_law;

/* Implicit Euler with `substeps` steps from sample to sample; path->samples says how many of
 * those. */
void drag_run(const drag *d, const drag_law *law, size_t substeps, drag_path *path);

/* The limit of ever smaller steps: the error of implicit Euler is a series in h, of which runs with
 * 1, 2, 4, 8 and 16 substeps eliminate the terms up to h^4. */
void drag_extrapolate(const drag *d, const drag_law *law, drag_path *path);

/* Runge and Kutta's method of order 4; d->x and d->v end where the path ends. */
void drag_integrate(drag *d, size_t substeps, drag_path *path);

/* The largest distance between the two at equal times. */
double drag_distance(const drag_path *a, const drag_path *b);

#endif

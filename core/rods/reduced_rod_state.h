/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of a rod without nodes (helices, clothoids, trees of helices): the curvatures q, the
 * velocities v and, as v moved the rod from its last shape to this one, that last shape, too: the
 * velocity of a point in the last step is J(last) v + the root's part.
 *
 * `triples` is how many twists with two curvatures a rod has: one for every element of a helix, one
 * for every joint of a clothoid. `first` is the number of unknowns before them: 6 of a free root,
 * or 0.
 */
#ifndef RODS_REDUCED_ROD_STATE_H
#define RODS_REDUCED_ROD_STATE_H

#include "math/quat.h"

#include <stddef.h>

typedef struct reduced_rod_state {
    double *q, *v; /* [first + 3 triples] */
    double *last;  /* [triples][3] */
    pose *root, *last_root;
    double *root_motion; /* linear and angular velocity of the root in the last step */
} reduced_rod_state;

/* In doubles. */
static inline size_t reduced_rod_state_count(size_t triples, size_t first)
{
    return 2 * (first + 3 * triples) + 3 * triples + 2 * sizeof(pose) / sizeof(double) + 6;
}

static inline reduced_rod_state reduced_rod_split_state(const double *state, size_t triples,
                                                        size_t first)
{
    double *q = (double *)state, *v = q + first + 3 * triples, *last = v + first + 3 * triples;
    pose *root = (pose *)(last + 3 * triples);
    return (reduced_rod_state){q, v, last, root, root + 1, first ? v : (double *)(root + 2)};
}

/* At rest with these curvatures. */
void reduced_rod_rest(double *state, size_t triples, size_t first, const pose *root,
                      const double *kappa);

/* After q or v were written by hand: as if it had come with v from where it is. */
void reduced_rod_settle(const reduced_rod_state *s, size_t triples, size_t first);

/* How a root moves during a step. */
typedef struct reduced_rod_root {
    v3 velocity, spin;
} reduced_rod_root;

/* Of a clamped one, to where it is at t + h; NULL: it stays. */
reduced_rod_root reduced_rod_move_root(const pose *from, const pose *to, double h);

/* What moves a state on by h. The last two are of a clamped root: where it is at t + h (NULL: where
 * it was), and its linear and angular velocity. */
typedef struct reduced_rod_move {
    double h;
    const double *v; /* [first + 3 triples] */
    const pose *root;
    const double *root_motion;
} reduced_rod_move;

/* `then` may be `now`. */
void reduced_rod_advance(const reduced_rod_state *now, const reduced_rod_state *then,
                         size_t triples, size_t first, const reduced_rod_move *by);

#endif

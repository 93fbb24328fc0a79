/* SPDX-License-Identifier: Apache-2.0
 *
 * What the step of nodal rods (nodal_step.c) and the watch over its energy (nodal_watch.c) share.
 */
#ifndef RODS_NODAL_STEP_H
#define RODS_NODAL_STEP_H

#include "rods/nodal_rod.h"

/* A rod's part of the work. "All" coordinates are the given ones, then the unknown. */
typedef struct nodal_work {
    double *A, *v_free;
    double *state;           /* [state_count] at t */
    double *v_fixed;         /* of the given coordinates during the step */
    double *trial, *v_trial; /* [all] a shape, and the velocities that led there */
    double *trial_tension;   /* [edges] */
    double *next, *v_next;   /* [all] the same of a shape that may follow the trial */
    double *next_tension;    /* [edges] */
    double *carried;         /* [all] U: velocities of the rod as its root carries it, unbent */
    double *push;            /* [unknowns] impulses of gravity, field and loads */
    double *elastic;         /* [1] E(q) */
    double *trial_elastic;   /* [1] E of the trial, once its equations are made */
} nodal_work;

nodal_work nodal_work_at(const nodal_rods *g, double *begin);
size_t nodal_work_count(const nodal_rods *g);

nodal_view nodal_view_trial(const nodal_view *at, const nodal_work *w);

/* Of the air on a node, over the step: momentum per velocity, and the velocity of the air there. */
double nodal_drag(const nodal_rods *g, const body_input *in, size_t rod, size_t node);
v3 nodal_air(const nodal_rods *g, const body_input *in, size_t rod, size_t node);

/* Linear equations around the trial: their factors in A, their solution in v_free. */
void nodal_solve_trial(const nodal_view *at, const body_input *in, const nodal_work *w);

/* Makes `next` from the trial: moved by the velocities v [unknowns], but with edges as long as
 * their tension wants. */
void nodal_follow(const nodal_view *at, const body_input *in, const nodal_work *w, const double *v);

/* `next` becomes the trial. */
void nodal_take_next(const nodal_rods *g, const nodal_work *w);

/* The watch: see nodal_watch.c. The first prepares what the others need, but for E(q), which the
 * equations around the shape at t give. */
void nodal_watch_begin(const nodal_view *at, const body_input *in, const nodal_work *w);
void nodal_watch_free_motion(const nodal_view *at, const body_input *in, const nodal_work *w);
void nodal_watch_velocities(const nodal_view *at, const nodal_view *moved, const body_input *in,
                            const nodal_work *w, const double *v, double *kept);

#endif

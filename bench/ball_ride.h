/* SPDX-License-Identifier: Apache-2.0
 *
 * A ball on two rails that run straight, climb through two loops and run out (paper 000, section
 * 5.1.5 and Figure 9). It begins with spin and without speed: friction alone can move it.
 *
 * Each rail is a super-helix that does not give, the second a copy of the first one gauge along the
 * axis of the loops; the ball is a rigid body. Every step is one contact problem with m = 6
 * unknowns and up to n = 2 contacts, nu = 3 n / m = 1. Its W has rank 5 at most, as the ball cannot
 * stretch the line between its two contacts: where both stick, b must fit, and with its gaps
 * it does so only nearly.
 */
#ifndef BENCH_BALL_RIDE_H
#define BENCH_BALL_RIDE_H

#include "contact/solver.h"

typedef struct ball_setup {
    double mu;
    double h;         /* s */
    double seconds;   /* the ball is watched for at most */
    double tolerance; /* m/s, of the solver */
    const solver *solver;
} ball_setup;

typedef struct ball_run {
    double furthest;     /* m from where it began, along the rails, while they carried the ball */
    double end;          /* m: the same of the rails' end */
    double fastest;      /* m/s */
    double grip;         /* what the ball presses on the level rails with, over its weight */
    double deepest;      /* m: how far the ball was in a rail at most */
    double energy_gain;  /* J: the largest rise of the ball's whole energy over the first */
    double residual;     /* m/s: the largest that was left */
    uint32_t solved;     /* steps with contacts */
    uint32_t missed;     /* of these, without convergence */
    uint32_t iterations; /* in all */
    uint32_t most;       /* in one step */
    uint32_t above;      /* steps of five iterations or more */
} ball_run;

status ball_ride_run(const ball_setup *setup, ball_run *run, error *err);

#endif

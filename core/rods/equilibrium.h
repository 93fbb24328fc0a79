/* SPDX-License-Identifier: Apache-2.0
 *
 * Static equilibrium of one body: where the slope of its potential energy (body_gradient) is zero.
 *
 * Newton's method with a Hessian by central differences, as wide as the body's matrix: a step must go
 * downhill, by the work of the mean of the slopes at its ends. Where it does not, bodies that have
 * a way of their own (body_relax) go that way, and others take a step that is damped as by
 * Levenberg and Marquardt. For bodies whose unknowns add up (clamped rods; not a free root).
 */
#ifndef RODS_EQUILIBRIUM_H
#define RODS_EQUILIBRIUM_H

#include "base/memory.h"
#include "mechanics/body_group.h"

typedef struct equilibrium_options {
    double unit;      /* a change of an unknown that matters: 1/length for curvatures */
    double tolerance; /* how far the unknowns may be off, in units */
    uint32_t iterations;
} equilibrium_options;

typedef struct equilibrium_result {
    uint32_t iterations;
    double step;     /* the last Newton step, in units: how far off the unknowns are */
    double residual; /* largest entry of the gradient */
    double lowest;   /* smallest eigenvalue of the Hessian: stable if it is positive */
} equilibrium_result;

/* Starts from the q of `body` in `state`, and leaves the equilibrium there with v = 0.
 * STATUS_NOT_CONVERGED: it holds the last point reached. Without iterations it stays where it is,
 * and the result says what its residual and stability are there. */
status equilibrium_find(const body_group *g, const body_input *in,
                        const equilibrium_options *options, const allocator *from, double *state,
                        uint32_t body, equilibrium_result *result, error *err);

#endif

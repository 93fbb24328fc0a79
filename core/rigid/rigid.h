/* SPDX-License-Identifier: Apache-2.0
 *
 * Rigid bodies as a body_group (mechanics/body_group.h): six unknowns each, the linear velocity of
 * the centre of mass, then the angular velocity omega in space. What has their place in q is 0, as
 * turns do not add up: the pose is elsewhere in the state. X is from the centre of mass, in axes
 * that turn with the body; the only station is the centre.
 *
 * A step from t to t + h, with the inertia J of the pose at t:
 *     J (omega* - omega) = h J x cross x,     x = (omega + omega*) / 2             (the free top)
 *     (m + h c) v_free = m v + h (forces + c air),    (J + h C) omega_free = J omega* + h moments
 *     pose at t + h: the one at t moved by h v and turned by exp(h omega)
 * Velocities belong to the middle of their step: the pose is moved by the midpoint rule, and the
 * top by the midpoint rule from the middle of one step to the middle of the next, so that both are
 * of second order. Without forcing and drag,
 *   - kinetic energy stays, because x . (J x cross x) = 0, and because a turn about omega changes
 *     nothing in omega . J omega; drag can only take from it, whatever the step;
 *   - the size of the angular momentum stays, because J x . (J x cross x) = 0;
 *   - its direction, that of exp(-h omega / 2) J omega, is off by O(h^3) a step, O(h^2) in all.
 * Linear momentum changes by the impulse of the forces to rounding.
 *
 * Numbers so large that A leaves the range of double give a body the v_free NaN, and none to others.
 */
#ifndef RIGID_RIGID_H
#define RIGID_RIGID_H

#include "base/memory.h"
#include "mechanics/body_group.h"
#include "rigid/mass.h"

typedef struct rigid_body {
    double mass;    /* kg */
    sym3 inertia;   /* kg m^2, about the centre of mass */
    double drag;    /* kg/s: c, the air's force is drag * (air - velocity) */
    sym3 turn_drag; /* kg m^2/s: C, the air's moment is -turn_drag * omega */
} rigid_body;

typedef struct rigid_source {
    const char *name; /* of the object, for errors */
    uint32_t bodies;
    const rigid_body *body; /* [bodies] */
} rigid_source;

/* A homogeneous body of a shape that passed rigid_check_shape: the air pulls at its skin by
 * skin_drag * (air - velocity) per area, kg/(m^2 s). */
rigid_body rigid_body_from_mass(const rigid_shape *shape, double mass, double skin_drag);
rigid_body rigid_body_from_density(const rigid_shape *shape, double density, double skin_drag);

/* Errors name the body: masses that are not finite and positive; inertias that are not positive
 * definite, or with a principal moment above the sum of the others by more than a millionth of the
 * trace, which no mass has; drags that are negative or not finite. */
status rigid_create(const rigid_source *source, const allocator *from, body_group **out,
                    error *err);

/* Centres of mass and axes at the poses `at` [count], with velocities v [count][6], or at rest if
 * it is NULL. Errors, of the object `name`: numbers that are not finite, rotations whose length is
 * off 1 by more than a millionth. */
status rigid_place(const body_group *g, const char *name, const pose *at, const double *v,
                   double *state, error *err);

/* Where a body is. */
pose rigid_pose(const body_group *g, const double *state, size_t body);

#endif

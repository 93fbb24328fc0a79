/* SPDX-License-Identifier: Apache-2.0
 *
 * Coulomb's law with Signorini's condition, and how far an answer is from it.
 *
 * At one contact, in its frame (N, T1, T2), with relative velocity u, impulse r and friction mu,
 * one of
 *     take-off  r = 0,  u_N >= 0
 *     stick     u = 0,  r in K
 *     slide     u_N = 0,  u_T != 0,  r_T = -mu r_N u_T / |u_T|
 * K = { |r_T| <= mu r_N } is the friction cone. The three cases are one statement (De Saxce): with
 *     u~ = u + mu |u_T| e_N,     K* contains u~,  u~ . r = 0,  r in K.
 * u_N counts what is left of the gap: u_N = 0 closes it exactly at the end of the step.
 */
#ifndef CONTACT_COULOMB_H
#define CONTACT_COULOMB_H

#include "math/v3.h"

#include <float.h>
#include <stdbool.h>

typedef enum contact_state {
    CONTACT_NONE = 0,
    CONTACT_TAKEOFF = 1,
    CONTACT_STICK = 2,
    CONTACT_SLIDE = 3
} contact_state;

/* In local coordinates: x is normal, y and z tangential. */
static inline double coulomb_tangent_norm(v3 a) { return sqrt(a.y * a.y + a.z * a.z); }

/* It does not touch, and this is exactly what the law says: no residual, nothing to solve. */
static inline bool coulomb_stays_open(v3 u, v3 r)
{
    return u.x >= 0.0 && r.x == 0.0 && r.y == 0.0 && r.z == 0.0;
}

/* The nearest point of the friction cone: r itself inside, 0 in the polar cone, else on the surface
 * at n = (r_N + mu |r_T|) / (1 + mu^2), which is not positive exactly in the polar cone. Choices
 * instead of jumps, for nobody can predict the states of contacts. */
static inline v3 coulomb_project(v3 r, double mu)
{
    const double t = coulomb_tangent_norm(r);
    const bool inside = t <= mu * r.x && r.x >= 0.0; /* without friction 0 <= -0 holds below too */
    const double on_surface = (r.x + mu * t) / (1.0 + mu * mu);
    const double n = on_surface > 0.0 ? on_surface : 0.0;
    const double s = inside ? 1.0 : mu * n / (t + DBL_MIN);
    return (v3){inside ? r.x : n, s * r.y, s * r.z};
}

/* Distances from the law in m/s; d is the contact's compliance tr(W)/3, which turns impulses into
 * velocities. All are zero exactly for solutions. */
typedef struct coulomb_errors {
    double natural;            /* | d r - P_K(d r - u~) |: the residual that steps are judged by */
    double fischer_burmeister; /* | a + b - (a^2 + b^2)^(1/2) |, Jordan product of the two cones */
    double alart_curnier;      /* normal and tangential projections apart */
} coulomb_errors;

static inline double coulomb_residual_squared(v3 u, v3 r, double mu, double d)
{
    const v3 impulse = v3_scale(d, r);
    const v3 u_tilde = {u.x + mu * coulomb_tangent_norm(u), u.y, u.z};
    const v3 off = v3_sub(impulse, coulomb_project(v3_sub(impulse, u_tilde), mu));
    return v3_dot(off, off);
}

static inline double coulomb_residual(v3 u, v3 r, double mu, double d)
{
    return sqrt(coulomb_residual_squared(u, r, mu, d));
}

coulomb_errors coulomb_measure(v3 u, v3 r, double mu, double d);

#endif

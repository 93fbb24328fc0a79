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

typedef enum contact_state {
    CONTACT_NONE = 0,
    CONTACT_TAKEOFF = 1,
    CONTACT_STICK = 2,
    CONTACT_SLIDE = 3
} contact_state;

/* In local coordinates: x is normal, y and z tangential. */
static inline double coulomb_tangent_norm(v3 a) { return sqrt(a.y * a.y + a.z * a.z); }

/* The nearest point of the friction cone. */
v3 coulomb_project(v3 r, double mu);

/* Distances from the law in m/s; d is the contact's compliance tr(W)/3, which turns impulses into
 * velocities. All are zero exactly for solutions. */
typedef struct coulomb_errors {
    double natural;            /* | d r - P_K(d r - u~) |: the residual that steps are judged by */
    double fischer_burmeister; /* | a + b - (a^2 + b^2)^(1/2) |, Jordan product of the two cones */
    double alart_curnier;      /* normal and tangential projections apart */
} coulomb_errors;

double coulomb_residual(v3 u, v3 r, double mu, double d);
coulomb_errors coulomb_measure(v3 u, v3 r, double mu, double d);

#endif

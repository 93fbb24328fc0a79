/* SPDX-License-Identifier: Apache-2.0
 *
 * How cloth resists in its plane: an elastic energy per area over Green's strain
 *     E = (F^T F - 1) / 2,    e = (E_11, E_22, 2 E_12)    warp, weft, shear,
 *     W(e) = 1/2 e . C e + sum_k a_k f(p_k . e).
 *
 * C is orthotropic: warp, weft, their coupling, shear. The sum makes cloth stiffer as it stretches:
 * fibres at 0, +-22.5, +-45, +-67.5 and 90 degrees from the warp, the directions in which
 * stretching was measured, p_k . e being the strain along fibre k. With the strain x of a
 * measurement, `onset`,
 *     f(s) = 0 for s < 0,    s^3 / (3 x) up to x,    then a parabola with the same curvature,
 * the secant stiffness of a fibre grows in proportion to the strain and is a_k at x. f is convex
 * and its second derivative continuous; so W is convex in e, and forces come from an energy.
 */
#ifndef CLOTH_MEMBRANE_H
#define CLOTH_MEMBRANE_H

#include "math/v3.h"

enum { CLOTH_FIBRE_ANGLES = 5 }; /* 0, 22.5, 45, 67.5, 90 degrees */

typedef struct cloth_membrane {
    double warp, weft, coupling;      /* C_11, C_22, C_12, N/m */
    double shear;                     /* S_12 / (2 E_12), N/m: a shear modulus times thickness */
    double fibre[CLOTH_FIBRE_ANGLES]; /* a_k >= 0, N/m; those in between have mirror images */
    double onset;                     /* > 0 */
} cloth_membrane;

typedef struct cloth_response {
    double W;    /* N/m */
    double S[3]; /* dW/de: S_11, S_22, S_12, N/m */
    double T[6]; /* d2W/de2, positive definite: 00, 01, 02, 11, 12, 22 */
} cloth_response;

/* `stretch` and `shear` are factors of the material there; 1 is as it is. Shear that the fibres
 * give goes with `stretch`. */
cloth_response cloth_membrane_respond(const cloth_membrane *m, double stretch, double shear,
                                      const double e[3]);

/* The nearest stress without compression, for the part of the Hessian that comes from it. */
void cloth_membrane_tension(const double S[3], double tension[3]);

/* C must be positive definite, and all must be finite. */
bool cloth_membrane_is_valid(const cloth_membrane *m);

/* An isotropic sheet of thickness times Young's modulus `stiffness`. */
cloth_membrane cloth_membrane_isotropic(double stiffness, double poisson);

#endif

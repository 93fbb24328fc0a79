/* SPDX-License-Identifier: Apache-2.0
 *
 * What mechanics says of thin rods, to more digits than tables have.
 */
#ifndef STICTION_VALIDATE_ROD_THEORY_H
#define STICTION_VALIDATE_ROD_THEORY_H

/* A heavy elastica of length 1 and bending stiffness 1 that leaves its clamp horizontally, under
 * its weight w per length and a force P down at its tip: with the angle theta below the horizon,
 *     theta'' = -(w (1 - s) + P) cos(theta),   theta(0) = 0,   theta'(1) = 0. */
typedef struct elastica {
    double down, along; /* of the tip */
} elastica;

elastica rod_theory_elastica(double w, double P);

/* The first positive zero of the Bessel function J_nu, -1 < nu < 0, by its power series. */
double rod_theory_bessel_zero(double nu);

#endif

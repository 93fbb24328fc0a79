/* SPDX-License-Identifier: Apache-2.0
 *
 * A space clothoid: an element of a rod whose twist and curvatures are linear in arc length (paper
 * 003, 2.3.2), by power series.
 *
 * In the frame where it begins, R' = R [kappa]x and x' = R e_x. Its motions, too, are solutions of
 * such equations: the rate of curvature c at end b turns and moves a section as the screw
 *
 *     turn' = hat_b R e_c,    lift' = hat_b x x R e_c,    velocity of x:  lift + turn x x
 *
 * with hat_b the weight of that end (delta theta = int R delta kappa, delta r = int (R delta kappa)
 * x (r - r')). So all of them are integrals of R and of G = [x]x R, which follow from
 *
 *     (n+1) R_{n+1} = R_n [a]x + R_{n-1} [g]x                     kappa = a + g s     (2.13)
 *     (n+1) G_{n+1} = G_n [a]x + G_{n-1} [g]x + R_n [e_x]x.
 *
 * Terms of alternating sign cancel where the curl is long, so a series reaches no further than
 * (2.15) with M = 10 lets it, where no term is larger than 1e3; then another one begins.
 */
#ifndef RODS_CLOTHOID_H
#define RODS_CLOTHOID_H

#include "math/m3.h"
#include "rods/helix_rule.h"

#include <stddef.h>

typedef struct clothoid {
    v3 kappa[2]; /* where it begins and ends */
    double length;
} clothoid;

/* A section. Columns 3 b + c belong to curvature c at end b. */
typedef struct clothoid_point {
    m3 R;
    v3 x;
    v3 turn[6], lift[6];
} clothoid_point;

enum {
    CLOTHOID_TERMS = 96, /* after at most 80 they are below 1e-18 at the end of a reach */
    CLOTHOID_SERIES = 48 /* R, int R, int G, int t R, int t G, row by row; three are zero */
};

/* The series of a part of a clothoid. */
typedef struct clothoid_piece {
    clothoid_point from;
    double length;
    double hat[2][2]; /* hat_b = hat[b][0] + hat[b][1] t with t in [0, 1] along the piece */
    size_t terms;
    double size[CLOTHOID_TERMS]; /* of the terms of R and G at t = 1 */
    double term[CLOTHOID_TERMS][CLOTHOID_SERIES];
} clothoid_piece;

/* The section at arc length s in [0, length]. NaN where a curvature times the length is beyond ten
 * thousand. */
clothoid_point clothoid_at(const clothoid *c, double s);

/* Gauss samples along one or two clothoids of the same length, at the same arc lengths:
 *
 *     clothoid_samples it = clothoid_samples_begin(&now, &then);
 *     while (clothoid_samples_next(&it)) ... it.at, it.weight, it.now, it.then
 *
 * such that integrals of products of two motions are exact to 1e-10. */
typedef struct clothoid_samples {
    const clothoid *curve[2]; /* the second may be NULL */
    clothoid_piece piece[2];
    double begin;      /* arc length of the pieces */
    helix_rule rule;   /* in them */
    size_t next;       /* sample of the rule */
    double at, weight; /* fraction of the length; weights add up to the length */
    clothoid_point now, then;
} clothoid_samples;

void clothoid_samples_begin(clothoid_samples *it, const clothoid *now, const clothoid *then);
bool clothoid_samples_next(clothoid_samples *it);

#endif

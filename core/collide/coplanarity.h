/* SPDX-License-Identifier: Apache-2.0
 *
 * Do four moving points stay out of one plane?
 *
 * With A the way from one feature to the other and B, C two directions that span it (two sides of a
 * triangle, or one of each segment), each linear in time, the volume V = A . (B x C) is a cubic and
 * N = B x C a quadratic. The distance of the two features is never less than |V| / |N|, that of the
 * planes or lines they lie in. Written in Bernstein's basis of an interval of time, a polynomial
 * lies in the hull of its coefficients:
 *
 *     V_0 = [A0 B0 C0]    V_1 = ([A1 B0 C0] + [A0 B1 C0] + [A0 B0 C1]) / 3     and so on to V_3
 *
 * so that the features keep farther apart than d if all V_i have one sign and
 * min |V_i| > d max |N_i|, with an allowance for rounding.
 */
#ifndef COLLIDE_COPLANARITY_H
#define COLLIDE_COPLANARITY_H

#include "math/v3.h"

typedef struct coplanarity_frame {
    v3 A, B, C;
} coplanarity_frame;

/* Are the features certainly farther apart than `distance` from the one frame to the other? */
bool coplanarity_keeps_apart(const coplanarity_frame *begin, const coplanarity_frame *end,
                             double distance);

#endif

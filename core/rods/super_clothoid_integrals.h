/* SPDX-License-Identifier: Apache-2.0
 *
 * The integrals over one element of a super-clothoid that inertia and forces need, in the frame
 * where the element begins: of its points x, of the velocities D that its ends give them, and of a
 * density of momentum
 *
 *     F(s) = begin + (s / l) (end - begin) + spin x x(s) + rho Q V'(s),
 *
 * whose last part is the momentum of the last step (V' the velocity of the element as it was then
 * beyond that of its beginning).
 */
#ifndef RODS_SUPER_CLOTHOID_INTEGRALS_H
#define RODS_SUPER_CLOTHOID_INTEGRALS_H

#include "rods/super_clothoid_group.h"

typedef struct clothoid_momentum {
    v3 begin, end, spin;
    double density;                /* rho */
    const clothoid_memory *memory; /* NULL: V' = 0 */
} clothoid_momentum;

typedef struct clothoid_integrals {
    double length;
    v3 x;
    sym3 xx;        /* x x^T */
    v3 D[6], xD[6]; /* D, x x D */
    double DD[6][6];
    v3 F, xF;
    double DF[6];
} clothoid_integrals;

void super_clothoid_integrate(const clothoid *curve, const clothoid_momentum *m,
                              clothoid_integrals *sum);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/coplanarity.h"

#include "math/scalar.h"

static double longest(v3 a, v3 b) { return scalar_max(v3_norm(a), v3_norm(b)); }

bool coplanarity_keeps_apart(const coplanarity_frame *begin, const coplanarity_frame *end,
                             double distance)
{
    const v3 A0 = begin->A, B0 = begin->B, C0 = begin->C, A1 = end->A, B1 = end->B, C1 = end->C;
    const v3 N0 = v3_cross(B0, C0), N2 = v3_cross(B1, C1);
    const v3 mixed = v3_add(v3_cross(B0, C1), v3_cross(B1, C0)); /* 2 N1 */
    const double V[4] = {v3_dot(A0, N0), (v3_dot(A1, N0) + v3_dot(A0, mixed)) / 3.0,
                         (v3_dot(A0, N2) + v3_dot(A1, mixed)) / 3.0, v3_dot(A1, N2)};
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        least = scalar_min(least, V[0] < 0.0 ? -V[i] : V[i]); /* negative: two signs */
    }
    const double N = scalar_max(longest(N0, N2), 0.5 * v3_norm(mixed));
    const double rounding = 1e-14 * longest(A0, A1) * longest(B0, B1) * longest(C0, C1);
    return least > (1.0 + 1e-14) * distance * N + rounding;
}

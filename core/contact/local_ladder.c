/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder.
 */
#include "contact/local_judge.h"
#include "contact/local_methods.h"

local_answer local_solve_ladder(const sym3 *W, v3 b, double mu, v3 guess)
{
    double error;
    const local_answer a = local_solve_exact_bounded(W, b, mu, &error);
    /* |b|_1 <= sqrt(3) |b| */
    if (error <= 0.57 * LOCAL_TOLERANCE * (fabs(b.x) + fabs(b.y) + fabs(b.z))) return a;
    return local_solve_enum(W, b, mu, guess);
}

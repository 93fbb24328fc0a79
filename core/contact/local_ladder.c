/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder, each rung tried when the ones before have not satisfied the law to LOCAL_TOLERANCE |b|:
 *     take-off, stick, slide by Newton's method on alpha      (local_exact.h; a bound of the error comes with it)
 *     the residual of that answer with twice the digits       (local_judge.h)
 *     all sticking and sliding solutions                      (local_enum.c)
 *     the best point any rung has seen, flagged `failed`.
 *
 * Papers put Newton's method on the Fischer-Burmeister function in place of the first rung. It does not pay:
 * started from the solution of a problem only 0.1% away it takes six times as long as the Newton method on
 * alpha takes from nothing, and it misses where that does not. So the guess is not used, and the same W, b
 * and mu always give the same bits.
 *
 * What `failed` means. Every solution has r . W r <= -b . r (from u~ . r = 0), thus |r| <= |b| / lambda for
 * the smallest eigenvalue lambda of W. There is one unless a jam exists: z != 0 in the cone with W z = 0 and
 * b . z <= 0, an impulse that moves nothing against a velocity that closes (the condition for existence
 * that paper 000, section 4.4.1, cites). So a failure says that lambda is 0, and there is no solution, or
 * so small beside W that solutions exist only with impulses of which the last bit moves u~ by more than
 * the tolerance:
 *     lambda <= 4 eps (1 + mu) / LOCAL_TOLERANCE tr(W).
 * A jam need not exclude sliding solutions; the enumeration has then looked for them.
 */
#include "contact/local_judge.h"
#include "contact/local_methods.h"

local_answer local_solve_ladder(const sym3 *W, v3 b, double mu, v3 guess)
{
    (void)guess;
    double error;
    const local_answer a = local_solve_exact_bounded(W, b, mu, &error);
    const double size = 0.57 * (fabs(b.x) + fabs(b.y) + fabs(b.z)); /* at most |b|, without underflow */
    if (error <= LOCAL_TOLERANCE * size) return a;
    return local_enumerate(W, b, mu, a.r);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder. Each rung takes what those before leave off the law by over LOCAL_TOLERANCE |b|:
 *     take-off, stick, or slide by Newton's method on alpha, with a bound of the error;
 *     that answer, its residual computed with twice the digits;
 *     all sticking and sliding solutions there are (local_enum.c);
 *     the best point any rung has seen, flagged `failed`.
 *
 * Paper 001 begins with Newton's method on the Fischer-Burmeister function. That does not pay: from
 * the solution of a problem 0.1% away it takes six times as long as Newton's method on alpha takes
 * from nothing, and it sometimes misses where that does not. So the guess is not used, and the same
 * W, b and mu always give the same bits.
 *
 * What `failed` means. Every solution has r . W r <= -b . r (from u~ . r = 0), thus
 * |r| <= |b| / lambda with the smallest eigenvalue lambda of W. There is a solution unless there is
 * a jam, z != 0 in the cone with W z = 0 and b . z <= 0: an impulse that moves nothing, against a
 * velocity that closes (paper 001, section 4, names the proof). So a failure says that lambda is 0
 * and no solution was found, or that lambda is so small that the last bits of every solution move
 * u~ by more than the tolerance:
 *     lambda <= 4 eps (1 + mu) tr(W) / LOCAL_TOLERANCE.
 * A jam need not exclude sliding solutions; the enumeration has then looked for them.
 */
#include "contact/local_judge.h"
#include "contact/local_methods.h"

local_answer local_solve_ladder(const sym3 *W, v3 b, double mu, v3 guess)
{
    (void)guess;
    double error;
    const local_answer a = local_solve_exact_bounded(W, b, mu, &error);
    if (error <= local_allowance(b)) return a;
    local_answer last = local_enumerate(W, b, mu, a.r);
    last.fell_back = true;
    return last;
}

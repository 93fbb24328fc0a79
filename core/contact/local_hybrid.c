/* SPDX-License-Identifier: Apache-2.0
 *
 * The hybrids of paper 001, section 5: a method that may miss, then the enumeration, which does not
 * miss where there is a solution to find.
 */
#include "contact/local_methods.h"

static local_answer hybrid(const sym3 *W, v3 b, double mu, v3 guess, local_function method)
{
    const local_answer first = method(W, b, mu, guess);
    if (!first.failed) return first;
    local_answer answer = local_enumerate(W, b, mu, first.r);
    answer.iterations += first.iterations;
    answer.fell_back = true;
    return answer;
}

local_answer local_solve_mfb_enum(const sym3 *W, v3 b, double mu, v3 guess)
{
    return hybrid(W, b, mu, guess, local_solve_mfb);
}

local_answer local_solve_pac_enum(const sym3 *W, v3 b, double mu, v3 guess)
{
    return hybrid(W, b, mu, guess, local_solve_pac);
}

local_answer local_solve_dac_enum(const sym3 *W, v3 b, double mu, v3 guess)
{
    return hybrid(W, b, mu, guess, local_solve_dac);
}

local_answer local_solve_duriez08_enum(const sym3 *W, v3 b, double mu, v3 guess)
{
    return hybrid(W, b, mu, guess, local_solve_duriez08);
}

local_answer local_solve_pyramid_enum(const sym3 *W, v3 b, double mu, v3 guess)
{
    return hybrid(W, b, mu, guess, local_solve_pyramid);
}

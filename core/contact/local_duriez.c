/* SPDX-License-Identifier: Apache-2.0
 *
 * Normal first, then tangent (paper 001, section 7.1, Duriez06 and Duriez08). One pass from r with
 * u = W r + b:
 *     r_N' = max(0, r_N - u_N / W_NN),
 *     r_T' = P(r_T - u_T' / w_T),    u_T' = u_T + W_TN (r_N' - r_N),    w_T = tr(W_TT) / 2,
 * P the projection on the disc of radius mu r_N'. A pass that leaves r where it is has found a
 * solution. Duriez06 is one pass from r = 0: exact only if W = w I. Duriez08 repeats it from the
 * last impulse until it stands still, which it does not always do.
 */
#include "contact/local_judge.h"
#include "contact/local_methods.h"

static v3 duriez_pass(const sym3 *W, v3 b, double mu, v3 r)
{
    const v3 u = v3_add(sym3_mul_v3(W, r), b);
    const double r_N = r.x - u.x / W->xx;
    if (!(r_N > 0.0)) return (v3){0.0, 0.0, 0.0};
    const double change = r_N - r.x, w_T = 0.5 * (W->yy + W->zz);
    const double y = r.y - (u.y + W->xy * change) / w_T, z = r.z - (u.z + W->xz * change) / w_T;
    const double t = sqrt(y * y + z * z), radius = mu * r_N;
    const double s = t > radius ? radius / t : 1.0;
    return (v3){r_N, s * y, s * z};
}

local_answer local_solve_duriez06(const sym3 *W, v3 b, double mu, v3 guess)
{
    (void)guess;
    return local_judge(W, b, mu, duriez_pass(W, b, mu, (v3){0.0, 0.0, 0.0}), 1);
}

local_answer local_solve_duriez08(const sym3 *W, v3 b, double mu, v3 guess)
{
    enum { PASS_CAP = 100 };
    v3 r = guess;
    uint32_t passes = 0;
    for (bool moving = true; moving && passes < PASS_CAP; passes++) {
        const v3 next = duriez_pass(W, b, mu, r);
        moving = v3_norm(v3_sub(next, r)) > 1e-13 * v3_norm(next);
        r = next;
    }
    return local_judge(W, b, mu, r, passes);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Newton's method on the modified Fischer-Burmeister function (paper 001, appendix A.2).
 */
#include "contact/fischer_burmeister.h"
#include "contact/local_judge.h"
#include "contact/local_methods.h"
#include "contact/local_newton.h"
#include "math/scalar.h"

static newton_value evaluate(const newton_problem *p, v3 x)
{
    const v3 u = v3_add(m3_mul_v3(&p->V, x), p->b);
    const contact_value at = fischer_burmeister_at(u, x, p->mu, 1.0); /* x is d r */
    const m3 by_u = m3_mul(&at.by_u, &p->V);
    return (newton_value){at.f, m3_add(&at.by_r, &by_u)};
}

local_answer local_solve_mfb(const sym3 *W, v3 b, double mu, v3 guess)
{
    if (mu == 0.0) { /* no cone: 0 <= u_N, r_N and u_N r_N = 0 */
        return local_judge(W, b, mu, (v3){scalar_max(-b.x / W->xx, 0.0), 0.0, 0.0}, 0);
    }
    return local_newton(W, b, mu, guess, evaluate, NEWTON_PURE);
}

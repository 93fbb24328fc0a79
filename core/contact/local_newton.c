/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/local_newton.h"

#include "contact/local_judge.h"

enum { STEP_CAP = 50, SEARCH_CAP = 40 };

static newton_problem newton_setup(const sym3 *W, v3 b, double mu, double d)
{
    const m3 full = sym3_to_m3(W);
    newton_problem p = {.b = b, .mu = mu};
    for (int i = 0; i < 3; i++) p.V.row[i] = v3_scale(1.0 / d, full.row[i]);
    return p;
}

/* Newton's step, or the one against the gradient of |f|^2 / 2 if J is singular or does not descend
 * (paper 001, appendix A.2). */
static v3 newton_direction(const newton_value *at)
{
    const double sigma = 1e-3;
    const v3 gradient = m3_tmul_v3(&at->J, at->f);
    m3 inverse;
    if (!m3_invert(&at->J, &inverse)) return v3_neg(gradient);
    const v3 step = v3_neg(m3_mul_v3(&inverse, at->f));
    const bool descends = v3_dot(step, gradient) <= -sigma * v3_norm(step) * v3_norm(gradient);
    return descends ? step : v3_neg(gradient);
}

/* Paper 000, algorithm 2: for q = |f|^2 / 2 along `step` the length a with
 *     m2 q'(0) <= (q(a) - q(0)) / a <= m1 q'(0),
 * or the last one tried. */
static double newton_search(const newton_problem *p, newton_function evaluate, v3 x,
                            const newton_value *at, v3 step)
{
    const double m1 = 0.1, m2 = 0.9;
    const double q0 = 0.5 * v3_dot(at->f, at->f);
    const double slope0 = v3_dot(at->f, m3_mul_v3(&at->J, step));
    double low = 0.0, high = INFINITY, length = 1.0;
    for (int i = 0; i < SEARCH_CAP; i++) {
        const v3 f = evaluate(p, v3_add_scaled(x, length, step)).f;
        const double slope = (0.5 * v3_dot(f, f) - q0) / length;
        if (slope >= m2 * slope0 && slope <= m1 * slope0) return length;
        if (slope < m2 * slope0) {
            low = length;
        } else {
            high = length;
        }
        length = high < INFINITY ? 0.5 * (low + high) : 10.0 * length;
    }
    return length;
}

local_answer local_newton(const sym3 *W, v3 b, double mu, v3 guess, newton_function evaluate,
                          newton_length length)
{
    const double d = sym3_trace(W) / 3.0, enough = 1e-12 * v3_norm(b);
    const newton_problem p = newton_setup(W, b, mu, d);
    v3 x = v3_scale(d, guess), best = x;
    double best_error = INFINITY;
    uint32_t steps = 0;
    for (;; steps++) {
        const newton_value at = evaluate(&p, x);
        const double error = v3_norm(at.f);
        if (error < best_error) {
            best_error = error;
            best = x;
        }
        if (!(error > enough) || steps == STEP_CAP) break;
        const v3 step = newton_direction(&at);
        const double a = length == NEWTON_DAMPED ? newton_search(&p, evaluate, x, &at, step) : 1.0;
        x = v3_add_scaled(x, a, step);
    }
    return local_judge(W, b, mu, v3_scale(1.0 / d, best), steps);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/local_judge.h"

double local_residual(const sym3 *W, v3 b, double mu, v3 r)
{
    const v3 u = v3_add(sym3_mul_v3(W, r), b);
    return coulomb_residual(u, r, mu, sym3_trace(W) / 3.0);
}

/* A sum of two doubles, each the rounding error of the other: twice the digits. */
typedef struct twofold {
    double value, error;
} twofold;

static double upper_half(double a)
{
    const double t = 0x1.0000002p27 * a; /* 2^27 + 1 */
    return t - (t - a);
}

/* s + a b; the products of halves are exact. */
static twofold twofold_add_product(twofold s, double a, double b)
{
    const double p = a * b, a_high = upper_half(a), b_high = upper_half(b);
    const double a_low = a - a_high, b_low = b - b_high;
    const double p_error =
        a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low);
    const double sum = s.value + p, part = sum - s.value;
    const double sum_error = (s.value - (sum - part)) + (p - part);
    return (twofold){sum, s.error + (p_error + sum_error)};
}

static double affine(double b, double w0, double w1, double w2, v3 r)
{
    twofold s = {b, 0.0};
    s = twofold_add_product(s, w0, r.x);
    s = twofold_add_product(s, w1, r.y);
    s = twofold_add_product(s, w2, r.z);
    return s.value + s.error;
}

/* W r and b may cancel to far below their rounding, hence twice the digits for u. Then, if d r - u~
 * is in the cone for certain, the residual is |u~|; else the rounding of d r and of its projection
 * counts. */
double local_residual_certain(const sym3 *W, v3 b, double mu, v3 r)
{
    const v3 u = {affine(b.x, W->xx, W->xy, W->xz, r), affine(b.y, W->xy, W->yy, W->yz, r),
                  affine(b.z, W->xz, W->yz, W->zz, r)};
    const double d = sym3_trace(W) / 3.0, rounding = 4.0 * DBL_EPSILON * d * v3_norm(r);
    const v3 u_tilde = {u.x + mu * coulomb_tangent_norm(u), u.y, u.z};
    const v3 y = v3_sub(v3_scale(d, r), u_tilde);
    if (coulomb_tangent_norm(y) + (1.0 + mu) * rounding <= mu * y.x) return v3_norm(u_tilde);
    return coulomb_residual(u, r, mu, d) + rounding;
}

/* Iterations end near the cone, not on it. */
static contact_state judge_state(v3 r, double mu)
{
    if (!(r.x > 0.0)) return CONTACT_TAKEOFF;
    return coulomb_tangent_norm(r) < (1.0 - 1e-9) * mu * r.x ? CONTACT_STICK : CONTACT_SLIDE;
}

local_answer local_judge(const sym3 *W, v3 b, double mu, v3 r, uint32_t iterations)
{
    const v3 point = v3_is_finite(r) ? r : (v3){0.0, 0.0, 0.0};
    const double residual = local_residual(W, b, mu, point);
    const double allowed = scalar_min(LOCAL_TOLERANCE * v3_norm(b), DBL_MAX);
    return (local_answer){.r = point,
                          .state = judge_state(point, mu),
                          .failed = !(residual <= allowed && v3_is_finite(b)),
                          .iterations = iterations};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Newton's method on the Fischer-Burmeister function of the cone |x_T| <= x_N (paper 001, section 5 and
 * appendix A). With x = d r, u~_N = u_N + mu |u_T| and
 *     s = (mu x_N, x_T),    v = (u~_N, mu u_T),    s o t = (s . t, s_N t_T + t_N s_T),
 *     f = s + v - w,        w o w = s o s + v o v,
 * Coulomb's law is f = 0. L(a) is the matrix of t -> a o t; then
 *     df/ds = I - L(w)^-1 L(s),    df/dv = I - L(w)^-1 L(v).
 * L(w) is singular where s o s + v o v is on the cone; the paper's choice there is a multiple of I.
 */
#include "contact/local_judge.h"
#include "contact/local_methods.h"
#include "contact/local_newton.h"
#include "math/scalar.h"

static m3 jordan_matrix(v3 a)
{
    return (m3){{{a.x, a.y, a.z}, {a.y, a.x, 0.0}, {a.z, 0.0, a.x}}};
}

/* L(w)^-1 from the eigenvalues w_N +- |w_T|, whose product is det. */
static m3 jordan_inverse(v3 w, double det)
{
    const double i = 1.0 / det, k = i / w.x;
    const double xy = -w.y * i, xz = -w.z * i, yz = w.y * w.z * k;
    return (m3){{{w.x * i, xy, xz},
                 {xy, 1.0 / w.x + w.y * w.y * k, yz},
                 {xz, yz, 1.0 / w.x + w.z * w.z * k}}};
}

/* I - L(w)^-1 L(a) */
static m3 one_minus(const m3 *inverse, v3 a)
{
    const m3 L = jordan_matrix(a), product = m3_mul(inverse, &L);
    m3 result = m3_identity();
    for (int i = 0; i < 3; i++) result.row[i] = v3_sub(result.row[i], product.row[i]);
    return result;
}

typedef struct jordan_root {
    v3 w;
    double det; /* of w: the product of its eigenvalues */
} jordan_root;

/* w with w o w = s o s + v o v, from its eigenvalues sqrt(z_N +- |z_T|). */
static jordan_root jordan_norm(v3 s, v3 v)
{
    const v3 z = {v3_dot(s, s) + v3_dot(v, v), 2.0 * (s.x * s.y + v.x * v.y),
                  2.0 * (s.x * s.z + v.x * v.z)};
    const double t = coulomb_tangent_norm(z);
    const double high = sqrt(z.x + t), low = sqrt(scalar_max(z.x - t, 0.0));
    const double along = t > 0.0 ? 0.5 * (high - low) / t : 0.0;
    return (jordan_root){{0.5 * (high + low), along * z.y, along * z.z}, high * low};
}

/* df/dx = df/ds ds/dx + df/dv dv/dx */
static m3 chain(const newton_problem *p, v3 u, const m3 *by_s, const m3 *by_v)
{
    const double mu = p->mu, t = coulomb_tangent_norm(u), k = t > 0.0 ? mu / t : 0.0;
    const m3 ds = {{{mu, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    const m3 dv_du = {{{1.0, k * u.y, k * u.z}, {0.0, mu, 0.0}, {0.0, 0.0, mu}}};
    const m3 dv = m3_mul(&dv_du, &p->V);
    const m3 first = m3_mul(by_s, &ds), second = m3_mul(by_v, &dv);
    return m3_add(&first, &second);
}

static newton_value fischer_burmeister(const newton_problem *p, v3 x)
{
    const v3 u = v3_add(m3_mul_v3(&p->V, x), p->b);
    const v3 s = {p->mu * x.x, x.y, x.z};
    const v3 v = {u.x + p->mu * coulomb_tangent_norm(u), p->mu * u.y, p->mu * u.z};
    const jordan_root root = jordan_norm(s, v);
    m3 by_s, by_v;
    if (root.det > 0.0) {
        const m3 inverse = jordan_inverse(root.w, root.det);
        by_s = one_minus(&inverse, s);
        by_v = one_minus(&inverse, v);
    } else {
        const double length = sqrt(s.x * s.x + v.x * v.x);
        by_s = m3_diagonal(length > 0.0 ? 1.0 - s.x / length : 0.0);
        by_v = m3_diagonal(length > 0.0 ? 1.0 - v.x / length : 0.0);
    }
    return (newton_value){v3_sub(v3_add(s, v), root.w), chain(p, u, &by_s, &by_v)};
}

local_answer local_solve_mfb(const sym3 *W, v3 b, double mu, v3 guess)
{
    if (mu == 0.0) { /* no cone: 0 <= u_N, r_N and u_N r_N = 0 */
        return local_judge(W, b, mu, (v3){scalar_max(-b.x / W->xx, 0.0), 0.0, 0.0}, 0);
    }
    return local_newton(W, b, mu, guess, fischer_burmeister, NEWTON_PURE);
}

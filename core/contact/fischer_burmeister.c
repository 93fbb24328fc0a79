/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/fischer_burmeister.h"

#include "contact/coulomb.h"
#include "math/scalar.h"

static m3 jordan_matrix(v3 a) { return (m3){{{a.x, a.y, a.z}, {a.y, a.x, 0.0}, {a.z, 0.0, a.x}}}; }

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

/* The derivatives by r and u from those by s and v. */
static contact_value chain(v3 f, const m3 *by_s, const m3 *by_v, v3 u, double mu, double d)
{
    const double t = coulomb_tangent_norm(u), k = t > 0.0 ? mu / t : 0.0;
    const m3 ds = {{{mu * d, 0.0, 0.0}, {0.0, d, 0.0}, {0.0, 0.0, d}}};
    const m3 dv = {{{1.0, k * u.y, k * u.z}, {0.0, mu, 0.0}, {0.0, 0.0, mu}}};
    return (contact_value){.f = f, .by_r = m3_mul(by_s, &ds), .by_u = m3_mul(by_v, &dv)};
}

/* 1 - a / length, and the choice for kinks where both are zero */
static double slope_of(double a, double length) { return length > 0.0 ? 1.0 - a / length : 0.0; }

static contact_value without_friction(v3 u, v3 r, double d)
{
    const double x = d * r.x, length = sqrt(x * x + u.x * u.x);
    contact_value at = {.f = {x + u.x - length, d * r.y, d * r.z},
                        .by_r = m3_diagonal(d),
                        .by_u = m3_diagonal(0.0)};
    at.by_r.row[0].x = d * slope_of(x, length);
    at.by_u.row[0].x = slope_of(u.x, length);
    return at;
}

contact_value fischer_burmeister_at(v3 u, v3 r, double mu, double d)
{
    if (mu == 0.0) return without_friction(u, r, d);
    const v3 s = {mu * d * r.x, d * r.y, d * r.z};
    const v3 v = {u.x + mu * coulomb_tangent_norm(u), mu * u.y, mu * u.z};
    const jordan_root root = jordan_norm(s, v);
    m3 by_s, by_v;
    if (root.det > 0.0) {
        const m3 inverse = jordan_inverse(root.w, root.det);
        by_s = one_minus(&inverse, s);
        by_v = one_minus(&inverse, v);
    } else {
        const double length = sqrt(s.x * s.x + v.x * v.x);
        by_s = m3_diagonal(slope_of(s.x, length));
        by_v = m3_diagonal(slope_of(v.x, length));
    }
    return chain(v3_sub(v3_add(s, v), root.w), &by_s, &by_v, u, mu, d);
}

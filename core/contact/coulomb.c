/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/coulomb.h"

#include "math/scalar.h"

#include <float.h>

/* Fischer-Burmeister on the self-dual cone { |x_T| <= x_N }: the change of variables
 * a = (mu r_N, r_T), b = (u~_N, mu u_T) maps K and K* onto it (paper 001, section 4). The Jordan
 * square root of s = a o a + b o b has the eigenvalues sqrt(s_N +- |s_T|). Numbers appear in it to
 * the fourth power, so a and b are scaled to 1 first. */
static double fischer_burmeister(v3 u, v3 r, double mu, double d)
{
    const v3 whole_a = {mu * d * r.x, d * r.y, d * r.z};
    const v3 whole_b = {u.x + mu * coulomb_tangent_norm(u), mu * u.y, mu * u.z};
    const double size = scalar_max(v3_norm(whole_a), v3_norm(whole_b));
    if (!(size >= DBL_MIN)) return size;
    const v3 a = v3_scale(1.0 / size, whole_a), b = v3_scale(1.0 / size, whole_b);
    const v3 s = {v3_dot(a, a) + v3_dot(b, b), 2.0 * (a.x * a.y + b.x * b.y),
                  2.0 * (a.x * a.z + b.x * b.z)};
    const double t = coulomb_tangent_norm(s);
    const double high = sqrt(s.x + t), low = sqrt(scalar_max(s.x - t, 0.0));
    const double along = t > 0.0 ? 0.5 * (high - low) / t : 0.0;
    const v3 root = {0.5 * (high + low), along * s.y, along * s.z};
    return size * v3_norm(v3_sub(v3_add(a, b), root));
}

/* |f|, with f_N = d r_N - max(0, d r_N - u_N), f_T = d r_T - P(d r_T - u_T) on the disc of radius
 * mu max(0, d r_N - u_N) (paper 000, section 2). */
static double alart_curnier(v3 u, v3 r, double mu, double d)
{
    const double normal = scalar_max(0.0, d * r.x - u.x);
    const double y = d * r.y - u.y, z = d * r.z - u.z;
    const double t = sqrt(y * y + z * z), radius = mu * normal;
    const double s = t > radius ? radius / t : 1.0;
    return v3_norm((v3){d * r.x - normal, d * r.y - s * y, d * r.z - s * z});
}

coulomb_errors coulomb_measure(v3 u, v3 r, double mu, double d)
{
    return (coulomb_errors){coulomb_residual(u, r, mu, d), fischer_burmeister(u, r, mu, d),
                            alart_curnier(u, r, mu, d)};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Small angles by series, others by closed forms with 1 - cos a = 2 sin^2(a/2), which does not
 * cancel near whole turns.
 */
#define REAL_LANES 1
#include "math/so3.h"

#include "math/so3_series.h"
#include "math/trig.h"

so3_coefficients so3_coefficients_at(double a2)
{
    if (a2 <= SO3_SERIES_LIMIT) {
        const so3_reals c = so3_sum_series(a2);
        return (so3_coefficients){c.f1, c.f2, c.f3, c.g2, c.g3};
    }
    const double a = sqrt(a2);
    const trig_pair half = trig_sincos(0.5 * a);
    const double f1 = 2.0 * half.sin * half.cos / a;
    const double f2 = 2.0 * half.sin * half.sin / a2;
    const double f3 = (1.0 - f1) / a2;
    return (so3_coefficients){f1, f2, f3, (f1 - 2.0 * f2) / a2, (f2 - 3.0 * f3) / a2};
}

quat so3_exp(v3 phi)
{
    const v3 half = v3_scale(0.5, phi);
    const double a2 = v3_dot(half, half);
    const so3_coefficients c = so3_coefficients_at(a2);
    const v3 v = v3_scale(c.f1, half);
    return (quat){1.0 - a2 * c.f2, v.x, v.y, v.z};
}

v3 so3_log(quat q)
{
    if (q.w < 0.0) q = (quat){-q.w, -q.x, -q.y, -q.z};
    const v3 v = {q.x, q.y, q.z};
    const double s = v3_norm(v); /* the sine of the half angle */
    return v3_scale(s > 0.0 ? 2.0 * trig_atan2(s, q.w) / s : 2.0, v);
}

/* I + p [phi]x + q [phi]x^2 */
static m3 combine(double p, double q, v3 phi)
{
    const double x = phi.x, y = phi.y, z = phi.z;
    const double xx = x * x, yy = y * y, zz = z * z;
    return (m3){{{1.0 - q * (yy + zz), q * x * y - p * z, q * x * z + p * y},
                 {q * x * y + p * z, 1.0 - q * (xx + zz), q * y * z - p * x},
                 {q * x * z - p * y, q * y * z + p * x, 1.0 - q * (xx + yy)}}};
}

m3 so3_exp_m3(v3 phi)
{
    const so3_coefficients c = so3_coefficients_at(v3_dot(phi, phi));
    return combine(c.f1, c.f2, phi);
}

m3 so3_left_jacobian(v3 phi)
{
    const so3_coefficients c = so3_coefficients_at(v3_dot(phi, phi));
    return combine(c.f2, c.f3, phi);
}

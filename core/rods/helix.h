/* SPDX-License-Identifier: Apache-2.0
 *
 * One helix: constant twist and curvatures k = (k0, k1, k2) from the frame I at the origin along
 * e = (1, 0, 0), over `real` (math/real.h). With phi = k s and f, g of math/so3.h:
 *
 *     frame     exp(phi)
 *     point     x(s) = s V(phi) e
 *     slope     D(s) = dx/dk = s^2 d(V(phi) e)/dphi, with
 *               d(V e)/dphi = -f2 [e]x + f3 ((phi.e) I + phi e^T - 2 e phi^T)
 *                             + (g2 phi x e + g3 phi x (phi x e)) phi^T
 *     turn      s V(phi): the frame's angular velocity per rate of k
 */
#ifndef RODS_HELIX_H
#define RODS_HELIX_H

#include "math/real3.h"
#include "math/so3.h"
#include "math/so3_series.h"

/* At squared angles; the few lanes of large turns one by one. */
static inline so3_reals helix_coefficients(real a2)
{
    so3_reals c = so3_sum_series(a2);
    for (size_t k = 0; k < REAL_LANES; k++) {
        const double lane = real_lane(&a2, k);
        if (lane <= SO3_SERIES_LIMIT) continue;
        const so3_coefficients large = so3_coefficients_at(lane);
        real_set_lane(&c.f1, k, large.f1);
        real_set_lane(&c.f2, k, large.f2);
        real_set_lane(&c.f3, k, large.f3);
        real_set_lane(&c.g2, k, large.g2);
        real_set_lane(&c.g3, k, large.g3);
    }
    return c;
}

/* What x, D and the frames at s are made of. */
typedef struct helix {
    real3 k;
    real s, b, c; /* s, s^2 f2, s^3 f3 */
    real f;       /* s f1 */
    real3 kke;    /* k x (k x e); k x e is (0, k2, -k1) */
    real3 u;      /* s^4 g2 k x e + s^5 g3 k x (k x e) */
} helix;

static inline helix helix_at(real3 k, real s)
{
    const real s2 = s * s;
    const so3_reals f = helix_coefficients(real3_dot(k, k) * s2);
    const real3 kke = {-(k.y * k.y + k.z * k.z), k.x * k.y, k.x * k.z};
    const real g2 = s2 * s2 * f.g2, g3 = s2 * s2 * s * f.g3;
    const real3 u = {g3 * kke.x, g2 * k.z + g3 * kke.y, g3 * kke.z - g2 * k.y};
    return (helix){k, s, s2 * f.f2, s2 * s * f.f3, s * f.f1, kke, u};
}

static inline real3 helix_point(const helix *p)
{
    return (real3){p->s + p->c * p->kke.x, p->b * p->k.z + p->c * p->kke.y,
                   p->c * p->kke.z - p->b * p->k.y};
}

/* D */
static inline real33 helix_slope(const helix *p)
{
    const real3 k = p->k, u = p->u;
    const real b = p->b, c = p->c, c2 = 2.0 * c;
    return (real33){{{u.x * k.x, u.y * k.x + c * k.y, u.z * k.x + c * k.z},
                     {u.x * k.y - c2 * k.y, u.y * k.y + c * k.x, u.z * k.y - b},
                     {u.x * k.z - c2 * k.z, u.y * k.z + b, u.z * k.z + c * k.x}}};
}

/* D rate */
static inline real3 helix_slope_along(const helix *p, real3 rate)
{
    const real3 k = p->k;
    const real along = real3_dot(k, rate);
    const real c = p->c, b = p->b, ck = c * k.x, cr = c * rate.x;
    return (real3){ck * rate.x + cr * k.x + (p->u.x - 2.0 * c) * along,
                   ck * rate.y + cr * k.y + p->u.y * along + b * rate.z,
                   ck * rate.z + cr * k.z + p->u.z * along - b * rate.y};
}

/* d I + p [k]x + q [k]x^2 */
static inline real33 helix_combine(real d, real p, real q, real3 k)
{
    const real xx = k.x * k.x, yy = k.y * k.y, zz = k.z * k.z;
    const real xy = q * k.x * k.y, xz = q * k.x * k.z, yz = q * k.y * k.z;
    const real3 pk = real3_scale(p, k);
    return (real33){{{d - q * (yy + zz), xy + pk.z, xz - pk.y},
                     {xy - pk.z, d - q * (xx + zz), yz + pk.x},
                     {xz + pk.y, yz - pk.x, d - q * (xx + yy)}}};
}

static inline real33 helix_turn(const helix *p) { return helix_combine(p->s, p->b, p->c, p->k); }

static inline real33 helix_frame(const helix *p)
{
    return helix_combine(0.0 * p->s + 1.0, p->f, p->b, p->k);
}

#endif

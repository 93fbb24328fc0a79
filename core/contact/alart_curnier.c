/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/alart_curnier.h"

#include "contact/coulomb.h"

static contact_value takeoff_at(v3 r, double d)
{
    return (contact_value){
        .f = v3_scale(d, r), .by_r = m3_diagonal(d), .by_u = m3_diagonal(0.0), .idle = true};
}

static contact_value stick_at(v3 u)
{
    return (contact_value){.f = u, .by_r = m3_diagonal(0.0), .by_u = m3_diagonal(1.0)};
}

/* P(x_T) = mu x_N x_T / |x_T|; with t = x_T / |x_T| and e = mu x_N / |x_T| its derivative is
 * e (I - t t^T) by x_T and mu t by x_N. */
static contact_value slide_at(v3 u, v3 r, v3 x, double mu, double d)
{
    const double size = coulomb_tangent_norm(x), radius = mu * x.x;
    const double ty = x.y / size, tz = x.z / size, e = radius / size;
    const double yy = e * tz * tz, yz = -e * ty * tz, zz = e * ty * ty;
    return (contact_value){.f = {u.x, d * r.y - radius * ty, d * r.z - radius * tz},
                           .by_r = {{{0.0, 0.0, 0.0},
                                     {-mu * ty * d, d * (1.0 - yy), -d * yz},
                                     {-mu * tz * d, -d * yz, d * (1.0 - zz)}}},
                           .by_u = {{{1.0, 0.0, 0.0}, {mu * ty, yy, yz}, {mu * tz, yz, zz}}}};
}

contact_value alart_curnier_at(v3 u, v3 r, double mu, double d)
{
    const v3 x = v3_sub(v3_scale(d, r), u);
    if (x.x <= 0.0) return takeoff_at(r, d);
    return coulomb_tangent_norm(x) <= mu * x.x ? stick_at(u) : slide_at(u, r, x, mu, d);
}

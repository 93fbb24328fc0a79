/* SPDX-License-Identifier: Apache-2.0
 *
 * Newton's method on the Alart-Curnier function (paper 000, sections 2 and 4), with x = d r:
 *     f_N = x_N - max(0, x_N - u_N),    f_T = x_T - P(x_T - u_T),
 * P the projection on the disc of radius mu x_N, or on 0 if that is negative. f is smooth by
 * pieces: each of its two parts is one of
 *     normal    active u_N | idle x_N,
 *     tangent   stick u_T | slide x_T - mu x_N y / |y| | idle x_T,    y = x_T - u_T.
 */
#include "contact/local_methods.h"
#include "contact/local_newton.h"

/* One row of d/dx of x_T - mu x_N y / |y|: e is the row of the identity, y_i that of y. */
static v3 slide_row(v3 e, v3 V_row, v3 along, double y_i, double length, double radius, double mu)
{
    /* M dy with M = radius / |y| (I - y y^T / |y|^2), dy = e - V; `along` is y^T dy / |y|^2. */
    const v3 dy = v3_sub(e, V_row);
    const v3 turned = v3_scale(radius / length, v3_add_scaled(dy, -y_i, along));
    const v3 grown = {mu * y_i / length, 0.0, 0.0};
    return v3_sub(v3_sub(e, turned), grown);
}

static void tangent_part(const newton_problem *p, v3 x, v3 u, newton_value *at)
{
    static const v3 e1 = {0.0, 1.0, 0.0}, e2 = {0.0, 0.0, 1.0};
    const double radius = p->mu * x.x;
    const v3 y = {0.0, x.y - u.y, x.z - u.z};
    const double length = v3_norm(y);
    if (radius <= 0.0) {
        at->f.y = x.y;
        at->f.z = x.z;
        at->J.row[1] = e1;
        at->J.row[2] = e2;
    } else if (length <= radius) {
        at->f.y = u.y;
        at->f.z = u.z;
        at->J.row[1] = p->V.row[1];
        at->J.row[2] = p->V.row[2];
    } else {
        const v3 dy1 = v3_sub(e1, p->V.row[1]), dy2 = v3_sub(e2, p->V.row[2]);
        const v3 along =
            v3_scale(1.0 / (length * length), v3_add(v3_scale(y.y, dy1), v3_scale(y.z, dy2)));
        at->f.y = x.y - radius * y.y / length;
        at->f.z = x.z - radius * y.z / length;
        at->J.row[1] = slide_row(e1, p->V.row[1], along, y.y, length, radius, p->mu);
        at->J.row[2] = slide_row(e2, p->V.row[2], along, y.z, length, radius, p->mu);
    }
}

static newton_value alart_curnier(const newton_problem *p, v3 x)
{
    const v3 u = v3_add(m3_mul_v3(&p->V, x), p->b);
    const bool active = x.x - u.x > 0.0;
    newton_value at;
    at.f.x = active ? u.x : x.x;
    at.J.row[0] = active ? p->V.row[0] : (v3){1.0, 0.0, 0.0};
    tangent_part(p, x, u, &at);
    return at;
}

local_answer local_solve_pac(const sym3 *W, v3 b, double mu, v3 guess)
{
    return local_newton(W, b, mu, guess, alart_curnier, NEWTON_PURE);
}

local_answer local_solve_dac(const sym3 *W, v3 b, double mu, v3 guess)
{
    return local_newton(W, b, mu, guess, alart_curnier, NEWTON_DAMPED);
}

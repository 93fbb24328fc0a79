/* SPDX-License-Identifier: Apache-2.0
 *
 * Coulomb's law with a pyramid for the cone (paper 001, section 7.1, 4sides): each tangent axis has
 * friction of its own, |r_1| <= mu r_N and |r_2| <= mu r_N. An axis i with the sign s_i
 *     sticks        s_i = 0:     u_i = 0,             |r_i| <= mu r_N,
 *     slides        s_i = +-1:   r_i = s_i mu r_N,    s_i u_i <= 0.
 * With u_N = 0 each of the nine choices is a 3x3 linear system; the one that breaks its
 * inequalities least is the answer. It solves this law exactly, and Coulomb's only where the slip
 * follows an axis.
 */
#include "contact/local_judge.h"
#include "contact/local_methods.h"
#include "math/scalar.h"

/* The row of the linear system and its right-hand side for one axis. */
static double axis_row(double sign, v3 e, v3 W_row, double b_i, double mu, v3 *row)
{
    if (sign == 0.0) {
        *row = W_row;
        return -b_i;
    }
    *row = (v3){-sign * mu, e.y, e.z};
    return 0.0;
}

/* By how much an axis breaks its inequality, in m/s. */
static double axis_violation(double sign, double u_i, double r_i, double r_N, double mu, double d)
{
    return sign == 0.0 ? d * (fabs(r_i) - mu * r_N) : sign * u_i;
}

static bool pyramid_try(const sym3 *W, v3 b, double mu, double s1, double s2, v3 *r,
                        double *violation)
{
    const m3 full = sym3_to_m3(W);
    const double d = sym3_trace(W) / 3.0;
    m3 A = full, inverse;
    v3 right = {-b.x, 0.0, 0.0};
    right.y = axis_row(s1, (v3){0.0, 1.0, 0.0}, full.row[1], b.y, mu, &A.row[1]);
    right.z = axis_row(s2, (v3){0.0, 0.0, 1.0}, full.row[2], b.z, mu, &A.row[2]);
    if (!m3_invert(&A, &inverse)) return false;
    *r = m3_mul_v3(&inverse, right);
    const v3 u = v3_add(m3_mul_v3(&full, *r), b);
    *violation = scalar_max(-d * r->x, scalar_max(axis_violation(s1, u.y, r->y, r->x, mu, d),
                                                  axis_violation(s2, u.z, r->z, r->x, mu, d)));
    return true;
}

local_answer local_solve_pyramid(const sym3 *W, v3 b, double mu, v3 guess)
{
    static const double signs[] = {0.0, 1.0, -1.0};
    (void)guess;
    v3 best = {0.0, 0.0, 0.0};
    if (b.x >= 0.0) return local_judge(W, b, mu, best, 0);
    double least = INFINITY;
    uint32_t tried = 0;
    for (; tried < 9 && least > 0.0; tried++) {
        v3 r;
        double violation;
        if (!pyramid_try(W, b, mu, signs[tried / 3], signs[tried % 3], &r, &violation)) continue;
        if (violation < least) {
            least = violation;
            best = r;
        }
    }
    return local_judge(W, b, mu, best, tried);
}

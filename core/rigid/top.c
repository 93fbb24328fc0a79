/* SPDX-License-Identifier: Apache-2.0
 *
 * Newton's method finds the x with J x - J omega = h/2 J x cross x where a step turns the body
 * moderately. Beyond that, as x . (b cross x) = 0 for every b, not just for J x, the linear system
 *     (J - h/2 [b]x) x = J omega,    b = J omega,
 * keeps the energy, too, and always has a solution: its matrix is positive definite plus skew.
 */
#include "rigid/top.h"

enum { NEWTON_CAP = 20 };
static const double SETTLED = 1e-9; /* part of x; the error that is left is about its square */

/* [a]x */
static m3 cross_matrix(v3 a)
{
    return (m3){{{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}}};
}

static m3 add_scaled(const m3 *A, double s, const m3 *B)
{
    return (m3){{v3_add_scaled(A->row[0], s, B->row[0]), v3_add_scaled(A->row[1], s, B->row[1]),
                 v3_add_scaled(A->row[2], s, B->row[2])}};
}

/* With p = J omega for b. */
static bool solve_frozen(const m3 *J, v3 p, double h, v3 *x)
{
    const m3 B = cross_matrix(p), A = add_scaled(J, -0.5 * h, &B);
    m3 inverse;
    if (!m3_invert(&A, &inverse)) return false;
    *x = m3_mul_v3(&inverse, p);
    return true;
}

/* One step on F(x) = J x - J omega - h/2 J x cross x, whose slope is J - h/2 ([J x]x - [x]x J). */
static bool newton_step(const m3 *J, v3 p, double h, v3 *x, double *change)
{
    const v3 b = m3_mul_v3(J, *x);
    const v3 F = v3_add_scaled(v3_sub(b, p), -0.5 * h, v3_cross(b, *x));
    const m3 B = cross_matrix(b), X = cross_matrix(*x), XJ = m3_mul(&X, J);
    m3 slope = add_scaled(J, -0.5 * h, &B), inverse;
    slope = add_scaled(&slope, 0.5 * h, &XJ);
    if (!m3_invert(&slope, &inverse)) return false;
    const v3 dx = m3_mul_v3(&inverse, F);
    *x = v3_sub(*x, dx);
    *change = v3_norm(dx);
    return v3_is_finite(*x);
}

static bool find_middle(const m3 *J, v3 p, double h, v3 *x)
{
    double change = INFINITY;
    for (int pass = 0; pass < NEWTON_CAP; pass++) {
        if (!newton_step(J, p, h, x, &change)) return false;
        if (change <= SETTLED * v3_norm(*x)) return true;
    }
    return false;
}

v3 rigid_top_step(const sym3 *J, v3 omega, double h)
{
    /* Euler's equation has no unit of inertia: of size 1, its products stay within range. */
    const m3 full = sym3_to_m3(J), zero = m3_diagonal(0.0);
    const m3 scaled = add_scaled(&zero, 1.0 / sym3_trace(J), &full);
    const v3 p = m3_mul_v3(&scaled, omega);
    v3 x = omega;
    if (!find_middle(&scaled, p, h, &x) && !solve_frozen(&scaled, p, h, &x)) {
        return (v3){NAN, NAN, NAN};
    }
    return v3_add_scaled(v3_neg(omega), 2.0, x);
}

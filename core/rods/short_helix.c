/* SPDX-License-Identifier: Apache-2.0
 *
 * The short helix between two places with tangents.
 *
 * A helix about the unit axis a whose tangent makes the angle phi with it and turns by 2x has, with
 * m the direction across the axis half way,
 *     (t0 + t1)/2   = cos phi a + sin phi cos x m
 *     (t1 - t0)/2   = sin phi sin x (a x m)
 *     (x1 - x0)/L   = cos phi a + sin phi sin x / x m.
 * Half the angle between the tangents, beta, is known: sin beta = sin phi sin x. The first and the
 * third vector lie in the plane across t1 - t0, and the angle between them,
 *     delta(x) = atan2(sin beta / x, cos phi) - atan2(sin beta cot x, cos phi),
 * grows from 0 at x = beta, a circular arc, to pi at x = pi - beta: x is found by bisection.
 */
#include "math/trig.h"
#include "rods/fit.h"

static const double PI = 3.14159265358979323846;

typedef struct opening {
    double x, cos_phi;
    double across; /* sin phi sin x / x */
    double slope;  /* sin phi cos x */
    double delta;
} opening;

static opening opening_at(double sin_beta, double x)
{
    const trig_pair t = trig_sincos(x);
    const double sin_phi = sin_beta / t.sin;
    const double rest = 1.0 - sin_phi * sin_phi;
    opening o = {.x = x,
                 .cos_phi = rest > 0.0 ? sqrt(rest) : 0.0,
                 .across = sin_beta / x,
                 .slope = sin_beta * t.cos / t.sin};
    o.delta = trig_atan2(o.across, o.cos_phi) - trig_atan2(o.slope, o.cos_phi);
    return o;
}

enum { BISECTIONS = 60 };

static opening opening_find(double sin_beta, double beta, double delta)
{
    double low = beta, high = PI - beta;
    for (int k = 0; k < BISECTIONS; k++) {
        const double x = 0.5 * (low + high);
        if (opening_at(sin_beta, x).delta < delta) {
            low = x;
        } else {
            high = x;
        }
    }
    return opening_at(sin_beta, 0.5 * (low + high));
}

static bool straight_piece(v3 d, v3 t, v3 *darboux, double *length)
{
    const double along = v3_dot(d, t);
    *darboux = (v3){0.0, 0.0, 0.0};
    *length = along;
    return along > 0.0 && v3_norm(v3_cross(d, t)) <= 1e-9 * along;
}

bool rod_fit_helix(v3 x0, v3 t0, v3 x1, v3 t1, v3 *darboux, double *length)
{
    const v3 d = v3_sub(x1, x0), difference = v3_sub(t1, t0), sum = v3_add(t0, t1);
    const double sin_beta = 0.5 * v3_norm(difference), cos_beta = 0.5 * v3_norm(sum);
    if (sin_beta < 1e-9) return straight_piece(d, t0, darboux, length);
    if (cos_beta < 1e-9 || v3_norm(d) == 0.0) return false;
    /* In the plane across t1 - t0: the mean tangent's direction, and the one a quarter turn on. */
    const v3 e = v3_scale(0.5 / sin_beta, difference), mean = v3_scale(0.5 / cos_beta, sum);
    const v3 beside = v3_cross(e, mean);
    const double angle = trig_atan2(v3_dot(d, beside), v3_dot(d, mean));
    const opening o = opening_find(sin_beta, trig_atan2(sin_beta, cos_beta), fabs(angle));
    /* A way that leans to the other side is a helix of the other hand: cos phi < 0. With m = e x a,
     * the mean tangent is (cos phi a + slope m) / cos beta. */
    const double cos_phi = angle < 0.0 ? -o.cos_phi : o.cos_phi;
    const v3 a = v3_add_scaled(v3_scale(cos_phi / cos_beta, mean), -o.slope / cos_beta, beside);
    *length = v3_norm(d) / sqrt(o.cos_phi * o.cos_phi + o.across * o.across);
    *darboux = v3_scale(2.0 * o.x / *length, a);
    return true;
}

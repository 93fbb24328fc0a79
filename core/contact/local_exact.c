/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/local_exact.h"

#include "math/scalar.h"

#include <float.h>

static local_answer takeoff(void)
{
    return (local_answer){.r = {0.0, 0.0, 0.0}, .state = CONTACT_TAKEOFF};
}

local_answer local_solve_isotropic(double w, v3 b, double mu)
{
    if (b.x >= 0.0) return takeoff();
    const double r_N = -b.x / w;
    const double t = coulomb_tangent_norm(b);
    if (t <= mu * -b.x) return (local_answer){{r_N, -b.y / w, -b.z / w}, CONTACT_STICK, false};
    const double s = -mu * r_N / t;
    return (local_answer){{r_N, s * b.y, s * b.z}, CONTACT_SLIDE, false};
}

/* The sliding problem in the eigenvectors (cos, sin), (-sin, cos) of S. */
typedef struct sliding {
    double s[2]; /* eigenvalues of S, s[0] >= s[1] >= 0 */
    double c[2]; /* c in the eigenvectors */
    double g[2]; /* W_NT / W_NN in the eigenvectors */
    double n;    /* -b_N / W_NN */
    double mu;
    double cos, sin;
} sliding;

static sliding sliding_setup(const sym3 *W, v3 b, double mu)
{
    const double gy = W->xy / W->xx, gz = W->xz / W->xx;
    const double syy = W->yy - gy * W->xy, syz = W->yz - gy * W->xz, szz = W->zz - gz * W->xz;
    const double cy = b.y - gy * b.x, cz = b.z - gz * b.x;
    /* Rotation that makes S diagonal, from tan(2 phi) = 2 syz / (syy - szz). */
    const double mean = 0.5 * (syy + szz), half = 0.5 * (syy - szz);
    const double radius = sqrt(half * half + syz * syz);
    double cos_phi = 1.0, sin_phi = 0.0;
    if (radius > 0.0) {
        const double cos_2phi = half / radius;
        if (cos_2phi >= 0.0) {
            cos_phi = sqrt(0.5 * (1.0 + cos_2phi));
            sin_phi = 0.5 * syz / radius / cos_phi;
        } else {
            sin_phi = sqrt(0.5 * (1.0 - cos_2phi));
            cos_phi = 0.5 * syz / radius / sin_phi;
        }
    }
    return (sliding){.s = {mean + radius, scalar_max(mean - radius, 0.0)},
                     .c = {cos_phi * cy + sin_phi * cz, cos_phi * cz - sin_phi * cy},
                     .g = {cos_phi * gy + sin_phi * gz, cos_phi * gz - sin_phi * gy},
                     .n = -b.x / W->xx,
                     .mu = mu,
                     .cos = cos_phi,
                     .sin = sin_phi};
}

typedef struct sliding_point {
    double p[2]; /* r_T in the eigenvectors */
    double r_N;
    double f, slope; /* f(alpha) and f'(alpha) */
} sliding_point;

static sliding_point sliding_evaluate(const sliding *q, double alpha)
{
    sliding_point at;
    const double i0 = 1.0 / (q->s[0] + alpha), i1 = 1.0 / (q->s[1] + alpha);
    at.p[0] = -q->c[0] * i0;
    at.p[1] = q->c[1] == 0.0 ? 0.0 : -q->c[1] * i1;
    at.r_N = q->n - q->g[0] * at.p[0] - q->g[1] * at.p[1];
    const double t = sqrt(at.p[0] * at.p[0] + at.p[1] * at.p[1]);
    at.f = t - q->mu * at.r_N;
    const double d0 = -at.p[0] * i0, d1 = at.p[1] == 0.0 ? 0.0 : -at.p[1] * i1; /* dp/dalpha */
    const double t_slope = t > 0.0 ? (at.p[0] * d0 + at.p[1] * d1) / t : 0.0;
    at.slope = t_slope + q->mu * (q->g[0] * d0 + q->g[1] * d1);
    return at;
}

/* The root of f by Newton inside a bracket; every iteration at least halves it in the long run. */
static double sliding_find_root(const sliding *q, double scale)
{
    double low = 0.0, high = scale;
    while (sliding_evaluate(q, high).f > 0.0 && high < DBL_MAX / 4.0) {
        low = high;
        high *= 2.0;
    }
    double alpha = 0.5 * (low + high);
    for (int i = 0; i < 200; i++) {
        const sliding_point at = sliding_evaluate(q, alpha);
        if (at.f > 0.0) {
            low = alpha;
        } else {
            high = alpha;
        }
        double next = alpha - at.f / at.slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == alpha || next <= low || next >= high) return next;
        if (fabs(next - alpha) <= 2.0 * DBL_EPSILON * alpha) return next;
        alpha = next;
    }
    return alpha;
}

static local_answer slide(const sym3 *W, v3 b, double mu)
{
    const sliding q = sliding_setup(W, b, mu);
    const sliding_point at = sliding_evaluate(&q, sliding_find_root(&q, sym3_trace(W)));
    const v3 r_T = {0.0, q.cos * at.p[0] - q.sin * at.p[1], q.sin * at.p[0] + q.cos * at.p[1]};
    /* The root is exact to rounding; put r on the cone exactly, keeping its direction. */
    const double t = coulomb_tangent_norm(r_T);
    const double scale = t > 0.0 ? mu * at.r_N / t : 0.0;
    const v3 r = {at.r_N, scale * r_T.y, scale * r_T.z};
    const v3 u = v3_add(sym3_mul_v3(W, r), b);
    const double d = sym3_trace(W) / 3.0;
    const bool failed = !(coulomb_residual(u, r, mu, d) <= 1e-8 * v3_norm(b));
    return (local_answer){r, CONTACT_SLIDE, failed};
}

local_answer local_solve_exact(const sym3 *W, v3 b, double mu)
{
    if (b.x >= 0.0) return takeoff();
    if (!(W->xx > 0.0)) return (local_answer){.state = CONTACT_TAKEOFF, .failed = true};
    v3 r;
    if (sym3_solve(W, v3_neg(b), &r) && coulomb_tangent_norm(r) <= mu * r.x) {
        return (local_answer){r, CONTACT_STICK, false};
    }
    if (mu == 0.0) return (local_answer){{-b.x / W->xx, 0.0, 0.0}, CONTACT_SLIDE, false};
    return slide(W, b, mu);
}

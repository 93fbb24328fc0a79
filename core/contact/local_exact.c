/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/local_exact.h"

#include "math/scalar.h"

#include <float.h>

local_answer local_solve_isotropic(double w, v3 b, double mu)
{
    if (b.x >= 0.0) return (local_answer){.state = CONTACT_TAKEOFF};
    const double r_N = -b.x / w;
    const double t = coulomb_tangent_norm(b);
    if (t <= mu * -b.x) {
        return (local_answer){.r = {r_N, -b.y / w, -b.z / w}, .state = CONTACT_STICK};
    }
    const double s = -mu * r_N / t;
    return (local_answer){.r = {r_N, s * b.y, s * b.z}, .state = CONTACT_SLIDE};
}

/* The problem without the normal and without units:
 *     |B + alpha c|^2 = X[0] + 2 X[1] alpha + X[2] alpha^2,    Q = Q[0] + Q[1] alpha + alpha^2. */
typedef struct reduced {
    double g[2], c[2];
    double syy, syz, szz, trace; /* of S */
    double X[3], Q[2];
} reduced;

static reduced reduce(const sym3 *W, v3 b)
{
    const double unit = 1.0 / W->xx, speed = -1.0 / b.x;
    const double gy = W->xy * unit, gz = W->xz * unit;
    const double syy = W->yy * unit - gy * gy, syz = W->yz * unit - gy * gz,
                 szz = W->zz * unit - gz * gz;
    const double cy = b.y * speed + gy, cz = b.z * speed + gz;
    const double By = szz * cy - syz * cz, Bz = syy * cz - syz * cy;
    const double det = scalar_max(syy * szz - syz * syz, 0.0), trace = syy + szz;
    return (reduced){.g = {gy, gz},
                     .c = {cy, cz},
                     .syy = syy,
                     .syz = syz,
                     .szz = szz,
                     .trace = trace,
                     .X = {By * By + Bz * Bz, By * cy + Bz * cz, cy * cy + cz * cz},
                     .Q = {det + gy * By + gz * Bz, trace + gy * cy + gz * cz}};
}

static bool reduced_sticks(const reduced *q, double mu)
{
    return q->Q[0] > 0.0 && q->X[0] <= mu * mu * q->Q[0] * q->Q[0];
}

/* Exact if c is an eigenvector of S: then |r_T| = |c| / (s + alpha), where s = c . S c / |c|^2. */
static double reduced_first_alpha(const reduced *q, double inverse_mu)
{
    const double gc = q->Q[1] - q->trace, s = q->trace - q->X[1] / q->X[2];
    return scalar_max(sqrt(q->X[2]) * inverse_mu - gc - s, 0.0);
}

/* The root of psi - 1 / mu, but for the last step. */
static double reduced_find_alpha(const reduced *q, double inverse_mu, uint32_t *iterations)
{
    enum { CAP = 40 };
    double low = 0.0, high = INFINITY;
    double alpha = reduced_first_alpha(q, inverse_mu);
    for (*iterations = 1; *iterations < CAP; ++*iterations) {
        const double X = q->X[0] + alpha * (2.0 * q->X[1] + alpha * q->X[2]);
        const double half_slope_X = q->X[1] + alpha * q->X[2];
        const double Q = q->Q[0] + alpha * (q->Q[1] + alpha), slope_Q = q->Q[1] + 2.0 * alpha;
        const double missing = sqrt(X) * inverse_mu - Q;
        if (missing > 0.0) {
            low = alpha;
        } else {
            high = alpha;
        }
        double next = alpha + missing * X / (slope_Q * X - Q * half_slope_X);
        const double step = fabs(next - alpha);
        if (step <= 1e-4 * alpha) return next;
        if (!(next > low && next < high)) {
            next = high < INFINITY ? 0.5 * (low + high) : 2.0 * low + q->trace;
        }
        alpha = next;
    }
    return alpha;
}

/* (S + alpha I)^-1 by elimination, which keeps residuals small beside |S| |r_T| even where S is
 * ill-conditioned; the ratio of polynomials does not. */
typedef struct elimination {
    double pivot, l, last;
} elimination;

static elimination reduced_eliminate(const reduced *q, double alpha)
{
    const double pivot = 1.0 / (q->syy + alpha), l = q->syz * pivot;
    return (elimination){pivot, l, 1.0 / (q->szz + alpha - l * q->syz)};
}

static v3 elimination_solve(const elimination *e, double y, double z)
{
    const double last = (z - e->l * y) * e->last;
    return (v3){0.0, y * e->pivot - e->l * last, last};
}

/* r, and how far it is out of the cone after all. */
static v3 reduced_stick(const reduced *q, double mu, double *outside)
{
    const elimination e = reduced_eliminate(q, 0.0);
    v3 r = elimination_solve(&e, -q->c[0], -q->c[1]);
    r.x = 1.0 - q->g[0] * r.y - q->g[1] * r.z;
    const double t2 = r.y * r.y + r.z * r.z, radius = mu * r.x;
    *outside = !(radius >= 0.0) ? INFINITY : t2 <= radius * radius ? 0.0 : sqrt(t2) - radius;
    return r;
}

/* r after one more Newton step, on |r_T| - mu r_N. r_N = |r_T| / mu is on the cone and does not
 * suffer from cancellation for large mu. */
static v3 reduced_slide(const reduced *q, double mu, double inverse_mu, double *alpha)
{
    const elimination e = reduced_eliminate(q, *alpha);
    const v3 r_T = elimination_solve(&e, -q->c[0], -q->c[1]);
    const v3 slope = elimination_solve(&e, -r_T.y, -r_T.z);
    const double t = coulomb_tangent_norm(r_T), r_N = 1.0 - q->g[0] * r_T.y - q->g[1] * r_T.z;
    const double t_slope = v3_dot(r_T, slope), N_slope = -q->g[0] * slope.y - q->g[1] * slope.z;
    const double step = (mu * r_N - t) * t / (t_slope - mu * N_slope * t);
    v3 r = v3_add_scaled(r_T, step, slope);
    r.x = coulomb_tangent_norm(r) * inverse_mu;
    *alpha = scalar_max(*alpha + step, 0.0);
    return r;
}

/* u' = (0, -alpha r_T) obeys the law with r, if r is in the cone. The residual of u is then at most
 * |u~ - u~'| <= (1 + mu) |u - u'|, and rounding hides at most 4 eps tr(W) |r| of it. */
static double error_bound(const sym3 *W, v3 b, double mu, v3 r, double alpha, double outside)
{
    const v3 u = v3_add(sym3_mul_v3(W, r), b);
    const double size = fabs(r.x) + fabs(r.y) + fabs(r.z);
    const double off = fabs(u.x) + fabs(u.y + alpha * r.y) + fabs(u.z + alpha * r.z);
    return (1.0 + mu) * (off + sym3_trace(W) * (4.0 * DBL_EPSILON * size + outside));
}

local_answer local_solve_exact_bounded(const sym3 *W, v3 b, double mu, double *error)
{
    *error = 0.0;
    if (b.x >= 0.0) return (local_answer){.state = CONTACT_TAKEOFF};
    *error = NAN;
    if (!(W->xx > 0.0)) return (local_answer){.state = CONTACT_TAKEOFF};
    const double n = -b.x / W->xx;
    if (mu == 0.0) {
        *error = fabs(W->xx * n + b.x);
        return (local_answer){.r = {n, 0.0, 0.0}, .state = CONTACT_SLIDE};
    }
    const reduced q = reduce(W, b);
    local_answer a = {.state = CONTACT_STICK};
    double alpha = 0.0, outside = 0.0;
    if (reduced_sticks(&q, mu)) {
        a.r = v3_scale(n, reduced_stick(&q, mu, &outside));
    } else {
        const double inverse_mu = 1.0 / mu;
        a.state = CONTACT_SLIDE;
        alpha = reduced_find_alpha(&q, inverse_mu, &a.iterations);
        a.r = v3_scale(n, reduced_slide(&q, mu, inverse_mu, &alpha));
    }
    *error = error_bound(W, b, mu, a.r, alpha * W->xx, outside * n);
    return a;
}

local_answer local_solve_exact(const sym3 *W, v3 b, double mu)
{
    double error;
    local_answer a = local_solve_exact_bounded(W, b, mu, &error);
    const double rounding = 8.0 * DBL_EPSILON * (1.0 + mu) * sym3_trace(W) * v3_norm(a.r);
    a.failed = !(error <= 1e-8 * v3_norm(b) + rounding);
    return a;
}

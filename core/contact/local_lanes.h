/* SPDX-License-Identifier: Apache-2.0
 *
 * The first rungs of the ladder, and the residual, for as many contacts at once as a register has
 * lanes (math/pack.h).
 *
 * The twin of local_exact.c, operation for operation: where the scalar code takes a branch, this
 * computes what any lane needs and selects, so that each lane has the bits of its scalar twin. A
 * lane whose error is above the allowance is left to the scalar ladder, with all its rungs.
 */
#ifndef CONTACT_LOCAL_LANES_H
#define CONTACT_LOCAL_LANES_H

#include "contact/local_judge.h"
#include "math/pack.h"

typedef struct pack_v3 {
    pack x, y, z;
} pack_v3;

typedef struct pack_sym3 {
    pack xx, xy, xz, yy, yz, zz;
} pack_sym3;

static inline pack pack_tangent_norm(pack_v3 a) { return pack_sqrt(a.y * a.y + a.z * a.z); }

static inline pack_v3 pack_v3_select(pack_mask mask, pack_v3 a, pack_v3 b)
{
    return (pack_v3){pack_select(mask, a.x, b.x), pack_select(mask, a.y, b.y),
                     pack_select(mask, a.z, b.z)};
}

static inline pack_v3 pack_sym3_mul(const pack_sym3 *A, pack_v3 x)
{
    return (pack_v3){A->xx * x.x + A->xy * x.y + A->xz * x.z,
                     A->xy * x.x + A->yy * x.y + A->yz * x.z,
                     A->xz * x.x + A->yz * x.y + A->zz * x.z};
}

/* ---- the residual (coulomb.c) ---- */

static inline pack_v3 lanes_project(pack_v3 r, pack mu)
{
    const pack zero = {0}, t = pack_tangent_norm(r);
    const pack_mask inside = (pack_mask)(t <= mu * r.x) & (pack_mask)(r.x >= zero);
    const pack_mask polar = (pack_mask)(mu * t <= -r.x);
    const pack n = (r.x + mu * t) / (1.0 + mu * mu);
    const pack s = mu * n / t;
    const pack_v3 origin = {zero, zero, zero}, edge = {n, s * r.y, s * r.z};
    return pack_v3_select(inside, r, pack_v3_select(polar, origin, edge));
}

static inline pack lanes_residual(pack_v3 u, pack_v3 r, pack mu, pack d)
{
    const pack_v3 impulse = {d * r.x, d * r.y, d * r.z};
    const pack u_tilde_N = u.x + mu * pack_tangent_norm(u);
    const pack_v3 y = {impulse.x - u_tilde_N, impulse.y - u.y, impulse.z - u.z};
    const pack_v3 p = lanes_project(y, mu);
    const pack_v3 e = {impulse.x - p.x, impulse.y - p.y, impulse.z - p.z};
    return pack_sqrt(e.x * e.x + e.y * e.y + e.z * e.z);
}

/* ---- one contact per lane (local_exact.c, where the names are explained) ---- */

typedef struct lanes_reduced {
    pack gy, gz, cy, cz;
    pack syy, syz, szz, trace;
    pack X0, X1, X2, Q0, Q1;
} lanes_reduced;

static inline lanes_reduced lanes_reduce(const pack_sym3 *W, pack_v3 b)
{
    const pack unit = 1.0 / W->xx, speed = -1.0 / b.x;
    const pack gy = W->xy * unit, gz = W->xz * unit;
    const pack syy = W->yy * unit - gy * gy, syz = W->yz * unit - gy * gz,
               szz = W->zz * unit - gz * gz;
    const pack cy = b.y * speed + gy, cz = b.z * speed + gz;
    const pack By = szz * cy - syz * cz, Bz = syy * cz - syz * cy;
    const pack det = pack_max(syy * szz - syz * syz, (pack){0}), trace = syy + szz;
    return (lanes_reduced){.gy = gy,
                           .gz = gz,
                           .cy = cy,
                           .cz = cz,
                           .syy = syy,
                           .syz = syz,
                           .szz = szz,
                           .trace = trace,
                           .X0 = By * By + Bz * Bz,
                           .X1 = By * cy + Bz * cz,
                           .X2 = cy * cy + cz * cz,
                           .Q0 = det + gy * By + gz * Bz,
                           .Q1 = trace + gy * cy + gz * cz};
}

static inline pack_mask lanes_sticks(const lanes_reduced *q, pack mu)
{
    return (pack_mask)(q->Q0 > (pack){0}) & (pack_mask)(q->X0 <= mu * mu * q->Q0 * q->Q0);
}

static inline pack lanes_first_alpha(const lanes_reduced *q, pack inverse_mu)
{
    const pack gc = q->Q1 - q->trace, s = q->trace - q->X1 / q->X2;
    return pack_max(pack_sqrt(q->X2) * inverse_mu - gc - s, (pack){0});
}

/* Newton's method on psi; a lane that is done stands still while others go on. */
static inline pack lanes_find_alpha(const lanes_reduced *q, pack inverse_mu, pack_mask running)
{
    enum { CAP = 40 };
    pack low = {0}, high = pack_all(INFINITY);
    pack alpha = lanes_first_alpha(q, inverse_mu);
    for (int i = 1; i < CAP && pack_any(running); i++) {
        const pack X = q->X0 + alpha * (2.0 * q->X1 + alpha * q->X2);
        const pack half_slope_X = q->X1 + alpha * q->X2;
        const pack Q = q->Q0 + alpha * (q->Q1 + alpha), slope_Q = q->Q1 + 2.0 * alpha;
        const pack missing = pack_sqrt(X) * inverse_mu - Q;
        const pack_mask below = (pack_mask)(missing > (pack){0});
        low = pack_select(below, alpha, low);
        high = pack_select(below, high, alpha);
        const pack next = alpha + missing * X / (slope_Q * X - Q * half_slope_X);
        const pack_mask done = (pack_mask)(pack_abs(next - alpha) <= 1e-4 * alpha);
        const pack_mask inside = (pack_mask)(next > low) & (pack_mask)(next < high);
        const pack middle = pack_select((pack_mask)(high < pack_all(INFINITY)), 0.5 * (low + high),
                                        2.0 * low + q->trace);
        alpha = pack_select(running, pack_select(done | inside, next, middle), alpha);
        running &= ~done;
    }
    return alpha;
}

typedef struct lanes_elimination {
    pack pivot, l, last;
} lanes_elimination;

static inline lanes_elimination lanes_eliminate(const lanes_reduced *q, pack alpha)
{
    const pack pivot = 1.0 / (q->syy + alpha), l = q->syz * pivot;
    return (lanes_elimination){pivot, l, 1.0 / (q->szz + alpha - l * q->syz)};
}

static inline pack_v3 lanes_eliminated(const lanes_elimination *e, pack y, pack z)
{
    const pack last = (z - e->l * y) * e->last;
    return (pack_v3){(pack){0}, y * e->pivot - e->l * last, last};
}

static inline pack_v3 lanes_stick(const lanes_reduced *q, pack mu, pack *outside)
{
    const lanes_elimination e = lanes_eliminate(q, (pack){0});
    pack_v3 r = lanes_eliminated(&e, -q->cy, -q->cz);
    r.x = 1.0 - q->gy * r.y - q->gz * r.z;
    const pack t2 = r.y * r.y + r.z * r.z, radius = mu * r.x;
    const pack beyond =
        pack_select((pack_mask)(t2 <= radius * radius), (pack){0}, pack_sqrt(t2) - radius);
    *outside = pack_select((pack_mask)(radius >= (pack){0}), beyond, pack_all(INFINITY));
    return r;
}

static inline pack_v3 lanes_slide(const lanes_reduced *q, pack mu, pack inverse_mu, pack *alpha)
{
    const lanes_elimination e = lanes_eliminate(q, *alpha);
    const pack_v3 r_T = lanes_eliminated(&e, -q->cy, -q->cz);
    const pack_v3 slope = lanes_eliminated(&e, -r_T.y, -r_T.z);
    const pack t = pack_tangent_norm(r_T), r_N = 1.0 - q->gy * r_T.y - q->gz * r_T.z;
    const pack t_slope = r_T.x * slope.x + r_T.y * slope.y + r_T.z * slope.z;
    const pack N_slope = -q->gy * slope.y - q->gz * slope.z;
    const pack step = (mu * r_N - t) * t / (t_slope - mu * N_slope * t);
    pack_v3 r = {r_T.x + step * slope.x, r_T.y + step * slope.y, r_T.z + step * slope.z};
    r.x = pack_tangent_norm(r) * inverse_mu;
    *alpha = pack_max(*alpha + step, (pack){0});
    return r;
}

static inline pack lanes_error_bound(const pack_sym3 *W, pack_v3 b, pack mu, pack_v3 r, pack alpha,
                                     pack outside)
{
    const pack_v3 Wr = pack_sym3_mul(W, r), u = {Wr.x + b.x, Wr.y + b.y, Wr.z + b.z};
    const pack size = pack_abs(r.x) + pack_abs(r.y) + pack_abs(r.z);
    const pack off = pack_abs(u.x) + pack_abs(u.y + alpha * r.y) + pack_abs(u.z + alpha * r.z);
    return (1.0 + mu) * (off + (W->xx + W->yy + W->zz) * (4.0 * DBL_EPSILON * size + outside));
}

static inline pack lanes_allowance(pack_v3 b)
{
    const pack norm = 0.57 * (pack_abs(b.x) + pack_abs(b.y) + pack_abs(b.z));
    return pack_min(LOCAL_TOLERANCE * norm, pack_all(DBL_MAX));
}

/* r where the contact has friction and is pressed; *bound is one of its residual. */
static inline pack_v3 lanes_solve_pressed(const pack_sym3 *W, pack_v3 b, pack mu, pack n,
                                          pack_mask pressed, pack *bound)
{
    const lanes_reduced q = lanes_reduce(W, b);
    const pack_mask sticks = lanes_sticks(&q, mu) & pressed, slides = pressed & ~sticks;
    pack alpha = {0}, outside = {0};
    pack_v3 r = {(pack){0}, (pack){0}, (pack){0}};
    if (pack_any(sticks)) r = lanes_stick(&q, mu, &outside);
    if (pack_any(slides)) {
        const pack inverse_mu = 1.0 / mu;
        alpha = lanes_find_alpha(&q, inverse_mu, slides);
        const pack_v3 slide = lanes_slide(&q, mu, inverse_mu, &alpha);
        r = pack_v3_select(sticks, r, slide);
        alpha = pack_select(sticks, (pack){0}, alpha);
        outside = pack_select(sticks, outside, (pack){0});
    }
    r = (pack_v3){n * r.x, n * r.y, n * r.z};
    *bound = lanes_error_bound(W, b, mu, r, alpha * W->xx, outside * n);
    return r;
}

/* local_solve_exact_bounded; where *trusted is not set, the scalar ladder must be asked. */
static inline pack_v3 lanes_solve(const pack_sym3 *W, pack_v3 b, pack mu, pack_mask *trusted)
{
    const pack zero = {0};
    const pack_mask takeoff = (pack_mask)(b.x >= zero);
    const pack_mask frictionless = (pack_mask)(mu == zero) & ~takeoff;
    const pack_mask pressed = ~(takeoff | frictionless);
    const pack n = -b.x / W->xx;
    pack off = pack_abs(W->xx * n + b.x);
    pack_v3 r = {n, zero, zero};
    if (pack_any(pressed)) {
        pack bound;
        r = pack_v3_select(pressed, lanes_solve_pressed(W, b, mu, n, pressed, &bound), r);
        off = pack_select(pressed, bound, off);
    }
    *trusted = takeoff | ((pack_mask)(W->xx > zero) & (pack_mask)(off <= lanes_allowance(b)));
    return pack_v3_select(takeoff, (pack_v3){zero, zero, zero}, r);
}

#endif

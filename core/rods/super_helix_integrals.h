/* SPDX-License-Identifier: Apache-2.0
 *
 * The integrals over one element that inertia and forces need, over `real`, in the frame where the
 * element begins: of its points x, of their slopes D, and of a density of momentum
 *
 *     F(s) = constant + (s / l) linear + spin x x(s) + rho Q (spin' x x'(s) + D'(s) rate'),
 *
 * whose last part is the momentum of the last step (' marks the element as it was then).
 */
#ifndef RODS_SUPER_HELIX_INTEGRALS_H
#define RODS_SUPER_HELIX_INTEGRALS_H

#include "rods/helix_rule.h"
#include "rods/super_helix_motion.h"

typedef struct helix_momentum {
    real3 constant, linear, spin;
    real density; /* rho */
    const helix_memory *memory;
} helix_momentum;

typedef struct helix_integrals {
    real length;
    real3 x;
    real_sym3 xx;    /* x x^T */
    real33 D, xD;    /* D, x x D column by column */
    real_sym3 DD;    /* D^T D */
    real3 F, xF, DF; /* F, x x F, D^T F */
} helix_integrals;

typedef struct helix_rules {
    helix_rule lane[REAL_LANES];
    size_t count; /* the most of any lane */
} helix_rules;

/* Good for two helices of the same length. */
static inline helix_rules helix_choose_rules(real3 kappa, real3 other, real length)
{
    helix_rules rules = {.count = 0};
    const real a2 = real3_dot(kappa, kappa), b2 = real3_dot(other, other);
    for (size_t k = 0; k < REAL_LANES; k++) {
        const double a = real_lane(&a2, k), b = real_lane(&b2, k);
        rules.lane[k] = helix_rule_for(sqrt(a > b ? a : b) * real_lane(&length, k));
        const size_t count = helix_rule_count(&rules.lane[k]);
        if (count > rules.count) rules.count = count;
    }
    return rules;
}

/* Sample i of each lane as a fraction of the length; lanes that need no more have weight 0 at the
 * beginning, which adds exactly nothing. */
static inline void helix_sample(const helix_rules *rules, size_t i, real *at, real *weight)
{
    for (size_t k = 0; k < REAL_LANES; k++) {
        const helix_rule *rule = &rules->lane[k];
        const bool used = i < helix_rule_count(rule);
        real_set_lane(at, k, used ? helix_rule_at(rule, i) : 0.0);
        real_set_lane(weight, k, used ? helix_rule_weight(rule, i) : 0.0);
    }
}

/* F at the fraction `at` of the length, where the element has the point x. */
static inline real3 helix_momentum_at(const helix_momentum *m, real at, real s, real3 x)
{
    const helix then = helix_at(m->memory->kappa, s);
    const real3 moved = real3_add(real3_cross(m->memory->spin, helix_point(&then)),
                                  helix_slope_along(&then, m->memory->rate));
    const real3 F = real3_add_scaled(m->constant, at, m->linear);
    return real3_add_scaled(real3_add(F, real3_cross(m->spin, x)), m->density,
                            real33_mul_real3(&m->memory->Q, moved));
}

static inline void helix_add_sample(helix_integrals *sum, real w, real3 x, const real33 *D, real3 F)
{
    const real3 wx = real3_scale(w, x), wF = real3_scale(w, F);
    sum->x = real3_add(sum->x, wx);
    real_sym3_add_square(&sum->xx, w, x);
    for (size_t c = 0; c < 3; c++) {
        sum->D.column[c] = real3_add_scaled(sum->D.column[c], w, D->column[c]);
        sum->xD.column[c] = real3_add(sum->xD.column[c], real3_cross(wx, D->column[c]));
    }
    const real3 wD[3] = {real3_scale(w, D->column[0]), real3_scale(w, D->column[1]),
                         real3_scale(w, D->column[2])};
    sum->DD.xx += real3_dot(wD[0], D->column[0]);
    sum->DD.xy += real3_dot(wD[0], D->column[1]);
    sum->DD.xz += real3_dot(wD[0], D->column[2]);
    sum->DD.yy += real3_dot(wD[1], D->column[1]);
    sum->DD.yz += real3_dot(wD[1], D->column[2]);
    sum->DD.zz += real3_dot(wD[2], D->column[2]);
    sum->F = real3_add(sum->F, wF);
    sum->xF = real3_add(sum->xF, real3_cross(x, wF));
    sum->DF = real3_add(sum->DF, real33_tmul_real3(D, wF));
}

static inline helix_integrals helix_integrate(real3 kappa, real length, const helix_momentum *m)
{
    const helix_rules rules = helix_choose_rules(kappa, m->memory->kappa, length);
    helix_integrals sum = {0};
    sum.length = length;
    for (size_t i = 0; i < rules.count; i++) {
        real at, weight;
        helix_sample(&rules, i, &at, &weight);
        const real s = at * length;
        const helix now = helix_at(kappa, s);
        const real33 D = helix_slope(&now);
        const real3 x = helix_point(&now);
        helix_add_sample(&sum, weight * length, x, &D, helix_momentum_at(m, at, s, x));
    }
    return sum;
}

#endif

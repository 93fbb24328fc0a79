/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/membrane.h"

#include "math/scalar.h"

/* cos^2, sin^2 and sin cos of k 22.5 degrees: p_k. */
static const double FIBRE[CLOTH_FIBRE_ANGLES][3] = {
    {1.0, 0.0, 0.0}, {0.85355339059327376, 0.14644660940672624, 0.35355339059327376},
    {0.5, 0.5, 0.5}, {0.14644660940672624, 0.85355339059327376, 0.35355339059327376},
    {0.0, 1.0, 0.0},
};

static void add_fibre(cloth_response *r, double a, double onset, const double p[3], const double *e)
{
    const double s = p[0] * e[0] + p[1] * e[1] + p[2] * e[2];
    if (!(s > 0.0)) return;
    const double below = scalar_min(s, onset), above = s - below;
    const double slope = a * (below * below / onset + 2.0 * above); /* a f' */
    const double curvature = 2.0 * a * below / onset;               /* a f'' */
    r->W += a * (below * below * below / (3.0 * onset) + above * (below + above));
    for (int i = 0; i < 3; i++) r->S[i] += slope * p[i];
    r->T[0] += curvature * p[0] * p[0];
    r->T[1] += curvature * p[0] * p[1];
    r->T[2] += curvature * p[0] * p[2];
    r->T[3] += curvature * p[1] * p[1];
    r->T[4] += curvature * p[1] * p[2];
    r->T[5] += curvature * p[2] * p[2];
}

cloth_response cloth_membrane_respond(const cloth_membrane *m, double stretch, double shear,
                                      const double e[3])
{
    const double c11 = stretch * m->warp, c22 = stretch * m->weft, c12 = stretch * m->coupling;
    const double g = shear * m->shear;
    cloth_response r = {.S = {c11 * e[0] + c12 * e[1], c12 * e[0] + c22 * e[1], g * e[2]},
                        .T = {c11, c12, 0.0, c22, 0.0, g}};
    r.W = 0.5 * (r.S[0] * e[0] + r.S[1] * e[1] + r.S[2] * e[2]);
    for (int k = 0; k < CLOTH_FIBRE_ANGLES; k++) {
        const double a = stretch * m->fibre[k];
        if (a == 0.0) continue;
        const double mirror[3] = {FIBRE[k][0], FIBRE[k][1], -FIBRE[k][2]};
        add_fibre(&r, a, m->onset, FIBRE[k], e);
        if (FIBRE[k][2] != 0.0) add_fibre(&r, a, m->onset, mirror, e);
    }
    return r;
}

void cloth_membrane_tension(const double S[3], double tension[3])
{
    const double mean = 0.5 * (S[0] + S[1]), half = 0.5 * (S[0] - S[1]);
    const double radius = sqrt(half * half + S[2] * S[2]);
    const double least = mean - radius, most = mean + radius;
    if (least >= 0.0) {
        for (int i = 0; i < 3; i++) tension[i] = S[i];
        return;
    }
    /* most (S - least 1) / (most - least), the projection on the stretched direction */
    const double share = most > 0.0 ? most / (2.0 * radius) : 0.0;
    tension[0] = share * (S[0] - least);
    tension[1] = share * (S[1] - least);
    tension[2] = share * S[2];
}

bool cloth_membrane_is_valid(const cloth_membrane *m)
{
    const double det = m->warp * m->weft - m->coupling * m->coupling;
    bool good = m->warp > 0.0 && m->weft > 0.0 && det > 0.0 && m->shear > 0.0 && m->onset > 0.0;
    good = good && isfinite(det) && isfinite(m->shear) && isfinite(m->onset);
    for (int k = 0; k < CLOTH_FIBRE_ANGLES; k++) {
        good = good && m->fibre[k] >= 0.0 && isfinite(m->fibre[k]);
    }
    return good;
}

cloth_membrane cloth_membrane_isotropic(double stiffness, double poisson)
{
    const double plane = stiffness / (1.0 - poisson * poisson);
    return (cloth_membrane){.warp = plane,
                            .weft = plane,
                            .coupling = poisson * plane,
                            .shear = 0.5 * stiffness / (1.0 + poisson),
                            .onset = 1.0};
}

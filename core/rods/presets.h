/* SPDX-License-Identifier: Apache-2.0
 *
 * Rods by what people know of them: material constants and a cross-section, artists' words, and
 * presets with physical values.
 *
 * An elliptic section with the half axes a along n1 and b along n2, of a material with the moduli E
 * and G, has (Saint-Venant)
 *     E A = E pi a b,   E I about n1 = E pi a b^3 / 4,   about n2 = E pi a^3 b / 4,
 *     G J = G pi a^3 b^3 / (a^2 + b^2).
 * A slow strand of radius r in air feels about c_d 1/2 rho_air u^2 2 r per length; around u = 1 m/s,
 * where a hair's Reynolds number is near 5, that is about linear in u: drag = 1.5e-4 kg/(m s) for
 * 70 micrometres, and it changes little with the radius.
 */
#ifndef RODS_PRESETS_H
#define RODS_PRESETS_H

#include "rods/rod.h"

typedef struct rod_substance {
    double young, shear;  /* Pa */
    double density;       /* kg/m^3 */
    double half_axis[2];  /* m: a along n1, b along n2 */
    double damping, drag; /* as in rod_material */
} rod_substance;

rod_material rod_material_make(const rod_substance *s);

/* The natural twist and curvatures of a curl: a helix of this radius that climbs `pitch` per turn
 * (m). Radius 0 is straight. */
v3 rod_curl(double radius, double pitch);

/* Internal damping for a damping ratio of the first bending mode of a clamped straight rod: ratio =
 * damping omega / 2, omega = 3.51602 (B / density)^1/2 / length^2. */
double rod_damping_time(const rod_material *m, double length, double ratio);

typedef struct rod_preset {
    const char *name, *doc; /* doc has where the values come from */
    rod_substance substance;
} rod_preset;

extern const rod_preset rod_presets[];
extern const size_t rod_preset_count;

#endif

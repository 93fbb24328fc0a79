/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/presets.h"

static const double PI = 3.14159265358979323846;

rod_material rod_material_make(const rod_substance *s)
{
    const double a = s->half_axis[0], b = s->half_axis[1];
    const double area = PI * a * b;
    return (rod_material){.density = s->density * area,
                          .bend = {0.25 * s->young * area * b * b, 0.25 * s->young * area * a * a},
                          .twist = s->shear * area * a * a * b * b / (a * a + b * b),
                          .stretch = s->young * area,
                          .radius = sqrt(a * b),
                          .damping = s->damping,
                          .drag = s->drag};
}

/* A helix (R cos t, R sin t, c t), c = pitch / 2 pi, has the curvature R / (R^2 + c^2) and the
 * torsion c / (R^2 + c^2); the frame with n1 along the binormal turns with both. */
v3 rod_curl(double radius, double pitch)
{
    const double c = pitch / (2.0 * PI);
    if (radius == 0.0) return (v3){0.0, 0.0, 0.0};
    const double scale = 1.0 / (radius * radius + c * c);
    return (v3){c * scale, radius * scale, 0.0};
}

double rod_damping_time(const rod_material *m, double length, double ratio)
{
    const double soft = m->bend[0] < m->bend[1] ? m->bend[0] : m->bend[1];
    const double omega = 3.51602 * sqrt(soft / m->density) / (length * length);
    return 2.0 * ratio / omega;
}

/* Hair: diameters, ellipticities and moduli are the usual means of the hair science literature
 * (keratin 1.3 g/cm^3; bending modulus 3.5 to 5.5 GPa at 50 to 65% relative humidity, torsion
 * modulus about a fifth to a third of it; water takes more than half of the bending modulus and
 * more of the torsion modulus, and swells the fibre by 14%). */
const rod_preset rod_presets[] = {
    {"hair-caucasian",
     "human hair, Caucasian, dry: 76 x 60 micrometres, E 3.9 GPa, G 0.9 GPa, 1,320 kg/m^3 (means "
     "of fibre tests at 50 to 65% humidity)",
     {3.9e9, 0.9e9, 1320.0, {38e-6, 30e-6}, 5e-3, 1.5e-4}},
    {"hair-caucasian-wet",
     "human hair, Caucasian, soaked: 14% thicker, E 1.7 GPa, G 0.2 GPa, denser by the water in it",
     {1.7e9, 0.2e9, 1310.0, {43e-6, 34e-6}, 2e-2, 1.5e-4}},
    {"hair-asian",
     "human hair, Asian, dry: 90 x 74 micrometres, E 4.7 GPa, G 1.1 GPa, 1,320 kg/m^3 (thicker and "
     "rounder, the stiffest in bending)",
     {4.7e9, 1.1e9, 1320.0, {45e-6, 37e-6}, 5e-3, 1.5e-4}},
    {"hair-african",
     "human hair, African, dry: 90 x 50 micrometres, E 3.6 GPa, G 0.9 GPa, 1,320 kg/m^3 (the "
     "flattest section; natural curls of a few millimetres)",
     {3.6e9, 0.9e9, 1320.0, {45e-6, 25e-6}, 5e-3, 1.5e-4}},
    {"fur",
     "guard hair of a pelt: 50 micrometres, round, keratin as in hair",
     {3.9e9, 0.9e9, 1300.0, {25e-6, 25e-6}, 5e-3, 1.4e-4}},
    {"rope",
     "laid polyester rope of 10 mm: fibres slide in it, so it bends like a bundle, with an "
     "effective E of 20 MPa, and weighs 78 g/m",
     {20e6, 8e6, 993.0, {5e-3, 5e-3}, 2e-2, 5e-3}},
    {"cable",
     "flexible PVC power cable of 6 mm: effective E 60 MPa, 50 g/m",
     {60e6, 22e6, 1768.0, {3e-3, 3e-3}, 2e-2, 3e-3}},
    {"spaghetti",
     "cooked spaghetti of 2.2 mm: E 0.3 MPa (texture tests of cooked pasta: 0.1 to 0.5), 1,080 "
     "kg/m^3",
     {0.3e6, 0.1e6, 1080.0, {1.1e-3, 1.1e-3}, 1e-2, 1e-3}},
};

const size_t rod_preset_count = sizeof rod_presets / sizeof *rod_presets;

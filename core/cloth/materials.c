/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/materials.h"

#include <string.h>

/* Woven and knitted cloth has no plate's Poisson ratio to speak of; its yarns slide. */
#define STRIPS(D_warp, D_bias, D_weft)                                                             \
    {                                                                                              \
        .warp = D_warp, .weft = D_weft, .coupling = 0.0,                                           \
        .twist = (D_bias)-0.25 * ((D_warp) + (D_weft))                                             \
    }
#define ISOTROPIC_PLATE(D, nu)                                                                     \
    {                                                                                              \
        .warp = D, .weft = D, .coupling = (nu) * (D), .twist = 0.5 * (1.0 - (nu)) * (D)            \
    }
#define ISOTROPIC_MEMBRANE(Eh, nu)                                                                 \
    {                                                                                              \
        .warp = (Eh) / (1.0 - (nu) * (nu)), .weft = (Eh) / (1.0 - (nu) * (nu)),                    \
        .coupling = (nu) * (Eh) / (1.0 - (nu) * (nu)), .shear = 0.5 * (Eh) / (1.0 + (nu)),         \
        .onset = 1.0                                                                               \
    }

/* Textiles: orders of magnitude as low-stress tests of fabric hand give them for such cloth, not
 * the record of one specimen. Within these, bending (silk and leather: also the density and the
 * stiffness in the plane at small strain) was adjusted until Cusick's drape test gave a coefficient
 * in the range published for the kind; jersey and paper were not. 1 gf cm^2/cm of bending is 98 uN
 * m; 1 gf/(cm degree) of shear is 56 N/m. Damping is a guess. */
const cloth_preset cloth_presets[] = {
    {"cotton",
     "cotton plain weave of 150 g/m^2: bending 14/12/10 uN m (warp, bias, weft), shear 60 N/m; "
     "typical values, fitted to drape",
     {0.150,
      {2500.0, 1800.0, 250.0, 60.0, {4000.0, 0.0, 0.0, 0.0, 3000.0}, 0.05},
      STRIPS(14e-6, 12e-6, 10e-6),
      2e-3}},
    {"silk",
     "silk crepe of 85 g/m^2: bending 1.8/1.5/1.3 uN m, shear 8 N/m; typical values, "
     "fitted to drape",
     {0.085,
      {250.0, 180.0, 20.0, 8.0, {4000.0, 0.0, 0.0, 0.0, 3000.0}, 0.04},
      STRIPS(1.8e-6, 1.5e-6, 1.3e-6),
      1e-3}},
    {"wool",
     "wool suiting of 220 g/m^2: bending 15/12/11 uN m, shear 40 N/m; typical values, fitted "
     "to drape",
     {0.220,
      {1200.0, 700.0, 120.0, 40.0, {3000.0, 0.0, 0.0, 0.0, 1500.0}, 0.05},
      STRIPS(15e-6, 12e-6, 11e-6),
      3e-3}},
    {"denim",
     "cotton denim of 400 g/m^2 (12 oz): bending 96/78/66 uN m, shear 150 N/m; typical "
     "values, fitted to drape",
     {0.400,
      {6000.0, 3500.0, 500.0, 150.0, {8000.0, 0.0, 0.0, 0.0, 5000.0}, 0.05},
      STRIPS(96e-6, 78e-6, 66e-6),
      4e-3}},
    {"jersey",
     "cotton single jersey of 160 g/m^2: bending 5.0/4.0/3.5 uN m, shear 25 N/m, soft until the "
     "loops are straight; typical values",
     {0.160,
      {60.0, 40.0, 15.0, 25.0, {250.0, 0.0, 50.0, 0.0, 150.0}, 0.15},
      STRIPS(5.0e-6, 4.0e-6, 3.5e-6),
      3e-3}},
    {"leather",
     "soft garment leather of 0.6 mm and 400 g/m^2: E 1 MPa until its fibres are straight, at 5% "
     "strain about 8; bending 36 uN m, Poisson 0.3",
     {0.400,
      {659.0, 659.0, 198.0, 231.0, {2000.0, 0.0, 1000.0, 0.0, 2000.0}, 0.05},
      ISOTROPIC_PLATE(36e-6, 0.3),
      5e-3}},
    {"paper",
     "office paper of 80 g/m^2 and 0.1 mm: E 3 GPa (between machine and cross direction), Poisson "
     "0.3, so that D = E h^3 / (12 (1 - 0.3^2)) = 275 uN m",
     {0.080, ISOTROPIC_MEMBRANE(3e5, 0.3), ISOTROPIC_PLATE(275e-6, 0.3), 1e-3}},
};

const size_t cloth_preset_count = sizeof cloth_presets / sizeof *cloth_presets;

static const cloth_preset *find_in(const cloth_preset *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0) return &table[i];
    }
    return NULL;
}

const cloth_preset *cloth_preset_find(const char *name)
{
    const cloth_preset *p = find_in(cloth_presets, cloth_preset_count, name);
    return p ? p : find_in(cloth_measured, cloth_measured_count, name);
}

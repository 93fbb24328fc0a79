/* SPDX-License-Identifier: Apache-2.0
 *
 * Fabrics by name: what one square metre weighs and how it resists, in SI units. These are
 * properties of the sheet as a continuum, so they mean the same on every mesh and at every step.
 */
#ifndef CLOTH_MATERIALS_H
#define CLOTH_MATERIALS_H

#include "cloth/bending.h"
#include "cloth/membrane.h"

typedef struct cloth_material {
    double density; /* kg/m^2 */
    cloth_membrane membrane;
    cloth_plate plate;
    double damping; /* s: strain that changes at some rate resists like strain of rate times this */
} cloth_material;

typedef struct cloth_preset {
    const char *name, *doc; /* doc has where the values come from */
    cloth_material material;
} cloth_preset;

extern const cloth_preset cloth_presets[];
extern const size_t cloth_preset_count;

/* Fabrics that were measured one by one, made by tools/make_fabrics.py. */
extern const cloth_preset cloth_measured[];
extern const size_t cloth_measured_count;

/* Of either table; NULL if there is none of this name. */
const cloth_preset *cloth_preset_find(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/parameters.h"

#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

#define EVERY_FRAME .flags = PARAMETER_KEYFRAMABLE
#define REAL .type = PARAMETER_REAL, .components = 1
#define INTEGER .type = PARAMETER_INTEGER, .components = 1
#define VECTOR .type = PARAMETER_VECTOR, .components = 3
#define NAMES(id, text, of) .name = id, .label = text, .unit = of
#define LIMITS(low, high) .minimum = low, .maximum = high
#define SLIDER(low, high) .soft_minimum = low, .soft_maximum = high

/* clang-format off */
const parameter_row parameter_table[PARAMETER_ROWS] = {
    [P_GRAVITY] = {
        NAMES("gravity", "Gravity", "m/s^2"), .kinds = KIND_SCENE, VECTOR, EVERY_FRAME,
        .initial = {0.0, 0.0, -9.81}, LIMITS(-1e4, 1e4), SLIDER(-20.0, 20.0),
        .doc = "Acceleration that pulls on everything; the default points along -z.",
    },
    [P_FRAME_RATE] = {
        NAMES("frame_rate", "Frame rate", "1/s"), .kinds = KIND_SCENE, REAL,
        .initial = {24.0}, LIMITS(1e-3, 1e5), SLIDER(12.0, 120.0),
        .doc = "Frames per second of the animation.",
    },
    [P_SUBSTEPS] = {
        NAMES("substeps", "Substeps", ""), .kinds = KIND_SCENE, INTEGER, EVERY_FRAME,
        .initial = {4.0}, LIMITS(1.0, 1e4), SLIDER(1.0, 20.0),
        .doc = "Steps per frame. More follow fast motion better; friction holds at any number.",
    },
    [P_TOLERANCE] = {
        NAMES("tolerance", "Tolerance", "m/s"), .kinds = KIND_SCENE, REAL, EVERY_FRAME,
        .initial = {1e-10}, LIMITS(1e-14, 1.0), SLIDER(1e-12, 1e-4),
        .doc = "Largest error allowed at any contact, as a velocity.",
    },
    [P_MAX_ITERATIONS] = {
        NAMES("max_iterations", "Most iterations", ""), .kinds = KIND_SCENE, INTEGER, EVERY_FRAME,
        .initial = {10000.0}, LIMITS(1.0, 1e9), SLIDER(100.0, 100000.0),
        .doc = "The solver gives up and says so after this many sweeps.",
    },
    [P_DENSITY] = {
        NAMES("density", "Density", "kg/m^2"), .kinds = KIND_CLOTH, REAL, EVERY_FRAME,
        .initial = {0.2}, LIMITS(1e-6, 1e6), SLIDER(0.02, 2.0),
        .doc = "Mass of one square metre of cloth; not used where masses are given.",
    },
    [P_THICKNESS] = {
        NAMES("thickness", "Thickness", "m"), .kinds = KIND_CLOTH, REAL, EVERY_FRAME,
        .initial = {0.001}, LIMITS(0.0, 10.0), SLIDER(0.0, 0.02),
        .doc = "Distance that the cloth's nodes keep from surfaces.",
    },
    [P_FRICTION] = {
        NAMES("friction", "Friction", ""), .kinds = KIND_CLOTH | KIND_COLLIDER, REAL, EVERY_FRAME,
        .initial = {0.5}, LIMITS(0.0, 100.0), SLIDER(0.0, 2.0),
        .doc = "Coulomb's coefficient mu. Two surfaces that touch have sqrt(mu_a mu_b); 0 is ice.",
    },
};
/* clang-format on */

void parameter_values_init(parameter_values *values)
{
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        memcpy(values->value[row], parameter_table[row].initial, sizeof values->value[row]);
    }
}

int parameter_find(const char *name)
{
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        if (strcmp(parameter_table[row].name, name) == 0) return row;
    }
    return -1;
}

const char *parameter_suggest(const char *name, uint32_t kinds)
{
    text_suggestion nearest = {0};
    for (int row = 0; row < PARAMETER_ROWS; row++) {
        if (!(parameter_table[row].kinds & kinds)) continue;
        text_suggestion_offer(&nearest, name, parameter_table[row].name);
    }
    return nearest.best;
}

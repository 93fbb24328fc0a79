/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/parameters.h"

#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

#define EVERY_FRAME PARAMETER_KEYFRAMABLE

const parameter_row parameter_table[PARAMETER_ROWS] = {
    [P_GRAVITY] = {"gravity", "Gravity", "m/s^2", "Acceleration that pulls on everything; the default points along -z.",
                   PARAMETER_VECTOR, KIND_SCENE, EVERY_FRAME, 3, {0.0, 0.0, -9.81}, -1e4, 1e4, -20.0, 20.0},
    [P_FRAME_RATE] = {"frame_rate", "Frame rate", "1/s", "Frames per second of the animation.",
                      PARAMETER_REAL, KIND_SCENE, 0, 1, {24.0}, 1e-3, 1e5, 12.0, 120.0},
    [P_SUBSTEPS] = {"substeps", "Substeps", "", "Steps per frame. More follow fast motion better; friction holds at any number.",
                    PARAMETER_INTEGER, KIND_SCENE, EVERY_FRAME, 1, {4.0}, 1.0, 1e4, 1.0, 20.0},
    [P_TOLERANCE] = {"tolerance", "Tolerance", "m/s", "Largest error allowed at any contact, as a velocity.",
                     PARAMETER_REAL, KIND_SCENE, EVERY_FRAME, 1, {1e-10}, 1e-14, 1.0, 1e-12, 1e-4},
    [P_MAX_ITERATIONS] = {"max_iterations", "Most iterations", "", "The solver gives up and says so after this many sweeps.",
                          PARAMETER_INTEGER, KIND_SCENE, EVERY_FRAME, 1, {1000.0}, 1.0, 1e9, 100.0, 10000.0},
    [P_DENSITY] = {"density", "Density", "kg/m^2", "Mass of one square metre of cloth; not used where masses are given.",
                   PARAMETER_REAL, KIND_CLOTH, EVERY_FRAME, 1, {0.2}, 1e-6, 1e6, 0.02, 2.0},
    [P_THICKNESS] = {"thickness", "Thickness", "m", "Distance that the cloth's nodes keep from surfaces.",
                     PARAMETER_REAL, KIND_CLOTH, EVERY_FRAME, 1, {0.001}, 0.0, 10.0, 0.0, 0.02},
    [P_FRICTION] = {"friction", "Friction", "", "Coulomb's coefficient mu. Two surfaces that touch have sqrt(mu_a mu_b); 0 is ice.",
                    PARAMETER_REAL, KIND_CLOTH | KIND_COLLIDER, EVERY_FRAME, 1, {0.5}, 0.0, 100.0, 0.0, 2.0},
};

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

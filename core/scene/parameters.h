/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of parameters: everything an artist can change, one row each. It drives the setters,
 * the scene files, the hosts' panels and the reference in docs/.
 */
#ifndef SCENE_PARAMETERS_H
#define SCENE_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

enum { PARAMETER_REAL = 1, PARAMETER_INTEGER = 2, PARAMETER_VECTOR = 3 };
enum { PARAMETER_KEYFRAMABLE = 1 };

/* Row numbers; rows are appended, never moved. */
enum {
    P_GRAVITY,
    P_FRAME_RATE,
    P_SUBSTEPS,
    P_TOLERANCE,
    P_MAX_ITERATIONS,
    P_DENSITY,
    P_THICKNESS,
    P_FRICTION,
    P_ELEMENTS,
    P_ATTACHED,
    P_DIAMETER,
    P_MASS_DENSITY,
    P_YOUNG,
    P_SHEAR_RATIO,
    P_DAMPING,
    P_DRAG,
    P_HAIR_TOLERANCE,
    P_HAIR_ITERATIONS,
    P_CLOTH_DRAG,
    P_STRENGTH,
    P_REACH,
    P_FALLOFF,
    P_TURBULENCE_SIZE,
    P_TURBULENCE_SPEED,
    P_TURBULENCE_FLOW,
    P_TURBULENCE_SEED,
    P_TELEPORT,
    P_WATCHDOG,
    P_FABRIC,
    P_STRETCH,
    P_SHEAR,
    P_BEND,
    P_CLOTH_DAMPING,
    PARAMETER_ROWS
};

typedef struct parameter_row {
    const char *name, *label, *unit, *doc;
    uint32_t type, kinds, flags, components;
    double initial[3];
    double minimum, maximum, soft_minimum, soft_maximum;
} parameter_row;

/* One object's values; rows that its kind does not have stay at their defaults. */
typedef struct parameter_values {
    double value[PARAMETER_ROWS][3];
} parameter_values;

extern const parameter_row parameter_table[PARAMETER_ROWS];

void parameter_values_init(parameter_values *values);

/* Row number, or -1. */
int parameter_find(const char *name);

/* The name in the table nearest to `name` among the rows of `kinds`, or NULL if nothing is near. */
const char *parameter_suggest(const char *name, uint32_t kinds);

#endif

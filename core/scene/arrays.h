/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of per-element arrays that go in and out of objects.
 */
#ifndef SCENE_ARRAYS_H
#define SCENE_ARRAYS_H

#include <stdint.h>

enum { ARRAY_READ = 1, ARRAY_WRITE = 2, ARRAY_INTEGER = 4 };
enum { ELEMENT_NODE = 1, ELEMENT_TRIANGLE = 2, ELEMENT_STRAND = 3 };

/* Row numbers; rows are appended, never moved. */
enum {
    A_POSITION,
    A_VELOCITY,
    A_MASS,
    A_PIN,
    A_TARGET,
    A_CONTACT_FORCE,
    A_CONTACT_STATE,
    A_TRIANGLE,
    A_ROOT_POSITION,
    A_ROOT_ROTATION,
    A_STRAND_SIZE,
    A_STIFFNESS_MAP,
    A_CURL_MAP,
    A_MASS_MAP,
    A_DRAG_MAP,
    A_THICKNESS_MAP,
    A_FRICTION_MAP,
    A_STIFFNESS_PROFILE,
    A_CURL_PROFILE,
    A_FREEZE,
    A_ROOT_FORCE,
    A_TIP_FORCE,
    A_TIP_MOMENT,
    ARRAY_ROWS
};

typedef struct array_row {
    const char *name, *unit, *doc;
    uint32_t kinds, components, flags, element;
} array_row;

extern const array_row array_table[ARRAY_ROWS];

/* Row number, or -1. */
int array_find_row(const char *name);

/* The nearest array name, or NULL. */
const char *array_suggest_row(const char *name);

#endif

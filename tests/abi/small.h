/* SPDX-License-Identifier: Apache-2.0
 *
 * A small scene that has one of everything, and a valid call of every entry of stn_api on it.
 */
#ifndef TESTS_ABI_SMALL_H
#define TESTS_ABI_SMALL_H

#include "rows.h"

enum { SMALL_SIDE = 4, SMALL_NODES = SMALL_SIDE * SMALL_SIDE };
enum { SMALL_TRIANGLES = 2 * (SMALL_SIDE - 1) * (SMALL_SIDE - 1) };

/* A square sheet of SMALL_NODES nodes, 1 m wide, at the height z. */
typedef struct small_sheet {
    double position[SMALL_NODES][3];
    uint32_t triangle[SMALL_TRIANGLES][3];
    stn_view positions, triangles;
} small_sheet;

void small_sheet_fill(small_sheet *sheet, double z);

/* A sheet over a floor and a ball; `work` is what the calls read and write. */
typedef struct small_scene {
    stn_scene *scene;
    stn_id sheet, floor, ball;
    struct small_work *work;
} small_scene;

void small_create(small_scene *small, const stn_host *host);
void small_destroy(small_scene *small);

/* Arguments with which the entry succeeds, or is unsupported; returns their number. */
uint32_t small_arguments(small_scene *small, const stn_row *entry, signature_value *arguments);

#endif

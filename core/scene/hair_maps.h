/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps of a groom: factors on the parameters of hair, one per strand, and profiles, one per point.
 *
 * They count for the host's strands and points. A profile is averaged over each element of a rod;
 * an element has its strand's factor times that mean. Like parameters, maps are no part of the
 * state.
 */
#ifndef SCENE_HAIR_MAPS_H
#define SCENE_HAIR_MAPS_H

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Per strand, then per point. */
enum {
    MAP_STIFFNESS,
    MAP_CURL,
    MAP_MASS,
    MAP_DRAG,
    MAP_THICKNESS,
    MAP_FRICTION,
    MAP_FREEZE, /* no factor: 0 or 1 */
    MAP_STIFFNESS_PROFILE,
    MAP_CURL_PROFILE,
    MAP_COUNT
};

typedef struct hair_maps {
    double *value[MAP_COUNT];
    size_t count; /* numbers of all */
} hair_maps;

/* Every factor is 1, and nothing is frozen. */
status hair_maps_init(hair_maps *m, size_t strands, size_t points, const allocator *from,
                      error *err);
void hair_maps_destroy(hair_maps *m, const allocator *from);

/* The map of an array row, or -1. */
int hair_map_of_array(int row);

/* Do the rods need to be made anew for this map? */
bool hair_map_is_of_rods(int map);

/* `what` begins the error. */
status hair_map_check(int map, const double *values, size_t count, const char *what, error *err);

/* The mean between two arc lengths of a function that is linear between the samples (s, value), s
 * rising, and constant beyond them. */
double hair_map_average(const double *s, const double *value, size_t count, double begin,
                        double end);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene whose bits are watched: a sheet, a ribbon that is held and pulled, and loose grains,
 * falling on a tilting floor and a ball that rolls. test_same_scene.py builds it in Python, number
 * by number.
 *
 * Inputs are made with + - * / alone, so they are the same bits everywhere.
 */
#ifndef TESTS_ABI_DRAPE_H
#define TESTS_ABI_DRAPE_H

#include <stiction/stiction.h>

enum { DRAPE_FRAMES = 24 };

typedef struct drape {
    stn_scene *scene;
    stn_id sheet, ribbon, grains, floor, ball;
} drape;

/* The scene at frame 0; on failure there is none. */
stn_status drape_create(drape *d, const stn_host *host, uint32_t threads);
void drape_destroy(drape *d);

/* Says where things will be at a frame, 1 to DRAPE_FRAMES. */
stn_status drape_animate(const drape *d, uint32_t frame);

/* Animates and advances to each of the frames. */
stn_status drape_run(const drape *d, uint32_t first, uint32_t last);

uint64_t drape_hash(const drape *d);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The moments of a run that get into its picture: evenly spread, the first and the last among them.
 */
#ifndef STICTION_PICTURE_MOMENTS_H
#define STICTION_PICTURE_MOMENTS_H

#include "picture.h"

typedef struct moments {
    double first, last; /* frames */
    uint64_t wanted, taken;
    snapshot shots[PICTURE_MOST_MOMENTS];
} moments;

/* `wanted` at most, fewer if there are fewer frames. With wanted = 1: the last frame. */
void moments_init(moments *m, double first, double last, uint64_t wanted);

/* Call at every frame: takes a snapshot if this is one of the moments. */
stn_status moments_offer(moments *m, const stn_api *api, stn_scene *scene, double frame);

void moments_free(moments *m);

#endif

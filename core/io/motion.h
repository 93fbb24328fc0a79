/* SPDX-License-Identifier: Apache-2.0
 *
 * Rigid motion by keyframes: positions go straight from key to key. Rotations about one axis are
 * interpolated as angles, so they may make any number of turns; keys with different axes are joined
 * by the shorter rotation between them. Before the first key and after the last one nothing moves.
 */
#ifndef IO_MOTION_H
#define IO_MOTION_H

#include "math/quat.h"

#include <stddef.h>

typedef struct motion_key {
    double frame;
    v3 position;
    v3 axis;      /* not zero; meaningless where the angle is 0 */
    double angle; /* radians */
} motion_key;

typedef struct motion {
    const motion_key *keys; /* by rising frames */
    size_t count;           /* at least 1 */
    bool one_axis;          /* all rotations are about `axis` */
    v3 axis;
} motion;

motion motion_from_keys(const motion_key *keys, size_t count);
pose motion_at(const motion *m, double frame);

/* The most that it turns about the one axis in the time of a frame, in radians; 0 if the axes
 * differ. */
double motion_fastest_turn(const motion *m);

#endif

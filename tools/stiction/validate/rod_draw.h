/* SPDX-License-Identifier: Apache-2.0
 *
 * What rods are shaken by: numbers that look like chance and are the same everywhere, and roots.
 */
#ifndef STICTION_VALIDATE_ROD_DRAW_H
#define STICTION_VALIDATE_ROD_DRAW_H

#include <stdint.h>

#include "space.h"

/* Numbers in [-1, 1] by a linear congruence. */
static inline double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static inline vec draw_vec(uint64_t *seed)
{
    const double x = draw(seed), y = draw(seed), z = draw(seed);
    return (vec){x, y, z};
}

/* As stn_rods_input has it. */
static inline void fill_root(vec position, turn rotation, double root[7])
{
    root[0] = position.x, root[1] = position.y, root[2] = position.z;
    root[3] = rotation.w, root[4] = rotation.x, root[5] = rotation.y, root[6] = rotation.z;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers for made problems, the same on every machine.
 */
#ifndef STICTION_BENCH_DRAW_H
#define STICTION_BENCH_DRAW_H

#include <stdint.h>

/* Weyl's sequence, mixed: 53 bits in [0, 1). */
static inline double draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static inline double draw_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * draw(state);
}

static inline uint32_t draw_below(uint64_t *state, uint32_t count)
{
    return (uint32_t)(draw(state) * count);
}

#endif

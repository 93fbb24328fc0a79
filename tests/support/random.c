/* SPDX-License-Identifier: Apache-2.0 */
#include "support/random.h"

uint64_t random_bits(random_source *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t random_below(random_source *rng, uint32_t n)
{
    return (uint32_t)(((random_bits(rng) >> 32) * n) >> 32);
}

double random_between(random_source *rng, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(rng) >> 11) * 0x1p-53);
}

v3 random_v3(random_source *rng)
{
    const double x = random_between(rng, -1.0, 1.0);
    const double y = random_between(rng, -1.0, 1.0);
    return (v3){x, y, random_between(rng, -1.0, 1.0)};
}

/* Points of the cube are thrown away until one lies in the ball, but not at its very centre. */
v3 random_direction(random_source *rng)
{
    for (;;) {
        const v3 a = random_v3(rng);
        const double square = v3_dot(a, a);
        if (square <= 1.0 && square > 1e-4) return v3_normalize(a);
    }
}

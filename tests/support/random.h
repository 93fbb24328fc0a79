/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers that are the same everywhere (splitmix64), so that a failing test fails again.
 */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include "math/v3.h"

#include <stdint.h>

typedef struct random_source {
    uint64_t state; /* the seed: any number */
} random_source;

uint64_t random_bits(random_source *rng);

/* In [0, n). */
uint32_t random_below(random_source *rng, uint32_t n);

/* Uniform in [low, high). */
double random_between(random_source *rng, double low, double high);

/* Each component uniform in [-1, 1). */
v3 random_v3(random_source *rng);

/* Uniform on the sphere. */
v3 random_direction(random_source *rng);

#endif

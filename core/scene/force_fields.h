/* SPDX-License-Identifier: Apache-2.0
 *
 * The fields that a scene has of its own. With the force's place p, its axis z (the third of its
 * own axes), d = x - p, and d_T what of d is across the axis:
 *
 *     wind        u = strength w(|d|) z
 *     turbulence  u = strength w(|d|) n(d, t)              n: see below
 *     vortex      u = strength w(|d_T|) z x d_T / sqrt(|d_T|^2 + reach^2)
 *     point       a = strength w(|d|) d / sqrt(|d|^2 + reach^2)
 *
 * u is a velocity of the air, a an acceleration. All fade by
 *
 *     w(r) = (1 + r^2 / reach^2)^(-falloff / 2),
 *
 * which is 1 for falloff 0 and goes like r^-falloff far away. So a vortex turns like a solid inside
 * its reach, and with falloff 1 like a free vortex outside.
 *
 * The noise n is a sum of plane waves a cos(k . d + phase) with a across k, so each has no
 * divergence, and the sum has none. Waves come in octaves: half the length, and by Kolmogorov's
 * spectrum 2^(-1/3) times the speed and 2^(2/3) times the rate of change. Directions and phases
 * come from the seed; the pattern floats along z. The mean of |n|^2 over space is 1.
 */
#ifndef SCENE_FORCE_FIELDS_H
#define SCENE_FORCE_FIELDS_H

#include "math/quat.h"

#include <stddef.h>
#include <stdint.h>

enum { NOISE_OCTAVES = 3, NOISE_WAVES = 8, NOISE_SIZE = NOISE_OCTAVES * NOISE_WAVES };

typedef struct noise_wave {
    v3 k, a; /* 1/m, and no unit */
    double phase;
} noise_wave;

typedef struct noise {
    noise_wave wave[NOISE_SIZE];
} noise;

typedef struct noise_source {
    double size;  /* m, length of the longest waves */
    double speed; /* 1/s, how often they come and go */
    double flow;  /* m/s along z */
    uint32_t seed;
} noise_source;

/* The noise as it is at the time t, and its value at d, both in the force's own axes. */
void noise_init(noise *n, const noise_source *source, double t);
v3 noise_at(const noise *n, v3 d);

typedef struct force_field {
    uint32_t type; /* FORCE_..., not FORCE_CUSTOM */
    pose at;
    double strength, reach;
    uint32_t falloff;
    noise noise; /* of turbulence */
} force_field;

/* m/s, of a point m/s^2 */
v3 force_field_at(const force_field *f, v3 x);

#endif

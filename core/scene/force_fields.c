/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/force_fields.h"

#include "math/frame.h"
#include "math/trig.h"
#include "scene/scene.h"

#include <xxhash.h>

static const double TURN = 6.283185307179586, GOLDEN_ANGLE = 2.399963229728653;

/* From octave to octave. */
static const double SLOWER = 0.7937005259840998;   /* 2^(-1/3) */
static const double LIVELIER = 1.5874010519681994; /* 2^(2/3) */

/* ---- noise ---- */

/* From 0 to 1, another number for every wave and purpose. */
static double chance(uint32_t seed, uint32_t wave, uint32_t purpose)
{
    const uint32_t key[3] = {seed, wave, purpose};
    return (double)(XXH64(key, sizeof key, 0) >> 11) * 0x1p-53;
}

/* Waves of one octave go in directions that are spread evenly over the sphere. */
static v3 wave_direction(uint32_t seed, uint32_t number)
{
    const uint32_t place = number % NOISE_WAVES;
    const double z = 2.0 * (place + chance(seed, number, 0)) / NOISE_WAVES - 1.0;
    const trig_pair around =
        trig_sincos(GOLDEN_ANGLE * number + TURN * chance(seed, number - place, 1));
    const double r = sqrt(1.0 - z * z);
    return (v3){r * around.cos, r * around.sin, z};
}

static noise_wave make_wave(const noise_source *source, uint32_t number, double speed, double rate,
                            double k, double t)
{
    const uint32_t seed = source->seed;
    const v3 direction = wave_direction(seed, number);
    const m3 F = frame_from_normal(direction);
    const trig_pair swing = trig_sincos(TURN * chance(seed, number, 2));
    const v3 across = v3_add(v3_scale(swing.cos, F.row[1]), v3_scale(swing.sin, F.row[2]));
    noise_wave w = {.k = v3_scale(k, direction), .a = v3_scale(speed, across)};
    const double turns = chance(seed, number, 3) + rate * t * (2.0 * chance(seed, number, 4) - 1.0);
    w.phase = TURN * (turns - floor(turns)) - w.k.z * source->flow * t;
    return w;
}

void noise_init(noise *n, const noise_source *source, double t)
{
    double power = 0.0, share = 1.0;
    for (int octave = 0; octave < NOISE_OCTAVES; octave++) {
        power += 0.5 * NOISE_WAVES * share; /* a cosine squared has the mean 1/2 */
        share *= SLOWER * SLOWER;
    }
    double speed = 1.0 / sqrt(power), rate = source->speed, k = TURN / source->size;
    for (uint32_t i = 0; i < NOISE_SIZE; i++) {
        n->wave[i] = make_wave(source, i, speed, rate, k, t);
        if (i % NOISE_WAVES < NOISE_WAVES - 1) continue;
        speed *= SLOWER;
        rate *= LIVELIER;
        k *= 2.0;
    }
}

v3 noise_at(const noise *n, v3 d)
{
    v3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < NOISE_SIZE; i++) {
        const noise_wave *w = &n->wave[i];
        sum = v3_add_scaled(sum, trig_sincos(v3_dot(w->k, d) + w->phase).cos, w->a);
    }
    return sum;
}

/* ---- fields ---- */

/* w(r), from r^2 */
static double fade(const force_field *f, double r2)
{
    const double one = 1.0 / sqrt(1.0 + r2 / (f->reach * f->reach));
    double w = 1.0;
    for (uint32_t i = 0; i < f->falloff; i++) w *= one;
    return w;
}

/* r / sqrt(|r|^2 + reach^2): a direction that is zero, not undefined, in the middle */
static v3 soft_direction(const force_field *f, v3 r)
{
    return v3_scale(1.0 / sqrt(v3_dot(r, r) + f->reach * f->reach), r);
}

v3 force_field_at(const force_field *f, v3 x)
{
    const v3 d = v3_sub(x, f->at.position);
    const v3 z = quat_rotate(f->at.rotation, (v3){0.0, 0.0, 1.0});
    const double whole = f->strength * fade(f, v3_dot(d, d));
    switch (f->type) {
    case FORCE_TURBULENCE: {
        const v3 own = quat_rotate(quat_conjugate(f->at.rotation), d);
        return v3_scale(whole, quat_rotate(f->at.rotation, noise_at(&f->noise, own)));
    }
    case FORCE_VORTEX: {
        const v3 across = v3_add_scaled(d, -v3_dot(d, z), z);
        return v3_scale(f->strength * fade(f, v3_dot(across, across)),
                        v3_cross(z, soft_direction(f, across)));
    }
    case FORCE_POINT: return v3_scale(whole, soft_direction(f, d));
    default: return v3_scale(whole, z);
    }
}

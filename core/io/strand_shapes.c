/* SPDX-License-Identifier: Apache-2.0
 *
 * Every shape is a way s -> (place, frame) in its own coordinates, x along the strands; curls and
 * waves are laid over it in the frame, fading in over the first turn so that a strand leaves its
 * root straight. Ways that are no straight lines are followed in small steps and cut by arc length.
 */
#include "io/strand_shapes.h"

#include "math/frame.h"
#include "math/scalar.h"
#include "math/trig.h"

static const double GOLDEN_ANGLE = 2.399963229728653, TURN = 6.283185307179586;

/* From 0 to 1: a few rounds of a multiply-and-shift generator. */
static double shake(const strand_plan *p, uint32_t strand, uint32_t which)
{
    uint64_t x = ((uint64_t)p->seed << 32 | strand) * 4 + which;
    for (int i = 0; i < 3; i++) {
        x ^= x >> 31;
        x = x * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    }
    return (double)(x >> 11) * 0x1p-53;
}

/* ---- straight ways ---- */

/* Spread evenly along a spiral that turns by the golden angle from root to root, shaken a little. */
static v3 root_direction(const strand_plan *p, uint32_t i)
{
    const double z = 1.0 - (i + 0.2 + 0.6 * shake(p, i, 0)) / p->strands;
    const trig_pair at = trig_sincos(GOLDEN_ANGLE * i);
    const double r = sqrt(1.0 - z * z);
    return (v3){r * at.cos, r * at.sin, z};
}

/* Place number i of n in a round bundle, across it. */
static v3 bundle_place(const strand_plan *p, double radius, uint32_t i, uint32_t n)
{
    const m3 F = frame_from_normal(p->direction);
    const double r = n > 1 ? radius * sqrt((i + 0.5) / n) : 0.0;
    const trig_pair at = trig_sincos(GOLDEN_ANGLE * i);
    return v3_add_scaled(v3_scale(r * at.cos, F.row[1]), r * at.sin, F.row[2]);
}

/* Curls begin on the way and run around it; waves stay in one plane. */
static v3 lay_over(const strand_plan *p, uint32_t i, const m3 *F, double s, v3 x)
{
    const double start = TURN * shake(p, i, 1);
    const trig_pair first = trig_sincos(start);
    if (p->curl_radius > 0.0) {
        const trig_pair at = trig_sincos(start + TURN * s / p->curl_pitch);
        x = v3_add_scaled(x, p->curl_radius * (at.cos - first.cos), F->row[1]);
        x = v3_add_scaled(x, p->curl_radius * (at.sin - first.sin), F->row[2]);
    }
    if (p->wave_height > 0.0) {
        const double fade = scalar_min(s / p->wave_length, 1.0);
        const double a = p->wave_height * fade * trig_sincos(TURN * s / p->wave_length).sin;
        x = v3_add_scaled(x, a * first.cos, F->row[1]);
        x = v3_add_scaled(x, a * first.sin, F->row[2]);
    }
    return x;
}

static void make_straight(const strand_plan *p, uint32_t i, v3 start, v3 along, double *points)
{
    const m3 F = frame_from_normal(along);
    for (uint32_t k = 0; k < p->points; k++) {
        const double s = p->length * k / (p->points - 1.0);
        v3_store(points + 3 * k, lay_over(p, i, &F, s, v3_add_scaled(start, s, along)));
    }
}

/* ---- an arch ---- */

/* Up one side, half around, down the other; x is up, y to the side where it ends. */
static v3 arch_at(const strand_plan *p, double s)
{
    const double R = p->radius, half = 0.5 * TURN * R;
    if (s <= p->hang[0]) return (v3){s - p->hang[0], -R, 0.0};
    if (s >= p->hang[0] + half) return (v3){p->hang[0] + half - s, R, 0.0};
    const trig_pair at = trig_sincos((s - p->hang[0]) / R);
    return (v3){R * at.sin, -R * at.cos, 0.0};
}

static void make_arch(const strand_plan *p, uint32_t i, double *points)
{
    const v3 axis = p->direction;
    const v3 side = v3_normalize(v3_cross(axis, frame_from_normal(axis).row[1]));
    const v3 vertical = {0.0, 0.0, 1.0}, across = v3_cross(axis, vertical);
    const bool level = v3_norm(across) > 1e-6;
    const v3 y = level ? v3_normalize(across) : side, x = v3_cross(y, axis);
    const double room = p->strands > 1 ? p->pitch * (i - 0.5 * (p->strands - 1.0)) : 0.0;
    for (uint32_t k = 0; k < p->points; k++) {
        const v3 at = arch_at(p, strand_plan_length(p) * k / (p->points - 1.0));
        v3 place = v3_add_scaled(v3_add_scaled(p->position, at.x, x), at.y, y);
        v3_store(points + 3 * k, v3_add_scaled(place, room, axis));
    }
}

/* ---- ways that are followed ---- */

/* A place at t from 0 to 1, in coordinates of the plan with x along the strands. */
typedef v3 (*curve)(const strand_plan *p, uint32_t i, double t);

enum { STEPS = 4096 };

/* Points at even arc lengths from the start on, over `length`. */
static void follow(const strand_plan *p, uint32_t i, curve c, double length, double *points)
{
    const m3 F = frame_from_normal(p->direction);
    const double apart = length / (p->points - 1.0);
    v3 last = c(p, i, 0.0);
    double done = 0.0;
    uint32_t k = 0;
    for (int n = 1; n <= STEPS && k < p->points; n++) {
        const v3 next = c(p, i, (double)n / STEPS);
        const double step = v3_norm(v3_sub(next, last));
        for (; k < p->points && (apart * k <= done + step || n == STEPS); k++) {
            const double share = step > 0.0 ? (apart * k - done) / step : 0.0;
            const v3 at = v3_add_scaled(last, share, v3_sub(next, last));
            v3_store(points + 3 * k, v3_add(p->position, m3_tmul_v3(&F, at)));
        }
        done += step;
        last = next;
    }
}

/* Three ways that change places: across by sin, over and under by the sine of twice that. */
static v3 braid_at(const strand_plan *p, uint32_t i, double t)
{
    const double phase = TURN * (i % 3) / 3.0, a = TURN * p->length * t / p->pitch + phase;
    const double across = trig_sincos(a).sin, over = trig_sincos(2.0 * a).sin;
    return (v3){p->length * t, p->radius * across, 0.5 * p->radius * over};
}

static void make_braid(const strand_plan *p, uint32_t i, double *points)
{
    const uint32_t ply = (p->strands + 2 - i % 3) / 3;
    const v3 place = bundle_place(p, 0.3 * p->radius, i / 3, ply);
    follow(p, i, braid_at, p->length, points);
    for (uint32_t k = 0; k < p->points; k++) {
        v3_store(points + 3 * k, v3_add(v3_load(points + 3 * k), place));
    }
}

/* A trefoil on a torus, opened at its rim, with straight ends along the tangent there; the ends
 * pass each other a fifth of the radius apart. The torus has a ring of radius 2 and a tube of 1.
 * In these units the loops are about KNOT_LOOPS long. */
static const double KNOT_LOOPS = 31.9;

static v3 knot_loop(double turn)
{
    const trig_pair three = trig_sincos(3.0 * turn), two = trig_sincos(2.0 * turn);
    const double r = 2.0 + three.cos, apart = 0.2 * (1.0 - 2.0 * turn / TURN);
    const v3 across = {0.0, -1.0 / sqrt(5.0), 2.0 / sqrt(5.0)};
    return v3_add_scaled((v3){r * two.cos, r * two.sin, three.sin}, apart, across);
}

static v3 knot_at(const strand_plan *p, uint32_t i, double t)
{
    (void)i;
    const double unit = p->radius / 3.0, end = 0.5 * (p->length / unit - KNOT_LOOPS);
    const v3 along = {0.0, 2.0 / sqrt(5.0), 1.0 / sqrt(5.0)}, middle = {3.0, 0.0, 0.0};
    const double s = t * (2.0 * end + KNOT_LOOPS);
    v3 x;
    if (s < end) {
        x = v3_add_scaled(knot_loop(0.0), s - end, along);
    } else if (s > end + KNOT_LOOPS) {
        x = v3_add_scaled(knot_loop(TURN), s - end - KNOT_LOOPS, along);
    } else {
        x = knot_loop(TURN * (s - end) / KNOT_LOOPS);
    }
    x = v3_sub(x, middle);
    const v3 across = {0.0, -1.0 / sqrt(5.0), 2.0 / sqrt(5.0)};
    return v3_scale(unit, (v3){v3_dot(x, along) + end + 0.5 * KNOT_LOOPS, x.x, v3_dot(x, across)});
}

/* ---- all ---- */

double strand_plan_length(const strand_plan *p)
{
    if (p->shape != STRANDS_ARCH) return p->length;
    return p->hang[0] + 0.5 * TURN * p->radius + p->hang[1];
}

void strand_plan_make(const strand_plan *p, uint32_t i, double *points)
{
    switch (p->shape) {
    case STRANDS_GROW: {
        const v3 N = root_direction(p, i);
        make_straight(p, i, v3_scale(p->radius, N), N, points);
        break;
    }
    case STRANDS_BUNDLE: {
        const v3 place = bundle_place(p, p->radius, i, p->strands);
        make_straight(p, i, v3_add(p->position, place), p->direction, points);
        break;
    }
    case STRANDS_BRAID: make_braid(p, i, points); break;
    case STRANDS_ARCH: make_arch(p, i, points); break;
    case STRANDS_KNOT: follow(p, i, knot_at, p->length, points); break;
    }
}

void strand_draw_straight(const double *points, uint32_t count, double *straight)
{
    const v3 first = v3_load(points);
    const v3 along = v3_normalize(v3_sub(v3_load(points + 3), first));
    double s = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        if (k) s += v3_norm(v3_sub(v3_load(points + 3 * k), v3_load(points + 3 * k - 3)));
        v3_store(straight + 3 * k, v3_add_scaled(first, s, along));
    }
}

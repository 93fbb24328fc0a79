/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/encounter.h"

#include "collide/coplanarity.h"
#include "collide/segment.h"
#include "collide/triangle.h"
#include "math/scalar.h"

enum { MOST_ROUNDS = 400, PATIENCE = 3 };

/* Rounding of a distance, relative to the size of the pair. */
static const double ROUNDING = 1e-14;
/* Sines below this are taken for nothing: the square root of the rounding. */
static const double LEAST_SINE = 1e-7;
/* The end of the step, with rounding: what touches there has met. */
static const double LATEST = 1.0 + 1e-13;

encounter_pair encounter_make_pair(const v3 x0[4], const v3 x1[4], uint32_t split)
{
    encounter_pair p = {.split = split};
    double most2 = 0.0;
    for (int k = 0; k < 4; k++) {
        p.x[k] = v3_sub(x0[k], x0[0]);
        p.u[k] = v3_sub(v3_sub(x1[k], x0[k]), v3_sub(x1[0], x0[0]));
        const double far2 = v3_dot(p.x[k], p.x[k]), fast2 = v3_dot(p.u[k], p.u[k]);
        most2 = scalar_max(most2, scalar_max(far2, fast2));
    }
    p.size = sqrt(most2);
    return p;
}

/* ---- one time ---- */

static void corners_at(const encounter_pair *p, double t, v3 x[4])
{
    for (int k = 0; k < 4; k++) x[k] = v3_add_scaled(p->x[k], t, p->u[k]);
}

/* Two that touch have no way between them: a normal of what spans them, against their motion. */
static v3 normal_when_touching(const encounter_pair *p, const v3 x[4], const double share[4])
{
    const uint32_t s = p->split;
    const v3 B = s == 1 ? v3_sub(x[2], x[1]) : v3_sub(x[1], x[0]);
    const v3 C = s == 1 ? v3_sub(x[3], x[1]) : v3_sub(x[3], x[2]);
    v3 motion = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < 4; k++) {
        motion = v3_add_scaled(motion, k < s ? share[k] : -share[k], p->u[k]);
    }
    const v3 N = v3_cross(B, C);
    const double length = v3_norm(N), speed = v3_norm(motion);
    if (length > 1e-12 * v3_norm(B) * v3_norm(C)) {
        return v3_scale((v3_dot(N, motion) > 0.0 ? -1.0 : 1.0) / length, N);
    }
    return speed > 0.0 ? v3_scale(-1.0 / speed, motion) : (v3){0.0, 0.0, 1.0};
}

static double rounding_of(const encounter_pair *p, double sine)
{
    return p->size * (sine > LEAST_SINE ? ROUNDING / sine : sine + ROUNDING);
}

static double share_of(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

static v3 look_at_triangle(const encounter_pair *p, const v3 x[4], encounter_look *at)
{
    const triangle t = {{x[1], x[2], x[3]}};
    const v3 N = triangle_area_vector(&t);
    double longest2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const v3 side = v3_sub(t.corner[(k + 1) % 3], t.corner[k]);
        longest2 = scalar_max(longest2, v3_dot(side, side));
    }
    const double sine = share_of(v3_norm(N), longest2);
    const triangle_nearest near = sine > LEAST_SINE ? triangle_find_nearest(&t, x[0])
                                                    : triangle_find_nearest_on_sides(&t, x[0]);
    at->rounding = rounding_of(p, sine);
    at->share[0] = 1.0;
    for (int k = 0; k < 3; k++) at->share[k + 1] = near.share[k];
    at->distance = sqrt(near.distance2);
    const v3 away = v3_sub(x[0], near.point);
    if (near.part != TRIANGLE_FACE) return away;
    return v3_dot(N, away) < 0.0 ? v3_neg(N) : N; /* more exact than a short way */
}

static v3 look_at_segments(const encounter_pair *p, const v3 x[4], encounter_look *at)
{
    const segment_nearest near = segment_find_nearest(x[0], x[1], x[2], x[3]);
    const v3 d = v3_sub(x[1], x[0]), e = v3_sub(x[3], x[2]);
    at->rounding = rounding_of(p, share_of(v3_norm(v3_cross(d, e)), v3_norm(d) * v3_norm(e)));
    at->share[0] = 1.0 - near.s;
    at->share[1] = near.s;
    at->share[2] = 1.0 - near.t;
    at->share[3] = near.t;
    at->distance = sqrt(near.distance2);
    return v3_sub(v3_lerp(x[0], x[1], near.s), v3_lerp(x[2], x[3], near.t));
}

encounter_look encounter_look_at(const encounter_pair *p, double t)
{
    v3 x[4];
    corners_at(p, t, x);
    encounter_look at = {.t = t};
    const v3 away = p->split == 1 ? look_at_triangle(p, x, &at) : look_at_segments(p, x, &at);
    const bool touching = at.distance <= ROUNDING * p->size;
    at.normal = touching ? normal_when_touching(p, x, at.share) : v3_normalize(away);
    return at;
}

/* ---- the walk ---- */

/* The distance cannot shrink faster than the fastest two corners come together. */
static double safe_at_any_angle(const encounter_pair *p, const encounter_look *at, double d)
{
    double fastest2 = 0.0;
    for (uint32_t i = 0; i < p->split; i++) {
        for (uint32_t j = p->split; j < 4; j++) {
            const v3 u = v3_sub(p->u[i], p->u[j]);
            fastest2 = scalar_max(fastest2, v3_dot(u, u));
        }
    }
    return fastest2 > 0.0 ? (at->distance - at->rounding - d) / sqrt(fastest2) : INFINITY;
}

/* For how long no two corners close to d along the normal. That of features that almost touch is
 * rounding for the most part, and may have corners on the wrong side: then it says nothing. */
static double safe_time(const encounter_pair *p, const encounter_look *at, double d)
{
    double height[4], rate[4], first = INFINITY;
    for (int k = 0; k < 4; k++) {
        rate[k] = v3_dot(at->normal, p->u[k]);
        height[k] = v3_dot(at->normal, p->x[k]) + at->t * rate[k];
    }
    for (uint32_t i = 0; i < p->split; i++) {
        for (uint32_t j = p->split; j < 4; j++) {
            const double gap = height[i] - height[j] - d, closing = rate[j] - rate[i];
            if (gap < 0.0) return safe_at_any_angle(p, at, d);
            if (closing > 0.0) first = scalar_min(first, gap / closing);
        }
    }
    return first;
}

static coplanarity_frame frame_at(const encounter_pair *p, double t)
{
    v3 x[4];
    corners_at(p, t, x);
    if (p->split == 1) {
        return (coplanarity_frame){v3_sub(x[0], x[1]), v3_sub(x[2], x[1]), v3_sub(x[3], x[1])};
    }
    return (coplanarity_frame){v3_sub(x[0], x[2]), v3_sub(x[1], x[0]), v3_sub(x[3], x[2])};
}

/* Passes an interval that the cubic rules out, and tries a longer one the next time. */
static double pass_interval(const encounter_pair *p, double d, double t, double *width)
{
    const double end = scalar_min(t + *width, 1.0);
    const coplanarity_frame begin = frame_at(p, t), then = frame_at(p, end);
    const bool apart = coplanarity_keeps_apart(&begin, &then, d);
    *width *= apart ? 2.0 : 0.5;
    return !apart ? t : end < 1.0 ? end : INFINITY;
}

encounter encounter_find(const encounter_pair *p, double d, double tolerance, double t)
{
    encounter e = {.found = true};
    double width = 1.0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        e.at = encounter_look_at(p, t);
        if (e.at.distance <= d + scalar_max(tolerance, e.at.rounding)) return e;
        e.found = t < 1.0;
        if (e.found) t += safe_time(p, &e.at, d);
        if (round >= PATIENCE && t < 1.0) t = pass_interval(p, d, t, &width);
        if (t > LATEST) e.found = false;
        if (!e.found) return e;
        t = scalar_min(t, 1.0);
    }
    e.unresolved = true;
    return e;
}

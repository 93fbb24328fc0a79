/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/shape.h"

#include "math/scalar.h"

/* The shortest turn that takes the unit vector a to b, times R: I + [v] + [v]^2 / (1 + a.b) with
 * v = a x b. */
static m3 turn_between(v3 a, v3 b, const m3 *R)
{
    const v3 v = v3_cross(a, b);
    const double share = 1.0 / (1.0 + v3_dot(a, b));
    const m3 V = {{{0.0, -v.z, v.y}, {v.z, 0.0, -v.x}, {-v.y, v.x, 0.0}}};
    const m3 VR = m3_mul(&V, R), VVR = m3_mul(&V, &VR);
    m3 out = m3_add(R, &VR);
    for (int i = 0; i < 3; i++) out.row[i] = v3_add_scaled(out.row[i], share, VVR.row[i]);
    return out;
}

static v3 local_z(const m3 *R) { return (v3){R->row[0].z, R->row[1].z, R->row[2].z}; }

static m3 turn_that_shows(const m3 *R0, const m3 *R1, collide_kind kind)
{
    if (kind == COLLIDE_SPHERE) return *R0;
    if (kind != COLLIDE_CAPSULE) return *R1;
    const v3 a = local_z(R0), b = local_z(R1);
    const bool about = v3_dot(a, b) < -0.5; /* nearly around: which way is hard to say */
    return about ? *R1 : turn_between(a, b, R0);
}

collide_motion collide_motion_make(const pose *begin, const pose *end, collide_kind kind)
{
    collide_motion m = {.R0 = quat_to_m3(begin->rotation),
                        .R1 = quat_to_m3(end->rotation),
                        .p0 = begin->position,
                        .p1 = end->position,
                        .moves = !quat_is_equal(begin->rotation, end->rotation) ||
                                 !v3_is_equal(begin->position, end->position)};
    m.Rs = turn_that_shows(&m.R0, &m.R1, kind);
    return m;
}

double collide_motion_length(const collide_motion *m, v3 x)
{
    return m->moves ? v3_norm(v3_sub(collide_end_to_world(m, collide_world_to_begin(m, x)), x))
                    : 0.0;
}

static collide_contact plane_nearest(v3 y, double thickness)
{
    const v3 point = {y.x, y.y, thickness};
    return (collide_contact){point, point, {0.0, 0.0, 1.0}};
}

static collide_contact sphere_nearest(double R, v3 y)
{
    const double distance = v3_norm(y);
    const v3 normal = distance > 0.0 ? v3_scale(1.0 / distance, y) : (v3){0.0, 0.0, 1.0};
    const v3 point = v3_scale(R, normal);
    return (collide_contact){point, point, normal};
}

static bool plane_way(v3 y0, v3 y1, double thickness, double margin, collide_contact *contact)
{
    const double z0 = y0.z - thickness, z1 = y1.z - thickness;
    if (scalar_min(z0, z1) > margin) return false;
    const double t = z0 > 0.0 && z1 < 0.0 ? z0 / (z0 - z1) : 0.0;
    *contact = plane_nearest(v3_lerp(y0, y1, t), thickness);
    return true;
}

/* Where |y0 + t d| first comes down to R, or is least, for t in [0, 1]. */
static double sphere_first_time(v3 y0, v3 d, double R)
{
    const double a = v3_dot(d, d), b = v3_dot(y0, d), c = v3_dot(y0, y0) - R * R;
    if (c <= 0.0 || b >= 0.0) return 0.0; /* touching already, or not approaching */
    const double nearest = -b / a;
    const double discriminant = b * b - a * c;
    if (discriminant < 0.0) return scalar_min(nearest, 1.0);
    return scalar_min(c / (sqrt(discriminant) - b), 1.0);
}

static bool sphere_way(double R, v3 y0, v3 y1, double margin, collide_contact *contact)
{
    const v3 d = v3_sub(y1, y0);
    const v3 y = v3_add_scaled(y0, sphere_first_time(y0, d, R), d);
    if (v3_norm(y) - R > margin) return false;
    *contact = sphere_nearest(R, y);
    return true;
}

/* ---- rounded boxes: boxes are, and capsules, whose box is a segment ---- */

typedef struct core_nearest {
    double distance; /* to the box, negative inside */
    v3 normal;       /* unit, away from its nearest point */
} core_nearest;

/* Out through the nearest side. */
static core_nearest core_way_out(v3 half, v3 y)
{
    const double depth[3] = {half.x - fabs(y.x), half.y - fabs(y.y), half.z - fabs(y.z)};
    int k = depth[1] < depth[0] ? 1 : 0;
    if (depth[2] < depth[k]) k = 2;
    double at[3], normal[3] = {0.0, 0.0, 0.0};
    v3_store(at, y);
    normal[k] = at[k] < 0.0 ? -1.0 : 1.0;
    return (core_nearest){-depth[k], v3_load(normal)};
}

static double clamped(double a, double half) { return scalar_max(scalar_min(a, half), -half); }

static core_nearest core_find_nearest(v3 half, v3 y)
{
    const v3 q = {clamped(y.x, half.x), clamped(y.y, half.y), clamped(y.z, half.z)};
    const v3 away = v3_sub(y, q);
    const double distance = v3_norm(away);
    if (!(distance > 0.0)) return core_way_out(half, y);
    return (core_nearest){distance, v3_scale(1.0 / distance, away)};
}

/* From one tangent plane to the next: the shape, blown up, lies behind the plane at the point of it
 * that is nearest to y, so y may go on as far as that plane. These are Newton's steps to the root
 * of a convex function: they never go too far, and end in a few rounds. They also end at a plane
 * that the rest of the way keeps in front of. */
static bool rounded_way(v3 half, double R, v3 y0, v3 y1, double margin, collide_contact *contact)
{
    enum { MOST_ROUNDS = 32 };
    const v3 d = v3_sub(y1, y0);
    const double rounding = 1e-15 * (v3_norm(y0) + v3_norm(d) + R);
    double t = 0.0;
    v3 y = y0;
    core_nearest at = core_find_nearest(half, y);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const double gap = at.distance - R, closing = -v3_dot(at.normal, d);
        if (gap <= rounding || gap >= closing * (1.0 - t)) break;
        t += gap / closing;
        y = v3_add_scaled(y0, t, d);
        at = core_find_nearest(half, y);
    }
    const double gap = at.distance - R;
    const double ahead = scalar_max(-v3_dot(at.normal, d), 0.0) * (1.0 - t);
    if (gap - ahead > margin) return false;
    const v3 point = v3_add_scaled(y, -gap, at.normal);
    *contact = (collide_contact){point, point, at.normal};
    return true;
}

/* ---- any shape ---- */

double collide_distance(const collide_shape *shape, v3 y, double thickness)
{
    switch (shape->kind) {
    case COLLIDE_PLANE: return y.z - thickness;
    case COLLIDE_SPHERE: return v3_norm(y) - (shape->radius + thickness);
    default: return core_find_nearest(shape->half, y).distance - (shape->radius + thickness);
    }
}

bool collide_way(const collide_shape *shape, v3 y0, v3 y1, double thickness, double margin,
                 collide_contact *contact)
{
    const double R = shape->radius + thickness;
    switch (shape->kind) {
    case COLLIDE_PLANE: return plane_way(y0, y1, thickness, margin, contact);
    case COLLIDE_SPHERE: return sphere_way(R, y0, y1, margin, contact);
    default: return rounded_way(shape->half, R, y0, y1, margin, contact);
    }
}

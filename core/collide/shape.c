/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/shape.h"

#include "math/scalar.h"

collide_motion collide_motion_make(const pose *begin, const pose *end)
{
    return (collide_motion){.R0 = quat_to_m3(begin->rotation),
                            .R1 = quat_to_m3(end->rotation),
                            .p0 = begin->position,
                            .p1 = end->position,
                            .moves = !quat_is_equal(begin->rotation, end->rotation) ||
                                     !v3_is_equal(begin->position, end->position)};
}

double collide_motion_length(const collide_motion *m, v3 x)
{
    return m->moves ? v3_norm(v3_sub(collide_end_to_world(m, collide_world_to_begin(m, x)), x))
                    : 0.0;
}

double collide_distance(const collide_shape *shape, v3 y, double thickness)
{
    return shape->kind == COLLIDE_PLANE ? y.z - thickness
                                        : v3_norm(y) - (shape->radius + thickness);
}

static collide_contact plane_nearest(v3 y, double thickness)
{
    return (collide_contact){{y.x, y.y, thickness}, {0.0, 0.0, 1.0}};
}

static collide_contact sphere_nearest(double R, v3 y)
{
    const double distance = v3_norm(y);
    const v3 normal = distance > 0.0 ? v3_scale(1.0 / distance, y) : (v3){0.0, 0.0, 1.0};
    return (collide_contact){v3_scale(R, normal), normal};
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

bool collide_way(const collide_shape *shape, v3 y0, v3 y1, double thickness, double margin,
                 collide_contact *contact)
{
    return shape->kind == COLLIDE_PLANE
               ? plane_way(y0, y1, thickness, margin, contact)
               : sphere_way(shape->radius + thickness, y0, y1, margin, contact);
}

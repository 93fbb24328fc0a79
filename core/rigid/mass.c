/* SPDX-License-Identifier: Apache-2.0 */
#include "rigid/mass.h"

#include <inttypes.h>
#include <stddef.h>

static const double PI = 3.14159265358979323846;

typedef struct shape_size {
    const char *what;
    double value;
    bool may_be_zero;
} shape_size;

static status check_sizes(const shape_size *sizes, size_t count, const char *name, uint32_t body,
                          error *err)
{
    for (size_t k = 0; k < count; k++) {
        const shape_size *s = &sizes[k];
        if (isfinite(s->value) && (s->value > 0.0 || (s->may_be_zero && s->value == 0.0))) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%s', body %" PRIu32 ": its %s is %g, expected %s", name, body, s->what,
                         s->value, s->may_be_zero ? "0 or more" : "a positive number");
    }
    return STATUS_OK;
}

status rigid_check_shape(const rigid_shape *shape, const char *name, uint32_t body, error *err)
{
    const shape_size box[] = {{"half side along x", shape->half.x, false},
                              {"half side along y", shape->half.y, false},
                              {"half side along z", shape->half.z, false}};
    const shape_size curved[] = {{"radius", shape->radius, false},
                                 {"half length", shape->half_length, true}};
    switch (shape->kind) {
    case RIGID_SPHERE: return check_sizes(curved, 1, name, body, err);
    case RIGID_BOX: return check_sizes(box, 3, name, body, err);
    case RIGID_CAPSULE: return check_sizes(curved, 2, name, body, err);
    }
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "'%s', body %" PRIu32 ": its shape has the number %d, expected 1 to 3", name,
                     body, (int)shape->kind);
}

/* Diagonal second moments int x^2 dm make the inertia. */
static rigid_moments from_squares(double total, v3 squares)
{
    return (rigid_moments){total,
                           {squares.y + squares.z, squares.z + squares.x, squares.x + squares.y}};
}

static rigid_moments box_solid(v3 half)
{
    const double volume = 8.0 * half.x * half.y * half.z, third = volume / 3.0;
    return from_squares(
        volume, (v3){third * half.x * half.x, third * half.y * half.y, third * half.z * half.z});
}

/* A pair of faces has half^2 along its normal, a third of half^2 along the others. */
static rigid_moments box_surface(v3 half)
{
    const double x = 8.0 * half.y * half.z, y = 8.0 * half.z * half.x, z = 8.0 * half.x * half.y;
    return from_squares(x + y + z, (v3){half.x * half.x * (x + (y + z) / 3.0),
                                        half.y * half.y * (y + (z + x) / 3.0),
                                        half.z * half.z * (z + (x + y) / 3.0)});
}

/* A cylinder and two half balls, whose centres of mass are 3/8 r beyond its ends. */
static rigid_moments capsule_solid(double r, double l)
{
    const double tube = 2.0 * PI * r * r * l, caps = 4.0 / 3.0 * PI * r * r * r;
    const double along = tube * r * r / 2.0 + caps * r * r * 2.0 / 5.0;
    const double across =
        tube * (r * r / 4.0 + l * l / 3.0) + caps * (r * r * 2.0 / 5.0 + l * l + r * l * 3.0 / 4.0);
    return (rigid_moments){tube + caps, {along, across, across}};
}

/* Half shells have theirs r / 2 beyond. */
static rigid_moments capsule_surface(double r, double l)
{
    const double tube = 4.0 * PI * r * l, caps = 4.0 * PI * r * r;
    const double along = tube * r * r + caps * r * r * 2.0 / 3.0;
    const double across =
        tube * (r * r / 2.0 + l * l / 3.0) + caps * (r * r * 2.0 / 3.0 + l * l + r * l);
    return (rigid_moments){tube + caps, {along, across, across}};
}

rigid_moments rigid_find_solid(const rigid_shape *shape)
{
    if (shape->kind == RIGID_BOX) return box_solid(shape->half);
    return capsule_solid(shape->radius, shape->kind == RIGID_CAPSULE ? shape->half_length : 0.0);
}

rigid_moments rigid_find_surface(const rigid_shape *shape)
{
    if (shape->kind == RIGID_BOX) return box_surface(shape->half);
    return capsule_surface(shape->radius, shape->kind == RIGID_CAPSULE ? shape->half_length : 0.0);
}

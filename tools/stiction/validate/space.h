/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors and rotations for the checks, apart from those of the library that they check.
 */
#ifndef STICTION_VALIDATE_SPACE_H
#define STICTION_VALIDATE_SPACE_H

#include <math.h>

static const double SPACE_TURN = 6.283185307179586; /* radians */

typedef struct vec {
    double x, y, z;
} vec;

/* w, x, y, z as in stn_pose. */
typedef struct turn {
    double w, x, y, z;
} turn;

static inline vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec vec_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec vec_scale(double s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
static inline double vec_dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec_norm(vec a) { return sqrt(vec_dot(a, a)); }
static inline double vec_distance(vec a, vec b) { return vec_norm(vec_sub(a, b)); }

static inline vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline turn turn_none(void) { return (turn){1.0, 0.0, 0.0, 0.0}; }

/* By `angle` about the unit vector `axis`. */
static inline turn turn_about(vec axis, double angle)
{
    const double s = sin(0.5 * angle);
    return (turn){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/* First b, then a. */
static inline turn turn_mul(turn a, turn b)
{
    return (turn){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline vec turn_apply(turn q, vec a)
{
    const vec v = {q.x, q.y, q.z};
    const vec t = vec_scale(2.0, vec_cross(v, a));
    return vec_add(vec_add(a, vec_scale(q.w, t)), vec_cross(v, t));
}

#endif

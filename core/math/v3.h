/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of three doubles.
 */
#ifndef MATH_V3_H
#define MATH_V3_H

#include <math.h>
#include <stdbool.h>

typedef struct v3 {
    double x, y, z;
} v3;

static inline v3 v3_load(const double *a) { return (v3){a[0], a[1], a[2]}; }

static inline void v3_store(double *a, v3 b)
{
    a[0] = b.x;
    a[1] = b.y;
    a[2] = b.z;
}

static inline v3 v3_add(v3 a, v3 b) { return (v3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline v3 v3_sub(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline v3 v3_scale(double s, v3 a) { return (v3){s * a.x, s * a.y, s * a.z}; }
static inline v3 v3_neg(v3 a) { return (v3){-a.x, -a.y, -a.z}; }

/* a + s b */
static inline v3 v3_add_scaled(v3 a, double s, v3 b)
{
    return (v3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double v3_dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline v3 v3_cross(v3 a, v3 b)
{
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline bool v3_is_equal(v3 a, v3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static inline double v3_norm(v3 a) { return sqrt(v3_dot(a, a)); }

/* a / |a|; |a|^2 must neither be zero nor leave the range of double. */
static inline v3 v3_normalize(v3 a) { return v3_scale(1.0 / v3_norm(a), a); }

static inline bool v3_is_finite(v3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/* (1 - t) a + t b, exactly a at t = 0, b at t = 1, and a if b is the same. */
static inline v3 v3_lerp(v3 a, v3 b, double t)
{
    if (v3_is_equal(a, b)) return a;
    return v3_add(v3_scale(1.0 - t, a), v3_scale(t, b));
}

#endif

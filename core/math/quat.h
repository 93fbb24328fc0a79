/* SPDX-License-Identifier: Apache-2.0
 *
 * Unit quaternions w + xi + yj + zk, and poses (a rotation and a place).
 */
#ifndef MATH_QUAT_H
#define MATH_QUAT_H

#include "math/m3.h"

typedef struct quat {
    double w, x, y, z;
} quat;

static inline quat quat_identity(void) { return (quat){1.0, 0.0, 0.0, 0.0}; }
static inline quat quat_conjugate(quat q) { return (quat){q.w, -q.x, -q.y, -q.z}; }

static inline double quat_dot(quat a, quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline bool quat_is_equal(quat a, quat b)
{
    return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

/* a b: first rotate by b, then by a. */
static inline quat quat_mul(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* q x q* = x + 2 w (q_v x x) + 2 q_v x (q_v x x) */
static inline v3 quat_rotate(quat q, v3 x)
{
    const v3 v = {q.x, q.y, q.z};
    const v3 t = v3_scale(2.0, v3_cross(v, x));
    return v3_add(v3_add_scaled(x, q.w, t), v3_cross(v, t));
}

/* q / |q|; |q|^2 must neither be zero nor leave the range of double. */
quat quat_normalize(quat q);

/* Turns by `angle` radians about `axis`, which need not have unit length but must not be zero. */
quat quat_from_axis_angle(v3 axis, double angle);

m3 quat_to_m3(quat q);

/* Of a rotation, with the accuracy of its entries; one of the two quaternions. */
quat quat_from_m3(const m3 *R);

/* Along the shorter great circle at constant speed; exactly a at t = 0 and if b is the same, and
 * (up to sign) b at t = 1. */
quat quat_slerp(quat a, quat b, double t);

typedef struct pose {
    v3 position;
    quat rotation;
} pose;

static inline pose pose_identity(void) { return (pose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}; }

/* world = R local + p */
static inline v3 pose_apply(const pose *p, v3 local)
{
    return v3_add(quat_rotate(p->rotation, local), p->position);
}

/* local = R^T (world - p) */
static inline v3 pose_unapply(const pose *p, v3 world)
{
    return quat_rotate(quat_conjugate(p->rotation), v3_sub(world, p->position));
}

pose pose_interpolate(const pose *a, const pose *b, double t);

#endif

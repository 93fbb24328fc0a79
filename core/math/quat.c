/* SPDX-License-Identifier: Apache-2.0 */
#include "math/quat.h"

#include "math/trig.h"

quat quat_normalize(quat q)
{
    const double s = 1.0 / sqrt(quat_dot(q, q));
    return (quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

quat quat_from_axis_angle(v3 axis, double angle)
{
    const trig_pair half = trig_sincos(0.5 * angle);
    const v3 v = v3_scale(half.sin / v3_norm(axis), axis);
    return (quat){half.cos, v.x, v.y, v.z};
}

m3 quat_to_m3(quat q)
{
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (m3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                 {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                 {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

quat quat_slerp(quat a, quat b, double t)
{
    if (t == 0.0 || quat_is_equal(a, b)) return a;
    if (quat_dot(a, b) < 0.0) b = (quat){-b.w, -b.x, -b.y, -b.z};
    if (t == 1.0) return b;
    const quat d = quat_mul(quat_conjugate(a), b); /* b = a d */
    const v3 v = {d.x, d.y, d.z};
    const double s = v3_norm(v); /* sine of the half angle */
    if (s == 0.0) return a;
    const trig_pair part = trig_sincos(t * trig_atan2(s, d.w));
    const v3 w = v3_scale(part.sin / s, v);
    return quat_mul(a, (quat){part.cos, w.x, w.y, w.z});
}

pose pose_interpolate(const pose *a, const pose *b, double t)
{
    if (t == 1.0) return *b;
    return (pose){v3_lerp(a->position, b->position, t), quat_slerp(a->rotation, b->rotation, t)};
}

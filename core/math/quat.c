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

/* 4 w q, 4 x q, 4 y q and 4 z q can be read from R; the longest of them loses the fewest digits. */
quat quat_from_m3(const m3 *R)
{
    const v3 a = R->row[0], b = R->row[1], c = R->row[2];
    const quat rows[4] = {
        {1.0 + a.x + b.y + c.z, c.y - b.z, a.z - c.x, b.x - a.y},
        {c.y - b.z, 1.0 + a.x - b.y - c.z, a.y + b.x, a.z + c.x},
        {a.z - c.x, a.y + b.x, 1.0 - a.x + b.y - c.z, b.z + c.y},
        {b.x - a.y, a.z + c.x, b.z + c.y, 1.0 - a.x - b.y + c.z},
    };
    int best = 0;
    for (int i = 1; i < 4; i++) {
        if (quat_dot(rows[i], rows[i]) > quat_dot(rows[best], rows[best])) best = i;
    }
    return quat_normalize(rows[best]);
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

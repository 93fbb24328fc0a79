/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/transported_frame.h"

#include "math/frame.h"
#include "math/trig.h"

quat transported_short_way(v3 from, v3 to)
{
    const v3 axis = v3_cross(from, to);
    const quat q = {1.0 + v3_dot(from, to), axis.x, axis.y, axis.z};
    if (quat_dot(q, q) > 1e-20) return quat_normalize(q);
    const m3 any = frame_from_normal(from);
    return (quat){0.0, any.row[1].x, any.row[1].y, any.row[1].z};
}

/* [t]x + t sigma^T over the length */
static m3 turn_by_edge(v3 t, v3 sigma, double length)
{
    const double s = 1.0 / length;
    const v3 r = v3_scale(s, sigma);
    return (m3){{v3_add((v3){0.0, -s * t.z, s * t.y}, v3_scale(t.x, r)),
                 v3_add((v3){s * t.z, 0.0, -s * t.x}, v3_scale(t.y, r)),
                 v3_add((v3){-s * t.y, s * t.x, 0.0}, v3_scale(t.z, r))}};
}

void transported_find_edge(const nodal_view *at, size_t edge, double theta, nodal_edge *out)
{
    nodal_direct_edge(at, edge, out);
    const quat before = nodal_frame(at, edge);
    const v3 a = quat_rotate(before, (v3){1.0, 0.0, 0.0}), t = out->t;
    const quat moved = quat_mul(transported_short_way(a, t), before);
    const trig_pair half = trig_sincos(0.5 * theta);
    nodal_set_frame(out, quat_normalize(quat_mul(moved, (quat){half.cos, half.sin, 0.0, 0.0})));
    const double chi = 1.0 + v3_dot(a, t);
    const v3 sigma = v3_scale(chi > 1e-10 ? 1.0 / chi : 0.0, v3_cross(t, a));
    out->by_edge = turn_by_edge(t, sigma, out->length);
    out->by_turn[0] = t;
}

curvature_binormal transported_curvature(const nodal_edge *a, const nodal_edge *b)
{
    static const double smallest = 1e-3;
    const double chi = 1.0 + v3_dot(a->t, b->t);
    curvature_binormal k = {.chi = chi < smallest ? smallest : chi, .folded = chi < smallest};
    k.b = v3_scale(2.0 / k.chi, v3_cross(a->t, b->t));
    return k;
}

/* Through t = e / |e|: g . t' */
static void pull_direction(const nodal_view *at, nodal_row *row, size_t edge, const nodal_edge *now,
                           v3 g)
{
    const v3 across = v3_add_scaled(g, -v3_dot(g, now->t), now->t);
    nodal_pull_edge(at, row, edge, v3_scale(1.0 / now->length, across));
}

/* chi b' = 2 t_a' x t_b + 2 t_a x t_b' - b (t_a' . t_b + t_a . t_b') */
void transported_pull_curvature(const nodal_view *at, nodal_row *row, size_t edge,
                                const nodal_edge *a, const nodal_edge *b,
                                const curvature_binormal *k, v3 d)
{
    const double shrink = k->folded ? 0.0 : -v3_dot(d, k->b);
    const v3 by_a = v3_add_scaled(v3_scale(2.0, v3_cross(b->t, d)), shrink, b->t);
    const v3 by_b = v3_add_scaled(v3_scale(2.0, v3_cross(d, a->t)), shrink, a->t);
    pull_direction(at, row, edge - 1, a, v3_scale(1.0 / k->chi, by_a));
    pull_direction(at, row, edge, b, v3_scale(1.0 / k->chi, by_b));
}

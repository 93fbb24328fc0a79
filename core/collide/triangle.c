/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/triangle.h"

#include "collide/segment.h"
#include "math/scalar.h"

bool triangle_has_area(const triangle *t)
{
    const v3 *c = t->corner;
    double longest2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const v3 side = v3_sub(c[(k + 1) % 3], c[k]);
        longest2 = scalar_max(longest2, v3_dot(side, side));
    }
    return v3_norm(triangle_area_vector(t)) > 1e-12 * longest2;
}

/* The foot of the perpendicular; false if it lies outside. The share of a corner is the area that
 * the opposite side makes with the foot. */
static bool find_in_face(const triangle *t, v3 y, triangle_nearest *out)
{
    const v3 *c = t->corner;
    const v3 N = triangle_area_vector(t);
    const double N2 = v3_dot(N, N);
    if (!(N2 > 0.0)) return false;
    for (int k = 0; k < 3; k++) {
        const v3 a = v3_sub(c[(k + 1) % 3], y), b = v3_sub(c[(k + 2) % 3], y);
        out->share[k] = v3_dot(v3_cross(a, b), N) / N2;
        if (!(out->share[k] > 0.0)) return false;
    }
    const double sum = out->share[0] + out->share[1] + out->share[2];
    for (int k = 0; k < 3; k++) out->share[k] /= sum; /* 1 but for rounding, which a far y makes */
    const double height = v3_dot(v3_sub(y, c[0]), N);
    out->part = TRIANGLE_FACE;
    out->point = v3_add_scaled(y, -height / N2, N);
    out->distance2 = height * height / N2;
    return true;
}

static triangle_nearest find_on_side(const triangle *t, int k, v3 y)
{
    const int next = (k + 1) % 3;
    const double s = segment_nearest_share(t->corner[k], t->corner[next], y);
    triangle_nearest out = {.point = v3_lerp(t->corner[k], t->corner[next], s)};
    out.share[k] = 1.0 - s;
    out.share[next] = s;
    out.part = (s < 1.0 ? 1u << k : 0u) | (s > 0.0 ? 1u << next : 0u);
    const v3 away = v3_sub(y, out.point);
    out.distance2 = v3_dot(away, away);
    return out;
}

triangle_nearest triangle_find_nearest_on_sides(const triangle *t, v3 y)
{
    triangle_nearest best = find_on_side(t, 0, y);
    for (int k = 1; k < 3; k++) {
        const triangle_nearest other = find_on_side(t, k, y);
        if (other.distance2 < best.distance2) best = other;
    }
    return best;
}

triangle_nearest triangle_find_nearest(const triangle *t, v3 y)
{
    triangle_nearest best = {0};
    if (find_in_face(t, y, &best)) return best;
    return triangle_find_nearest_on_sides(t, y);
}

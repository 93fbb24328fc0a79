/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/segment.h"

#include "math/scalar.h"

/* Of the square of the sine: s and t have large errors each, but the t that is right for this s
 * lies at almost the least distance. */
static const double NEARLY_PARALLEL = 1e-2;

static double clamp(double x) { return scalar_min(scalar_max(x, 0.0), 1.0); }

double segment_nearest_share(v3 p0, v3 p1, v3 x)
{
    const v3 d = v3_sub(p1, p0);
    const double dd = v3_dot(d, d);
    return dd > 0.0 ? clamp(v3_dot(v3_sub(x, p0), d) / dd) : 0.0;
}

typedef struct pair {
    v3 p0, p1, q0, q1;
} pair;

static void offer(const pair *g, double s, double t, segment_nearest *best)
{
    const v3 p = v3_add_scaled(g->p0, s, v3_sub(g->p1, g->p0));
    const v3 q = v3_add_scaled(g->q0, t, v3_sub(g->q1, g->q0));
    const v3 way = v3_sub(p, q);
    const double distance2 = v3_dot(way, way);
    if (distance2 < best->distance2) *best = (segment_nearest){s, t, distance2};
}

segment_nearest segment_find_nearest(v3 p0, v3 p1, v3 q0, v3 q1)
{
    const pair g = {p0, p1, q0, q1};
    segment_nearest best = {0.0, 0.0, INFINITY};
    offer(&g, 0.0, segment_nearest_share(q0, q1, p0), &best);
    offer(&g, 1.0, segment_nearest_share(q0, q1, p1), &best);
    offer(&g, segment_nearest_share(p0, p1, q0), 0.0, &best);
    offer(&g, segment_nearest_share(p0, p1, q1), 1.0, &best);
    const v3 d = v3_sub(p1, p0), e = v3_sub(q1, q0), w = v3_sub(p0, q0);
    const double dd = v3_dot(d, d), de = v3_dot(d, e), ee = v3_dot(e, e);
    const double dw = v3_dot(d, w), ew = v3_dot(e, w);
    const double determinant = dd * ee - de * de;
    if (determinant > 1e-14 * dd * ee) {
        const double s = (de * ew - ee * dw) / determinant, t = (dd * ew - de * dw) / determinant;
        const bool inside = s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
        if (inside) offer(&g, s, t, &best);
        if (inside && determinant < NEARLY_PARALLEL * dd * ee) {
            offer(&g, s, segment_nearest_share(q0, q1, v3_add_scaled(p0, s, d)), &best);
        }
    }
    return best;
}

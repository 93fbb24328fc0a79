/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/crossing.h"

#include "collide/segment.h"
#include "math/scalar.h"

/* Of a point of the segment and one of the triangle, relative to their size. */
static const double ROUNDING = 1e-14;

/* Six times the volume of a tetrahedron. */
typedef struct volume {
    double value;
    int sign; /* 0: within rounding */
} volume;

static double absolute_product(double a, double b) { return fabs(a * b); }

/* The bound is that of a determinant of differences: (7 + 56 e) e times the sum of the magnitudes
 * of its terms, e = 2^-53. */
static volume find_volume(v3 a, v3 b, v3 c, v3 d)
{
    const v3 p = v3_sub(a, d), q = v3_sub(b, d), r = v3_sub(c, d);
    const double value = v3_dot(p, v3_cross(q, r));
    const double size = fabs(p.x) * (absolute_product(q.y, r.z) + absolute_product(q.z, r.y)) +
                        fabs(p.y) * (absolute_product(q.z, r.x) + absolute_product(q.x, r.z)) +
                        fabs(p.z) * (absolute_product(q.x, r.y) + absolute_product(q.y, r.x));
    const double bound = 8e-16 * size;
    return (volume){value, value > bound ? 1 : value < -bound ? -1 : 0};
}

static double nearest_of_ends_and_sides(const v3 p[2], const v3 face[3], crossing *out)
{
    const triangle t = {{face[0], face[1], face[2]}};
    double best2 = INFINITY;
    for (int k = 0; k < 2; k++) {
        const triangle_nearest at = triangle_find_nearest(&t, p[k]);
        if (at.distance2 >= best2) continue;
        best2 = at.distance2;
        out->along = (double)k;
        for (int i = 0; i < 3; i++) out->share[i] = at.share[i];
    }
    for (int k = 0; k < 3; k++) {
        const segment_nearest at = segment_find_nearest(p[0], p[1], face[k], face[(k + 1) % 3]);
        if (at.distance2 >= best2) continue;
        best2 = at.distance2;
        out->along = at.s;
        out->share[k] = 1.0 - at.t;
        out->share[(k + 1) % 3] = at.t;
        out->share[(k + 2) % 3] = 0.0;
    }
    return sqrt(best2);
}

static bool crosses_within_rounding(const v3 p[2], const v3 face[3], crossing *out)
{
    double size = v3_norm(v3_sub(p[1], p[0]));
    for (int k = 0; k < 3; k++) {
        size = scalar_max(size, v3_norm(v3_sub(face[k], p[0])));
    }
    out->doubtful = true;
    return nearest_of_ends_and_sides(p, face, out) <= ROUNDING * size;
}

bool crossing_test(const v3 p[2], const v3 face[3], crossing *out)
{
    *out = (crossing){0};
    const volume begin = find_volume(face[0], face[1], face[2], p[0]);
    const volume end = find_volume(face[0], face[1], face[2], p[1]);
    if (begin.sign * end.sign > 0) return false;
    volume side[3];
    int least = 1, most = -1;
    for (int k = 0; k < 3; k++) { /* opposite to corner k */
        side[k] = find_volume(p[0], p[1], face[(k + 1) % 3], face[(k + 2) % 3]);
        if (side[k].sign < least) least = side[k].sign;
        if (side[k].sign > most) most = side[k].sign;
    }
    if (least < 0 && most > 0) return false;
    const bool sure = begin.sign && end.sign && side[0].sign && side[1].sign && side[2].sign;
    if (!sure) return crosses_within_rounding(p, face, out);
    const double sum = side[0].value + side[1].value + side[2].value;
    for (int k = 0; k < 3; k++) out->share[k] = side[k].value / sum;
    out->along = begin.value / (begin.value - end.value);
    return true;
}

static void judge_candidate(const void *user, const candidate *c, harvest_row *row)
{
    (void)user;
    const bool edge_of_a = c->of_a.kind == SURFACE_EDGE;
    const surface *s = edge_of_a ? c->a : c->b, *other = edge_of_a ? c->b : c->a;
    const uint32_t edge = edge_of_a ? c->of_a.number : c->of_b.number;
    const uint32_t face = edge_of_a ? c->of_b.number : c->of_a.number;
    const uint32_t *end = s->end + 2 * (size_t)edge;
    const v3 p[2] = {v3_load(s->x1 + 3 * (size_t)end[0]), v3_load(s->x1 + 3 * (size_t)end[1])};
    const triangle t = surface_face_at(other, face, 1.0);
    crossing found;
    crossing *out = crossing_test(p, t.corner, &found) ? harvest_add(row) : NULL;
    if (!out) return;
    found.edge = edge;
    found.face = face;
    found.edge_of_a = c->a == c->b || edge_of_a;
    found.key = (uint64_t)edge << 32 | (uint64_t)face << 1 | found.edge_of_a;
    *out = found;
}

status crossing_gather(const surface *a, const surface *b, pool *threads, harvest *out, error *err)
{
    static const candidate_kinds kinds[] = {{SURFACE_EDGE, SURFACE_FACE},
                                            {SURFACE_FACE, SURFACE_EDGE}};
    return candidates_gather(a, b, kinds, 2, judge_candidate, NULL, threads, out, err);
}

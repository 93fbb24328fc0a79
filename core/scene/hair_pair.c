/* SPDX-License-Identifier: Apache-2.0
 *
 * Where two segments touch on their ways, whose ends go straight from x to `end`.
 *
 *     crossing   the nearest points at the end of the way are inside both: one contact
 *     beside     a vertex of one lies before the inside of the other: so two strands that run side
 *                by side have a contact at every vertex of both, and cannot close in between
 *     corner     two vertices are nearest to each other
 *
 * With a(t) what leads from b's point to a's, R the distance to be kept and N the normal, the gap
 * is N . a - R at both ends of the way. Where a pair really ends is judged by its shape at the end;
 * so is where a slow pair is going. A pair that goes farther than it is apart is judged by its
 * shape at the beginning, when it had not met anything yet: N is reliable there.
 *
 * A pair that went through each other ends on the wrong side, and is as deep as it went: which side
 * is right, the beginning says.
 *
 * Strands cannot be asked to part where they are held close together: points that are both within
 * HAIR_ROOT_FREE thicknesses of held roots, or less than half the thinnest loop apart on one strand, do
 * not meet.
 */
#include "collide/segment.h"
#include "math/scalar.h"
#include "scene/hair_work.h"

#define LOOP_FREE 6.3  /* 2 pi: half of a circle that touches itself across */
#define HIT 0.5        /* of R: points that pass each other farther off have not hit */
#define CLEAR_SIDE 0.5 /* cosine from which on the beginning says on which side lines cross */

enum { CROSSING, FIRST_OF_A, LAST_OF_A, FIRST_OF_B, LAST_OF_B, CORNER };

/* A segment's two ends, now and then. */
typedef struct segment_way {
    v3 x[2], end[2];
    bool first, last; /* on its strand */
} segment_way;

typedef struct pair_way {
    const hair_work *w;
    uint32_t segment[2];
    segment_way p, q;
    bool at_start;   /* judged by the shape at the beginning */
    v3 side;         /* from b to a at the beginning; 0 if there is none */
    double distance; /* at the beginning */
    double R, thickness, slack;
    hair_touch *out;
    size_t count;
} pair_way;

static segment_way find_way(const hair_work *w, uint32_t segment)
{
    const hair_segment *s = &w->segment[segment];
    const hair_strand *strand = &w->strand[s->strand];
    const uint32_t vertices = strand->group->h->rods.vertices;
    const uint32_t number = s->vertex - strand->group->vertex - strand->local * vertices;
    const size_t at = 3 * (size_t)s->vertex;
    return (segment_way){{v3_load(&w->x[at]), v3_load(&w->x[at + 3])},
                         {v3_load(&w->end[at]), v3_load(&w->end[at + 3])},
                         number == 0,
                         number + 2 == vertices};
}

static v3 point_at(const v3 x[2], double share)
{
    return v3_add_scaled(x[0], share, v3_sub(x[1], x[0]));
}

/* Arc length from the root. */
static double arc_at(const hair_work *w, uint32_t segment, double share)
{
    const hair_segment *s = &w->segment[segment];
    const hair_group *g = w->strand[s->strand].group;
    const double *arc = &g->h->rods.vertex_s[s->vertex - g->vertex];
    return arc[0] + share * (arc[1] - arc[0]);
}

static bool may_meet(const pair_way *g, double s, double t)
{
    const hair_work *w = g->w;
    const double arc_a = arc_at(w, g->segment[0], s), arc_b = arc_at(w, g->segment[1], t);
    const uint32_t a = w->segment[g->segment[0]].strand, b = w->segment[g->segment[1]].strand;
    if (a == b) return arc_b - arc_a > LOOP_FREE * g->thickness;
    const hair_strand *p = &w->strand[a], *q = &w->strand[b];
    const bool held = p->group->h->rods.attached && q->group->h->rods.attached;
    return !(held && arc_a <= HAIR_ROOT_FREE * p->thickness &&
             arc_b <= HAIR_ROOT_FREE * q->thickness);
}

/* Does it come near enough, where it may? */
static void offer(pair_way *g, uint32_t kind, double s, double t, v3 N)
{
    const v3 a0 = v3_sub(point_at(g->p.x, s), point_at(g->q.x, t));
    const v3 a1 = v3_sub(point_at(g->p.end, s), point_at(g->q.end, t));
    const double gap = v3_dot(N, a1) - g->R;
    if (!(gap <= g->slack * g->thickness) || !may_meet(g, s, t)) return;
    g->out[g->count++] = (hair_touch){.a = g->segment[0],
                                      .b = g->segment[1],
                                      .kind = kind,
                                      .share = {s, t},
                                      .gap = {v3_dot(N, a0) - g->R, gap},
                                      .began = g->distance - g->R,
                                      .N = N};
}

/* ---- the side ---- */

static const v3 *shape_of(const pair_way *g, const segment_way *s)
{
    return g->at_start ? s->x : s->end;
}

static v3 unit_or(v3 a, v3 other)
{
    const double length = v3_norm(a);
    return length > 1e-12 ? v3_scale(1.0 / length, a) : other;
}

/* Of two points: away from each other. If they turned round on their way, and not in passing but
 * by a hit, then as they began. */
static v3 points_normal(const pair_way *g, double s, double t)
{
    const v3 a0 = v3_sub(point_at(g->p.x, s), point_at(g->q.x, t));
    const v3 a1 = v3_sub(point_at(g->p.end, s), point_at(g->q.end, t));
    const v3 any = unit_or(a0, (v3){0.0, 0.0, 1.0});
    if (g->at_start) return any;
    if (v3_dot(g->side, a1) >= 0.0 || v3_dot(a0, a1) >= 0.0) return unit_or(a1, any);
    const v3 way = v3_sub(a1, a0);
    const v3 nearest = v3_add_scaled(a0, -v3_dot(a0, way) / v3_dot(way, way), way);
    return v3_norm(nearest) > HIT * g->R ? unit_or(a1, any) : g->side;
}

/* Of lines that cross: at right angles to both. */
static v3 crossing_normal(const pair_way *g, double s, double t)
{
    const v3 *p = shape_of(g, &g->p), *q = shape_of(g, &g->q);
    const v3 a = v3_sub(point_at(p, s), point_at(q, t));
    const v3 N = unit_or(v3_cross(v3_sub(p[1], p[0]), v3_sub(q[1], q[0])), (v3){0.0, 0.0, 1.0});
    const double began = v3_dot(N, g->side);
    const bool knows = !g->at_start && fabs(began) > CLEAR_SIDE;
    return (knows ? began : v3_dot(N, a)) < 0.0 ? v3_scale(-1.0, N) : N;
}

/* ---- the places ---- */

/* Returns whether there is one inside. */
static bool offer_crossing(pair_way *g, double *s, double *t)
{
    const v3 *p = shape_of(g, &g->p), *q = shape_of(g, &g->q);
    const v3 d = v3_sub(p[1], p[0]), e = v3_sub(q[1], q[0]), a = v3_sub(p[0], q[0]);
    const double dd = v3_dot(d, d), de = v3_dot(d, e), ee = v3_dot(e, e);
    const double da = v3_dot(d, a), ea = v3_dot(e, a), determinant = dd * ee - de * de;
    if (!(determinant > 1e-8 * dd * ee)) return false;
    *s = (de * ea - ee * da) / determinant;
    *t = (dd * ea - de * da) / determinant;
    if (!(*s > 0.0 && *s < 1.0 && *t > 0.0 && *t < 1.0)) return false;
    offer(g, CROSSING, *s, *t, crossing_normal(g, *s, *t));
    return true;
}

/* The share of the foot of x on the line through a segment's ends. */
static double foot_of(const v3 q[2], v3 x)
{
    const v3 e = v3_sub(q[1], q[0]);
    return v3_dot(v3_sub(x, q[0]), e) / v3_dot(e, e);
}

/* A vertex of a (or of b) before the inside of the other. A crossing close by stands for it. */
static void offer_vertex(pair_way *g, uint32_t kind, bool of_a, int end, const double *crossing)
{
    const segment_way *other = of_a ? &g->q : &g->p;
    const v3 *own = shape_of(g, of_a ? &g->p : &g->q);
    const double share = end, foot = foot_of(shape_of(g, other), own[end]);
    if (!(foot >= 0.0 && (foot < 1.0 || (foot == 1.0 && other->last)))) return;
    if (crossing && fabs(share - *crossing) * v3_norm(v3_sub(own[1], own[0])) < g->R) return;
    const double s = of_a ? share : foot, t = of_a ? foot : share;
    offer(g, kind, s, t, points_normal(g, s, t));
}

/* Does the strand come no nearer to x than it does at this vertex? */
static bool is_nearest_vertex(const pair_way *g, int which, int end, v3 x)
{
    const hair_work *w = g->w;
    const segment_way *own = which ? &g->q : &g->p;
    const v3 *shape = shape_of(g, own), to = v3_sub(x, shape[end]);
    if (v3_dot(to, v3_sub(shape[1 - end], shape[end])) > 0.0) return false;
    if (end ? own->last : own->first) return true;
    const size_t vertex = w->segment[g->segment[which]].vertex;
    const size_t beyond = 3 * (end ? vertex + 2 : vertex - 1);
    const v3 next = v3_load(g->at_start ? &w->x[beyond] : &w->end[beyond]);
    return v3_dot(to, v3_sub(next, shape[end])) <= 0.0;
}

static void offer_corner(pair_way *g, int i, int j)
{
    const v3 x = shape_of(g, &g->p)[i], y = shape_of(g, &g->q)[j];
    if (is_nearest_vertex(g, 0, i, y) && is_nearest_vertex(g, 1, j, x)) {
        offer(g, CORNER, i, j, points_normal(g, i, j));
    }
}

static void offer_all(pair_way *g)
{
    double s, t;
    const bool crosses = offer_crossing(g, &s, &t);
    offer_vertex(g, FIRST_OF_A, true, 0, crosses ? &s : NULL);
    if (g->p.last) offer_vertex(g, LAST_OF_A, true, 1, crosses ? &s : NULL);
    offer_vertex(g, FIRST_OF_B, false, 0, crosses ? &t : NULL);
    if (g->q.last) offer_vertex(g, LAST_OF_B, false, 1, crosses ? &t : NULL);
    const size_t found = g->count;
    for (int i = 0; i <= g->p.last && g->count == found; i++) {
        for (int j = 0; j <= g->q.last && g->count == found; j++) offer_corner(g, i, j);
    }
}

/* ---- the whole ---- */

/* Balls around the segments, as far as one goes past the other. */
static bool is_far(const pair_way *g)
{
    const v3 m0 = v3_sub(v3_lerp(g->p.x[0], g->p.x[1], 0.5), v3_lerp(g->q.x[0], g->q.x[1], 0.5));
    const v3 m1 =
        v3_sub(v3_lerp(g->p.end[0], g->p.end[1], 0.5), v3_lerp(g->q.end[0], g->q.end[1], 0.5));
    const double length =
        v3_norm(v3_sub(g->p.end[1], g->p.end[0])) + v3_norm(v3_sub(g->q.end[1], g->q.end[0]));
    const double reach = 0.5 * length + g->R + g->slack * g->thickness + v3_norm(v3_sub(m1, m0));
    return v3_dot(m1, m1) > reach * reach;
}

/* Finds side and distance, and says whether the pair goes farther than it is apart. */
static bool is_fast(pair_way *g)
{
    const v3 *x = g->p.x, *y = g->q.x;
    const segment_nearest near = segment_find_nearest(x[0], x[1], y[0], y[1]);
    const v3 none = {0.0, 0.0, 0.0};
    g->distance = sqrt(near.distance2);
    g->side = unit_or(v3_sub(point_at(x, near.s), point_at(y, near.t)), none);
    double way2 = 0.0;
    for (int i = 0; i < 4; i++) {
        const v3 p = v3_sub(g->p.end[i & 1], x[i & 1]), q = v3_sub(g->q.end[i >> 1], y[i >> 1]);
        const v3 way = v3_sub(p, q);
        way2 = scalar_max(way2, v3_dot(way, way));
    }
    return way2 > near.distance2;
}

size_t hair_pair_meet(const hair_work *w, uint32_t a, uint32_t b, const hair_look *look,
                      hair_touch *out)
{
    const uint32_t strand[2] = {w->segment[a].strand, w->segment[b].strand};
    const double own[2] = {hair_thickness_of(w, strand[0]), hair_thickness_of(w, strand[1])};
    pair_way g = {.w = w,
                  .segment = {a, b},
                  .p = find_way(w, a),
                  .q = find_way(w, b),
                  .R = own[0] + own[1],
                  .thickness = scalar_min(own[0], own[1]),
                  .slack = look->slack,
                  .out = out};
    if (is_far(&g)) return 0;
    g.at_start = is_fast(&g) && !look->at_end;
    if (g.at_start) offer_all(&g);
    g.at_start = false;
    if (g.count == 0) offer_all(&g);
    return g.count;
}

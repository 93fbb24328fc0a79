/* SPDX-License-Identifier: Apache-2.0
 *
 * The contacts of a point with a mesh over a step.
 *
 * For each triangle near the way the point goes from tangent plane to tangent plane, as in shape.c;
 * here the triangle moves too, so the plane that y may go up to comes toward it with the fastest of
 * the three corners. The triangle that is entered first ends the way for all others: what lies
 * beyond is looked at from there, or a point would see walls from behind.
 *
 * A point that is stopped slides on, and may meet another triangle that it did not see: the other
 * side of a valley. So its way is followed a few legs farther, each along the contacts before.
 */
#include "collide/mesh.h"
#include "math/scalar.h"

enum { MOST_ROUNDS = 32, MOST_NEIGHBOURS = 64, MOST_FOUND = 32, MOST_LEGS = 6 };

/* A contact that another makes superfluous but for this much (m) is left out. */
static const double SUPERFLUOUS = 1e-9;

typedef struct found_contact {
    collide_contact contact;
    double gap; /* of the end of the free way; negative: this contact stops it */
    uint32_t triangle;
} found_contact;

typedef struct way_search {
    const collide_mesh *m;
    v3 y1; /* the end of the free way */
    double thickness, margin;
    double rounding; /* m */
    double t0;       /* a leg begins here, goes y0 + (t - t0) d, ... */
    v3 y0, d;
    double latest; /* ... and ends where it enters a triangle; 1: it enters none */
    found_contact found[MOST_FOUND];
    size_t count;
    mesh_contacts *chosen; /* of the legs so far */
} way_search;

/* A triangle and the point at some time of the step. */
typedef struct encounter {
    uint32_t triangle;
    double t;
    v3 y;
    triangle_nearest at;
    v3 normal;       /* of the tangent plane, toward the point */
    double front;    /* 1: that is the triangle's front, -1: its back */
    double distance; /* from the triangle */
    bool enters;
} encounter;

static triangle triangle_at(const collide_mesh *m, uint32_t i, double t)
{
    triangle a = collide_mesh_triangle(m, m->begin, i);
    if (m->reach == 0.0) return a;
    const triangle b = collide_mesh_triangle(m, m->end, i);
    for (int k = 0; k < 3; k++) a.corner[k] = v3_lerp(a.corner[k], b.corner[k], t);
    return a;
}

/* ---- one triangle ---- */

/* Where the two are at the time t. False if the point is behind a triangle of a closed mesh: it
 * meets others before, or never gets there. */
static bool look_at(const way_search *s, double t, encounter *e)
{
    const triangle now = triangle_at(s->m, e->triangle, t);
    if (!triangle_has_area(&now)) return false;
    e->t = t;
    e->y = v3_add_scaled(s->y0, t - s->t0, s->d);
    e->at = triangle_find_nearest(&now, e->y);
    const v3 own = v3_normalize(triangle_area_vector(&now)), away = v3_sub(e->y, e->at.point);
    const double side = v3_dot(away, own);
    e->distance = sqrt(e->at.distance2);
    e->front = 1.0;
    if (e->distance <= MESH_TOUCH) {
        const double *nearer = t < 0.5 ? s->m->begin : s->m->end;
        const bool face = e->at.part == TRIANGLE_FACE;
        e->normal = face ? own : collide_mesh_normal(s->m, nearer, e->triangle, e->at.part);
        e->distance = v3_dot(away, e->normal);
        return true;
    }
    if (s->m->closed && side < -1e-9 * e->distance) return false;
    if (side < 0.0) e->front = -1.0;
    e->normal =
        e->at.part == TRIANGLE_FACE ? v3_scale(e->front, own) : v3_scale(1.0 / e->distance, away);
    return true;
}

/* How far the triangle and the point come together along the normal in a whole step, at most. */
static double closing_way(const way_search *s, const encounter *e)
{
    double fastest = 0.0;
    const uint32_t *c = s->m->corner + 3 * (size_t)e->triangle;
    for (int k = 0; k < 3 && s->m->reach > 0.0; k++) {
        const v3 way =
            v3_sub(v3_load(s->m->end + 3 * (size_t)c[k]), v3_load(s->m->begin + 3 * (size_t)c[k]));
        const double along = v3_dot(e->normal, way);
        fastest = k == 0 ? along : scalar_max(along, fastest);
    }
    return fastest - v3_dot(e->normal, s->d);
}

/* Goes on until the point comes to the triangle, is at the time `latest`, or has come to a plane
 * that the rest of the step keeps it in front of. False: it never comes near. */
static bool meet_triangle(const way_search *s, double latest, encounter *e)
{
    if (!look_at(s, s->t0, e)) return false;
    const double near = s->thickness + s->margin + (1.0 - s->t0) * v3_norm(s->d) + s->m->reach;
    if (e->distance > near) return false;
    e->enters = false;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const double gap = e->distance - s->thickness, closing = closing_way(s, e);
        if (gap <= s->rounding) {
            e->enters = closing * (1.0 - e->t) > SUPERFLUOUS;
            return true;
        }
        if (e->t == latest || gap >= closing * (1.0 - e->t)) return true;
        if (!look_at(s, scalar_min(e->t + gap / closing, latest), e)) return false;
    }
    e->enters = true;
    return true;
}

/* ---- which contacts count ---- */

static bool has_vertices(const uint32_t *c, const uint32_t v[2], int count)
{
    for (int k = 0; k < count; k++) {
        if (c[0] != v[k] && c[1] != v[k] && c[2] != v[k]) return false;
    }
    return true;
}

/* An edge or a vertex is no contact if a triangle that shares it comes nearer elsewhere. If one
 * comes as near with its face, the point is over the rim of that face, and has its normal. Of very
 * many around one vertex a few are asked: a contact too many does little harm. */
static bool is_nearest_of_neighbours(const way_search *s, encounter *e)
{
    if (e->at.part == TRIANGLE_FACE) return true;
    const collide_mesh *m = s->m;
    uint32_t v[2] = {0, 0};
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (e->at.part & 1u << k) v[count++] = m->corner[3 * (size_t)e->triangle + (size_t)k];
    }
    const uint32_t end = m->first[v[0] + 1];
    uint32_t j = m->first[v[0]];
    for (int asked = 0; j < end && asked < MOST_NEIGHBOURS; j++) {
        const uint32_t other = m->around[j];
        const uint32_t *corner = m->corner + 3 * (size_t)other;
        if (other == e->triangle || !has_vertices(corner, v, count)) continue;
        const triangle t = triangle_at(m, other, e->t);
        if (!triangle_has_area(&t)) continue;
        asked++;
        const triangle_nearest at = triangle_find_nearest(&t, e->y);
        if (at.distance2 < (1.0 - 1e-12) * e->at.distance2) return false;
        if (at.part == TRIANGLE_FACE && at.distance2 <= (1.0 + 1e-12) * e->at.distance2) {
            const v3 N = v3_normalize(triangle_area_vector(&t));
            e->normal = v3_dot(N, e->normal) < 0.0 ? v3_neg(N) : N;
        }
    }
    return true;
}

/* The point of the triangle goes with it, and on a face the normal does. */
static collide_contact contact_of(const way_search *s, const encounter *e)
{
    const triangle a = collide_mesh_triangle(s->m, s->m->begin, e->triangle);
    const triangle b = collide_mesh_triangle(s->m, s->m->end, e->triangle);
    v3 n0 = e->normal, n1 = e->normal;
    if (e->at.part == TRIANGLE_FACE && s->m->reach > 0.0) {
        if (triangle_has_area(&a)) n0 = v3_scale(e->front, v3_normalize(triangle_area_vector(&a)));
        if (triangle_has_area(&b)) n1 = v3_scale(e->front, v3_normalize(triangle_area_vector(&b)));
    }
    return (collide_contact){
        .point = v3_add_scaled(triangle_point(&a, e->at.share), s->thickness, n0),
        .moved = v3_add_scaled(triangle_point(&b, e->at.share), s->thickness, n1),
        .normal = n1};
}

static double gap_at(const collide_contact *c, v3 y)
{
    return v3_dot(v3_sub(y, c->moved), c->normal);
}

/* Does a point within R of y that satisfies the contact a satisfy b? The least gap of b is at the
 * rim of the disc that the plane of a cuts from that ball, or straight behind the ball's centre. */
static bool is_superfluous(const collide_contact *a, const collide_contact *b, v3 y, double R)
{
    const double ga = gap_at(a, y), gb = gap_at(b, y);
    const double cosine = v3_dot(a->normal, b->normal);
    const double sine = v3_norm(v3_cross(a->normal, b->normal));
    if (R * cosine <= ga) return gb - R >= -SUPERFLUOUS;
    const double rim = sqrt(scalar_max(R * R - ga * ga, 0.0));
    return gb - ga * cosine - sine * rim >= -SUPERFLUOUS;
}

/* By gap, then by number, so that the order in which they are found does not matter. */
static bool comes_before(const found_contact *a, const found_contact *b)
{
    return a->gap < b->gap || (a->gap == b->gap && a->triangle < b->triangle);
}

static void keep_contact(way_search *s, const found_contact *f)
{
    size_t place = s->count < MOST_FOUND ? s->count++ : MOST_FOUND;
    for (; place > 0 && comes_before(f, &s->found[place - 1]); place--) {
        if (place < MOST_FOUND) s->found[place] = s->found[place - 1];
    }
    if (place < MOST_FOUND) s->found[place] = *f;
}

/* Within the margin, or farther for a point that starts inside. */
static bool is_news(const way_search *s, const collide_contact *c, double depth)
{
    for (size_t k = 0; k < s->chosen->count; k++) {
        if (is_superfluous(&s->chosen->at[k], c, s->y1, s->margin + depth)) return false;
    }
    return true;
}

static void choose_contacts(const way_search *s)
{
    const double depth = s->count ? scalar_max(-s->found[0].gap, 0.0) : 0.0;
    mesh_contacts *out = s->chosen;
    for (size_t i = 0; i < s->count && out->count < MESH_MOST_CONTACTS; i++) {
        const collide_contact *c = &s->found[i].contact;
        if (is_news(s, c, depth)) out->at[out->count++] = *c;
    }
}

/* ---- all triangles ---- */

/* What the contacts so far keep the point out of is no end of the leg. */
static void find_first_entry(void *user, uint32_t i)
{
    way_search *s = user;
    encounter e = {.triangle = i};
    if (!meet_triangle(s, s->latest, &e) || !e.enters || e.t >= s->latest) return;
    if (!is_nearest_of_neighbours(s, &e)) return;
    const collide_contact c = contact_of(s, &e);
    if (is_news(s, &c, scalar_max(-gap_at(&c, s->y1), 0.0))) s->latest = e.t;
}

static void collect_contact(void *user, uint32_t i)
{
    way_search *s = user;
    encounter e = {.triangle = i};
    if (!meet_triangle(s, s->latest, &e) || !is_nearest_of_neighbours(s, &e)) return;
    found_contact f = {.contact = contact_of(s, &e), .triangle = i};
    f.gap = gap_at(&f.contact, s->y1);
    if (f.gap <= s->margin) keep_contact(s, &f);
}

/* Of the leg, with all that it may be pushed to. */
static bvh_box box_around(const way_search *s)
{
    const double grow = s->thickness + s->margin;
    double a[3], b[3];
    v3_store(a, s->y0);
    v3_store(b, v3_add_scaled(s->y0, 1.0 - s->t0, s->d));
    bvh_box box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = scalar_min(a[k], b[k]) - grow;
        box.max[k] = scalar_max(a[k], b[k]) + grow;
    }
    return box;
}

/* A point that starts inside a closed mesh has one contact, with what is nearest. */
static bool meet_from_inside(const way_search *s)
{
    mesh_nearest at;
    const bvh_box here = {{s->y0.x, s->y0.y, s->y0.z}, {s->y0.x, s->y0.y, s->y0.z}};
    if (!s->m->closed || !bvh_boxes_meet(&s->m->tree.nodes[0].box, &here)) return false;
    if (!collide_mesh_find_nearest(s->m, s->m->begin, s->y0, INFINITY, &at)) return false;
    if (at.distance >= -MESH_TOUCH) return false;
    encounter e = {.triangle = at.triangle, .at = at.at, .front = 1.0};
    e.normal = v3_scale(1.0 / at.distance, v3_sub(s->y0, at.at.point));
    if (e.at.part == TRIANGLE_FACE) {
        e.normal = collide_mesh_normal(s->m, s->m->begin, at.triangle, TRIANGLE_FACE);
    }
    s->chosen->at[s->chosen->count++] = contact_of(s, &e);
    return true;
}

/* Where the contacts so far would let the point end if there were no friction. */
static v3 slide_out(const mesh_contacts *c, v3 y)
{
    enum { SWEEPS = 8 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (size_t i = 0; i < c->count; i++) {
            y = v3_add_scaled(y, scalar_max(-gap_at(&c->at[i], y), 0.0), c->at[i].normal);
        }
    }
    return y;
}

/* Follows one leg; false if nothing stops it. */
static bool follow_leg(way_search *s, bool is_first)
{
    const bvh_box box = box_around(s);
    s->latest = 1.0;
    s->count = 0;
    bvh_query(&s->m->tree, s->m->box, &box, find_first_entry, s);
    const bool stopped = s->latest < 1.0;
    if (!stopped && !is_first) return false;
    bvh_query(&s->m->tree, s->m->box, &box, collect_contact, s);
    choose_contacts(s);
    return stopped;
}

void collide_mesh_way(const collide_mesh *m, v3 y0, v3 y1, double thickness, double margin,
                      mesh_contacts *out)
{
    way_search s = {
        .m = m, .y0 = y0, .y1 = y1, .d = v3_sub(y1, y0), .margin = margin, .chosen = out};
    s.thickness = m->closed ? thickness : scalar_max(thickness, MESH_SHEET_THICKNESS);
    s.rounding = 1e-15 * (v3_norm(y0) + v3_norm(s.d) + thickness);
    out->count = 0;
    const bvh_box box = box_around(&s);
    if (m->tree.node_count == 0 || !bvh_boxes_meet(&m->tree.nodes[0].box, &box)) return;
    if (meet_from_inside(&s)) return;
    for (int leg = 0; leg < MOST_LEGS && follow_leg(&s, leg == 0); leg++) {
        s.y0 = v3_add_scaled(s.y0, s.latest - s.t0, s.d);
        s.t0 = s.latest;
        s.d = v3_scale(1.0 / (1.0 - s.t0), v3_sub(slide_out(out, y1), s.y0));
    }
}

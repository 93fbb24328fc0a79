/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/impact_zone.h"

#include "math/m3.h"
#include "math/so3.h"

/* Of a vertex that moves as given, relative to all that do not. */
static const double HEAVY = 1e8;

void impact_zones_init(impact_zones *z, const allocator *from)
{
    array_init(&z->parent, from, sizeof(uint32_t));
    array_init(&z->order, from, sizeof(uint32_t));
    array_init(&z->first, from, sizeof(uint32_t));
    array_init(&z->place, from, sizeof(uint32_t));
}

void impact_zones_destroy(impact_zones *z)
{
    array_destroy(&z->parent);
    array_destroy(&z->order);
    array_destroy(&z->first);
    array_destroy(&z->place);
}

/* ---- sets ---- */

status impact_zones_clear(impact_zones *z, uint32_t vertices, error *err)
{
    z->order.count = z->first.count = 0;
    if (!array_resize(&z->parent, vertices)) return error_out_of_memory(err, "impact zones");
    uint32_t *parent = z->parent.data;
    for (uint32_t i = 0; i < vertices; i++) parent[i] = i;
    return STATUS_OK;
}

static uint32_t find_lowest(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

void impact_zones_join(impact_zones *z, const uint32_t *vertex, uint32_t count)
{
    uint32_t *parent = z->parent.data;
    for (uint32_t k = 1; k < count; k++) {
        const uint32_t a = find_lowest(parent, vertex[0]), b = find_lowest(parent, vertex[k]);
        parent[a > b ? a : b] = a < b ? a : b;
    }
}

/* Counts become places of the zones in the order; a vertex by itself has none. */
static uint32_t place_zones(uint32_t *parent, uint32_t *place, uint32_t vertices)
{
    uint32_t placed = 0;
    for (uint32_t i = 0; i < vertices; i++) place[i] = 0;
    for (uint32_t i = 0; i < vertices; i++) place[find_lowest(parent, i)]++;
    for (uint32_t i = 0; i < vertices; i++) {
        const uint32_t size = place[i];
        place[i] = size > 1 ? placed : UINT32_MAX;
        if (size > 1) placed += size;
    }
    return placed;
}

status impact_zones_list(impact_zones *z, error *err)
{
    const uint32_t vertices = (uint32_t)z->parent.count;
    z->first.count = z->order.count = 0;
    if (!array_resize(&z->place, vertices) || !array_resize(&z->order, vertices) ||
        !array_reserve(&z->first, (size_t)vertices + 1)) {
        return error_out_of_memory(err, "impact zones");
    }
    uint32_t *parent = z->parent.data, *place = z->place.data, *order = z->order.data;
    uint32_t *first = z->first.data;
    z->order.count = place_zones(parent, place, vertices);
    for (uint32_t i = 0; i < vertices; i++) {
        const uint32_t lowest = find_lowest(parent, i);
        if (place[lowest] == UINT32_MAX) continue;
        if (lowest == i) first[z->first.count++] = place[i];
        order[place[lowest]++] = i;
    }
    first[z->first.count++] = (uint32_t)z->order.count;
    return STATUS_OK;
}

/* ---- rigid bodies ---- */

typedef struct zone {
    const uint32_t *vertex;
    uint32_t count;
    double heavy; /* mass of a vertex of inverse mass 0 */
} zone;

typedef struct rigid_motion {
    v3 centre, velocity, omega;
} rigid_motion;

static zone zone_at(const impact_zones *z, size_t i, const double *w)
{
    const uint32_t *first = (const uint32_t *)z->first.data + i;
    zone out = {(const uint32_t *)z->order.data + first[0], first[1] - first[0], 0.0};
    for (uint32_t k = 0; k < out.count; k++) {
        const double inverse = w[out.vertex[k]];
        if (inverse > 0.0) out.heavy += HEAVY / inverse;
    }
    if (!(out.heavy > 0.0)) out.heavy = 1.0;
    return out;
}

static double mass_of(const zone *g, const double *w, uint32_t v)
{
    return w[v] > 0.0 ? 1.0 / w[v] : g->heavy;
}

static v3 mean(const zone *g, const double *w, const double *field)
{
    v3 sum = {0.0, 0.0, 0.0};
    double total = 0.0;
    for (uint32_t k = 0; k < g->count; k++) {
        const double m = mass_of(g, w, g->vertex[k]);
        sum = v3_add_scaled(sum, m, v3_load(field + 3 * (size_t)g->vertex[k]));
        total += m;
    }
    return v3_scale(1.0 / total, sum);
}

static void add_inertia(sym3 *I, double m, v3 r)
{
    const double rr = v3_dot(r, r);
    I->xx += m * (rr - r.x * r.x);
    I->yy += m * (rr - r.y * r.y);
    I->zz += m * (rr - r.z * r.z);
    I->xy -= m * r.x * r.y;
    I->xz -= m * r.x * r.z;
    I->yz -= m * r.y * r.z;
}

/* I omega = L. Points on one line have no inertia about it, and no angular momentum either: half of
 * the trace is their inertia about every other axis. */
static v3 solve_spin(const sym3 *I, v3 L)
{
    const double trace = sym3_trace(I);
    const m3 full = sym3_to_m3(I);
    const v3 still = {0.0, 0.0, 0.0};
    v3 omega;
    if (!(trace > 0.0)) return still;
    const bool line = m3_det(&full) <= 1e-12 * trace * trace * trace;
    if (line || !sym3_solve(I, L, &omega)) return v3_scale(2.0 / trace, L);
    return omega;
}

static rigid_motion find_motion(const zone *g, const double *w, const double *x0, const double *v)
{
    rigid_motion r = {.centre = mean(g, w, x0), .velocity = mean(g, w, v)};
    sym3 I = {0};
    v3 L = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < g->count; k++) {
        const size_t at = 3 * (size_t)g->vertex[k];
        const double m = mass_of(g, w, g->vertex[k]);
        const v3 arm = v3_sub(v3_load(x0 + at), r.centre);
        add_inertia(&I, m, arm);
        L = v3_add_scaled(L, m, v3_cross(arm, v3_sub(v3_load(v + at), r.velocity)));
    }
    r.omega = solve_spin(&I, L);
    return r;
}

void impact_zones_make_rigid(const impact_zones *z, const double *w, const double *x0, double *v)
{
    for (size_t i = 0; i < impact_zones_count(z); i++) {
        const zone g = zone_at(z, i, w);
        const rigid_motion r = find_motion(&g, w, x0, v);
        for (uint32_t k = 0; k < g.count; k++) {
            const size_t at = 3 * (size_t)g.vertex[k];
            const v3 arm = v3_sub(v3_load(x0 + at), r.centre);
            if (w[g.vertex[k]] > 0.0) v3_store(v + at, v3_add(r.velocity, v3_cross(r.omega, arm)));
        }
    }
}

void impact_zones_move(const impact_zones *z, const double *w, const double *x0, const double *v,
                       double dt, double *x1)
{
    for (size_t i = 0; i < impact_zones_count(z); i++) {
        const zone g = zone_at(z, i, w);
        const rigid_motion r = find_motion(&g, w, x0, v);
        const m3 turn = so3_exp_m3(v3_scale(dt, r.omega));
        const v3 centre = v3_add_scaled(r.centre, dt, r.velocity);
        for (uint32_t k = 0; k < g.count; k++) {
            const size_t at = 3 * (size_t)g.vertex[k];
            const v3 arm = v3_sub(v3_load(x0 + at), r.centre);
            if (w[g.vertex[k]] > 0.0) v3_store(x1 + at, v3_add(centre, m3_mul_v3(&turn, arm)));
        }
    }
}

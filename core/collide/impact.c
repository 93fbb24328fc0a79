/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/impact.h"

#include "collide/encounter.h"
#include "math/scalar.h"

static const double KEPT = 0.5;       /* share of a distance that is less than the separation */
static const double TOLERANCE = 1e-2; /* of the separation */

static void load_way(const surface *s, surface_feature f, uint32_t *vertex, v3 *x0, v3 *x1)
{
    const uint32_t count = surface_list_vertices(s, f, vertex);
    for (uint32_t k = 0; k < count; k++) {
        x0[k] = v3_load(s->x0 + 3 * (size_t)vertex[k]);
        x1[k] = v3_load(s->x1 + 3 * (size_t)vertex[k]);
        vertex[k] += s->first_vertex;
    }
}

static void judge_candidate(const void *user, const candidate *c, harvest_row *row)
{
    const bool turned = c->of_a.kind == SURFACE_FACE;
    const surface_feature first = turned ? c->of_b : c->of_a, second = turned ? c->of_a : c->of_b;
    impact hit = {.split = (uint32_t)first.kind + 1};
    uint32_t vertex[6]; /* room for lists of three */
    v3 x0[6], x1[6];
    load_way(turned ? c->b : c->a, first, vertex, x0, x1);
    load_way(turned ? c->a : c->b, second, vertex + hit.split, x0 + hit.split, x1 + hit.split);
    const encounter_pair pair = encounter_make_pair(x0, x1, hit.split);
    const double begin = encounter_look_at(&pair, 0.0).distance;
    const double d = scalar_min(*(const double *)user, KEPT * begin);
    const encounter e = encounter_find(&pair, d, TOLERANCE * d, 0.0);
    impact *out = e.found ? harvest_add(row) : NULL;
    if (!out) return;
    hit.key = (uint64_t)surface_feature_key(c->of_a) << 32 | surface_feature_key(c->of_b);
    hit.normal = e.at.normal;
    hit.t = e.at.t;
    for (int k = 0; k < 4; k++) {
        hit.vertex[k] = vertex[k];
        hit.weight[k] = e.at.share[k];
    }
    *out = hit;
}

status impact_gather(const surface *a, const surface *b, double separation, pool *threads,
                     harvest *out, error *err)
{
    static const candidate_kinds kinds[] = {{SURFACE_VERTEX, SURFACE_FACE},
                                            {SURFACE_FACE, SURFACE_VERTEX},
                                            {SURFACE_EDGE, SURFACE_EDGE}};
    return candidates_gather(a, b, kinds, 3, judge_candidate, &separation, threads, out, err);
}

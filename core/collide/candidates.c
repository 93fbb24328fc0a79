/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/candidates.h"

enum { LEAVES_PER_TASK = 32 };

typedef struct pair_search {
    const surface *a, *b;
    const candidate_kinds *kinds;
    uint32_t count;
    candidate_visit visit;
    const void *user;
} pair_search;

/* ---- features ---- */

typedef struct traits {
    uint32_t v[3], vertices;
    uint32_t exclude; /* bits that all vertices have */
    bool held;        /* all */
} traits;

static traits find_traits(const surface *s, surface_feature f)
{
    traits t = {.exclude = s->exclude ? UINT32_MAX : 0, .held = s->held != NULL};
    t.vertices = surface_list_vertices(s, f, t.v);
    for (uint32_t k = 0; k < t.vertices; k++) {
        if (s->exclude) t.exclude &= s->exclude[t.v[k]];
        if (s->held && !s->held[t.v[k]]) t.held = false;
    }
    return t;
}

static bool share_a_vertex(const traits *p, const traits *q)
{
    for (uint32_t i = 0; i < p->vertices; i++) {
        for (uint32_t j = 0; j < q->vertices; j++) {
            if (p->v[i] == q->v[j]) return true;
        }
    }
    return false;
}

bool candidates_may_meet(const candidate *c)
{
    const traits p = find_traits(c->a, c->of_a), q = find_traits(c->b, c->of_b);
    if ((p.held && q.held) || (p.exclude & q.exclude)) return false;
    return c->a != c->b || !share_a_vertex(&p, &q);
}

/* ---- elements ---- */

static void visit_kind(const pair_search *s, candidate_kinds kinds, uint32_t i, uint32_t j,
                       harvest_row *row)
{
    surface_feature p[3], q[3];
    const uint32_t ps = surface_list_owned(s->a, i, kinds.a, p);
    const uint32_t qs = ps ? surface_list_owned(s->b, j, kinds.b, q) : 0;
    for (uint32_t m = 0; m < ps && qs; m++) {
        const bvh_box *box = surface_feature_box(s->a, p[m]);
        if (!bvh_boxes_meet(box, &s->b->box[j])) continue;
        for (uint32_t n = 0; n < qs; n++) {
            const candidate c = {s->a, s->b, p[m], q[n]};
            if (!bvh_boxes_meet(box, surface_feature_box(s->b, q[n]))) continue;
            if (candidates_may_meet(&c)) s->visit(s->user, &c, row);
        }
    }
}

static void visit_leaves(const pair_search *s, const bvh_node *p, const bvh_node *q,
                         harvest_row *row)
{
    for (uint32_t m = p->begin; m < p->end; m++) {
        const uint32_t i = s->a->tree.order[m];
        if (!bvh_boxes_meet(&s->a->box[i], &q->box)) continue;
        for (uint32_t n = p == q ? m + 1 : q->begin; n < q->end; n++) {
            const uint32_t j = s->b->tree.order[n];
            if (!bvh_boxes_meet(&s->a->box[i], &s->b->box[j])) continue;
            for (uint32_t k = 0; k < s->count; k++) visit_kind(s, s->kinds[k], i, j, row);
        }
    }
}

/* Of one surface with itself only the leaves from this one on. */
static void visit_leaf(const pair_search *s, uint32_t leaf, harvest_row *row)
{
    const bvh_node *p = &s->a->tree.nodes[leaf];
    const bvh *t = &s->b->tree;
    for (uint32_t n = 0; n < t->node_count;) {
        const bvh_node *q = &t->nodes[n];
        const bool over = s->a == s->b && q->skip <= leaf;
        const bool meets = !over && bvh_boxes_meet(&p->box, &q->box);
        n = meets ? n + 1 : q->skip;
        if (meets && q->leaf) visit_leaves(s, p, q, row);
    }
}

static void run_task(void *user, uint32_t task, harvest_row *row)
{
    const pair_search *s = user;
    const uint32_t begin = task * LEAVES_PER_TASK;
    for (uint32_t i = begin; i < begin + LEAVES_PER_TASK && i < s->a->leaves; i++) {
        visit_leaf(s, s->a->leaf[i], row);
    }
}

status candidates_gather(const surface *a, const surface *b, const candidate_kinds *kinds,
                         uint32_t count, candidate_visit visit, const void *user, pool *threads,
                         harvest *out, error *err)
{
    pair_search s = {a, b, kinds, count, visit, user};
    const bool meet = (a->layers & b->meets) && (b->layers & a->meets);
    const uint32_t tasks = (a->leaves + LEAVES_PER_TASK - 1) / LEAVES_PER_TASK;
    return harvest_gather(out, meet ? tasks : 0, run_task, &s, threads, err);
}

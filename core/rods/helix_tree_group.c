/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/helix_tree_group.h"

#include "rods/reduced_rod_state.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct helix_trees {
    body_group base;
    const allocator *from;
    size_t size;       /* of this block: the arrays follow the struct */
    double *scratch;   /* [work_count] */
    helix_tree **tree; /* [count] */
    uint32_t elements, first;
} helix_trees;

static const helix_trees *trees_of(const body_group *g) { return (const helix_trees *)g; }

static const helix_tree *tree_of(const body_group *g, size_t body)
{
    return trees_of(g)->tree[body];
}

static const double *state_of(const body_group *g, const double *state, size_t body)
{
    return state + body * g->state_count;
}

/* What acts on one tree. */
static body_input input_of(const body_group *g, const body_input *in, size_t body)
{
    const size_t at = 3 * body * g->stations, first = body_first_load(in, body);
    body_input own = *in;
    if (in->root) own.root = in->root + body;
    if (in->air) own.air = in->air + at;
    if (in->field) own.field = in->field + at;
    own.loads = in->load_count ? in->loads + first : NULL;
    own.load_count = body_first_load(in, body + 1) - first;
    return own;
}

/* ---- the functions of body_group.h ---- */

static void predict(const body_group *g, const body_input *in, const double *state, double *work,
                    size_t begin, size_t end)
{
    for (size_t body = begin; body < end; body++) {
        const body_input own = input_of(g, in, body);
        double *v_free = work + body * g->work_count;
        if (helix_tree_predict(tree_of(g, body), &own, state_of(g, state, body), v_free)) continue;
        for (size_t i = 0; i < g->unknowns; i++) v_free[i] = NAN;
    }
}

static void correct(const body_group *g, const body_input *in, const double *state,
                    const double *work, const double *v, double *next, size_t begin, size_t end)
{
    (void)work;
    for (size_t body = begin; body < end; body++) {
        const body_input own = input_of(g, in, body);
        helix_tree_advance(tree_of(g, body), &own, state_of(g, state, body), v + body * g->unknowns,
                           body_q(g, next, body));
    }
}

static body_place place(const body_group *g, const double *state, uint32_t body, v3 X)
{
    const helix_tree *t = tree_of(g, body);
    const uint32_t element = helix_tree_find_element(t, &X.x);
    return helix_tree_find_place(t, state_of(g, state, body), element, X);
}

static void jacobian(const body_group *g, const double *work, uint32_t body, v3 X, double *linear,
                     double *angular, v3 *v_0, v3 *omega_0)
{
    const helix_tree *t = tree_of(g, body);
    const uint32_t element = helix_tree_find_element(t, &X.x);
    helix_tree_jacobian(t, work + body * g->work_count, element, X, linear, angular, v_0, omega_0);
}

static body_energy energy(const body_group *g, const body_input *in, const double *state,
                          uint32_t body)
{
    const body_input own = input_of(g, in, body);
    return helix_tree_energy(tree_of(g, body), &own, state_of(g, state, body),
                             trees_of(g)->scratch);
}

static void gradient(const body_group *g, const body_input *in, const double *state, uint32_t body,
                     double *out)
{
    const body_input own = input_of(g, in, body);
    helix_tree_gradient(tree_of(g, body), &own, state_of(g, state, body), trees_of(g)->scratch,
                        out);
}

static void settle(const body_group *g, double *state, uint32_t body)
{
    const helix_trees *trees = trees_of(g);
    const reduced_rod_state s =
        reduced_rod_split_state(state_of(g, state, body), trees->elements, trees->first);
    reduced_rod_settle(&s, trees->elements, trees->first);
}

static void destroy(body_group *g)
{
    helix_trees *trees = (helix_trees *)g;
    for (size_t body = 0; body < g->count; body++) helix_tree_destroy(trees->tree[body]);
    memory_free(trees->from, trees->scratch, g->work_count * sizeof(double));
    memory_free(trees->from, trees, trees->size);
}

static const body_group_ops helix_trees_ops = {
    .name = "helix-tree",
    .doc = "trees of elements with constant twist and curvatures, in linear time",
    .predict = predict,
    .correct = correct,
    .place = place,
    .jacobian = jacobian,
    .energy = energy,
    .gradient = gradient,
    .settle = settle,
    .destroy = destroy,
};

/* ---- making ---- */

static status create_tree(helix_trees *g, const helix_trees_source *source, size_t body, error *err)
{
    const size_t at = body * source->each.elements;
    char name[96];
    snprintf(name, sizeof name, "%s %zu", source->each.name, body);
    helix_tree_source own = source->each;
    own.name = name;
    own.parent += at;
    own.lengths += at;
    own.material += at;
    if (own.offset) own.offset += at;
    if (own.natural) own.natural += 3 * at;
    return helix_tree_create(&own, g->from, &g->tree[body], err);
}

static status create_trees(helix_trees *g, const helix_trees_source *source, error *err)
{
    for (size_t body = 0; body < source->trees; body++) {
        const status st = create_tree(g, source, body, err);
        if (st < 0) return st;
        g->base.count++; /* as many as destroy has to destroy */
    }
    const helix_tree *first = g->tree[0];
    g->base.unknowns = (uint32_t)helix_tree_unknowns(first);
    g->base.stations = g->elements + 1;
    g->base.state_count = helix_tree_state_count(first);
    g->base.work_count = helix_tree_work_count(first);
    g->scratch = memory_alloc(g->from, memory_size(g->base.work_count, sizeof(double)));
    return g->scratch ? STATUS_OK : error_out_of_memory(err, "trees of rods");
}

enum { ELEMENTS_MOST = 1 << 24 }; /* their numbers can be counted in 32 bits */

static status check_counts(const helix_trees_source *source, error *err)
{
    const uint32_t elements = source->each.elements;
    if (source->trees > 0 && elements > 0 && elements <= ELEMENTS_MOST) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "'%s' is %" PRIu32 " trees of %" PRIu32
                     " elements, expected at least one tree, and 1 to %d elements",
                     source->each.name, source->trees, elements, ELEMENTS_MOST);
}

status helix_trees_create(const helix_trees_source *source, const allocator *from, body_group **out,
                          error *err)
{
    status st = check_counts(source, err);
    if (st < 0) return st;
    const size_t size = sizeof(helix_trees) + source->trees * sizeof(helix_tree *);
    helix_trees *g = memory_alloc(from, size);
    if (!g) return error_out_of_memory(err, "trees of rods");
    *g = (helix_trees){.base = {.ops = &helix_trees_ops},
                       .from = from,
                       .size = size,
                       .tree = (helix_tree **)(g + 1),
                       .elements = source->each.elements,
                       .first = source->each.free_root ? 6 : 0};
    st = create_trees(g, source, err);
    if (st < 0) {
        destroy(&g->base);
        return st;
    }
    *out = &g->base;
    return STATUS_OK;
}

void helix_trees_place(const body_group *g, const pose *root, const double *kappa, double *state)
{
    const size_t row = 3 * (size_t)trees_of(g)->elements;
    for (size_t body = 0; body < g->count; body++) {
        helix_tree_rest(tree_of(g, body), &root[body], kappa ? kappa + body * row : NULL,
                        body_q(g, state, body));
    }
}

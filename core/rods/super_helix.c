/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/super_helix.h"

#include "rods/super_helix_group.h"

#include <string.h>

super_helix_batch super_helix_widest_batch(void)
{
#ifdef STICTION_HAVE_AVX
    if (__builtin_cpu_supports("avx")) return (super_helix_batch){4, super_helix_predict_four};
#endif
    return (super_helix_batch){2, super_helix_predict_two};
}

static void predict(const body_group *base, const body_input *in, const double *state, double *work,
                    size_t begin, size_t end)
{
    const super_helix *g = super_helix_of(base);
    size_t body = begin;
    for (; body + g->batch.width <= end; body += g->batch.width) {
        g->batch.predict(g, in, state, work, body);
    }
    for (; body < end; body++) super_helix_predict_one(g, in, state, work, body);
}

reduced_rod_root super_helix_move_root(const super_helix *g, const body_input *in,
                                       const double *state, size_t body)
{
    const pose *to = g->first || !in->root ? NULL : &in->root[body];
    return reduced_rod_move_root(super_helix_view(g, state, body).root, to, in->h);
}

static void correct_one(const super_helix *g, const body_input *in, const double *state,
                        const double *work, const double *v, double *next, size_t body)
{
    const reduced_rod_state now = super_helix_view(g, state, body);
    const reduced_rod_state then = super_helix_view(g, next, body);
    const reduced_rod_move by = {in->h, v, in->root ? &in->root[body] : NULL,
                                 super_helix_work_root(g, work, body) + 3};
    reduced_rod_advance(&now, &then, g->elements, g->first, &by);
}

static void correct(const body_group *base, const body_input *in, const double *state,
                    const double *work, const double *v, double *next, size_t begin, size_t end)
{
    for (size_t body = begin; body < end; body++) {
        correct_one(super_helix_of(base), in, state, work, v + body * base->unknowns, next, body);
    }
}

static void settle(const body_group *base, double *state, uint32_t body)
{
    const super_helix *g = super_helix_of(base);
    const reduced_rod_state s = super_helix_view(g, state, body);
    reduced_rod_settle(&s, g->elements, g->first);
}

static void destroy(body_group *g)
{
    super_helix *helix = (super_helix *)g;
    memory_free(helix->from, helix, helix->size);
}

static const body_group_ops super_helix_ops = {
    .name = "super-helix",
    .doc = "rods of elements with constant twist and curvatures",
    .predict = predict,
    .correct = correct,
    .place = super_helix_find_place,
    .line = super_helix_find_line,
    .jacobian = super_helix_jacobian,
    .energy = super_helix_energy,
    .gradient = super_helix_gradient,
    .settle = settle,
    .destroy = destroy,
};

static void set_shape(super_helix *g, const rods_source *source)
{
    const uint32_t first = source->free_root ? 6 : 0, unknowns = first + 3 * source->elements;
    const size_t elements = source->elements;
    g->elements = source->elements;
    g->first = first;
    g->batch = elements <= SUPER_HELIX_LANES_ELEMENTS
                   ? super_helix_widest_batch()
                   : (super_helix_batch){1, super_helix_predict_one};
    g->base = (body_group){
        .ops = &super_helix_ops,
        .count = source->rods,
        .unknowns = unknowns,
        .stations = source->elements + 1,
        .shape = ldl_dense(unknowns),
    };
    g->base.state_count = reduced_rod_state_count(elements, first);
    g->base.work_count = ldl_count(&g->base.shape) + unknowns + SUPER_HELIX_ROOT +
                         elements * (SUPER_HELIX_JOINT + SUPER_HELIX_MEMORY);
}

static void copy_source(super_helix *g, const rods_source *source)
{
    const size_t items = (size_t)source->rods * source->elements;
    g->material = (rod_material *)(g + 1);
    g->lengths = (double *)(g->material + source->rods);
    g->natural = g->lengths + items;
    g->scale = g->natural + 3 * items;
    for (size_t i = 0; i < items; i++) g->scale[i] = source->scale ? source->scale[i] : 1.0;
    memcpy(g->material, source->material, source->rods * sizeof *g->material);
    memcpy(g->lengths, source->lengths, items * sizeof(double));
    if (source->natural) memcpy(g->natural, source->natural, 3 * items * sizeof(double));
}

status super_helix_create(const rods_source *source, const allocator *from, body_group **out,
                          error *err)
{
    const status st = rods_check_dense_source(source, err);
    if (st < 0) return st;
    const size_t items = (size_t)source->rods * source->elements; /* below 2^48 */
    const size_t size =
        sizeof(super_helix) + source->rods * sizeof(rod_material) + 5 * items * sizeof(double);
    super_helix *g = memory_alloc(from, size);
    if (!g) return error_out_of_memory(err, "rods");
    g->from = from;
    g->size = size;
    set_shape(g, source);
    copy_source(g, source);
    *out = &g->base;
    return STATUS_OK;
}

void super_helix_place(const body_group *base, const pose *root, const double *kappa, double *state)
{
    const super_helix *g = super_helix_of(base);
    const double *shape = kappa ? kappa : g->natural;
    for (size_t body = 0; body < base->count; body++) {
        reduced_rod_rest(state + body * base->state_count, g->elements, g->first, &root[body],
                         shape + body * 3 * g->elements);
    }
}

void super_helix_carry(const body_group *base, const pose *root, double *state, uint32_t body)
{
    const super_helix *g = super_helix_of(base);
    const reduced_rod_state s = super_helix_view(g, state, body);
    *s.root = *s.last_root = *root;
    for (size_t k = 0; k < 6 && !g->first; k++) s.root_motion[k] = 0.0;
    settle(base, state, body);
}

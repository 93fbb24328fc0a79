/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/super_clothoid.h"

#include "rods/super_clothoid_group.h"

#include <string.h>

static void correct_one(const super_clothoid *g, const body_input *in, const double *state,
                        const double *work, const double *v, double *next, size_t body)
{
    const reduced_rod_state now = super_clothoid_view(g, state, body);
    const reduced_rod_state then = super_clothoid_view(g, next, body);
    const reduced_rod_move by = {in->h, v, in->root ? &in->root[body] : NULL,
                                 super_clothoid_work_root(g, work, body) + 3};
    reduced_rod_advance(&now, &then, (size_t)g->elements + 1, g->first, &by);
}

static void correct(const body_group *base, const body_input *in, const double *state,
                    const double *work, const double *v, double *next, size_t begin, size_t end)
{
    const super_clothoid *g = super_clothoid_of(base);
    for (size_t body = begin; body < end; body++) {
        correct_one(g, in, state, work, v + body * base->unknowns, next, body);
    }
}

static void settle(const body_group *base, double *state, uint32_t body)
{
    const super_clothoid *g = super_clothoid_of(base);
    const reduced_rod_state s = super_clothoid_view(g, state, body);
    reduced_rod_settle(&s, (size_t)g->elements + 1, g->first);
}

static void destroy(body_group *base)
{
    super_clothoid *g = (super_clothoid *)base;
    memory_free(g->from, g, g->size);
}

static const body_group_ops super_clothoid_ops = {
    .name = "super-clothoid",
    .doc = "rods of elements with linear twist and curvatures",
    .predict = super_clothoid_predict,
    .correct = correct,
    .place = super_clothoid_find_place,
    .jacobian = super_clothoid_jacobian,
    .energy = super_clothoid_energy,
    .gradient = super_clothoid_gradient,
    .settle = settle,
    .destroy = destroy,
};

static void set_shape(super_clothoid *g, const rods_source *source)
{
    const uint32_t first = source->free_root ? 6 : 0, unknowns = first + 3 * source->elements + 3;
    const size_t elements = source->elements;
    g->elements = source->elements;
    g->first = first;
    g->base = (body_group){
        .ops = &super_clothoid_ops,
        .count = source->rods,
        .unknowns = unknowns,
        .stations = source->elements + 1,
        .shape = ldl_dense(unknowns),
    };
    g->base.state_count = reduced_rod_state_count(elements + 1, first);
    g->base.work_count = ldl_count(&g->base.shape) + unknowns + SUPER_CLOTHOID_ROOT +
                         elements * (SUPER_CLOTHOID_ELEMENT + SUPER_CLOTHOID_MEMORY);
}

/* Curvatures of the joints of one rod from those of its elements. */
static void average(const double *lengths, const double *kappa, size_t elements, double *joints)
{
    for (size_t j = 0; j <= elements; j++) {
        const size_t before = j > 0 ? j - 1 : 0, after = j < elements ? j : elements - 1;
        const double part = lengths[after] / (lengths[before] + lengths[after]);
        v3_store(joints + 3 * j,
                 v3_lerp(v3_load(kappa + 3 * before), v3_load(kappa + 3 * after), part));
    }
}

static void copy_source(super_clothoid *g, const rods_source *source)
{
    const size_t elements = source->elements;
    g->material = (rod_material *)(g + 1);
    g->lengths = (double *)(g->material + source->rods);
    g->natural = g->lengths + source->rods * elements;
    memcpy(g->material, source->material, source->rods * sizeof *g->material);
    memcpy(g->lengths, source->lengths, source->rods * elements * sizeof(double));
    for (size_t rod = 0; rod < source->rods && source->natural; rod++) {
        average(g->lengths + rod * elements, source->natural + 3 * rod * elements, elements,
                g->natural + 3 * rod * (elements + 1));
    }
}

status super_clothoid_create(const rods_source *source, const allocator *from, body_group **out,
                             error *err)
{
    const status st = rods_check_dense_source(source, err);
    if (st < 0) return st;
    const size_t items = 4 * (size_t)source->elements + 3; /* of a rod, lengths and joints */
    const size_t size =
        sizeof(super_clothoid) + source->rods * (sizeof(rod_material) + items * sizeof(double));
    super_clothoid *g = memory_alloc(from, size);
    if (!g) return error_out_of_memory(err, "rods");
    g->from = from;
    g->size = size;
    set_shape(g, source);
    copy_source(g, source);
    *out = &g->base;
    return STATUS_OK;
}

void super_clothoid_place(const body_group *base, const pose *root, const double *kappa,
                          double *state)
{
    const super_clothoid *g = super_clothoid_of(base);
    const size_t elements = g->elements;
    for (size_t body = 0; body < base->count; body++) {
        const clothoid_rod rod = super_clothoid_rod(g, state, body);
        reduced_rod_rest(state + body * base->state_count, elements + 1, g->first, &root[body],
                         rod.natural);
        if (!kappa) continue;
        average(rod.lengths, kappa + 3 * body * elements, elements, rod.is.q + g->first);
        reduced_rod_settle(&rod.is, elements + 1, g->first);
    }
}

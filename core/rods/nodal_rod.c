/* SPDX-License-Identifier: Apache-2.0
 *
 * Creation of nodal rods, and their state on a piecewise helix.
 */
#include "rods/nodal_step.h"

#include "math/so3.h"
#include "rods/transported_frame.h"

#include <string.h>

nodal_state nodal_state_at(const nodal_rods *g, double *begin)
{
    nodal_state s;
    s.q = begin;
    s.v = s.q + g->base.unknowns;
    s.fixed = s.v + g->base.unknowns;
    s.v_fixed = s.fixed + g->fixed;
    s.frames = s.v_fixed + g->fixed;
    s.twists = s.frames + 4 * (size_t)g->edges;
    s.tension = s.twists + g->edges;
    return s;
}

nodal_view nodal_view_at(const nodal_rods *g, size_t rod, const double *begin)
{
    const size_t fixed = 2 * (size_t)g->base.unknowns, frames = fixed + 2 * g->fixed;
    const size_t twists = frames + 4 * (size_t)g->edges, tension = twists + g->edges;
    return (nodal_view){.g = g,
                        .rod = rod,
                        .q = begin,
                        .fixed = begin + fixed,
                        .frames = begin + frames,
                        .twists = begin + twists,
                        .tension = begin + tension};
}

/* Placing */

/* From one end of a helix to a point `length` further. */
static pose follow_helix(const pose *from, v3 kappa, double length)
{
    const v3 phi = v3_scale(length, kappa);
    const m3 V = so3_left_jacobian(phi);
    const v3 chord = v3_scale(length, m3_mul_v3(&V, (v3){1.0, 0.0, 0.0}));
    return (pose){pose_apply(from, chord), quat_normalize(quat_mul(from->rotation, so3_exp(phi)))};
}

static double *writable_node(const nodal_rods *g, const nodal_state *s, size_t node)
{
    const size_t i = node * g->stride;
    return i < g->fixed ? s->fixed + i : s->q + (i - g->fixed);
}

void nodal_store_frame(const nodal_state *s, size_t edge, quat frame)
{
    const double wxyz[4] = {frame.w, frame.x, frame.y, frame.z};
    memcpy(s->frames + 4 * edge, wxyz, sizeof wxyz);
}

/* Puts node and edge `e` of the source, and returns where the next element begins. */
static pose place_element(const nodal_rods *g, const nodal_state *s, size_t e, const pose *at,
                          v3 kappa, double length)
{
    const pose middle = follow_helix(at, kappa, 0.5 * length);
    const pose next = follow_helix(at, kappa, length);
    const v3 chord = v3_sub(next.position, at->position);
    const v3 n0 = quat_rotate(middle.rotation, (v3){1.0, 0.0, 0.0});
    const double norm = v3_norm(chord);
    const v3 t = norm > 0.0 ? v3_scale(1.0 / norm, chord) : n0;
    const quat frame = quat_normalize(quat_mul(transported_short_way(n0, t), middle.rotation));
    nodal_store_frame(s, e + g->given, frame);
    v3_store(writable_node(g, s, e + g->given + 1), next.position);
    return next;
}

void nodal_place_root(const nodal_rods *g, size_t rod, const pose *root, const nodal_state *s)
{
    if (g->given == 0) return;
    const v3 n0 = quat_rotate(root->rotation, (v3){1.0, 0.0, 0.0});
    const double length = g->chord[rod * g->edges];
    v3_store(s->fixed, v3_add_scaled(root->position, -length, n0));
    v3_store(s->fixed + g->stride, root->position);
    nodal_store_frame(s, 0, root->rotation);
}

static void measure_joint(const nodal_view *at, size_t edge, double strain[NODAL_ROWS])
{
    nodal_edge a, b;
    at->g->model->find_edge(at, edge - 1, &a);
    at->g->model->find_edge(at, edge, &b);
    at->g->model->measure_joint(at, edge, &a, &b, strain);
}

/* Whole turns come from the twist that the helices say: half of each neighbour's. */
static void set_twists(const nodal_rods *g, size_t rod, const double *kappa, const nodal_state *s)
{
    const double *length = g->lengths + rod * g->elements;
    const nodal_view at = nodal_view_at(g, rod, s->q);
    for (size_t edge = 1; edge < g->edges; edge++) {
        const size_t e = edge - g->given;
        double strain[NODAL_ROWS], twist = kappa[3 * e] * length[e];
        if (e > 0) twist += kappa[3 * e - 3] * length[e - 1];
        s->twists[edge] = 0.5 * twist;
        measure_joint(&at, edge, strain);
        s->twists[edge] = strain[0];
    }
}

static void place_rod(const nodal_rods *g, size_t rod, const pose *root, const double *kappa,
                      double *begin)
{
    const nodal_state s = nodal_state_at(g, begin);
    memset(begin, 0, g->base.state_count * sizeof *begin);
    nodal_place_root(g, rod, root, &s);
    v3_store(writable_node(g, &s, g->given), root->position);
    pose at = *root;
    for (size_t e = 0; e < g->elements; e++) {
        const double length = g->lengths[rod * g->elements + e];
        at = place_element(g, &s, e, &at, v3_load(kappa + 3 * e), length);
    }
    set_twists(g, rod, kappa, &s);
}

void nodal_rod_place(const body_group *base, const pose *root, const double *kappa, double *state)
{
    const nodal_rods *g = (const nodal_rods *)base;
    if (!kappa) kappa = g->natural;
    for (size_t rod = 0; rod < base->count; rod++) {
        place_rod(g, rod, &root[rod], kappa + 3 * rod * g->elements, body_q(base, state, rod));
    }
}

/* Creation */

static size_t count_numbers(const nodal_rods *g)
{
    return 4 * (size_t)g->elements + (6 + g->stride) * g->edges + 4;
}

void nodal_rod_destroy(body_group *base)
{
    nodal_rods *g = (nodal_rods *)base;
    const allocator from = g->from;
    const size_t numbers = memory_size(base->count, count_numbers(g) * sizeof(double));
    memory_free(&from, g->numbers, numbers);
    memory_free(&from, g->material, base->count * sizeof *g->material);
    memory_free(&from, g, sizeof *g);
}

static void set_sizes(nodal_rods *g, const nodal_model *model, const rods_source *source)
{
    g->model = model;
    g->elements = source->elements;
    g->given = source->free_root ? 0 : 1;
    g->edges = source->elements + g->given;
    g->stride = 3 + (size_t)model->turns;
    g->fixed = g->given ? g->stride + 3 : 0;
    const size_t unknowns = g->edges * g->stride + 3 - g->fixed;
    g->base = (body_group){.ops = &model->ops,
                           .count = source->rods,
                           .unknowns = (uint32_t)unknowns,
                           .stations = source->elements + 1,
                           .shape = ldl_banded(unknowns, model->width)};
    g->base.state_count = 2 * unknowns + 2 * g->fixed + 6 * (size_t)g->edges;
    g->base.work_count = nodal_work_count(g);
}

static bool allocate(nodal_rods *g)
{
    const size_t rods = g->base.count, elements = g->elements, edges = g->edges;
    g->material = memory_alloc(&g->from, rods * sizeof *g->material);
    g->numbers = memory_alloc(&g->from, memory_size(rods, count_numbers(g) * sizeof(double)));
    if (!g->material || !g->numbers) return false;
    g->lengths = g->numbers;
    g->natural = g->lengths + rods * elements;
    g->chord = g->natural + 3 * rods * elements;
    g->weight = g->chord + rods * edges;
    g->rest = g->weight + rods * edges;
    g->mass = g->rest + 3 * rods * edges;
    g->share = g->mass + rods * (edges * g->stride + 3);
    return true;
}

/* Lumped: half of an element goes to each of its nodes. About its axis an edge has the inertia of
 * a round section, and models that turn their edges otherwise take the same about the other axes:
 * there it adds to the nodes' m l^2, beside which it is nothing. */
static void set_masses(nodal_rods *g, size_t rod)
{
    const rod_material *m = &g->material[rod];
    double *mass = g->mass + rod * (g->edges * g->stride + 3);
    double *share = g->share + rod * (g->edges + (size_t)1);
    for (size_t e = 0; e < g->elements; e++) {
        const size_t edge = e + g->given;
        const double length = g->lengths[rod * g->elements + e];
        share[edge] += 0.5 * length;
        share[edge + 1] += 0.5 * length;
        g->weight[rod * g->edges + edge] =
            0.5 * (length + (e > 0 ? g->lengths[rod * g->elements + e - 1] : 0.0));
        for (size_t k = 3; k < g->stride; k++) {
            mass[edge * g->stride + k] = 0.5 * m->density * length * m->radius * m->radius;
        }
    }
    for (size_t node = 0; node <= g->edges; node++) {
        for (size_t k = 0; k < 3; k++) mass[node * g->stride + k] = m->density * share[node];
    }
}

/* Rest lengths and rest strains are those of the natural shape in `begin`. */
static void set_rest(nodal_rods *g, size_t rod, double *begin)
{
    const pose root = pose_identity();
    double *chord = g->chord + rod * g->edges, *rest = g->rest + 3 * rod * g->edges;
    chord[0] = g->lengths[rod * g->elements];
    place_rod(g, rod, &root, g->natural + 3 * rod * g->elements, begin);
    const nodal_view at = nodal_view_at(g, rod, begin);
    for (size_t edge = g->given; edge < g->edges; edge++) {
        chord[edge] = v3_norm(v3_sub(nodal_position(&at, edge + 1), nodal_position(&at, edge)));
        if (edge > 0) measure_joint(&at, edge, rest + 3 * edge);
    }
}

/* Stiffnesses over the cube of a length, and the products that an equation takes of them, must stay
 * far inside the range of double. */
static status check_range(const nodal_rods *g, const char *name, size_t rod, error *err)
{
    static const double largest = 1e100, smallest = 1e-100;
    const rod_material *m = &g->material[rod];
    const double stiffness = m->twist + m->bend[0] + m->bend[1] + m->stretch;
    for (size_t edge = g->given; edge < g->edges; edge++) {
        const size_t i = rod * g->edges + edge;
        const double l = g->lengths[rod * g->elements + (edge - g->given)], chord = g->chord[i];
        const double *r = g->rest + 3 * i;
        const double mass = g->mass[rod * (g->edges * g->stride + 3) + (edge + 1) * g->stride - 1];
        if (!(stiffness < largest && l > smallest && l < largest && chord > 1e-6 * l &&
              mass > smallest && mass < largest && isfinite(r[0]) && isfinite(r[1]) &&
              isfinite(r[2]))) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "'%s', strand %zu, element %zu: a length of %g with a chord of %g, "
                             "a mass of %g and stiffnesses of %g together, expected numbers "
                             "between 1e-100 and 1e100 and a chord that does not vanish",
                             name, rod, edge - g->given, l, chord, mass, stiffness);
        }
    }
    return STATUS_OK;
}

static status fill(nodal_rods *g, const rods_source *source, error *err)
{
    const size_t all = (size_t)source->rods * source->elements;
    const size_t size = memory_size(g->base.state_count, sizeof(double));
    double *state = memory_alloc(&g->from, size); /* of one rod */
    if (!state) return error_out_of_memory(err, source->name);
    memcpy(g->material, source->material, source->rods * sizeof *g->material);
    memcpy(g->lengths, source->lengths, all * sizeof(double));
    if (source->natural) memcpy(g->natural, source->natural, 3 * all * sizeof(double));
    status st = STATUS_OK;
    for (size_t rod = 0; rod < source->rods && st >= 0; rod++) {
        set_masses(g, rod);
        set_rest(g, rod, state);
        st = check_range(g, source->name, rod, err);
    }
    memory_free(&g->from, state, size);
    return st;
}

status nodal_rod_create(const nodal_model *model, const rods_source *source, const allocator *from,
                        body_group **out, error *err)
{
    status st = rods_check_source(source, err);
    if (st < 0) return st;
    nodal_rods *g = memory_alloc(from, sizeof *g);
    if (!g) return error_out_of_memory(err, source->name);
    g->from = *from;
    set_sizes(g, model, source);
    st = allocate(g) ? fill(g, source, err) : error_out_of_memory(err, source->name);
    if (st < 0) {
        nodal_rod_destroy(&g->base);
        return st;
    }
    *out = &g->base;
    return STATUS_OK;
}

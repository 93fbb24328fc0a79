/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodal rods as they stand: their strains one after the other, energy and its slope, the places of
 * material points and their Jacobians.
 */
#include "rods/nodal_rod.h"

#include <string.h>

/* Walking over the strains */

static void visit_stretch(const nodal_view *at, size_t edge, const nodal_edge *now,
                          nodal_visit_row visit, void *to)
{
    const double rest = nodal_chord(at, edge);
    const nodal_row like = nodal_begin_row(at, edge * at->g->stride, at->g->stride + 3, 0.0, 0.0);
    nodal_row rows[3];
    v3 along[3];
    const double c = nodal_material(at)->stretch / rest;
    const size_t n = nodal_norm_rows(at, v3_scale(now->length, now->t), rest, c, at->tension[edge],
                                     like, rows, along);
    rows[0].strain = now->length - rest;
    for (size_t k = 0; k < n; k++) {
        rows[k].viscosity = 0.0; /* the step dissipates more than enough */
        nodal_pull_edge(at, &rows[k], edge, along[k]);
        visit(to, &rows[k]);
    }
}

void nodal_visit_rows(const nodal_view *at, nodal_visit_row visit, void *to)
{
    const nodal_model *model = at->g->model;
    nodal_edge edges[2];
    nodal_row rows[NODAL_ROWS];
    for (size_t edge = 0; edge < at->g->edges; edge++) {
        nodal_edge *now = &edges[edge % 2];
        const nodal_edge *before = &edges[(edge + 1) % 2];
        model->find_edge(at, edge, now);
        if (edge >= at->g->given) visit_stretch(at, edge, now, visit, to);
        size_t n = 0;
        if (edge >= at->g->given && model->edge_rows) n = model->edge_rows(at, edge, now, rows);
        for (size_t k = 0; k < n; k++) visit(to, &rows[k]);
        n = edge > 0 ? model->joint_rows(at, edge, before, now, rows) : 0;
        for (size_t k = 0; k < n; k++) visit(to, &rows[k]);
    }
}

static double add_strains(double sum, const nodal_strain *strains, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        sum += 0.5 * strains[k].stiffness * strains[k].strain * strains[k].strain;
    }
    return sum;
}

double nodal_elastic_energy(const nodal_view *at)
{
    const nodal_model *model = at->g->model;
    nodal_edge edges[2];
    nodal_strain strains[NODAL_ROWS];
    double sum = 0.0;
    for (size_t edge = 0; edge < at->g->edges; edge++) {
        nodal_edge *now = &edges[edge % 2];
        const nodal_edge *before = &edges[(edge + 1) % 2];
        model->find_edge(at, edge, now);
        if (edge >= at->g->given) {
            const double rest = nodal_chord(at, edge);
            const nodal_strain stretch = {now->length - rest, nodal_material(at)->stretch / rest};
            sum = add_strains(sum, &stretch, 1);
            if (model->edge_strains) {
                sum = add_strains(sum, strains, model->edge_strains(at, edge, now, strains));
            }
        }
        if (edge == 0) continue;
        sum = add_strains(sum, strains, model->joint_strains(at, edge, before, now, strains));
    }
    return sum;
}

/* Material points */

typedef struct material_point {
    size_t edge;
    double share; /* of the edge's far node */
    nodal_edge now;
    v3 offset; /* from the centreline, in space */
} material_point;

static material_point find_point(const nodal_view *at, v3 X)
{
    const nodal_rods *g = at->g;
    const double *length = g->lengths + at->rod * g->elements;
    double s = X.x;
    size_t e = 0;
    while (e + 1 < g->elements && s > length[e]) s -= length[e++];
    material_point p = {.edge = e + g->given};
    p.share = s <= 0.0 ? 0.0 : s >= length[e] ? 1.0 : s / length[e];
    g->model->find_edge(at, p.edge, &p.now);
    p.offset = v3_add(v3_scale(X.y, p.now.n[1]), v3_scale(X.z, p.now.n[2]));
    return p;
}

/* The slope of force . (place of the point) + moment . (turn of its material): a row without
 * strain. */
static nodal_row pull_point(const nodal_view *at, const material_point *p, v3 force, v3 moment)
{
    const size_t stride = at->g->stride;
    nodal_row row = nodal_begin_row(at, p->edge * stride, stride + 3, 0.0, 0.0);
    const v3 near = v3_scale(1.0 - p->share, force), far = v3_scale(p->share, force);
    v3_store(row.slope, near);
    v3_store(row.slope + stride, far);
    nodal_pull_spin(at, &row, p->edge, &p->now, v3_add(moment, v3_cross(p->offset, force)));
    return row;
}

body_place nodal_rod_find_place(const body_group *base, const double *state, uint32_t body, v3 X)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const nodal_view at = nodal_view_at(g, body, state + body * base->state_count);
    const material_point p = find_point(&at, X);
    const v3 centre =
        v3_lerp(nodal_position(&at, p.edge), nodal_position(&at, p.edge + 1), p.share);
    return (body_place){v3_add(centre, p.offset), p.now.frame};
}

/* Energy and its slope */

void nodal_add_slope(const nodal_slope_target *to, const nodal_row *row, double factor)
{
    for (size_t k = 0; k < row->count; k++) {
        const size_t i = row->first + k;
        if (i >= to->g->fixed) to->out[i - to->g->fixed] += factor * row->slope[k];
    }
}

static void add_force(void *to, const nodal_row *row)
{
    if (row->strain != 0.0) nodal_add_slope(to, row, row->stiffness * row->strain);
}

const double *nodal_masses(const nodal_rods *g, size_t rod)
{
    return g->mass + rod * (g->edges * g->stride + 3);
}

v3 nodal_acceleration(const nodal_rods *g, const body_input *in, size_t rod, size_t node)
{
    if (!in->field) return in->gravity;
    const size_t station = rod * g->base.stations + (node - g->given);
    return v3_add(in->gravity, v3_load(in->field + 3 * station));
}

void nodal_add_loads(const nodal_view *at, const body_input *in, double factor, double *out)
{
    const nodal_slope_target to = {at->g, out};
    for (size_t k = 0; k < in->load_count; k++) {
        const body_load *load = &in->loads[k];
        if (load->body < at->rod) continue;
        if (load->body > at->rod) break;
        const material_point p = find_point(at, load->at);
        const nodal_row row = pull_point(at, &p, load->force, load->moment);
        nodal_add_slope(&to, &row, factor);
    }
}

body_energy nodal_rod_energy(const body_group *base, const body_input *in, const double *state,
                             uint32_t body)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const double *begin = state + body * base->state_count, *mass = nodal_masses(g, body);
    const double *v = begin + base->unknowns, *v_fixed = v + base->unknowns + g->fixed;
    const nodal_view at = nodal_view_at(g, body, begin);
    body_energy sum = {.elastic = nodal_elastic_energy(&at)};
    for (size_t i = 0; i < base->unknowns + g->fixed; i++) {
        const double rate = i < g->fixed ? v_fixed[i] : v[i - g->fixed];
        sum.kinetic += 0.5 * mass[i] * rate * rate;
    }
    for (size_t node = g->given; node <= g->edges; node++) {
        sum.gravity -= mass[node * g->stride] * v3_dot(in->gravity, nodal_position(&at, node));
    }
    return sum;
}

void nodal_rod_gradient(const body_group *base, const body_input *in, const double *state,
                        uint32_t body, double *out)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const nodal_view at = nodal_view_at(g, body, state + body * base->state_count);
    nodal_slope_target to = {g, out};
    memset(out, 0, base->unknowns * sizeof *out);
    nodal_visit_rows(&at, add_force, &to);
    nodal_add_loads(&at, in, -1.0, out);
    for (size_t node = 2 * (size_t)g->given; node <= g->edges; node++) {
        const v3 a = nodal_acceleration(g, in, body, node);
        double *slope = out + (node * g->stride - g->fixed);
        const double m = nodal_masses(g, body)[node * g->stride];
        v3_store(slope, v3_add_scaled(v3_load(slope), -m, a));
    }
}

/* Row k of a Jacobian from the slope of the k-th component; returns the share of the given. */
static double store_slope(const nodal_rods *g, const nodal_row *row, const double *v_fixed,
                          double *out)
{
    double given = 0.0;
    memset(out, 0, g->base.unknowns * sizeof *out);
    for (size_t k = 0; k < row->count; k++) {
        const size_t i = row->first + k;
        if (i < g->fixed) given += row->slope[k] * v_fixed[i];
        if (i >= g->fixed) out[i - g->fixed] = row->slope[k];
    }
    return given;
}

void nodal_rod_jacobian(const body_group *base, const double *work, uint32_t body, v3 X,
                        double *linear, double *angular, v3 *v_0, v3 *omega_0)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const double *state = work + body * base->work_count + ldl_count(&base->shape) + base->unknowns;
    const double *v_fixed = state + base->state_count;
    const nodal_view at = nodal_view_at(g, body, state);
    const material_point p = find_point(&at, X);
    const v3 zero = {0.0, 0.0, 0.0};
    double given[3], spin[3];
    for (size_t k = 0; k < 3; k++) {
        const v3 axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        const nodal_row row = pull_point(&at, &p, axis, zero);
        given[k] = store_slope(g, &row, v_fixed, linear + k * base->unknowns);
        if (!angular) continue;
        const nodal_row turn = pull_point(&at, &p, zero, axis);
        spin[k] = store_slope(g, &turn, v_fixed, angular + k * base->unknowns);
    }
    *v_0 = v3_load(given);
    if (angular) *omega_0 = v3_load(spin);
}

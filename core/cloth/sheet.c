/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/sheet.h"

#include "cloth/hinge.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

static status check_material(const cloth_material *m, error *err)
{
    if (!(m->density > 0.0 && isfinite(m->density))) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a cloth's density is %g kg/m^2, expected more than 0", m->density);
    }
    if (!cloth_membrane_is_valid(&m->membrane)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a cloth's stiffness is warp %g, weft %g, coupling %g, shear %g N/m, "
                         "expected positive numbers with coupling^2 < warp weft, and fibres that "
                         "are not negative",
                         m->membrane.warp, m->membrane.weft, m->membrane.coupling,
                         m->membrane.shear);
    }
    if (!cloth_plate_is_valid(&m->plate)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a cloth's bending stiffness is warp %g, weft %g, coupling %g, twist %g "
                         "N m, expected positive numbers with coupling^2 < warp weft, or all 0",
                         m->plate.warp, m->plate.weft, m->plate.coupling, m->plate.twist);
    }
    if (!(m->damping >= 0.0 && isfinite(m->damping))) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a cloth's damping is %g s, expected 0 or more", m->damping);
    }
    return STATUS_OK;
}

static status check_factors(const double *factor, size_t nodes, const char *what, error *err)
{
    for (size_t i = 0; factor && i < nodes; i++) {
        if (factor[i] >= 0.0 && isfinite(factor[i])) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "the %s factor of node %zu is %g, expected 0 or more", what, i, factor[i]);
    }
    return STATUS_OK;
}

static status check_source(const cloth_sheet_source *source, error *err)
{
    status st = check_material(&source->material, err);
    if (st >= 0) st = check_factors(source->stretch, source->nodes, "stretch", err);
    if (st >= 0) st = check_factors(source->shear, source->nodes, "shear", err);
    if (st >= 0) st = check_factors(source->bend, source->nodes, "bend", err);
    return st;
}

static double mean_of(const double *of_nodes, const uint32_t *c)
{
    return of_nodes ? (of_nodes[c[0]] + of_nodes[c[1]] + of_nodes[c[2]]) / 3.0 : 1.0;
}

static void set_factors(cloth_sheet *s, const cloth_sheet_source *source)
{
    for (uint32_t f = 0; f < s->topology.triangles; f++) {
        const uint32_t *c = s->topology.corner + 3 * (size_t)f;
        s->factor[f] = (cloth_face_factor){mean_of(source->stretch, c), mean_of(source->shear, c)};
        s->bend[f] = mean_of(source->bend, c);
    }
}

static status build(cloth_sheet *s, const cloth_sheet_source *source, error *err)
{
    status st = cloth_topology_create(&s->topology, s->from, source->nodes, source->triangles,
                                      source->corner, err);
    if (st < 0) return st;
    const size_t faces = s->topology.triangles, hinges = s->topology.hinges;
    st = cloth_rest_create(&s->rest, s->from, &s->topology, &source->rest, err);
    if (st < 0) return st;
    s->factor = memory_alloc(s->from, faces * sizeof *s->factor);
    s->bend = memory_alloc(s->from, faces * sizeof *s->bend);
    s->stiffness = memory_alloc(s->from, hinges * sizeof *s->stiffness);
    if ((faces && !(s->factor && s->bend)) || (hinges && !s->stiffness)) {
        return error_out_of_memory(err, "an elastic cloth");
    }
    set_factors(s, source);
    return cloth_sheet_set_material(s, &source->material, err);
}

status cloth_sheet_create(cloth_sheet *s, const allocator *from, const cloth_sheet_source *source,
                          error *err)
{
    *s = (cloth_sheet){.from = from, .topology.from = from, .rest.from = from};
    status st = check_source(source, err);
    if (st < 0) return st;
    st = build(s, source, err);
    if (st < 0) cloth_sheet_destroy(s);
    return st;
}

void cloth_sheet_destroy(cloth_sheet *s)
{
    const size_t faces = s->topology.triangles;
    memory_free(s->from, s->factor, faces * sizeof *s->factor);
    memory_free(s->from, s->bend, faces * sizeof *s->bend);
    memory_free(s->from, s->stiffness, s->topology.hinges * sizeof *s->stiffness);
    cloth_rest_destroy(&s->rest);
    cloth_topology_destroy(&s->topology);
    *s = (cloth_sheet){.from = s->from};
}

status cloth_sheet_set_material(cloth_sheet *s, const cloth_material *m, error *err)
{
    const status st = check_material(m, err);
    if (st < 0) return st;
    s->material = *m;
    cloth_bending_make(&m->plate, &s->topology, &s->rest, s->bend, s->stiffness);
    return STATUS_OK;
}

void cloth_sheet_find_areas(const cloth_sheet *s, double *area)
{
    memset(area, 0, s->topology.nodes * sizeof *area);
    for (uint32_t f = 0; f < s->topology.triangles; f++) {
        const uint32_t *corner = s->topology.corner + 3 * (size_t)f;
        for (int k = 0; k < 3; k++) area[corner[k]] += s->rest.chart[f].area / 3.0;
    }
}

cloth_deformation cloth_sheet_deform(const cloth_sheet *s, uint32_t face, const double *x)
{
    const cloth_chart *c = &s->rest.chart[face];
    cloth_deformation d;
    v3 p, q;
    cloth_face_sides(s->topology.corner + 3 * (size_t)face, x, &p, &q);
    for (int i = 0; i < 2; i++) d.F[i] = cloth_chart_apply(c, i, p, q);
    d.e[0] = 0.5 * (v3_dot(d.F[0], d.F[0]) - 1.0);
    d.e[1] = 0.5 * (v3_dot(d.F[1], d.F[1]) - 1.0);
    d.e[2] = v3_dot(d.F[0], d.F[1]);
    return d;
}

double cloth_angle_from_rest(double angle, double rest)
{
    const double t = angle - rest;
    if (t > PI) return t - 2.0 * PI;
    return t < -PI ? t + 2.0 * PI : t;
}

static cloth_response respond(const cloth_sheet *s, uint32_t face, const cloth_deformation *d)
{
    const cloth_face_factor *k = &s->factor[face];
    return cloth_membrane_respond(&s->material.membrane, k->stretch, k->shear, d->e);
}

static double bent_from_rest(const cloth_sheet *s, uint32_t e, const cloth_hinge_angle *now)
{
    return now->is_defined ? cloth_angle_from_rest(now->angle, s->rest.angle[e]) : 0.0;
}

static void find_bent(const cloth_sheet *s, const double *x, double *bent)
{
    for (uint32_t e = 0; e < s->topology.hinges; e++) {
        const cloth_hinge_angle now = cloth_hinge_measure(s->topology.hinge[e].node, x);
        bent[e] = bent_from_rest(s, e, &now);
    }
}

cloth_energy cloth_sheet_energy(const cloth_sheet *s, const double *x, double *bent)
{
    cloth_energy energy = {0.0, 0.0};
    for (uint32_t f = 0; f < s->topology.triangles; f++) {
        if (s->rest.chart[f].area == 0.0) continue;
        const cloth_deformation d = cloth_sheet_deform(s, f, x);
        energy.stretch += s->rest.chart[f].area * respond(s, f, &d).W;
    }
    find_bent(s, x, bent);
    for (uint32_t e = 0; e < s->topology.hinges; e++) {
        energy.bend += 0.5 * bent[e] * cloth_bending_moment(&s->stiffness[e], e, bent);
    }
    return energy;
}

static void add(double *force, uint32_t node, double scale, v3 f)
{
    double *at = force + 3 * (size_t)node;
    v3_store(at, v3_add_scaled(v3_load(at), scale, f));
}

static void add_face_force(const cloth_sheet *s, uint32_t face, const double *x, double *force)
{
    const cloth_chart *c = &s->rest.chart[face];
    const uint32_t *corner = s->topology.corner + 3 * (size_t)face;
    const cloth_deformation d = cloth_sheet_deform(s, face, x);
    const cloth_response r = respond(s, face, &d);
    const v3 P0 = v3_add(v3_scale(r.S[0], d.F[0]), v3_scale(r.S[2], d.F[1]));
    const v3 P1 = v3_add(v3_scale(r.S[2], d.F[0]), v3_scale(r.S[1], d.F[1]));
    for (int a = 0; a < 3; a++) {
        double g[2];
        cloth_chart_gradient(c, a, g);
        add(force, corner[a], -c->area, v3_add(v3_scale(g[0], P0), v3_scale(g[1], P1)));
    }
}

void cloth_sheet_force(const cloth_sheet *s, const double *x, double *bent, double *force)
{
    memset(force, 0, 3 * (size_t)s->topology.nodes * sizeof *force);
    for (uint32_t f = 0; f < s->topology.triangles; f++) {
        if (s->rest.chart[f].area > 0.0) add_face_force(s, f, x, force);
    }
    find_bent(s, x, bent);
    for (uint32_t e = 0; e < s->topology.hinges; e++) {
        const uint32_t *node = s->topology.hinge[e].node;
        const cloth_hinge_angle now = cloth_hinge_measure(node, x);
        const double moment = cloth_bending_moment(&s->stiffness[e], e, bent);
        for (int a = 0; a < 4; a++) add(force, node[a], -moment, now.gradient[a]);
    }
}

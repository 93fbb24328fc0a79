/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/rest.h"

#include "cloth/hinge.h"
#include "math/scalar.h"

static const double FLAT_RATIO = 1e-9;

/* Sides p = x_1 - x_0 and q = x_2 - x_0 in the chart. */
typedef struct chart_sides {
    double p[2], q[2];
} chart_sides;

static double square(double x) { return x * x; }

static double longest_side_squared(const chart_sides *s)
{
    const double p = square(s->p[0]) + square(s->p[1]), q = square(s->q[0]) + square(s->q[1]);
    const double r = square(s->p[0] - s->q[0]) + square(s->p[1] - s->q[1]);
    return scalar_max(p, scalar_max(q, r));
}

/* d is the inverse of (p q). A chart seen from behind serves as well: strain does not know. */
static void set_chart(cloth_rest *r, uint32_t f, const chart_sides *s)
{
    const double det = s->p[0] * s->q[1] - s->p[1] * s->q[0];
    cloth_chart *c = &r->chart[f];
    *c = (cloth_chart){.area = 0.0};
    if (!(fabs(det) > FLAT_RATIO * longest_side_squared(s))) {
        if (r->flat_triangles++ == 0) {
            r->first_flat = f;
            r->first_flat_area = 0.5 * fabs(det);
        }
        return;
    }
    c->area = 0.5 * fabs(det);
    c->d[0][0] = s->q[1] / det, c->d[0][1] = -s->q[0] / det;
    c->d[1][0] = -s->p[1] / det, c->d[1][1] = s->p[0] / det;
}

static chart_sides sides_of_uv(const double *uv, double scale)
{
    return (chart_sides){{scale * (uv[2] - uv[0]), scale * (uv[3] - uv[1])},
                         {scale * (uv[4] - uv[0]), scale * (uv[5] - uv[1])}};
}

/* The unit vector of the plane of p and q nearest to `warp`. */
static v3 find_warp(v3 p, v3 q, v3 warp)
{
    const v3 normal = v3_cross(p, q);
    const double n2 = v3_dot(normal, normal);
    if (!(n2 > 0.0)) return (v3){1.0, 0.0, 0.0};
    const v3 along = v3_add_scaled(warp, -v3_dot(warp, normal) / n2, normal);
    /* a warp that stands on the triangle says nothing: take the first side */
    if (v3_dot(along, along) > 1e-12 * v3_dot(warp, warp)) return v3_normalize(along);
    return v3_normalize(p);
}

static chart_sides sides_of_positions(const double *x, const uint32_t *corner, v3 warp)
{
    const v3 x0 = v3_load(x + 3 * (size_t)corner[0]);
    const v3 p = v3_sub(v3_load(x + 3 * (size_t)corner[1]), x0);
    const v3 q = v3_sub(v3_load(x + 3 * (size_t)corner[2]), x0);
    const v3 normal = v3_cross(p, q), u = find_warp(p, q, warp);
    const double length = v3_norm(normal);
    if (!(length > 0.0)) return (chart_sides){{v3_norm(p), 0.0}, {v3_norm(q), 0.0}};
    const v3 v = v3_scale(1.0 / length, v3_cross(normal, u));
    return (chart_sides){{v3_dot(p, u), v3_dot(p, v)}, {v3_dot(q, u), v3_dot(q, v)}};
}

static status check_numbers(const double *x, size_t count, const char *what, error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (isfinite(x[i])) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "the rest shape's %s number %zu is %g, expected a finite one", what, i,
                         x[i]);
    }
    return STATUS_OK;
}

static status check_source(const cloth_topology *t, const cloth_rest_source *s, error *err)
{
    const size_t n = 3 * (size_t)t->nodes;
    if (!s->positions && !s->uv) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a rest shape of nothing, expected positions or uv");
    }
    if (s->uv && !(s->uv_scale > 0.0 && isfinite(s->uv_scale))) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "the scale of uv is %g m, expected more than 0", s->uv_scale);
    }
    status st = s->uv ? check_numbers(s->uv, 6 * (size_t)t->triangles, "uv", err)
                      : check_numbers(s->positions, n, "position", err);
    if (st >= 0 && s->angles) st = check_numbers(s->angles, n, "angle's position", err);
    return st;
}

static void set_charts(cloth_rest *r, const cloth_topology *t, const cloth_rest_source *s)
{
    const v3 x_axis = {1.0, 0.0, 0.0};
    const v3 warp = v3_dot(s->warp, s->warp) > 0.0 ? s->warp : x_axis;
    for (uint32_t f = 0; f < t->triangles; f++) {
        const chart_sides sides =
            s->uv ? sides_of_uv(s->uv + 6 * (size_t)f, s->uv_scale)
                  : sides_of_positions(s->positions, t->corner + 3 * (size_t)f, warp);
        set_chart(r, f, &sides);
    }
}

status cloth_rest_create(cloth_rest *r, const allocator *from, const cloth_topology *t,
                         const cloth_rest_source *source, error *err)
{
    *r = (cloth_rest){.from = from, .triangles = t->triangles, .hinges = t->hinges};
    const status st = check_source(t, source, err);
    if (st < 0) return st;
    r->chart = memory_alloc(from, t->triangles * sizeof *r->chart);
    r->angle = memory_alloc(from, t->hinges * sizeof *r->angle);
    if ((t->triangles && !r->chart) || (t->hinges && !r->angle)) {
        cloth_rest_destroy(r);
        return error_out_of_memory(err, "a cloth's rest shape");
    }
    set_charts(r, t, source);
    for (uint32_t e = 0; source->angles && e < t->hinges; e++) {
        r->angle[e] = cloth_hinge_measure(t->hinge[e].node, source->angles).angle;
    }
    return STATUS_OK;
}

void cloth_rest_destroy(cloth_rest *r)
{
    memory_free(r->from, r->chart, r->triangles * sizeof *r->chart);
    memory_free(r->from, r->angle, r->hinges * sizeof *r->angle);
    *r = (cloth_rest){.from = r->from};
}

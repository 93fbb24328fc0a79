/* SPDX-License-Identifier: Apache-2.0
 *
 * The specimen is made of rings with six nodes more each. Its way to rest does not matter, so it is
 * let down by large steps of backward Euler and braked. A little noise in its height starts the
 * folds.
 */
#include "drape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, SPECIMEN = 0.15, DISC = 0.09;

enum { MOST_STEPS = 1500 };

typedef struct specimen {
    uint32_t rings, held; /* `held` of the rings lie on the disc */
    uint32_t nodes, triangles;
    uint32_t *corner;
    double *rest, *x, *v, *next, *mass;
    double *still; /* zeros */
    uint8_t *is_held;
} specimen;

/* Ring k has 6 k nodes, the centre is node 0. */
static uint32_t ring_start(uint32_t k) { return k == 0 ? 0 : 1 + 3 * k * (k - 1); }

static uint32_t ring_node(uint32_t k, uint32_t i)
{
    return k == 0 ? 0 : ring_start(k) + i % (6 * k);
}

/* Between rings k and k + 1, in each of six sectors: k + 1 triangles that point inwards and k that
 * point outwards. */
static uint32_t *put_ring(uint32_t *at, uint32_t k)
{
    for (uint32_t s = 0; s < 6; s++) {
        for (uint32_t i = 0; i <= k; i++) {
            const uint32_t in = s * k + i, out = s * (k + 1) + i;
            *at++ = ring_node(k, in);
            *at++ = ring_node(k + 1, out);
            *at++ = ring_node(k + 1, out + 1);
            if (i == k) continue;
            *at++ = ring_node(k, in);
            *at++ = ring_node(k + 1, out + 1);
            *at++ = ring_node(k, in + 1);
        }
    }
    return at;
}

/* A hinge spreads its angle over half a cell on either side, so the last held ring lies half a cell
 * outside the edge of the disc. */
static double ring_radius(const specimen *s, uint32_t k)
{
    const double cell = (SPECIMEN - DISC) / (s->rings - s->held + 0.5), last = DISC + 0.5 * cell;
    return k <= s->held ? last * k / s->held : last + cell * (k - s->held);
}

static void set_shape(specimen *s)
{
    uint32_t *at = s->corner;
    for (uint32_t k = 0; k < s->rings; k++) at = put_ring(at, k);
    for (uint32_t k = 0; k <= s->rings; k++) {
        const double radius = ring_radius(s, k);
        for (uint32_t i = 0; i < (k ? 6 * k : 1); i++) {
            const double angle = k ? 2.0 * PI * i / (6.0 * k) : 0.0;
            const uint32_t node = ring_node(k, i);
            double *x = s->rest + 3 * (size_t)node;
            x[0] = radius * cos(angle);
            x[1] = radius * sin(angle);
            s->is_held[node] = k <= s->held;
        }
    }
    memcpy(s->x, s->rest, 3 * s->nodes * sizeof *s->x);
    for (uint32_t i = 0; i < s->nodes; i++) {
        if (!s->is_held[i]) s->x[3 * i + 2] = 1e-4 * ((double)(i * 2654435761u % 1000u) / 1000.0);
    }
}

static void specimen_free(specimen *s)
{
    free(s->corner);
    free(s->rest);
    free(s->x);
    free(s->v);
    free(s->next);
    free(s->mass);
    free(s->still);
    free(s->is_held);
}

static bool specimen_make(specimen *s, uint32_t rings)
{
    *s = (specimen){.rings = rings,
                    .held = rings * 3 / 5,
                    .nodes = 1 + 3 * rings * (rings + 1),
                    .triangles = 6 * rings * rings};
    s->corner = calloc(3 * (size_t)s->triangles, sizeof *s->corner);
    s->rest = calloc(3 * (size_t)s->nodes, sizeof *s->rest);
    s->x = calloc(3 * (size_t)s->nodes, sizeof *s->x);
    s->v = calloc(3 * (size_t)s->nodes, sizeof *s->v);
    s->next = calloc(3 * (size_t)s->nodes, sizeof *s->next);
    s->still = calloc(3 * (size_t)s->nodes, sizeof *s->still);
    s->mass = calloc(s->nodes, sizeof *s->mass);
    s->is_held = calloc(s->nodes, 1);
    const bool good =
        s->corner && s->rest && s->x && s->v && s->next && s->still && s->mass && s->is_held;
    if (good) set_shape(s);
    return good;
}

/* Area that the rim encloses seen from above. */
static double projected_area(const specimen *s)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < 6 * s->rings; i++) {
        const double *a = s->x + 3 * (size_t)ring_node(s->rings, i);
        const double *b = s->x + 3 * (size_t)ring_node(s->rings, i + 1);
        sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    return sum;
}

static double largest_strain(const specimen *s, const cloth_topology *t)
{
    double worst = 0.0;
    for (size_t e = 0; e < t->edges; e++) {
        const uint32_t a = t->edge[2 * e], b = t->edge[2 * e + 1];
        const double now =
            v3_norm(v3_sub(v3_load(s->x + 3 * (size_t)a), v3_load(s->x + 3 * (size_t)b)));
        const double rest =
            v3_norm(v3_sub(v3_load(s->rest + 3 * (size_t)a), v3_load(s->rest + 3 * (size_t)b)));
        worst = fmax(worst, fabs(now / rest - 1.0));
    }
    return worst;
}

static status let_down(specimen *s, cloth_solver *solver, double damping, drape_result *result,
                       error *err)
{
    const cloth_step_options options = {3, 1e-5, 1e-5, 3000};
    const cloth_forcing forcing = {.h = 0.01,
                                   .theta = 1.0,
                                   .mass_damping = 4.0,
                                   .damping = damping,
                                   .gravity = {0.0, 0.0, -9.81},
                                   .mass = s->mass,
                                   .x = s->x,
                                   .v = s->v,
                                   .is_known = s->is_held,
                                   .v_known = s->still};
    result->speed = INFINITY;
    for (result->steps = 0; result->steps < MOST_STEPS && result->speed > 2e-4; result->steps++) {
        cloth_step_report report;
        const status st = cloth_free_step(solver, &forcing, &options, NULL, s->next, &report, err);
        if (st < 0) return st;
        cloth_system_move(&solver->system, s->next, s->x);
        memcpy(s->v, s->next, 3 * s->nodes * sizeof *s->v);
        result->speed = 0.0;
        for (uint32_t i = 0; i < s->nodes; i++) {
            result->speed = fmax(result->speed, v3_norm(v3_load(s->v + 3 * (size_t)i)));
        }
    }
    return STATUS_OK;
}

static status measure(specimen *s, const cloth_material *material, drape_result *result, error *err)
{
    const cloth_sheet_source source = {.nodes = s->nodes,
                                       .triangles = s->triangles,
                                       .corner = s->corner,
                                       .rest = {.positions = s->rest},
                                       .material = *material};
    cloth_sheet sheet;
    cloth_solver solver;
    status st = cloth_sheet_create(&sheet, &allocator_system, &source, err);
    if (st < 0) return st;
    st = cloth_solver_create(&solver, &allocator_system, &sheet, err);
    if (st >= 0) {
        cloth_sheet_find_areas(&sheet, s->mass);
        for (uint32_t i = 0; i < s->nodes; i++) s->mass[i] *= material->density;
        st = let_down(s, &solver, material->damping, result, err);
        const double disc = PI * DISC * DISC, whole = PI * SPECIMEN * SPECIMEN;
        result->coefficient = (projected_area(s) - disc) / (whole - disc);
        result->strain = largest_strain(s, &sheet.topology);
        cloth_solver_destroy(&solver);
    }
    cloth_sheet_destroy(&sheet);
    return st;
}

status drape_run(const cloth_material *material, uint32_t rings, drape_result *result, error *err)
{
    specimen s;
    *result = (drape_result){0};
    const status st = specimen_make(&s, rings) ? measure(&s, material, result, err)
                                               : error_out_of_memory(err, "a specimen");
    specimen_free(&s);
    return st;
}

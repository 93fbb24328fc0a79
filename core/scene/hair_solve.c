/* SPDX-License-Identifier: Apache-2.0
 *
 * The contacts of hair as a problem of bodies, and its exact solution: u = H v + u_0 with the
 * Jacobians of a segment's two vertices, mixed as their contact point is.
 *
 * Every solve starts cold, from zero impulses: a step depends on the saved state and nothing else.
 */
#include "contact/bodies_gs.h"
#include "contact/problem.h"
#include "math/scalar.h"
#include "scene/hair_work.h"

#include <string.h>

typedef struct assembly {
    const hair_work *w;
    bodies_contact *contact;
    double *H;
    size_t stride; /* numbers of one side */
} assembly;

/* H = sign F ((1 - share) J_0 + share J_1), and the same of what the root's motion gives. */
static v3 fill_side(const hair_work *w, const hair_contact *c, int side, double *H)
{
    const hair_strand *strand = &w->strand[c->strand[side]];
    const hair_group *g = strand->group;
    const size_t n = g->h->rods.group->unknowns, at = 3 * n * (c->vertex[side] - g->vertex);
    const double sign = side ? -1.0 : 1.0, t = c->share[side];
    for (size_t k = 0; k < n; k++) {
        double column[3];
        for (size_t row = 0; row < 3; row++) {
            const double *J = g->J + at + row * n + k;
            column[row] = sign * ((1.0 - t) * J[0] + t * J[3 * n]);
        }
        const v3 local = m3_mul_v3(&c->F, v3_load(column));
        H[k] = local.x;
        H[n + k] = local.y;
        H[2 * n + k] = local.z;
    }
    const double *base = w->base + 3 * (size_t)c->vertex[side];
    const v3 u = v3_add(v3_scale(1.0 - t, v3_load(base)), v3_scale(t, v3_load(base + 3)));
    return v3_scale(sign, u);
}

static void assemble_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const assembly *a = user;
    for (size_t i = begin; i < end; i++) {
        const hair_contact *c = &a->w->contact[i];
        bodies_contact *out = &a->contact[i];
        v3 u = v3_scale(-1.0, c->s);
        for (int side = 0; side < 2; side++) {
            double *H = a->H + (2 * i + (size_t)side) * a->stride;
            out->side[side] = (bodies_side){c->strand[side], H};
            if (c->strand[side] != BODIES_NONE) u = v3_add(u, fill_side(a->w, c, side, H));
        }
        out->u_0 = m3_mul_v3(&c->F, u);
        out->u_0.x += c->g;
        out->mu = c->mu;
    }
}

static bodies_body body_of(const hair_work *w, size_t i)
{
    const hair_strand *s = &w->strand[i];
    const body_group *g = s->group->h->rods.group;
    return (bodies_body){g->shape, body_factors(g, s->group->work, s->local),
                         body_v_free(g, s->group->work, s->local)};
}

static status assemble(hair_work *w, error *err)
{
    scene *s = w->k->s;
    assembly a = {.w = w};
    for (size_t i = 0; i < w->groups; i++) {
        const size_t size = 3 * (size_t)w->group[i].h->rods.group->unknowns;
        if (size > a.stride) a.stride = size;
    }
    a.contact = arena_push(&s->scratch, w->contacts * sizeof *a.contact);
    a.H = arena_push(&s->scratch, 2 * w->contacts * a.stride * sizeof *a.H);
    bodies_body *body = arena_push(&s->scratch, w->strands * sizeof *body);
    if (!a.contact || !a.H || !body) return error_out_of_memory(err, "contacts of hair");
    for (size_t i = 0; i < w->strands; i++) body[i] = body_of(w, i);
    pool_for(s->threads, w->contacts, assemble_range, &a);
    const bodies_source source = {w->strands, w->contacts, body, a.contact};
    return bodies_problem_create(&w->problem, &w->from, &source, err);
}

/* ---- solve ---- */

static int watch_cancel(void *user, uint32_t iteration, double residual)
{
    (void)iteration;
    (void)residual;
    scene *s = user;
    return atomic_load(&s->cancel);
}

/* Counts and worst errors, beside those of cloth. */
static status measure(hair_work *w, const double *r, const double *state, error *err)
{
    scene *s = w->k->s;
    const uint32_t n = w->contacts;
    double *u = arena_push(&s->scratch, 5 * (size_t)n * sizeof *u), *mu = u + 3 * (size_t)n;
    if (!u) return error_out_of_memory(err, "contacts of hair");
    bodies_velocity(&w->problem, state, u);
    for (uint32_t i = 0; i < n; i++) {
        mu[i] = bodies_record_of(&w->problem, i)->mu;
        mu[n + i] = bodies_record_of(&w->problem, i)->d;
    }
    const contact_problem numbers = {.contacts = n, .mu = mu, .d = mu + n};
    const contact_measure m = contact_problem_measure(&numbers, r, u);
    scene_statistics *t = &s->statistics;
    t->contacts += n;
    t->takeoff += m.takeoff;
    t->stick += m.stick;
    t->slide += m.slide;
    t->fischer_burmeister = scalar_max(t->fischer_burmeister, m.worst.fischer_burmeister);
    t->alart_curnier = scalar_max(t->alart_curnier, m.worst.alart_curnier);
    return STATUS_OK;
}

static void count_work(hair_work *w, const solver_report *report)
{
    scene_statistics *t = &w->k->s->statistics;
    w->k->missed |= !report->converged;
    t->residual = scalar_max(t->residual, report->residual);
    t->local_failures += report->local.failures;
    if (report->iterations > t->iterations) t->iterations = report->iterations;
}

static status solve(hair_work *w, bodies_gs *gs, double *r, error *err)
{
    scene *s = w->k->s;
    const double scale = w->problem.scale;
    const double tolerance = s->parameters.value[P_HAIR_TOLERANCE][0];
    const solver_options options = {.tolerance = scale > 0.0 ? tolerance / scale : 1.0,
                                    .max_iterations =
                                        (uint32_t)s->parameters.value[P_HAIR_ITERATIONS][0],
                                    .local = &local_table[0],
                                    .threads = s->threads,
                                    .trace = watch_cancel,
                                    .trace_user = s};
    solver_report report = {0};
    memset(r, 0, 3 * (size_t)w->contacts * sizeof *r);
    const status st = bodies_gs_solve(gs, &options, &bodies_gs_default, r, &report, err);
    if (st != STATUS_OK) return st;
    count_work(w, &report);
    return measure(w, r, gs->w, err);
}

static void set_velocities(const hair_work *w, const double *state)
{
    for (uint32_t i = 0; i < w->strands; i++) {
        const hair_strand *s = &w->strand[i];
        const bodies_body body = body_of(w, i);
        double *v = s->group->v + s->local * body.shape.n;
        if (state) {
            bodies_body_velocity(&w->problem, &body, i, state, v);
        } else {
            memcpy(v, body.v_free, body.shape.n * sizeof *v);
        }
    }
}

status hair_step_assemble(work *k, error *err)
{
    hair_work *w = k->hair;
    return w && w->contacts ? assemble(w, err) : STATUS_OK;
}

status hair_step_solve(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w) return STATUS_OK;
    for (size_t i = 0; i < w->groups; i++) k->s->statistics.nodes += w->group[i].h->points;
    if (w->contacts == 0) {
        set_velocities(w, NULL);
        return STATUS_OK;
    }
    double *r = arena_push(&k->s->scratch, 3 * (size_t)w->contacts * sizeof *r);
    if (!r) return error_out_of_memory(err, "contacts of hair");
    bodies_gs gs;
    status st = bodies_gs_create(&gs, &w->problem, err);
    if (st >= 0) st = solve(w, &gs, r, err);
    if (st == STATUS_OK) set_velocities(w, gs.w);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The contacts of hair as a problem of bodies, and its exact solution: u = H v + u_0 with the
 * Jacobians of a segment's two vertices, mixed as their contact point is.
 *
 * Candidates are what the free motion drives together. Contacts change that motion, so the solved
 * one is looked at in turn: what it drives together without having been a contact becomes one, and
 * the solve goes on from the impulses found so far.
 *
 * A contact that is open may close: u_N >= -gap / dt. One that is too deep already must not get
 * deeper; it is moved out without gaining speed (hair_place.c).
 */
#include "contact/bodies_rescue.h"
#include "contact/problem.h"
#include "math/scalar.h"
#include "scene/hair_work.h"

#include <string.h>

#define SLACK 0.1 /* thicknesses: contacts this near at the end of the free motion count */

enum { MOST_ROUNDS = 4 };

/* ---- assemble ---- */

typedef struct assembly {
    const hair_work *w;
    const hair_contacts *list;
    bool open_gaps;
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
    const double per_dt = 1.0 / a->w->k->plan->dt;
    for (size_t i = begin; i < end; i++) {
        const hair_contact *c = &a->list->at[i];
        bodies_contact *out = &a->contact[i];
        v3 u = v3_scale(-1.0, c->s);
        for (int side = 0; side < 2; side++) {
            double *H = a->H + (2 * i + (size_t)side) * a->stride;
            out->side[side] = (bodies_side){c->strand[side], H};
            if (c->strand[side] != BODIES_NONE) u = v3_add(u, fill_side(a->w, c, side, H));
        }
        out->mu = a->open_gaps ? 0.0 : c->mu;
        out->u_0 = a->open_gaps ? (v3){0.0, 0.0, 0.0} : m3_mul_v3(&c->F, u);
        out->u_0.x += per_dt * (a->open_gaps ? c->gap[1] : scalar_max(c->gap[0], 0.0));
    }
}

static bodies_body body_of(const hair_work *w, size_t i)
{
    const hair_strand *s = &w->strand[i];
    const body_group *g = s->group->h->rods.group;
    return (bodies_body){g->shape, body_factors(g, s->group->work, s->local),
                         body_v_free(g, s->group->work, s->local)};
}

static bool take_room(assembly *a, arena *scratch)
{
    const hair_work *w = a->w;
    for (size_t i = 0; i < w->groups; i++) {
        const size_t size = 3 * (size_t)w->group[i].h->rods.group->unknowns;
        if (size > a->stride) a->stride = size;
    }
    a->contact = arena_push(scratch, a->list->count * sizeof *a->contact);
    a->H = arena_push(scratch, 2 * a->list->count * a->stride * sizeof *a->H);
    return a->contact && a->H;
}

status hair_make_problem(hair_work *w, const hair_contacts *list, bool open_gaps,
                         bodies_problem *out, error *err)
{
    scene *s = w->k->s;
    assembly a = {.w = w, .list = list, .open_gaps = open_gaps};
    bodies_body *body = arena_push(&s->scratch, w->strands * sizeof *body);
    if (!take_room(&a, &s->scratch) || !body) return error_out_of_memory(err, "contacts of hair");
    double *still = arena_push(&s->scratch, a.stride * sizeof *still);
    if (!still) return error_out_of_memory(err, "contacts of hair");
    memset(still, 0, a.stride * sizeof *still);
    for (size_t i = 0; i < w->strands; i++) {
        body[i] = body_of(w, i);
        if (open_gaps) body[i].v_free = still;
    }
    pool_for(s->threads, list->count, assemble_range, &a);
    const bodies_source source = {w->strands, list->count, body, a.contact, s->threads};
    return bodies_problem_create(out, &w->from, &source, err);
}

/* ---- the motion of the vertices ---- */

static void move_end_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const hair_work *w = user;
    const double dt = w->k->plan->dt;
    for (size_t i = begin; i < end; i++) {
        const hair_strand *s = &w->strand[i];
        const hair_group *g = s->group;
        const size_t n = g->h->rods.group->unknowns, vertices = g->h->rods.vertices;
        const double *v = g->way + s->local * n;
        for (size_t k = s->local * vertices; k < (s->local + 1) * vertices; k++) {
            const size_t at = 3 * (g->vertex + k);
            for (size_t row = 0; row < 3; row++) {
                const double *J = g->J + 3 * n * k + row * n;
                double u = w->base[at + row];
                for (size_t c = 0; c < n; c++) u += J[c] * v[c];
                w->end[at + row] = w->x[at + row] + dt * u;
            }
        }
    }
}

void hair_move_ends(hair_work *w) { pool_for(w->k->s->threads, w->strands, move_end_range, w); }

/* ---- solve ---- */

int hair_watch_solve(void *user, uint32_t iteration, double residual)
{
    enum { EVERY = 32, SOLVE = 3, STAGES = 5 };
    (void)residual;
    const hair_work *w = user;
    const scene_config *host = &w->k->s->config;
    const step_plan *plan = w->k->plan;
    const double fraction = (plan->done + plan->part * SOLVE / STAGES) / plan->whole;
    const bool told = iteration % EVERY == 0 && host->progress &&
                      host->progress(host->progress_user, fraction, "solve") != 0;
    return told || atomic_load(&w->k->s->cancel);
}

/* Counts and worst errors, beside those of cloth. */
static status measure(hair_work *w, const double *r, const double *state, error *err)
{
    scene *s = w->k->s;
    const uint32_t n = w->contacts.count;
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

typedef struct velocity_job {
    const hair_work *w;
    const double *state; /* NULL: the free motion */
} velocity_job;

static void set_velocity_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const velocity_job *job = user;
    const hair_work *w = job->w;
    for (size_t i = begin; i < end; i++) {
        const hair_strand *s = &w->strand[i];
        const bodies_body body = body_of(w, i);
        double *v = s->group->way + s->local * body.shape.n;
        if (job->state) {
            bodies_body_velocity(&w->problem, &body, (uint32_t)i, job->state, v);
        } else {
            memcpy(v, body.v_free, body.shape.n * sizeof *v);
        }
    }
}

static void set_velocities(const hair_work *w, const double *state)
{
    pool_for(w->k->s->threads, w->strands, set_velocity_range, &(velocity_job){w, state});
}

/* Solves with the contacts known so far, from the impulses they have. */
static status solve_once(hair_work *w, solver_report *report, double **impulses, double **state,
                         error *err)
{
    scene *s = w->k->s;
    hair_contacts *list = &w->contacts;
    bodies_gs gs;
    double *r = arena_push(&s->scratch, 3 * (size_t)list->count * sizeof *r);
    if (!r) return error_out_of_memory(err, "contacts of hair");
    status st = bodies_gs_create(&gs, &w->problem, err);
    if (st < 0) return st;
    const double tolerance = s->parameters.value[P_HAIR_TOLERANCE][0], scale = w->problem.scale;
    const double most = s->parameters.value[P_HAIR_ITERATIONS][0] - report->iterations;
    const solver_options options = {.tolerance = scale > 0.0 ? tolerance / scale : 1.0,
                                    .max_iterations = (uint32_t)scalar_max(most, 1.0),
                                    .local = &local_table[0],
                                    .threads = s->threads,
                                    .trace = hair_watch_solve,
                                    .trace_user = w};
    for (uint32_t i = 0; i < list->count; i++) v3_store(r + 3 * (size_t)i, list->at[i].r);
    st = bodies_gs_solve(&gs, &options, &bodies_gs_default, r, report, err);
    if (st == STATUS_OK) st = bodies_rescue(&gs, &options, r, report, err);
    if (st != STATUS_OK) return st;
    for (uint32_t i = 0; i < list->count; i++) list->at[i].r = v3_load(r + 3 * (size_t)i);
    set_velocities(w, gs.w);
    *impulses = r;
    *state = gs.w;
    return STATUS_OK;
}

/* What the solved motion drives together becomes a contact, too; true if there is such a one. */
static status add_missed(hair_work *w, bool *again, error *err)
{
    hair_contacts found;
    uint32_t added = 0;
    hair_move_ends(w);
    status st = hair_detect(w, &(hair_look){0.0, false}, &found, err);
    if (st >= 0) {
        st = hair_contacts_add(w, &found, HAIR_DEPTH_ALLOWED, &w->contacts, &added, err);
    }
    *again = added > 0;
    return st < 0 || !added ? st : hair_make_problem(w, &w->contacts, false, &w->problem, err);
}

static status solve(hair_work *w, error *err)
{
    solver_report report = {0};
    double *r = NULL, *state = NULL;
    bool again = true;
    status st = STATUS_OK;
    for (int round = 1; again && st == STATUS_OK; round++) {
        st = solve_once(w, &report, &r, &state, err);
        if (round == MOST_ROUNDS) break;
        if (st == STATUS_OK) st = add_missed(w, &again, err);
    }
    if (st != STATUS_OK) return st;
    count_work(w, &report);
    return measure(w, r, state, err);
}

status hair_step_collide(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w) return STATUS_OK;
    set_velocities(w, NULL);
    hair_move_ends(w);
    const status st = hair_detect(w, &(hair_look){SLACK, false}, &w->contacts, err);
    if (st >= 0) hair_contacts_recall(w, &w->contacts);
    return st;
}

status hair_step_assemble(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w || !w->contacts.count) return STATUS_OK;
    return hair_make_problem(w, &w->contacts, false, &w->problem, err);
}

status hair_step_solve(work *k, error *err)
{
    hair_work *w = k->hair;
    if (!w) return STATUS_OK;
    for (size_t i = 0; i < w->groups; i++) k->s->statistics.nodes += w->group[i].h->points;
    status st = w->contacts.count ? solve(w, err) : STATUS_OK;
    if (st == STATUS_OK) st = hair_contacts_remember(w, err);
    return st;
}

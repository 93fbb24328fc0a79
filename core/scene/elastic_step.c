/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of cloth with a fabric. Without contacts its velocities solve A v = b; that is its free
 * motion, which detection looks along. With contacts they solve A v = b + H^T r and Coulomb's law,
 * by Gauss-Seidel over nodes from the forces of the last step.
 */
#include "contact/nodes_gs.h"
#include "linalg/pcg_bsr3.h"
#include "math/scalar.h"
#include "scene/elastic.h"
#include "scene/work.h"

#include <string.h>

enum { MOST_LINEAR = 10000 };
static const double FREE_TOLERANCE = 1e-13, START_TOLERANCE = 1e-4;

/* Of one cloth in one step. */
typedef struct elastic_work {
    work *k;
    const object *o;
    const elastic *e;
    sym3 *inverse;          /* [nodes] of the diagonal blocks of A */
    double *linear;         /* of conjugate gradients */
    nodal_contact *contact; /* of its nodes, */
    uint32_t contacts;      /* so many */
} elastic_work;

/* ---- predict ---- */

/* Pulls of fields as forces, N, and which nodes are pinned. */
static status make_loads(work *k, const object *o, double **load, uint8_t **pinned, error *err)
{
    const size_t n = o->cloth.nodes;
    const double *field = o->elastic->field;
    *pinned = arena_push(&k->s->scratch, n);
    *load = field ? arena_push(&k->s->scratch, 3 * n * sizeof **load) : NULL;
    if (!*pinned || (field && !*load)) return error_out_of_memory(err, "a step of cloth");
    for (size_t i = 0; i < n; i++) (*pinned)[i] = k->w[o->node + i] == 0.0;
    for (size_t i = 0; field && i < 3 * n; i++) (*load)[i] = o->cloth.mass[i / 3] * field[i];
    return STATUS_OK;
}

/* The air pulls with c (air - v) at the end of the step: h c joins the diagonal. */
static void add_drag(const work *k, const object *o)
{
    const double drag = o->parameters.value[P_CLOTH_DRAG][0];
    cloth_system *system = &o->elastic->system;
    const double *air = o->elastic->air;
    if (drag == 0.0) return;
    for (size_t i = 0; i < o->cloth.nodes; i++) {
        if (k->w[o->node + i] == 0.0) continue;
        const double hc = k->plan->dt * drag * o->cloth.area[i];
        const m3 block = m3_diagonal(hc);
        bsr3_add_to_slot(&system->A, system->A.diagonal[i], &block);
        for (size_t j = 3 * i; air && j < 3 * i + 3; j++) system->b[j] += hc * air[j];
    }
}

static status assemble(work *k, const object *o, error *err)
{
    double *load;
    uint8_t *pinned;
    const status st = make_loads(k, o, &load, &pinned, err);
    if (st < 0) return st;
    const cloth_state now = cloth_state_in(o, k->now);
    const cloth_forcing forcing = {.h = k->plan->dt,
                                   .theta = 1.0,
                                   .damping = o->elastic->damping,
                                   .gravity = v3_load(k->s->parameters.value[P_GRAVITY]),
                                   .mass = o->cloth.mass,
                                   .x = now.x,
                                   .v = now.v,
                                   .load = load,
                                   .is_known = pinned,
                                   .v_known = k->v + 3 * o->node};
    cloth_system_begin(&o->elastic->system, &forcing, k->s->threads);
    cloth_system_assemble(&o->elastic->system, NULL, k->s->threads);
    add_drag(k, o);
    return STATUS_OK;
}

static status left_range(const object *o, error *err)
{
    return error_set(err, STATUS_DIVERGED,
                     "cloth '%s': its equations leave the range of numbers; the step was not taken",
                     o->name);
}

/* v <- A^-1 g from the v given. */
static status solve_linear(const elastic_work *w, const double *g, double tolerance, double *v,
                           error *err)
{
    pcg_bsr3 pair = {&w->e->system.A, w->inverse, w->k->s->threads};
    const pcg_system system = pcg_bsr3_system(&pair);
    const pcg_report r = pcg_solve(&system, g, v, tolerance, MOST_LINEAR, w->linear);
    const bool fine = r.outcome == PCG_CONVERGED || r.outcome == PCG_MAX_ITERATIONS;
    return fine ? STATUS_OK : left_range(w->o, err);
}

static status begin_work(elastic_work *w, work *k, const object *o, error *err)
{
    const size_t n = o->cloth.nodes;
    uint32_t bad;
    *w = (elastic_work){.k = k, .o = o, .e = o->elastic};
    w->inverse = arena_push(&k->s->scratch, n * sizeof *w->inverse);
    w->linear = arena_push(&k->s->scratch, pcg_work_count(3 * n) * sizeof *w->linear);
    if (!w->inverse || !w->linear) return error_out_of_memory(err, "a step of cloth");
    const bool fine = pcg_bsr3_invert_diagonal(&w->e->system.A, w->inverse, &bad);
    return fine ? STATUS_OK : left_range(o, err);
}

/* Where conjugate gradients start: as fast as before, and pins as they will be, which they stay. */
static void start_velocities(const work *k, const object *o, double *v)
{
    const double *v_now = cloth_state_in(o, k->now).v;
    for (size_t i = 0; i < o->cloth.nodes; i++) {
        const bool pinned = k->w[o->node + i] == 0.0;
        memcpy(v + 3 * i, pinned ? k->v + 3 * (o->node + i) : v_now + 3 * i, 3 * sizeof *v);
    }
}

static double find_reach(const work *k, const object *o)
{
    double fastest = 0.0;
    for (size_t i = o->node; i < o->node + o->cloth.nodes; i++) {
        fastest = scalar_max(fastest, v3_norm(v3_load(&k->v[3 * i])));
    }
    return k->plan->dt * fastest;
}

static status predict(work *k, const object *o, error *err)
{
    const size_t size = 3 * o->cloth.nodes * sizeof(double);
    elastic_work w;
    double *v = arena_push(&k->s->scratch, size);
    status st = v ? assemble(k, o, err) : error_out_of_memory(err, "a step of cloth");
    if (st >= 0) st = begin_work(&w, k, o, err);
    if (st < 0) return st;
    start_velocities(k, o, v);
    st = solve_linear(&w, w.e->system.b, FREE_TOLERANCE, v, err);
    if (st < 0) return st;
    memcpy(k->v + 3 * o->node, v, size);
    o->elastic->reach = find_reach(k, o);
    return STATUS_OK;
}

/* ---- solve ---- */

static void find_contacts(elastic_work *w)
{
    const uint32_t *first = w->k->first + w->o->node;
    w->contacts = first[w->o->cloth.nodes] - first[0];
    if (w->contacts) w->contact = w->k->problem.contacts + first[0];
}

/* The contacts as a system; every one touches one node. */
static status make_problem(const elastic_work *w, const allocator *from, nodes_problem *p,
                           error *err)
{
    arena *scratch = &w->k->s->scratch;
    const size_t count = w->contacts, n = w->o->cloth.nodes;
    double *numbers = arena_push(scratch, 13 * count * sizeof *numbers);
    uint32_t *places = arena_push(scratch, (2 * count + 1) * sizeof *places);
    if (!numbers || !places) return error_out_of_memory(err, "contacts of cloth");
    double *mu = numbers, *u_0 = mu + count, *H = u_0 + 3 * count;
    uint32_t *target = places, *start = places + count;
    for (uint32_t i = 0, node = 0; i < count; i++) {
        const nodal_contact *c = &w->contact[i];
        while (w->k->problem.contacts + w->k->first[w->o->node + node + 1] <= c) node++;
        target[i] = node;
        start[i] = i;
        mu[i] = c->mu;
        v3_store(u_0 + 3 * (size_t)i, nodal_relative_velocity(c, (v3){0.0, 0.0, 0.0}));
        for (size_t row = 0; row < 3; row++) v3_store(H + 9 * (size_t)i + 3 * row, c->F.row[row]);
    }
    start[count] = (uint32_t)count;
    const contact_system system = {.nodes = (uint32_t)n,
                                   .contacts = (uint32_t)count,
                                   .row_start = w->e->system.A.row_start,
                                   .col = w->e->system.A.col,
                                   .blocks = (const double *)w->e->system.A.block,
                                   .force = w->e->system.b,
                                   .mu = mu,
                                   .velocity = u_0,
                                   .term_start = start,
                                   .term_target = target,
                                   .term_H = H};
    const status st = nodes_problem_create(p, from, &system, err);
    return st == STATUS_INVALID_ARGUMENT ? left_range(w->o, err) : st;
}

/* A node's force of the last step goes to the first of its contacts that can bear it. */
static void recall_impulses(const elastic_work *w, double *r)
{
    const double *force = cloth_state_in(w->o, w->k->now).force;
    const uint32_t *first = w->k->first + w->o->node;
    for (size_t i = 0; i < w->o->cloth.nodes; i++) {
        v3 left = v3_scale(w->k->plan->dt, v3_load(force + 3 * i));
        for (uint32_t j = first[i]; j < first[i + 1]; j++) {
            const nodal_contact *c = &w->k->problem.contacts[j];
            const v3 taken = coulomb_project(m3_mul_v3(&c->F, left), c->mu);
            left = v3_sub(left, m3_tmul_v3(&c->F, taken));
            v3_store(r + 3 * (size_t)(j - first[0]), taken);
        }
    }
}

static status start(const elastic_work *w, nodes_gs *gs, error *err)
{
    const size_t size = 3 * w->o->cloth.nodes * sizeof(double);
    memcpy(gs->now.v, w->k->v + 3 * w->o->node, size);
    if (!w->contacts) return STATUS_OK;
    recall_impulses(w, gs->now.r);
    nodes_state(gs->p, gs->now.r, gs->now.g, gs->now.w);
    return solve_linear(w, gs->now.g, START_TOLERANCE, gs->now.v, err);
}

static int watch_solve(void *user, uint32_t iteration, double residual)
{
    enum { EVERY = 32 };
    (void)residual;
    return iteration % EVERY == 0 && step_is_cancelled(user, STEP_SOLVE, "solve");
}

static void count_work(work *k, const solver_report *report)
{
    scene_statistics *t = &k->s->statistics;
    k->missed |= !report->converged;
    k->residual = scalar_max(k->residual, report->residual);
    t->residual = scalar_max(t->residual, report->residual);
    t->local_failures += report->local.failures;
    if (report->iterations > t->iterations) t->iterations = report->iterations;
}

/* Velocities, impulses and states go where those of other cloth are. */
static void take_answer(const elastic_work *w, const nodes_gs *gs)
{
    const nodes_point *x = &gs->best;
    contact_measure m = contact_measure_none();
    memcpy(w->k->v + 3 * w->o->node, x->v, 3 * w->o->cloth.nodes * sizeof *x->v);
    for (uint32_t i = 0; i < w->contacts; i++) {
        const nodes_record *record = &gs->p->record[i];
        nodal_contact *c = &w->contact[record->contact];
        const v3 u = nodes_contact_velocity(gs->p, record, x->v, x->w);
        c->r = v3_load(x->r + 3 * (size_t)record->contact);
        c->state = contact_classify(u, c->r, c->mu, record->d);
        contact_measure_add(&m, u, c->r, c->mu, record->d);
    }
    scene_statistics *t = &w->k->s->statistics;
    t->contacts += w->contacts;
    t->takeoff += m.takeoff;
    t->stick += m.stick;
    t->slide += m.slide;
    t->fischer_burmeister = scalar_max(t->fischer_burmeister, m.worst.fischer_burmeister);
    t->alart_curnier = scalar_max(t->alart_curnier, m.worst.alart_curnier);
}

static status solve(work *k, const object *o, error *err)
{
    const allocator from = arena_allocator(&k->s->scratch);
    const double(*parameter)[3] = k->s->parameters.value;
    const solver_options options = {.tolerance = parameter[P_TOLERANCE][0],
                                    .max_iterations = (uint32_t)parameter[P_MAX_ITERATIONS][0],
                                    .local = &local_table[0],
                                    .threads = k->s->threads,
                                    .trace = watch_solve,
                                    .trace_user = k};
    const arena_mark mark = arena_get_mark(&k->s->scratch);
    elastic_work w;
    nodes_problem p;
    nodes_gs gs;
    solver_report report = {0};
    status st = begin_work(&w, k, o, err);
    if (st >= 0) find_contacts(&w);
    if (st >= 0) st = make_problem(&w, &from, &p, err);
    if (st >= 0) st = nodes_gs_create(&gs, &p, err);
    if (st >= 0) st = start(&w, &gs, err);
    if (st >= 0) st = nodes_gs_solve(&gs, &options, &nodes_gs_default, NULL, NULL, &report);
    if (st == STATUS_OK) {
        count_work(k, &report);
        take_answer(&w, &gs);
    }
    arena_release(&k->s->scratch, mark);
    return st;
}

/* ---- the stages ---- */

static status for_each_elastic(work *k, status (*stage)(work *, const object *, error *),
                               error *err)
{
    status st = STATUS_OK;
    for (size_t i = 0; i < k->s->objects.count && st == STATUS_OK; i++) {
        const object *o = scene_object(k->s, i);
        if (o->elastic) st = stage(k, o, err);
    }
    return st;
}

status elastic_step_predict(work *k, error *err) { return for_each_elastic(k, predict, err); }

status elastic_step_solve(work *k, error *err) { return for_each_elastic(k, solve, err); }

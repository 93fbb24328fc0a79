/* SPDX-License-Identifier: Apache-2.0
 *
 * The stages of a step, or of a piece of one, in their order.
 */
#include "base/clock.h"
#include "contact/corners.h"
#include "math/scalar.h"
#include "scene/work.h"

/* Runs a stage over every cloth's nodes; `merge` (may be NULL) sees each cloth's chunk reports. */
static void for_each_cloth(work *k, pool_range stage, void (*merge)(work *, uint32_t))
{
    for (size_t i = 0; i < k->s->objects.count; i++) {
        k->number = i;
        k->o = scene_object(k->s, i);
        if (k->o->kind != KIND_CLOTH) continue;
        pool_for(k->s->threads, k->o->cloth.nodes, stage, k);
        if (merge) merge(k, pool_chunks(k->o->cloth.nodes));
    }
}

/* ---- predict ---- */

static void predict_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const work *k = user;
    const object *o = k->o;
    const cloth_state state = cloth_state_in(o, k->now);
    const cloth_input input = cloth_input_in(o, k->s->state.input);
    const cloth_motion motion = {.x = state.x,
                                 .v = state.v,
                                 .pin = input.pin,
                                 .target = input.target,
                                 .gravity = v3_load(k->s->parameters.value[P_GRAVITY]),
                                 .dt = k->plan->dt,
                                 .fraction = k->plan->fraction,
                                 .v_free = k->v + 3 * o->node,
                                 .inverse_mass = k->w + o->node};
    cloth_predict(&o->cloth, &motion, begin, end);
}

/* ---- collide, assemble ---- */

static void report_start_depth(work *k, uint32_t chunks)
{
    size_t inside = 0;
    double depth = 0.0;
    for (uint32_t c = 0; c < chunks; c++) {
        inside += k->chunk[c].start_inside;
        depth = scalar_max(depth, k->chunk[c].start_depth);
    }
    object *o = scene_object(k->s, k->number);
    const bool told = o->told_inside;
    o->told_inside = inside > 0;
    if (inside == 0 || told) return;
    log_write(&k->s->config.log, LOG_WARNING,
              "cloth '%s': %zu contacts started inside a surface, the deepest by %g m; the nodes "
              "were moved out",
              k->o->name, inside, depth);
}

/* Counts become offsets; room for the contacts is made here, on the calling thread. */
static status work_reserve_contacts(work *k, error *err)
{
    uint64_t total = 0;
    k->first[0] = 0;
    for (size_t i = 1; i <= k->s->nodes; i++) {
        total += k->first[i];
        if (total > UINT32_MAX) return error_out_of_memory(err, "contacts");
        k->first[i] = (uint32_t)total;
    }
    if (!array_reserve(&k->s->contacts, total)) return error_out_of_memory(err, "contacts");
    const double *tolerance = k->s->parameters.value[P_TOLERANCE];
    const double *iterations = k->s->parameters.value[P_MAX_ITERATIONS];
    k->problem = (nodal_problem){.w = k->w,
                                 .v = k->v,
                                 .first = k->first,
                                 .contacts = k->s->contacts.data,
                                 .tolerance = tolerance[0],
                                 .max_iterations = (uint32_t)iterations[0]};
    return STATUS_OK;
}

/* ---- solve ---- */

static void solve_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const work *k = user;
    k->chunk[chunk].contacts = nodal_solve_range(&k->problem, k->o->node + begin, k->o->node + end);
}

static void measure_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const work *k = user;
    k->chunk[chunk].contacts =
        nodal_measure_range(&k->problem, k->o->node + begin, k->o->node + end);
}

static nodal_report run_and_merge(work *k, pool_range stage)
{
    nodal_report all = {0};
    pool_for(k->s->threads, k->o->cloth.nodes, stage, k);
    for (uint32_t c = 0; c < pool_chunks(k->o->cloth.nodes); c++) {
        nodal_report_merge(&all, &k->chunk[c].contacts);
    }
    return all;
}

/* Of a cloth whose nodes do not act on one another. */
static status solve_cloth(work *k, nodal_report *report, error *err)
{
    const size_t begin = k->o->node, end = begin + k->o->cloth.nodes;
    nodal_report all = run_and_merge(k, solve_range);
    if (all.missed) {
        const uint32_t sweeps = all.iterations;
        const status st = corners_solve(&k->problem, begin, end, &k->s->scratch, err);
        if (st < 0) return st;
        all = run_and_merge(k, measure_range);
        all.iterations = sweeps;
    }
    nodal_report_merge(report, &all);
    return STATUS_OK;
}

static status work_solve(work *k, error *err)
{
    nodal_report all = {0};
    for (size_t i = 0; i < k->s->objects.count; i++) {
        k->o = scene_object(k->s, i);
        if (k->o->kind != KIND_CLOTH || k->o->elastic) continue;
        const status st = solve_cloth(k, &all, err);
        if (st < 0) return st;
    }
    scene_statistics *t = &k->s->statistics;
    t->nodes = k->s->nodes;
    t->contacts = all.takeoff + all.stick + all.slide;
    t->takeoff = all.takeoff;
    t->stick = all.stick;
    t->slide = all.slide;
    k->missed = all.missed > 0;
    k->residual = all.worst.natural;
    if (all.iterations > t->iterations) t->iterations = all.iterations;
    t->residual = scalar_max(t->residual, all.worst.natural);
    t->fischer_burmeister = scalar_max(t->fischer_burmeister, all.worst.fischer_burmeister);
    t->alart_curnier = scalar_max(t->alart_curnier, all.worst.alart_curnier);
    return STATUS_OK;
}

/* ---- correct ---- */

/* Out of this surface too, as far as the way out of the others has not led there already. */
static v3 move_out(v3 out, const nodal_contact *c)
{
    const v3 N = c->F.row[0];
    return v3_add_scaled(out, scalar_max(c->depth - v3_dot(out, N), 0.0), N);
}

/* A node's contacts together: force, state, and the way out for one that started inside. */
static v3 correct_node_contacts(const work *k, size_t node, v3 *force, double *state)
{
    v3 impulse = {0.0, 0.0, 0.0}, out = {0.0, 0.0, 0.0};
    for (uint32_t j = k->first[node]; j < k->first[node + 1]; j++) {
        const nodal_contact *c = &k->problem.contacts[j];
        impulse = v3_add(impulse, m3_tmul_v3(&c->F, c->r));
        if (c->depth > 0.0) out = move_out(out, c);
        *state = scalar_max(*state, (double)c->state);
    }
    *force = v3_scale(1.0 / k->plan->dt, impulse);
    return out;
}

static double node_penetration(const work *k, v3 x)
{
    const double thickness = k->o->parameters.value[P_THICKNESS][0];
    double deepest = 0.0;
    for (size_t j = 0; j < k->surface_count; j++) {
        deepest = scalar_max(deepest, detect_depth(&k->surfaces[j], x, thickness));
    }
    return deepest;
}

static void correct_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const work *k = user;
    const double *x_now = cloth_state_in(k->o, k->now).x;
    const cloth_state next = cloth_state_in(k->o, k->next);
    chunk_report *report = &k->chunk[chunk];
    *report = (chunk_report){0};
    for (size_t i = begin; i < end; i++) {
        const size_t node = k->o->node + i;
        const v3 v = v3_load(&k->v[3 * node]);
        v3 force;
        next.contact[i] = CONTACT_NONE;
        const v3 out = correct_node_contacts(k, node, &force, &next.contact[i]);
        const v3 x = v3_add(v3_add_scaled(v3_load(&x_now[3 * i]), k->plan->dt, v), out);
        v3_store(&next.x[3 * i], x);
        v3_store(&next.v[3 * i], v);
        v3_store(&next.force[3 * i], force);
        if (k->w[node] > 0.0)
            report->penetration = scalar_max(report->penetration, node_penetration(k, x));
        const bool finite = v3_is_finite(x) && v3_is_finite(v) && v3_is_finite(force);
        if (!finite && !report->not_finite) report->not_finite = 1 + i;
    }
}

static void report_end(work *k, uint32_t chunks)
{
    for (uint32_t c = 0; c < chunks; c++) {
        k->penetration = scalar_max(k->penetration, k->chunk[c].penetration);
        if (k->chunk[c].not_finite && !k->lost) {
            k->lost = k->o;
            k->lost_node = k->chunk[c].not_finite - 1;
        }
    }
}

/* ---- the whole ---- */

status work_init(work *k, scene *s, const step_plan *plan, error *err)
{
    *k = (work){.s = s, .plan = plan, .now = s->state.motion[0], .next = s->state.motion[1]};
    const size_t n = s->nodes, chunks = pool_chunks(n) + 1;
    k->surfaces = arena_push(&s->scratch, s->objects.count * sizeof *k->surfaces);
    k->v = arena_push(&s->scratch, 3 * n * sizeof *k->v);
    k->w = arena_push(&s->scratch, n * sizeof *k->w);
    k->first = arena_push(&s->scratch, (n + 1) * sizeof *k->first);
    k->chunk = arena_push(&s->scratch, chunks * sizeof *k->chunk);
    if (!k->surfaces || !k->v || !k->w || !k->first || !k->chunk) {
        return error_out_of_memory(err, "a step");
    }
    return hair_step_begin(k, err);
}

bool step_is_cancelled(const work *k, int stage, const char *name)
{
    const scene_config *host = &k->s->config;
    const double fraction =
        (k->plan->done + k->plan->part * stage / (double)STEP_STAGES) / k->plan->whole;
    const bool told = host->progress && host->progress(host->progress_user, fraction, name) != 0;
    return told || atomic_load(&k->s->cancel);
}

/* Adds the time since *since to a statistic, and asks the host whether to go on. */
static bool stage_done(const work *k, double *since, double *seconds, int stage, const char *name)
{
    const double now = clock_now();
    *seconds += now - *since;
    k->s->statistics.seconds_total += now - *since;
    *since = now;
    const bool cancelled = step_is_cancelled(k, stage, name);
    *since = clock_now();
    return !cancelled;
}

static status cancelled(error *err)
{
    return error_set(err, STATUS_CANCELLED, "cancelled; the scene stands at the last whole step");
}

status work_run(work *k, error *err)
{
    scene_statistics *t = &k->s->statistics;
    double since = clock_now();
    detect_import_surfaces(k);
    status st = forces_import(k, err);
    if (st < 0) return st;
    if (!stage_done(k, &since, &t->seconds_import, 0, "predict")) return cancelled(err);
    for_each_cloth(k, predict_range, NULL);
    st = forces_act_on_cloth(k, err);
    if (st >= 0) st = elastic_step_predict(k, err);
    if (st >= 0) st = hair_step_predict(k, err);
    if (st < 0) return st;
    if (!stage_done(k, &since, &t->seconds_predict, 1, "collide")) return cancelled(err);
    for_each_cloth(k, detect_count_range, NULL);
    st = work_reserve_contacts(k, err);
    if (st >= 0) st = hair_step_collide(k, err);
    if (st < 0) return st;
    if (!stage_done(k, &since, &t->seconds_collide, 2, "assemble")) return cancelled(err);
    for_each_cloth(k, detect_assemble_range, report_start_depth);
    st = hair_step_assemble(k, err);
    if (st < 0) return st;
    if (!stage_done(k, &since, &t->seconds_assemble, 3, "solve")) return cancelled(err);
    st = work_solve(k, err);
    if (st >= 0) st = elastic_step_solve(k, err);
    if (st == STATUS_OK) st = hair_step_solve(k, err);
    if (st == STATUS_CANCELLED) return cancelled(err);
    if (st < 0) return st;
    if (!stage_done(k, &since, &t->seconds_solve, 4, "correct")) return cancelled(err);
    for_each_cloth(k, correct_range, report_end);
    st = hair_step_correct(k, err);
    if (st == STATUS_CANCELLED) return cancelled(err);
    if (st < 0) return st;
    if (!stage_done(k, &since, &t->seconds_correct, 5, "done")) return cancelled(err);
    t->penetration = scalar_max(t->penetration, k->penetration);
    if (!k->lost) return problem_write_out(k, err);
    return error_set(err, STATUS_DIVERGED,
                     "cloth '%s': node %zu would leave the finite numbers; the step was not taken",
                     k->lost->name, k->lost_node);
}

void work_take(const work *k)
{
    const double *clock = k->now;
    double *next = k->next;
    next[CLOCK_FRAME] = k->plan->frame;
    next[CLOCK_SECONDS] = clock[CLOCK_SECONDS] + k->plan->dt;
    next[CLOCK_STEPS] = clock[CLOCK_STEPS] + (k->plan->unfinished ? 0.0 : 1.0);
    next[CLOCK_PLAN_FRAME] = k->plan->plan_left > 0.0 ? k->plan->plan_frame : 0.0;
    next[CLOCK_PLAN_LEFT] = k->plan->plan_left;
    next[CLOCK_PLAN_DT] = k->plan->plan_left > 0.0 ? k->plan->plan_dt : 0.0;
    k->s->state.motion[0] = k->next;
    k->s->state.motion[1] = k->now;
    const array forces = k->s->forces[0];
    k->s->forces[0] = k->s->forces[1];
    k->s->forces[1] = forces;
}

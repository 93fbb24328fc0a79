/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene's life, and time: steps, frames made of substeps, cancelling.
 */
#include "scene/scene.h"

#include "scene/internal.h"
#include "scene/step.h"

status scene_create(const scene_config *config, scene **out, error *err)
{
    scene *s = memory_alloc(&config->memory, sizeof *s);
    if (!s) return error_out_of_memory(err, "a scene");
    s->config = *config;
    const allocator *memory = &s->config.memory;
    arena_init(&s->scratch, memory);
    array_init(&s->contacts, memory, sizeof(nodal_contact));
    array_init(&s->objects, memory, sizeof(object *));
    for (int i = 0; i < 2; i++) array_init(&s->forces[i], memory, sizeof(hair_force));
    handles_init(&s->ids, memory);
    parameter_values_init(&s->parameters);
    atomic_init(&s->cancel, false);
    status st = STATUS_OK;
    if (!isfinite(config->start_frame)) {
        st = error_set(err, STATUS_INVALID_ARGUMENT, "the start frame is %g, expected a number",
                       config->start_frame);
    } else if (!(s->threads = pool_create(memory, config->threads, &config->parallel))) {
        st = error_out_of_memory(err, "threads");
    } else {
        st = state_relayout(s, NULL, NULL, err);
    }
    if (st < 0) {
        scene_destroy(s);
        return st;
    }
    s->state.motion[0][CLOCK_FRAME] = config->start_frame;
    *out = s;
    return STATUS_OK;
}

void scene_destroy(scene *s)
{
    if (!s) return;
    const allocator memory = s->config.memory;
    pool_destroy(s->threads);
    scene_remove_all(s);
    array_destroy(&s->objects);
    array_destroy(&s->contacts);
    for (int i = 0; i < 2; i++) array_destroy(&s->forces[i]);
    handles_destroy(&s->ids);
    arena_destroy(&s->scratch);
    state_free(s);
    memory_free(&memory, s, sizeof *s);
}

scene_time scene_get_time(const scene *s)
{
    const double *clock = s->state.motion[0];
    return (scene_time){clock[CLOCK_FRAME], clock[CLOCK_SECONDS], (uint64_t)clock[CLOCK_STEPS]};
}

scene_statistics scene_get_statistics(const scene *s) { return s->statistics; }

void scene_cancel(scene *s) { atomic_store(&s->cancel, true); }

void scene_visit_problems(scene *s, scene_problem_visitor visit, void *user)
{
    s->visit_problem = visit;
    s->visit_user = user;
}

/* ---- steps and frames ---- */

static void begin_call(scene *s)
{
    atomic_store(&s->cancel, false);
    s->statistics = (scene_statistics){0};
}

/* What a call returns that took its steps: were they all good? */
static status end_call(scene *s, error *err)
{
    const scene_statistics *t = &s->statistics;
    if (t->steps_not_converged == 0) return STATUS_OK;
    return error_set(err, STATUS_NOT_CONVERGED,
                     "%llu of %llu steps missed the tolerance; the worst contact is off by %g m/s",
                     (unsigned long long)t->steps_not_converged, (unsigned long long)t->steps,
                     t->residual);
}

status scene_step(scene *s, double dt, error *err)
{
    if (!(dt >= 1e-9 && dt <= 1e3)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "the time step is %g s, expected a number from 1e-9 to 1000", dt);
    }
    begin_call(s);
    const double frame =
        s->state.motion[0][CLOCK_FRAME] + dt * s->parameters.value[P_FRAME_RATE][0];
    const step_plan plan = {.dt = dt, .fraction = 1.0, .frame = frame, .whole = 1.0, .part = 1.0};
    const status st = step_take(s, &plan, err);
    return st == STATUS_OK ? end_call(s, err) : st;
}

/* Whole steps from the present frame to another. */
typedef struct journey {
    double frame, dt, left;
} journey;

/* Less than this part of a substep ahead is rounding of the clock, not a way to go: what the host
 * moved for a whole frame would move at 1e6 times its speed and more. */
static const double LEAST_SUBSTEP = 1e-6;

/* Goes on with a journey that was interrupted, or plans a new one. */
static journey journey_plan(const scene *s, double frame)
{
    const double *clock = s->state.motion[0];
    if (clock[CLOCK_PLAN_LEFT] > 0.0 && clock[CLOCK_PLAN_FRAME] == frame) {
        return (journey){frame, clock[CLOCK_PLAN_DT], clock[CLOCK_PLAN_LEFT]};
    }
    const double distance = frame - clock[CLOCK_FRAME];
    const double steps = ceil(distance * s->parameters.value[P_SUBSTEPS][0] - LEAST_SUBSTEP);
    const double left = steps < 1.0 ? 1.0 : steps;
    return (journey){frame, distance / (left * s->parameters.value[P_FRAME_RATE][0]), left};
}

static status advance(scene *s, journey way, error *err)
{
    const double whole = way.left;
    for (; way.left > 0.0; way.left -= 1.0) {
        const bool last = way.left == 1.0;
        /* Not dt * frame_rate: the rate may have changed since the journey was planned. */
        const double here = s->state.motion[0][CLOCK_FRAME];
        const step_plan plan = {.dt = way.dt,
                                .fraction = 1.0 / way.left,
                                .frame = last ? way.frame : here + (way.frame - here) / way.left,
                                .plan_frame = way.frame,
                                .plan_left = way.left - 1.0,
                                .plan_dt = way.dt,
                                .done = whole - way.left,
                                .whole = whole,
                                .part = 1.0};
        const status st = step_take(s, &plan, err);
        if (st != STATUS_OK) return st;
    }
    return end_call(s, err);
}

status scene_advance_to_frame(scene *s, double frame, error *err)
{
    const double here = s->state.motion[0][CLOCK_FRAME];
    if (!isfinite(frame) || frame < here || frame - here > 1e6) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "frame %g cannot be reached from frame %g; expected a later one, at most "
                         "1e6 frames away",
                         frame, here);
    }
    begin_call(s);
    const bool arrived = (frame - here) * s->parameters.value[P_SUBSTEPS][0] <= LEAST_SUBSTEP;
    return arrived ? STATUS_OK : advance(s, journey_plan(s, frame), err);
}

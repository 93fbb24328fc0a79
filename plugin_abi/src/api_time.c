/* SPDX-License-Identifier: Apache-2.0
 *
 * Time, statistics and the state as bytes.
 */
#include "entries.h"
#include "guard.h"
#include "structs.h"

/* ---- time ---- */

stn_status api_step(stn_scene *s, double dt)
{
    const status st = guard_enter(s);
    return st < 0 ? st : guard_leave(s, scene_step(s->core, dt, &s->err));
}

stn_status api_advance_to_frame(stn_scene *s, double frame)
{
    const status st = guard_enter(s);
    return st < 0 ? st : guard_leave(s, scene_advance_to_frame(s->core, frame, &s->err));
}

stn_status api_time_get(stn_scene *s, stn_time *out)
{
    const status st = guard_enter(s);
    if (st < 0) return st;
    const scene_time t = scene_get_time(s->core);
    const stn_time full = {.frame = t.frame, .seconds = t.seconds, .steps = t.steps};
    return guard_leave(s, STRUCT_GIVE(out, &full, &s->err));
}

stn_status api_cancel(stn_scene *s)
{
    const status st = struct_require(s, "scene", guard_thread_error());
    if (st >= 0) scene_cancel(s->core);
    return st;
}

stn_status api_statistics_get(stn_scene *s, stn_statistics *out)
{
    const status st = guard_enter(s);
    if (st < 0) return st;
    const scene_statistics t = scene_get_statistics(s->core);
    const stn_statistics full = {.steps = t.steps,
                                 .steps_not_converged = t.steps_not_converged,
                                 .nodes = t.nodes,
                                 .contacts = t.contacts,
                                 .stick = t.stick,
                                 .slide = t.slide,
                                 .takeoff = t.takeoff,
                                 .local_failures = t.local_failures,
                                 .iterations = t.iterations,
                                 .residual = t.residual,
                                 .fischer_burmeister = t.fischer_burmeister,
                                 .alart_curnier = t.alart_curnier,
                                 .penetration = t.penetration,
                                 .seconds_import = t.seconds_import,
                                 .seconds_predict = t.seconds_predict,
                                 .seconds_collide = t.seconds_collide,
                                 .seconds_assemble = t.seconds_assemble,
                                 .seconds_solve = t.seconds_solve,
                                 .seconds_correct = t.seconds_correct,
                                 .seconds_total = t.seconds_total,
                                 .pieces = t.pieces};
    return guard_leave(s, STRUCT_GIVE(out, &full, &s->err));
}

/* ---- state ---- */

stn_status api_state_size(stn_scene *s, uint64_t *bytes)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(bytes, "bytes", &s->err);
    if (st >= 0) *bytes = scene_state_size(s->core);
    return guard_leave(s, st);
}

stn_status api_state_save(stn_scene *s, void *buffer, uint64_t capacity, uint64_t *written)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    size_t size = 0;
    st = struct_require(buffer, "buffer", &s->err);
    if (st >= 0) st = struct_require(written, "written", &s->err);
    if (st >= 0) st = scene_save_state(s->core, buffer, (size_t)capacity, &size, &s->err);
    if (st >= 0) *written = size;
    return guard_leave(s, st);
}

stn_status api_state_load(stn_scene *s, const void *buffer, uint64_t size)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(buffer, "buffer", &s->err);
    if (st >= 0) st = scene_load_state(s->core, buffer, (size_t)size, &s->err);
    return guard_leave(s, st);
}

stn_status api_state_hash(stn_scene *s, uint64_t *out)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    st = struct_require(out, "out", &s->err);
    if (st >= 0) *out = scene_hash_state(s->core);
    return guard_leave(s, st);
}

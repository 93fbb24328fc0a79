/* SPDX-License-Identifier: Apache-2.0
 *
 * Roots that teleport, and strands that run away: both are found and named.
 *
 * A root whose hold would take it farther than the parameter `teleport` within one step or advance
 * call (a cut in the animation, a character that is put elsewhere) does not go there, it is there:
 * the strand keeps its shape on its hold and comes to rest in it. A surface that does so to one of
 * its roots is there at once with all of them, so that it does not sweep through its own hair.
 */
#include "rods/super_helix.h"
#include "scene/hair_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 8 };

/* Strands, by the host's numbers, for a message. */
typedef struct named {
    uint32_t count;
    char text[16 * MOST_NAMED];
} named;

static void name_strand(named *n, uint32_t number)
{
    const size_t used = strlen(n->text);
    if (n->count++ >= MOST_NAMED) return;
    snprintf(n->text + used, sizeof n->text - used, "%s%" PRIu32, used ? ", " : "", number);
}

/* ---- who teleports ---- */

/* The surface as it will be at the end of the call; none if the roots have their own holds. */
static hair_ground ground_at_end(const scene *s, const object *o)
{
    if (!o->hair->surface) return (hair_ground){0};
    const object *on = handles_get(&s->ids, o->hair->surface);
    return (hair_ground){.surface = on,
                         .at = pose_load(s->state.input + on->input),
                         .x = mesh_targets_in(on, s->state.input)};
}

static pose hold_at_end(const scene *s, const object *o, const hair_ground *ground, size_t number,
                        const pose *now)
{
    return ground->surface ? hair_hold_on(o->hair, ground, number, now)
                           : hair_hold_target(o, s->state.input, number);
}

static bool is_far(const object *o, const pose *from, const pose *to, v3 root)
{
    const v3 way = v3_sub(pose_apply(to, root), pose_apply(from, root));
    return v3_norm(way) > o->parameters.value[P_TELEPORT][0];
}

/* Does strand i teleport, and where to? */
static bool strand_teleports(const scene *s, const object *o, const hair_ground *ground, size_t i,
                             pose *to)
{
    const hair *h = o->hair;
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    const pose now = pose_load(state.hold + POSE_SIZE * i);
    *to = hold_at_end(s, o, ground, h->number[i], &now);
    return is_far(o, &now, to, pose_load(h->rods.root + POSE_SIZE * i).position);
}

static bool follower_teleports(const scene *s, const object *o, const hair_ground *ground, size_t i,
                               pose *to)
{
    const hair_followers *f = &o->hair->followers;
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    const pose now = pose_load(state.follower_hold + POSE_SIZE * i);
    *to = hold_at_end(s, o, ground, f->number[i], &now);
    return is_far(o, &now, to, v3_load(f->given + 3 * (size_t)f->first[i]));
}

static named find_teleporting(const scene *s, const object *o)
{
    named found = {0};
    pose to;
    if (o->kind != KIND_HAIR || !o->hair->rods.attached) return found;
    const hair_ground ground = ground_at_end(s, o);
    const hair *h = o->hair;
    for (size_t i = 0; i < h->strands; i++) {
        if (strand_teleports(s, o, &ground, i, &to)) name_strand(&found, h->number[i]);
    }
    for (size_t i = 0; i < h->followers.strands; i++) {
        if (follower_teleports(s, o, &ground, i, &to)) name_strand(&found, h->followers.number[i]);
    }
    return found;
}

/* ---- what happens to them ---- */

static void rest_strand(const hair *h, const hair_state *state, size_t i)
{
    const body_group *g = h->rods.group;
    memset(body_v(g, state->rods, i), 0, g->unknowns * sizeof(double));
}

static status teleport_surface(scene *s, const object *o, error *err)
{
    const hair_ground to = ground_at_end(s, o);
    const object *on = to.surface;
    const status st = hair_jump_with(s, on, &to.at, to.x, err);
    if (st < 0) return st;
    pose_store(s->state.motion[0] + on->motion, &to.at);
    if (on->mesh.vertices) {
        memcpy(mesh_positions_in(on, s->state.motion[0]), to.x,
               3 * (size_t)on->mesh.vertices * sizeof(double));
    }
    for (size_t j = 0; j < s->objects.count; j++) {
        const object *with = scene_object(s, j);
        if (with->kind != KIND_HAIR || with->hair->surface != on->id) continue;
        const hair_state state = hair_state_in(with, s->state.motion[0]);
        for (size_t i = 0; i < with->hair->strands; i++) rest_strand(with->hair, &state, i);
    }
    return STATUS_OK;
}

static status teleport_strands(scene *s, const object *o, error *err)
{
    const hair *h = o->hair;
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    const hair_ground none = {0};
    hair_room room;
    const status st = hair_take_room(&room, s, o, err);
    if (st < 0) return st;
    pose to;
    for (size_t i = 0; i < h->strands; i++) {
        if (!strand_teleports(s, o, &none, i, &to)) continue;
        hair_carry_strand(h, &state, i, &to);
        rest_strand(h, &state, i);
    }
    for (size_t i = 0; i < h->followers.strands; i++) {
        if (!follower_teleports(s, o, &none, i, &to)) continue;
        pose_store(state.follower_hold + POSE_SIZE * i, &to);
    }
    hair_place_followers(s, h, &state, room.moves);
    return STATUS_OK;
}

status hair_teleport(scene *s, double **before, error *err)
{
    *before = NULL;
    for (size_t i = 0; i < s->objects.count; i++) {
        const object *o = scene_object(s, i);
        const named found = find_teleporting(s, o);
        if (found.count == 0) continue;
        const size_t size = s->state.motion_size * sizeof(double);
        if (!*before) {
            *before = arena_push(&s->scratch, size);
            if (!*before) return error_out_of_memory(err, "hair");
            memcpy(*before, s->state.motion[0], size);
        }
        const status st =
            o->hair->surface ? teleport_surface(s, o, err) : teleport_strands(s, o, err);
        if (st < 0) return st;
        log_write(&s->config.log, LOG_WARNING,
                  "hair '%s': the roots of %" PRIu32 " strands would go farther than %g m at once "
                  "and are put there: %s%s",
                  o->name, found.count, o->parameters.value[P_TELEPORT][0], found.text,
                  found.count > MOST_NAMED ? ", ..." : "");
    }
    return STATUS_OK;
}

/* ---- watchdog ---- */

void hair_watch(const work *k, const hair_group *g)
{
    const hair *h = g->h;
    double worst = 0.0;
    size_t strand = 0;
    for (size_t i = 0; i < h->strands; i++) {
        for (size_t p = h->first[i]; p < h->first[i + 1]; p++) {
            const v3 v = v3_load(&g->next.v[3 * p]);
            const double speed2 = v3_dot(v, v);
            if (speed2 > worst) worst = speed2, strand = i;
        }
    }
    const double limit = g->o->parameters.value[P_WATCHDOG][0];
    if (!(worst > limit * limit)) return;
    log_write(&k->s->config.log, LOG_WARNING,
              "hair '%s': strand %" PRIu32 " moves at %g m/s, faster than the watchdog's %g",
              g->o->name, h->number[strand], sqrt(worst), limit);
}

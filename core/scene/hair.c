/* SPDX-License-Identifier: Apache-2.0
 *
 * Hair objects come and change: creation from a groom, rods made anew for other parameters and
 * maps, arrays.
 */
#include "scene/hair.h"

#include "scene/arrays.h"

#include <string.h>
#include <xxhash.h>

/* ---- sizes ---- */

size_t hair_motion_size(const object *o)
{
    const hair *h = o->hair;
    const hair_followers *f = &h->followers;
    return hair_rods_state_count(h) + 6 * h->points + 3 * hair_vertex_count(h) +
           POSE_SIZE * (size_t)h->strands +
           (f->strands ? 6 * h->host.points + POSE_SIZE * (size_t)f->strands : 0);
}

size_t hair_input_size(const object *o)
{
    return (POSE_SIZE + 3 * (size_t)PULLS) * (size_t)o->hair->host.strands;
}

size_t hair_point_count(const object *o) { return o->hair->host.points; }

size_t hair_strand_count(const object *o) { return o->hair->host.strands; }

const uint32_t *hair_strand_sizes(const object *o) { return o->hair->host.size; }

uint64_t hair_hash(const object *o, uint64_t seed)
{
    const hair *h = o->hair;
    const uint64_t counts[4] = {h->strands, h->rods.elements, h->rods.vertices, h->rods.attached};
    const size_t elements = (size_t)h->strands * h->rods.elements;
    seed = XXH64(counts, sizeof counts, seed);
    seed = XXH64(h->rods.lengths, elements * sizeof(double), seed);
    seed = XXH64(h->rods.natural, 3 * elements * sizeof(double), seed);
    seed = XXH64(h->number, (size_t)h->strands * sizeof *h->number, seed);
    return XXH64(h->host.first, ((size_t)h->host.strands + 1) * sizeof *h->host.first, seed);
}

/* ---- memory ---- */

static void free_array(const scene *s, void *memory, size_t count, size_t item_size)
{
    memory_free(&s->config.memory, memory, count * item_size);
}

static void free_host(const scene *s, hair_host *host)
{
    const size_t strands = host->strands;
    free_array(s, host->size, strands, sizeof *host->size);
    free_array(s, host->first, strands + 1, sizeof *host->first);
    free_array(s, host->triangle, strands, sizeof *host->triangle);
    free_array(s, host->share, 3 * strands, sizeof *host->share);
}

static void free_followers(const scene *s, hair_followers *f)
{
    const size_t strands = f->strands;
    free_array(s, f->number, strands, sizeof *f->number);
    free_array(s, f->first, strands + 1, sizeof *f->first);
    free_array(s, f->given, 3 * f->points, sizeof *f->given);
    free_array(s, f->wanted, 4 * strands, sizeof *f->wanted);
    free_array(s, f->share, f->points, sizeof *f->share);
    free_array(s, f->link, strands * HAIR_LINKS, sizeof *f->link);
}

void hair_free(const scene *s, object *o)
{
    hair *h = o->hair;
    if (!h) return;
    hair_rods_destroy(&h->rods, &s->config.memory);
    free_host(s, &h->host);
    free_followers(s, &h->followers);
    hair_maps_destroy(&h->maps, &s->config.memory);
    free_array(s, h->number, h->strands, sizeof *h->number);
    free_array(s, h->first, (size_t)h->strands + 1, sizeof *h->first);
    free_array(s, h->given, 3 * h->points, sizeof *h->given);
    free_array(s, h->rest, 3 * h->points, sizeof *h->rest);
    free_array(s, h->wanted, 4 * (size_t)h->strands, sizeof *h->wanted);
    free_array(s, h, 1, sizeof *h);
    o->hair = NULL;
}

status hair_check_rotations(double *q, size_t count, const char *what, error *err)
{
    for (size_t i = 0; i < count; i++, q += 4) {
        const quat given = {q[0], q[1], q[2], q[3]};
        const double length = sqrt(quat_dot(given, given));
        if (!(fabs(length - 1.0) <= 1e-3)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "%s: strand %zu has (%g, %g, %g, %g) of length %g, expected a unit "
                             "quaternion w, x, y, z",
                             what, i, q[0], q[1], q[2], q[3], length);
        }
        const quat unit = quat_normalize(given);
        q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
    }
    return STATUS_OK;
}

static void targets_from_holds(const hair_host *host, const uint32_t *number, size_t strands,
                               const double *hold, double *input)
{
    double *rotation = input + 3 * (size_t)host->strands;
    for (size_t i = 0; i < strands; i++, hold += POSE_SIZE) {
        memcpy(input + 3 * (size_t)number[i], hold, 3 * sizeof *input);
        memcpy(rotation + 4 * (size_t)number[i], hold + 3, 4 * sizeof *input);
    }
}

/* ---- creation: the object ---- */

static status build(scene *s, object *o, const hair_source *source, error *err)
{
    status st = hair_read_groom(s, o, source, err);
    if (st < 0) return st;
    hair *h = o->hair;
    hair_ground ground = {0};
    if (h->surface) ground = hair_ground_now(s, handles_get(&s->ids, h->surface));
    hair_room room;
    st = hair_take_room(&room, s, o, err);
    if (st < 0) return st;
    hair_move_onto_holds(h, &ground, &room);
    hair_choose_guides(s, h, &room);
    st = hair_rods_create(&h->rods, h, &o->parameters, o->name, s, err);
    if (st >= 0) st = object_join(s, o, err);
    if (st < 0) return st;
    hair_start_on_holds(s, o, &room);
    double *input = s->state.input + o->input;
    targets_from_holds(&h->host, h->number, h->strands, room.hold, input);
    targets_from_holds(&h->host, h->followers.number, h->followers.strands, room.follower_hold,
                       input);
    memset(hair_pull_in(o, s->state.input, 0), 0,
           3 * (size_t)PULLS * h->host.strands * sizeof *input);
    return STATUS_OK;
}

status scene_add_hair(scene *s, const hair_source *source, uint64_t *id, error *err)
{
    object *o = object_new(s, KIND_HAIR, err);
    if (!o) return err->code;
    const arena_mark mark = arena_get_mark(&s->scratch);
    status st = object_set_name(s, o, "hair", source->name, err);
    if (st >= 0) st = build(s, o, source, err);
    arena_release(&s->scratch, mark);
    if (st < 0) {
        object_free(s, o);
        return st;
    }
    *id = o->id;
    return STATUS_OK;
}

status hair_check_surface_is_free(const scene *s, const object *surface, error *err)
{
    for (size_t i = 0; i < s->objects.count; i++) {
        const object *o = scene_object(s, i);
        if (o->kind != KIND_HAIR || o->hair->surface != surface->id) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%s' carries the roots of hair '%s'; destroy the hair first",
                         surface->name, o->name);
    }
    return STATUS_OK;
}

/* ---- parameters ---- */

/* Strands that were free did not follow their holds: where are these now? */
static pose present_hold(const scene *s, const object *o, const object *on, size_t number,
                         const double *before)
{
    if (!on) return hair_hold_target(o, s->state.input, number);
    const hair_ground ground = hair_ground_now(s, on);
    const pose was = pose_load(before);
    return hair_hold_on(o->hair, &ground, number, &was);
}

static void catch_up(const scene *s, const object *o, const hair_room *room)
{
    const hair *h = o->hair;
    const object *on = handles_get(&s->ids, h->surface);
    for (size_t i = 0; i < h->strands; i++) {
        double *hold = room->hold + POSE_SIZE * i;
        const pose at = present_hold(s, o, on, h->number[i], hold);
        pose_store(hold, &at);
    }
    for (size_t i = 0; i < h->followers.strands; i++) {
        double *hold = room->follower_hold + POSE_SIZE * i;
        const pose at = present_hold(s, o, on, h->followers.number[i], hold);
        pose_store(hold, &at);
    }
}

static status rebuild(scene *s, object *o, error *err)
{
    hair *h = o->hair;
    const hair_rods old = h->rods;
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    hair_room room;
    status st = hair_take_room(&room, s, o, err);
    if (st < 0) return st;
    memcpy(room.hold, state.hold, h->strands * POSE_SIZE * sizeof *room.hold);
    if (h->followers.strands) {
        memcpy(room.follower_hold, state.follower_hold,
               h->followers.strands * POSE_SIZE * sizeof *room.follower_hold);
    }
    if (!old.attached) catch_up(s, o, &room);
    st = hair_rods_create(&h->rods, h, &o->parameters, o->name, s, err);
    if (st >= 0) st = state_relayout(s, NULL, NULL, err);
    if (st < 0) {
        hair_rods_destroy(&h->rods, &s->config.memory);
        h->rods = old;
        return st;
    }
    hair_rods gone = old;
    hair_rods_destroy(&gone, &s->config.memory);
    hair_start_on_holds(s, o, &room);
    return STATUS_OK;
}

status hair_change_parameter(scene *s, object *o, int row, error *err)
{
    hair *h = o->hair;
    switch (row) {
    case P_ELEMENTS:
    case P_ATTACHED: {
        const arena_mark mark = arena_get_mark(&s->scratch);
        const status st = rebuild(s, o, err);
        arena_release(&s->scratch, mark);
        return st;
    }
    case P_DIAMETER:
    case P_YOUNG:
    case P_SHEAR_RATIO:
    case P_MASS_DENSITY:
    case P_DAMPING:
    case P_DRAG:
        return hair_rods_set_material(&h->rods, h, &o->parameters, o->name, &s->config.memory, err);
    default: return STATUS_OK;
    }
}

/* ---- arrays ---- */

double *hair_array_data(const scene *s, const object *o, int row)
{
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    const int map = hair_map_of_array(row);
    switch (row) {
    case A_POSITION: return state.all_x;
    case A_VELOCITY: return state.all_v;
    case A_ROOT_POSITION: return s->state.input + o->input;
    case A_ROOT_ROTATION: return s->state.input + o->input + 3 * (size_t)o->hair->host.strands;
    case A_ROOT_FORCE: return hair_pull_in(o, s->state.input, PULL_ROOT_FORCE);
    case A_TIP_FORCE: return hair_pull_in(o, s->state.input, PULL_TIP_FORCE);
    case A_TIP_MOMENT: return hair_pull_in(o, s->state.input, PULL_TIP_MOMENT);
    default: return map < 0 ? NULL : o->hair->maps.value[map];
    }
}

status hair_check_array(const scene *s, const object *o, int row, bool write, error *err)
{
    const char *name = array_table[row].name;
    const bool of_root = row == A_ROOT_POSITION || row == A_ROOT_ROTATION;
    if (of_root && o->hair->surface) {
        const object *surface = scene_require(s, o->hair->surface, KIND_COLLIDER, "surface", err);
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "hair '%s': its roots ride on '%s' and have no '%s'; pose that instead",
                         o->name, surface ? surface->name : "", name);
    }
    const bool of_pull = row == A_ROOT_FORCE || row == A_TIP_FORCE || row == A_TIP_MOMENT;
    if (!write || of_root || of_pull || hair_map_of_array(row) >= 0) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT, "'%s': array '%s' of hair can only be read",
                     o->name, name);
}

status hair_set_map(scene *s, object *o, int row, const double *values, size_t count,
                    const char *what, error *err)
{
    hair *h = o->hair;
    const int map = hair_map_of_array(row);
    status st = hair_map_check(map, values, count, what, err);
    if (st < 0) return st;
    double *to = h->maps.value[map];
    double *before = arena_push(&s->scratch, count * sizeof *before);
    if (!before) return error_out_of_memory(err, "a map");
    memcpy(before, to, count * sizeof *before);
    memcpy(to, values, count * sizeof *to);
    if (!hair_map_is_of_rods(map)) return STATUS_OK;
    st = hair_rods_set_material(&h->rods, h, &o->parameters, o->name, &s->config.memory, err);
    if (st < 0) memcpy(to, before, count * sizeof *to);
    return st;
}

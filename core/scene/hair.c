/* SPDX-License-Identifier: Apache-2.0
 *
 * Hair objects come, change and jump: creation from checked strands, rods made anew for other
 * parameters, roots that are put somewhere else at once.
 */
#include "scene/hair.h"

#include "rods/super_helix.h"
#include "scene/arrays.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_POINTS = 1 << 26, MOST_STRANDS = 1 << 22 };

/* ---- sizes ---- */

size_t hair_motion_size(const object *o)
{
    const hair *h = o->hair;
    return hair_rods_state_count(h) + 6 * h->points + 3 * hair_vertex_count(h) +
           POSE_SIZE * (size_t)h->strands;
}

size_t hair_input_size(const object *o) { return POSE_SIZE * (size_t)o->hair->strands; }

size_t hair_point_count(const object *o) { return o->hair->points; }

size_t hair_strand_count(const object *o) { return o->hair->strands; }

const uint32_t *hair_strand_sizes(const object *o) { return o->hair->size; }

uint64_t hair_hash(const object *o, uint64_t seed)
{
    const hair *h = o->hair;
    const uint64_t counts[4] = {h->strands, h->rods.elements, h->rods.vertices, h->rods.attached};
    const size_t elements = (size_t)h->strands * h->rods.elements;
    seed = XXH64(counts, sizeof counts, seed);
    seed = XXH64(h->rods.lengths, elements * sizeof(double), seed);
    seed = XXH64(h->rods.natural, 3 * elements * sizeof(double), seed);
    return XXH64(h->first, ((size_t)h->strands + 1) * sizeof *h->first, seed);
}

/* ---- creation: the strands ---- */

static void *hair_alloc(const scene *s, size_t count, size_t item_size)
{
    return memory_alloc(&s->config.memory, memory_size(count, item_size));
}

static void hair_free_array(const scene *s, void *memory, size_t count, size_t item_size)
{
    memory_free(&s->config.memory, memory, count * item_size);
}

void hair_free(const scene *s, object *o)
{
    hair *h = o->hair;
    if (!h) return;
    hair_rods_destroy(&h->rods, &s->config.memory);
    hair_free_array(s, h->size, h->strands, sizeof *h->size);
    hair_free_array(s, h->first, (size_t)h->strands + 1, sizeof *h->first);
    hair_free_array(s, h->given, 3 * h->points, sizeof *h->given);
    hair_free_array(s, h->rest, 3 * h->points, sizeof *h->rest);
    hair_free_array(s, h->wanted, 4 * (size_t)h->strands, sizeof *h->wanted);
    hair_free_array(s, h, 1, sizeof *h);
    o->hair = NULL;
}

static status check_counts(const hair_source *source, const char *name, error *err)
{
    if (!source->points.data || !source->strand_sizes.data || source->strand_sizes.count == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "hair '%s': no points or no strand sizes; expected at least one strand",
                         name);
    }
    if (source->points.count > MOST_POINTS || source->strand_sizes.count > MOST_STRANDS) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "hair '%s': %zu points in %zu strands are more than %d in %d", name,
                         source->points.count, source->strand_sizes.count, MOST_POINTS,
                         MOST_STRANDS);
    }
    return STATUS_OK;
}

static status make_room(const scene *s, object *o, const hair_source *source, error *err)
{
    hair *h = o->hair = hair_alloc(s, 1, sizeof *h);
    if (!h) return error_out_of_memory(err, "hair");
    h->strands = (uint32_t)source->strand_sizes.count;
    h->points = source->points.count;
    h->surface = source->surface;
    h->size = hair_alloc(s, h->strands, sizeof *h->size);
    h->first = hair_alloc(s, (size_t)h->strands + 1, sizeof *h->first);
    h->given = hair_alloc(s, 3 * h->points, sizeof *h->given);
    if (source->rest_points.data) h->rest = hair_alloc(s, 3 * h->points, sizeof *h->rest);
    if (source->root_rotations.data) {
        h->wanted = hair_alloc(s, 4 * (size_t)h->strands, sizeof *h->wanted);
    }
    if (h->size && h->first && h->given && (h->rest || !source->rest_points.data) &&
        (h->wanted || !source->root_rotations.data)) {
        return STATUS_OK;
    }
    return error_out_of_memory(err, "hair");
}

/* Sizes become first points. */
static status read_sizes(const hair *h, const hair_source *source, const char *name, error *err)
{
    char what[2 * NAME_SIZE];
    snprintf(what, sizeof what, "hair '%s': strand sizes", name);
    status st =
        view_read_indices(&source->strand_sizes, what, h->strands, 1, MOST_POINTS, h->size, err);
    if (st < 0) return st;
    uint64_t sum = 0;
    for (size_t i = 0; i < h->strands; i++) {
        const uint32_t size = h->size[i];
        if (size < 2) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "hair '%s', strand %zu: it has %" PRIu32
                             " points, expected at least 2",
                             name, i, size);
        }
        sum += size;
        h->first[i + 1] = (uint32_t)(sum > h->points ? h->points : sum);
    }
    if (sum == h->points) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "hair '%s': the strand sizes add up to %" PRIu64 ", but there are %zu points",
                     name, sum, h->points);
}

static status read_rotations(const hair *h, const hair_source *source, const char *name, error *err)
{
    char what[2 * NAME_SIZE];
    snprintf(what, sizeof what, "hair '%s': root rotations", name);
    status st = view_read_reals(&source->root_rotations, what, h->strands, 4, h->wanted, err);
    return st < 0 ? st : hair_check_rotations(h->wanted, h->strands, what, err);
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

static status read_points(const hair *h, const hair_source *source, const char *name, error *err)
{
    char what[2 * NAME_SIZE];
    snprintf(what, sizeof what, "hair '%s': points", name);
    status st = view_read_reals(&source->points, what, h->points, 3, h->given, err);
    if (st >= 0) st = collider_check_positions(what, h->given, h->points, err);
    if (st < 0 || !h->rest) return st;
    snprintf(what, sizeof what, "hair '%s': rest points", name);
    st = view_read_reals(&source->rest_points, what, h->points, 3, h->rest, err);
    return st < 0 ? st : collider_check_positions(what, h->rest, h->points, err);
}

/* ---- holds ---- */

/* Where strand i is held at its creation: on its surface, or at its own root, turned as the host
 * says. */
static pose first_hold(const hair *h, const pose *surface, size_t i)
{
    if (surface) return *surface;
    const double *w = h->wanted ? &h->wanted[4 * i] : NULL;
    return (pose){v3_load(&h->given[3 * (size_t)h->first[i]]),
                  w ? (quat){w[0], w[1], w[2], w[3]} : quat_identity()};
}

/* Strands and wanted frames go from the world onto their holds, which `hold` gets. */
static void move_onto_holds(const hair *h, const pose *surface, double *hold)
{
    for (size_t i = 0; i < h->strands; i++) {
        const pose at = first_hold(h, surface, i);
        for (size_t k = h->first[i]; k < h->first[i + 1]; k++) {
            v3_store(&h->given[3 * k], pose_unapply(&at, v3_load(&h->given[3 * k])));
            if (h->rest) v3_store(&h->rest[3 * k], pose_unapply(&at, v3_load(&h->rest[3 * k])));
        }
        if (h->wanted) {
            double *w = &h->wanted[4 * i];
            const quat q = quat_mul(quat_conjugate(at.rotation), (quat){w[0], w[1], w[2], w[3]});
            w[0] = q.w, w[1] = q.x, w[2] = q.y, w[3] = q.z;
        }
        pose_store(hold + POSE_SIZE * i, &at);
    }
}

/* Rods at rest with the curvatures `kappa` on the holds of `state`; roots is room for them. */
static void place_on_holds(const hair *h, const hair_state *state, const double *kappa, pose *roots)
{
    for (size_t i = 0; i < h->strands; i++) {
        const pose hold = pose_load(state->hold + POSE_SIZE * i);
        const pose root = pose_load(h->rods.root + POSE_SIZE * i);
        roots[i] = hair_pose_on(&hold, &root);
    }
    super_helix_place(h->rods.group, roots, kappa, state->rods);
    hair_find_points(h, state, 0, h->strands);
    hair_find_vertices(h, state, 0, h->strands);
}

static void targets_from_holds(const hair *h, const double *hold, double *input)
{
    for (size_t i = 0; i < h->strands; i++) {
        memcpy(input + 3 * i, hold + POSE_SIZE * i, 3 * sizeof *input);
        memcpy(input + 3 * (size_t)h->strands + 4 * i, hold + POSE_SIZE * i + 3, 4 * sizeof *input);
    }
}

/* ---- creation: the object ---- */

/* Scratch that a hair needs while it is placed: its holds and roots. */
typedef struct hair_room {
    double *hold;
    pose *roots;
} hair_room;

static status room_take(hair_room *room, scene *s, size_t strands, error *err)
{
    room->hold = arena_push(&s->scratch, strands * POSE_SIZE * sizeof *room->hold);
    room->roots = arena_push(&s->scratch, strands * sizeof *room->roots);
    return room->hold && room->roots ? STATUS_OK : error_out_of_memory(err, "hair");
}

static void start_anew(scene *s, object *o, const hair_room *room)
{
    const hair *h = o->hair;
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    memcpy(state.hold, room->hold, h->strands * POSE_SIZE * sizeof *state.hold);
    memset(state.v, 0, 3 * h->points * sizeof *state.v);
    place_on_holds(h, &state, h->rods.start, room->roots);
}

static status read_strands(scene *s, object *o, const hair_source *source, error *err)
{
    status st = check_counts(source, o->name, err);
    if (st >= 0) st = make_room(s, o, source, err);
    if (st >= 0) st = read_sizes(o->hair, source, o->name, err);
    if (st >= 0) st = read_points(o->hair, source, o->name, err);
    if (st >= 0 && o->hair->wanted) st = read_rotations(o->hair, source, o->name, err);
    return st;
}

static status build(scene *s, object *o, const hair_source *source, error *err)
{
    status st = read_strands(s, o, source, err);
    if (st < 0) return st;
    pose surface = pose_identity();
    if (source->surface) {
        const object *on =
            scene_require(s, source->surface, KIND_COLLIDER, "surface that roots can sit on", err);
        if (!on) return err->code;
        surface = pose_load(s->state.motion[0] + on->motion);
    }
    hair_room room;
    st = room_take(&room, s, o->hair->strands, err);
    if (st < 0) return st;
    move_onto_holds(o->hair, source->surface ? &surface : NULL, room.hold);
    st = hair_rods_create(&o->hair->rods, o->hair, &o->parameters, o->name, s, err);
    if (st >= 0) st = object_join(s, o, err);
    if (st < 0) return st;
    start_anew(s, o, &room);
    targets_from_holds(o->hair, room.hold, s->state.input + o->input);
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
static void catch_up(const scene *s, const object *o, double *hold)
{
    const hair *h = o->hair;
    error ignored;
    const object *on = scene_require(s, h->surface, KIND_COLLIDER, "surface", &ignored);
    for (size_t i = 0; i < h->strands; i++) {
        const pose at = on ? pose_load(s->state.motion[0] + on->motion)
                           : hair_hold_target(o, s->state.input, i);
        pose_store(hold + POSE_SIZE * i, &at);
    }
}

static status rebuild(scene *s, object *o, error *err)
{
    hair *h = o->hair;
    const hair_rods old = h->rods;
    hair_room room;
    status st = room_take(&room, s, h->strands, err);
    if (st < 0) return st;
    memcpy(room.hold, hair_state_in(o, s->state.motion[0]).hold,
           h->strands * POSE_SIZE * sizeof *room.hold);
    if (!old.attached) catch_up(s, o, room.hold);
    st = hair_rods_create(&h->rods, h, &o->parameters, o->name, s, err);
    if (st >= 0) st = state_relayout(s, NULL, NULL, err);
    if (st < 0) {
        hair_rods_destroy(&h->rods, &s->config.memory);
        h->rods = old;
        return st;
    }
    hair_rods gone = old;
    hair_rods_destroy(&gone, &s->config.memory);
    start_anew(s, o, &room);
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
    switch (row) {
    case A_POSITION: return state.x;
    case A_VELOCITY: return state.v;
    case A_ROOT_POSITION: return s->state.input + o->input;
    case A_ROOT_ROTATION: return s->state.input + o->input + 3 * (size_t)o->hair->strands;
    default: return NULL;
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
    if (!write || of_root) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT, "'%s': array '%s' of hair can only be read",
                     o->name, name);
}

/* ---- jumps ---- */

static bool goes_with(const object *o, const object *surface)
{
    return o->kind == KIND_HAIR && o->hair->surface == surface->id && o->hair->rods.attached;
}

/* `room` is for the roots; `kappa` for the unknowns and their velocities. */
static void jump(scene *s, const object *o, const pose *to, const hair_room *room, double *kappa)
{
    const hair *h = o->hair;
    const body_group *g = h->rods.group;
    const hair_state state = hair_state_in(o, s->state.motion[0]);
    const size_t n = g->unknowns;
    double *v = kappa + n * h->strands;
    for (size_t i = 0; i < h->strands; i++) {
        memcpy(kappa + n * i, body_q(g, state.rods, i), n * sizeof *kappa);
        memcpy(v + n * i, body_v(g, state.rods, i), n * sizeof *v);
        pose_store(state.hold + POSE_SIZE * i, to);
    }
    place_on_holds(h, &state, kappa, room->roots);
    for (size_t i = 0; i < h->strands; i++) {
        memcpy(body_v(g, state.rods, i), v + n * i, n * sizeof *v);
        body_settle(g, state.rods, (uint32_t)i);
    }
}

status hair_jump_with(scene *s, const object *surface, const pose *to, error *err)
{
    size_t strands = 0, unknowns = 0;
    for (size_t i = 0; i < s->objects.count; i++) {
        const object *o = scene_object(s, i);
        if (!goes_with(o, surface)) continue;
        const size_t own = o->hair->strands * (size_t)o->hair->rods.group->unknowns;
        strands = o->hair->strands > strands ? o->hair->strands : strands;
        unknowns = own > unknowns ? own : unknowns;
    }
    const arena_mark mark = arena_get_mark(&s->scratch);
    hair_room room;
    status st = room_take(&room, s, strands, err);
    double *kappa = arena_push(&s->scratch, 2 * unknowns * sizeof *kappa);
    if (st >= 0 && !kappa) st = error_out_of_memory(err, "hair");
    for (size_t i = 0; i < s->objects.count && st >= 0; i++) {
        const object *o = scene_object(s, i);
        if (goes_with(o, surface)) jump(s, o, to, &room, kappa);
    }
    arena_release(&s->scratch, mark);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "io/object_caches.h"

#include "scene/arrays.h"

#include <string.h>

/* ---- which ---- */

static status refuse_format(const char *name, size_t size, error *err)
{
    char known[128] = "";
    for (size_t i = 0; cache_format_at(i); i++) {
        strcat(known, i ? ", " : "");
        strcat(known, cache_format_name(cache_format_at(i)));
    }
    return error_set(err, STATUS_UNKNOWN_NAME, "there is no cache format \"%.*s\", expected %s",
                     (int)size, name, known);
}

static size_t find_format(const char *name, size_t size)
{
    size_t i = 0;
    for (const cache_format *f; (f = cache_format_at(i)); i++) {
        const char *known = cache_format_name(f);
        if (strlen(known) == size && memcmp(known, name, size) == 0) break;
    }
    return i;
}

status object_caches_parse_formats(const char *list, uint32_t *formats, error *err)
{
    *formats = 0;
    for (const char *at = list;; at++) {
        const size_t size = strcspn(at, ","), i = find_format(at, size);
        if (!cache_format_at(i)) return refuse_format(at, size < 40 ? size : 40, err);
        *formats |= UINT32_C(1) << i;
        at += size;
        if (!*at) return STATUS_OK;
    }
}

/* ---- opening ---- */

static status make_shape(const scene_file *f, const scene_file_object *o, const scene *s,
                         cache_shape *out, error *err)
{
    const bool hair = o->kind == KIND_HAIR;
    *out = (cache_shape){.name = o->name,
                         .kind = hair                ? CACHE_CURVES
                                 : o->triangle_count ? CACHE_MESH
                                                     : CACHE_POINTS,
                         .parts = CACHE_VELOCITIES | CACHE_STATISTICS | (hair ? 0 : CACHE_STATES),
                         .points = o->nodes,
                         .triangles = o->triangles,
                         .triangle_count = hair ? 0 : o->triangle_count,
                         .strand_sizes = o->strand_sizes,
                         .strands = hair ? o->strands.strands : 0,
                         .first_frame = f->first_frame,
                         .frames = (size_t)(f->last_frame - f->first_frame) + 1};
    return scene_get_parameter(s, 0, parameter_table[P_FRAME_RATE].name, &out->frame_rate, 1, err);
}

status object_caches_create(object_caches *c, const scene_file *f, const scene_file_object *o,
                            const scene *s, error *err)
{
    cache_shape shape;
    status result = make_shape(f, o, s, &shape, err);
    for (size_t i = 0; i < c->count && result >= 0; i++) {
        object_cache *one = &c->one[i];
        result = cache_create(&one->writer, one->format, &f->memory, one->path, &shape, err);
    }
    return result;
}

status object_caches_reopen(object_caches *c, const scene_file *f, const scene_file_object *o,
                            const scene *s, size_t frames, error *err)
{
    cache_shape shape;
    status result = make_shape(f, o, s, &shape, err);
    for (size_t i = 0; i < c->count && result >= 0; i++) {
        object_cache *one = &c->one[i];
        result =
            cache_reopen(&one->writer, one->format, &f->memory, one->path, &shape, frames, err);
    }
    return result;
}

status object_caches_cut(object_caches *c, size_t frames, error *err)
{
    status result = STATUS_OK;
    for (size_t i = 0; i < c->count && result >= 0; i++) {
        result = cache_cut(c->one[i].writer, frames, err);
    }
    return result;
}

status object_caches_sync(const object_caches *c, error *err)
{
    status result = STATUS_OK;
    for (size_t i = 0; i < c->count && result >= 0; i++) {
        result = cache_sync(c->one[i].writer, err);
    }
    return result;
}

void object_caches_close(object_caches *c)
{
    for (size_t i = 0; i < c->count; i++) {
        cache_close(c->one[i].writer);
        c->one[i].writer = NULL;
    }
}

/* ---- frames ---- */

status cache_room_init(cache_room *room, scene_file *f, error *err)
{
    size_t nodes = 0;
    for (size_t i = 0; i < f->object_count; i++) {
        if (f->objects[i].nodes > nodes) nodes = f->objects[i].nodes;
    }
    room->positions = arena_push(&f->store, 3 * nodes * sizeof *room->positions);
    room->velocities = arena_push(&f->store, 3 * nodes * sizeof *room->velocities);
    room->numbers = arena_push(&f->store, nodes * sizeof *room->numbers);
    room->states = arena_push(&f->store, nodes);
    if (room->positions && room->velocities && room->numbers && room->states) return STATUS_OK;
    return error_out_of_memory(err, f->path);
}

static status get_vectors(const scene *s, uint64_t id, int row, size_t count, float *to, error *err)
{
    const mut_view all = {.data = to, .count = count, .components = 3, .format = FORMAT_F32};
    return scene_get_array(s, id, array_table[row].name, &all, err);
}

static status get_states(const scene *s, uint64_t id, size_t count, const cache_room *room,
                         error *err)
{
    const mut_view all = {
        .data = room->numbers, .count = count, .components = 1, .format = FORMAT_U32};
    const status result = scene_get_array(s, id, array_table[A_CONTACT_STATE].name, &all, err);
    for (size_t i = 0; i < count && result >= 0; i++) room->states[i] = (uint8_t)room->numbers[i];
    return result;
}

status object_caches_write(object_caches *c, const scene_file_object *o, const scene *s,
                           uint64_t id, size_t index, bool last, const char *statistics,
                           const cache_room *room, error *err)
{
    if (c->count == 0) return STATUS_OK;
    const cache_frame frame = {room->positions, room->velocities, room->states, statistics};
    status result = get_vectors(s, id, A_POSITION, o->nodes, room->positions, err);
    if (result >= 0) result = get_vectors(s, id, A_VELOCITY, o->nodes, room->velocities, err);
    if (result >= 0 && o->kind == KIND_CLOTH) result = get_states(s, id, o->nodes, room, err);
    for (size_t i = 0; i < c->count && result >= 0; i++) {
        result = cache_write(c->one[i].writer, index, &frame, err);
        if (result >= 0 && last) result = cache_finish(c->one[i].writer, err);
    }
    return result;
}

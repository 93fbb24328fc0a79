/* SPDX-License-Identifier: Apache-2.0
 *
 * The state as blocks of doubles: layout, save, load, hash.
 *
 * A saved state is a header, the two blocks and the contact forces of hair. The header has a
 * signature of the objects, so that a state loads only into a scene that has the same ones, and a
 * checksum over everything behind it.
 */
#include "scene/internal.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

size_t object_motion_size(const object *o)
{
    if (o->kind == KIND_HAIR) return hair_motion_size(o);
    return o->kind == KIND_CLOTH ? 10 * o->cloth.nodes : POSE_SIZE + 3 * (size_t)o->mesh.vertices;
}

size_t object_input_size(const object *o)
{
    if (o->kind == KIND_HAIR) return hair_input_size(o);
    return o->kind == KIND_CLOTH ? 4 * o->cloth.nodes : POSE_SIZE + 3 * (size_t)o->mesh.vertices;
}

/* ---- layout ---- */

static void blocks_free(const allocator *from, state_blocks *b)
{
    memory_free(from, b->motion[0], b->motion_size * sizeof(double));
    memory_free(from, b->motion[1], b->motion_size * sizeof(double));
    memory_free(from, b->input, b->input_size * sizeof(double));
    *b = (state_blocks){0};
}

void state_free(scene *s) { blocks_free(&s->config.memory, &s->state); }

static bool blocks_alloc(const allocator *from, state_blocks *b, size_t motion, size_t input)
{
    /* One double more than the input needs: a scene without objects has a block too. */
    *b = (state_blocks){.motion_size = motion, .input_size = input + 1};
    b->motion[0] = memory_alloc(from, memory_size(motion, sizeof(double)));
    b->motion[1] = memory_alloc(from, memory_size(motion, sizeof(double)));
    b->input = memory_alloc(from, memory_size(b->input_size, sizeof(double)));
    if (b->motion[0] && b->motion[1] && b->input) return true;
    blocks_free(from, b);
    return false;
}

static void object_move(object *o, const state_blocks *from, state_blocks *to, size_t motion,
                        size_t input)
{
    const size_t size = object_motion_size(o), kept = size < o->motion_size ? size : o->motion_size;
    if (from->input) {
        memcpy(to->motion[0] + motion, from->motion[0] + o->motion, kept * sizeof(double));
        memcpy(to->input + input, from->input + o->input, object_input_size(o) * sizeof(double));
    }
    o->motion = motion;
    o->motion_size = size;
    o->input = input;
}

status state_relayout(scene *s, object *extra, const object *gone, error *err)
{
    size_t motion = CLOCK_SIZE, input = 0;
    for (size_t i = 0; i < s->objects.count; i++) {
        const object *o = scene_object(s, i);
        if (o == gone) continue;
        motion += object_motion_size(o);
        input += object_input_size(o);
    }
    const size_t extra_motion = motion, extra_input = input;
    if (extra) {
        motion += object_motion_size(extra);
        input += object_input_size(extra);
    }
    state_blocks fresh;
    if (!blocks_alloc(&s->config.memory, &fresh, motion, input)) {
        return error_out_of_memory(err, "the scene's state");
    }
    if (s->state.motion[0]) {
        memcpy(fresh.motion[0], s->state.motion[0], CLOCK_SIZE * sizeof(double));
    }
    motion = CLOCK_SIZE, input = 0;
    size_t node = 0;
    for (size_t i = 0; i < s->objects.count; i++) {
        object *o = scene_object(s, i);
        if (o == gone) continue;
        object_move(o, &s->state, &fresh, motion, input);
        motion += object_motion_size(o);
        input += object_input_size(o);
        o->node = node;
        node += o->cloth.nodes;
    }
    if (extra) {
        extra->motion = extra_motion;
        extra->motion_size = object_motion_size(extra);
        extra->input = extra_input;
        extra->node = node;
        node += extra->cloth.nodes;
    }
    s->nodes = node;
    s->forces[0].count = 0; /* strands may have other numbers now */
    blocks_free(&s->config.memory, &s->state);
    s->state = fresh;
    return STATUS_OK;
}

/* ---- save, load, hash ---- */

typedef struct state_header {
    char magic[8];
    uint32_t version, reserved;
    uint64_t signature; /* of the objects */
    uint64_t motion_size, input_size;
    uint64_t forces;
    uint64_t checksum; /* of the blocks and the forces */
} state_header;

static const char STATE_MAGIC[8] = {'S', 'T', 'N', 'S', 'T', 'A', 'T', 'E'};
enum { STATE_VERSION = 2 };

/* Chained so that the order of objects counts. */
static uint64_t hash_object(const object *o, uint64_t seed)
{
    const uint64_t counts[4] = {o->kind, o->public_shape, o->cloth.nodes, o->cloth.triangles};
    seed = XXH64(counts, sizeof counts, seed);
    if (o->hair) seed = hair_hash(o, seed);
    seed = XXH64(o->size, sizeof o->size, seed);
    if (o->mesh.vertices) {
        seed = XXH64(&o->mesh.vertices, sizeof o->mesh.vertices, seed);
        return XXH64(o->mesh.corner, 3 * (size_t)o->mesh.triangles * sizeof *o->mesh.corner, seed);
    }
    if (!o->cloth.triangles) return seed;
    return XXH64(o->cloth.triangle, 3 * o->cloth.triangles * sizeof *o->cloth.triangle, seed);
}

static uint64_t scene_signature(const scene *s)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < s->objects.count; i++) hash = hash_object(scene_object(s, i), hash);
    return hash;
}

/* The parts of a saved state, one after the other. */
typedef struct state_part {
    void *data;
    size_t size;
} state_part;

enum { STATE_PARTS = 3 };

static void list_parts(const scene *s, size_t forces, state_part part[STATE_PARTS])
{
    const state_blocks *b = &s->state;
    part[0] = (state_part){b->motion[0], b->motion_size * sizeof(double)};
    part[1] = (state_part){b->input, b->input_size * sizeof(double)};
    part[2] = (state_part){s->forces[0].data, forces * sizeof(hair_force)};
}

uint64_t scene_hash_state(const scene *s)
{
    state_part part[STATE_PARTS];
    list_parts(s, s->forces[0].count, part);
    uint64_t hash = 0;
    for (int i = 0; i < STATE_PARTS; i++) hash = XXH64(part[i].data, part[i].size, hash);
    return hash;
}

static size_t size_with(const scene *s, size_t forces)
{
    return sizeof(state_header) + (s->state.motion_size + s->state.input_size) * sizeof(double) +
           forces * sizeof(hair_force);
}

size_t scene_state_size(const scene *s) { return size_with(s, s->forces[0].count); }

status scene_save_state(const scene *s, void *buffer, size_t capacity, size_t *written, error *err)
{
    const size_t size = scene_state_size(s);
    if (capacity < size) {
        return error_set(err, STATUS_BUFFER_TOO_SMALL,
                         "the state needs %zu bytes, the buffer has %zu", size, capacity);
    }
    const state_blocks *b = &s->state;
    state_header header = {.version = STATE_VERSION,
                           .signature = scene_signature(s),
                           .motion_size = b->motion_size,
                           .input_size = b->input_size,
                           .forces = s->forces[0].count,
                           .checksum = scene_hash_state(s)};
    memcpy(header.magic, STATE_MAGIC, sizeof header.magic);
    char *at = buffer;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    state_part part[STATE_PARTS];
    list_parts(s, s->forces[0].count, part);
    for (int i = 0; i < STATE_PARTS; i++) {
        if (part[i].size) memcpy(at, part[i].data, part[i].size);
        at += part[i].size;
    }
    *written = size;
    return STATUS_OK;
}

static status header_check(const scene *s, const state_header *h, size_t size, error *err)
{
    if (memcmp(h->magic, STATE_MAGIC, sizeof h->magic) != 0) {
        return error_set(err, STATUS_STATE_MISMATCH, "these bytes are not a saved state");
    }
    if (h->version != STATE_VERSION || h->reserved) {
        return error_set(err, STATUS_STATE_MISMATCH,
                         "the state has version %" PRIu32 ", this library reads %d", h->version,
                         STATE_VERSION);
    }
    if (h->signature != scene_signature(s) || h->motion_size != s->state.motion_size ||
        h->input_size != s->state.input_size) {
        return error_set(err, STATUS_STATE_MISMATCH,
                         "the state was saved with other objects than the scene has now");
    }
    const size_t blocks = size_with(s, 0);
    if (size >= blocks && (size - blocks) % sizeof(hair_force) == 0 &&
        (size - blocks) / sizeof(hair_force) == h->forces) {
        return STATUS_OK;
    }
    return error_set(err, STATUS_STATE_MISMATCH,
                     "the state has %zu bytes, expected %zu and %zu for each of %" PRIu64 " forces",
                     size, blocks, sizeof(hair_force), h->forces);
}

status scene_load_state(scene *s, const void *buffer, size_t size, error *err)
{
    state_header header;
    if (size < sizeof header) {
        return error_set(err, STATUS_STATE_MISMATCH, "%zu bytes are too few for a saved state",
                         size);
    }
    memcpy(&header, buffer, sizeof header);
    const status checked = header_check(s, &header, size, err);
    if (checked < 0) return checked;
    const size_t forces = (size_t)header.forces;
    const char *at = (const char *)buffer + sizeof header;
    state_part part[STATE_PARTS];
    list_parts(s, forces, part);
    uint64_t hash = 0;
    for (int i = 0; i < STATE_PARTS; at += part[i++].size) hash = XXH64(at, part[i].size, hash);
    if (hash != header.checksum) {
        return error_set(err, STATUS_STATE_MISMATCH, "the state is damaged: its checksum differs");
    }
    if (!array_reserve(&s->forces[0], forces)) return error_out_of_memory(err, "a state");
    s->forces[0].count = forces;
    list_parts(s, forces, part);
    at = (const char *)buffer + sizeof header;
    for (int i = 0; i < STATE_PARTS; at += part[i++].size) {
        if (part[i].size) memcpy(part[i].data, at, part[i].size);
    }
    return STATUS_OK;
}

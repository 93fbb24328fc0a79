/* SPDX-License-Identifier: Apache-2.0 */
#include "io/file_info.h"

#include "io/cache.h"
#include "io/checkpoint.h"
#include "io/obj.h"
#include "io/pc2.h"
#include "io/scene_file.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Each describer gives a new JSON object; NULL with STATUS_OK means that jansson had no memory. */
typedef status (*describer)(const allocator *from, const char *path, json_t **out, error *err);

static status describe_pc2(const allocator *from, const char *path, json_t **out, error *err)
{
    (void)from;
    pc2_header h;
    uint64_t bytes = 0;
    const status result = pc2_read_header(path, &h, &bytes, err);
    if (result < 0) return result;
    *out = json_pack("{s:s, s:I, s:i, s:i, s:f, s:f}", "type", "pc2", "bytes", (json_int_t)bytes,
                     "points", h.points, "samples", h.samples, "first_frame", (double)h.start,
                     "frames_per_sample", (double)h.rate);
    return STATUS_OK;
}

static json_t *pack_parts(uint32_t parts)
{
    json_t *list = json_pack("[s]", "positions");
    if (parts & CACHE_VELOCITIES) json_array_append_new(list, json_string("velocities"));
    if (parts & CACHE_STATES) json_array_append_new(list, json_string("contact states"));
    if (parts & CACHE_STATISTICS) json_array_append_new(list, json_string("statistics"));
    return list;
}

static json_t *pack_cache(const cache_info *info)
{
    const cache_shape *s = &info->shape;
    json_t *out =
        json_pack("{s:s, s:I, s:I, s:I, s:f, s:o, s:b}", "type", cache_format_name(info->format),
                  "bytes", (json_int_t)info->bytes, "points", (json_int_t)s->points, "frames",
                  (json_int_t)info->frames, "first_frame", s->first_frame, "holds",
                  pack_parts(s->parts), "complete", info->complete);
    if (s->name[0]) json_object_set_new(out, "name", json_string(s->name));
    if (s->frame_rate > 0.0) json_object_set_new(out, "frame_rate", json_real(s->frame_rate));
    if (s->kind == CACHE_MESH) {
        json_object_set_new(out, "triangles", json_integer((json_int_t)s->triangle_count));
    }
    if (s->kind == CACHE_CURVES) {
        json_object_set_new(out, "strands", json_integer((json_int_t)s->strands));
    }
    if (s->frames > info->frames) {
        json_object_set_new(out, "frames_planned", json_integer((json_int_t)s->frames));
    }
    return out;
}

static status describe_cache(const allocator *from, const char *path, json_t **out, error *err)
{
    cache_reader *r = NULL;
    const status result = cache_open(&r, from, path, err);
    if (result >= 0) *out = pack_cache(cache_get_info(r));
    cache_reader_close(r);
    return result;
}

static status verify_cache(const allocator *from, const char *path, json_t **out, error *err)
{
    cache_reader *r = NULL;
    const status result = cache_verify(from, path, &r, err);
    if (result >= 0) {
        const cache_info *info = cache_get_info(r);
        *out = pack_cache(info);
        if (info->note) json_object_set_new(*out, "problem", json_string(info->note));
    }
    cache_reader_close(r);
    return result;
}

static status describe_checkpoint(const allocator *from, const char *path, json_t **out, error *err)
{
    checkpoint c;
    const status result = checkpoint_read(&c, from, path, err);
    if (result < 0) return result;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, c.header.scene_hash);
    *out = json_pack("{s:s, s:I, s:i, s:f, s:b, s:s}", "type", "checkpoint", "bytes",
                     (json_int_t)c.bytes.size, "version", (int)c.header.version, "frame",
                     c.header.frame, "next_frame_under_way", (int)c.header.under_way, "scene_hash",
                     hash);
    checkpoint_destroy(&c);
    return STATUS_OK;
}

static json_t *pack_v3(v3 a) { return json_pack("[f, f, f]", a.x, a.y, a.z); }

static status describe_obj(const allocator *from, const char *path, json_t **out, error *err)
{
    obj_mesh mesh;
    const status result = obj_read(&mesh, from, path, err);
    if (result < 0) return result;
    v3 low = v3_load(mesh.positions.data), high = low;
    for (size_t i = 1; i < mesh.positions.count; i++) {
        const v3 x = v3_load(array_at(&mesh.positions, i));
        low = (v3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (v3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    *out =
        json_pack("{s:s, s:I, s:I, s:o, s:o}", "type", "obj", "vertices",
                  (json_int_t)mesh.positions.count, "triangles", (json_int_t)mesh.triangles.count,
                  "minimum", pack_v3(low), "maximum", pack_v3(high));
    obj_mesh_destroy(&mesh);
    return STATUS_OK;
}

static const char *const shape_names[] = {
    [SHAPE_PLANE] = "plane", [SHAPE_SPHERE] = "sphere", [SHAPE_CAPSULE] = "capsule",
    [SHAPE_BOX] = "box",     [SHAPE_MESH] = "mesh",
};

static json_t *pack_object(const scene_file_object *o)
{
    if (o->kind == KIND_CLOTH) {
        return json_pack("{s:s, s:s, s:I, s:I, s:I, s:b}", "name", o->name, "kind", "cloth",
                         "nodes", (json_int_t)o->nodes, "triangles", (json_int_t)o->triangle_count,
                         "pins", (json_int_t)o->pin_count, "moves", o->motion.count > 1);
    }
    if (o->kind == KIND_HAIR) {
        return json_pack("{s:s, s:s, s:I, s:I}", "name", o->name, "kind", "hair", "strands",
                         (json_int_t)o->strands.strands, "nodes", (json_int_t)o->nodes);
    }
    if (o->kind == KIND_FORCE) {
        return json_pack("{s:s, s:s, s:s, s:b}", "name", o->name, "kind", "force", "type",
                         scene_force_word(o->force_type), "moves", o->motion.count > 1);
    }
    return json_pack("{s:s, s:s, s:s, s:b}", "name", o->name, "kind", "collider", "shape",
                     shape_names[o->shape], "moves", o->motion.count > 1);
}

static status describe_scene(const allocator *from, const char *path, json_t **out, error *err)
{
    scene_file *f = NULL;
    const status result = scene_file_read(from, path, &f, err);
    if (result < 0) return result;
    json_t *objects = json_array();
    for (size_t i = 0; i < f->object_count; i++) {
        if (json_array_append_new(objects, pack_object(&f->objects[i])) == 0) continue;
        json_decref(objects);
        objects = NULL;
    }
    *out = json_pack("{s:s, s:s, s:f, s:f, s:o}", "type", "scene", "title", f->title, "first_frame",
                     f->first_frame, "last_frame", f->last_frame, "objects", objects);
    scene_file_destroy(f);
    return STATUS_OK;
}

static bool has_suffix(const char *path, const char *suffix)
{
    const size_t size = strlen(path), tail = strlen(suffix);
    return size > tail && strcasecmp(path + size - tail, suffix) == 0;
}

static status find_describer(const char *path, describer *out, error *err)
{
    char head[64] = {0};
    uint64_t size = 0;
    file f;
    status result = file_open(&f, path, false, err);
    if (result < 0) return result;
    result = file_get_size(&f, &size, err);
    if (result >= 0) {
        result = file_read_at(&f, 0, head, size < sizeof head ? (size_t)size : sizeof head, err);
    }
    file_close(&f);
    if (result < 0) return result;
    *out = memcmp(head, pc2_magic, sizeof pc2_magic) == 0                 ? describe_pc2
           : memcmp(head, checkpoint_magic, sizeof checkpoint_magic) == 0 ? describe_checkpoint
           : cache_recognises(path, head, sizeof head)                    ? describe_cache
           : has_suffix(path, ".obj")                                     ? describe_obj
           : has_suffix(path, ".json")                                    ? describe_scene
                                                                          : NULL;
    if (*out) return STATUS_OK;
    return error_set(err, STATUS_PARSE,
                     "%s: expected a scene (.json), a mesh (.obj), a cache or a checkpoint", path);
}

static status print_json(const json_t *info, const char *path, char *json, size_t capacity,
                         error *err)
{
    const size_t size = json_dumpb(info, NULL, 0, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    if (size == 0) return error_out_of_memory(err, path);
    if (size >= capacity) {
        return error_set(err, STATUS_BUFFER_TOO_SMALL,
                         "%s: its description needs %zu bytes, the buffer has %zu", path, size + 1,
                         capacity);
    }
    json_dumpb(info, json, capacity, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json[size] = '\0';
    return STATUS_OK;
}

/* Prints what a describer found and lets go of it. */
static status give(json_t *info, const char *path, char *json, size_t capacity, error *err)
{
    const status result =
        info ? print_json(info, path, json, capacity, err) : error_out_of_memory(err, path);
    json_decref(info);
    return result;
}

status file_info_write(const allocator *from, const char *path, char *json, size_t capacity,
                       error *err)
{
    describer describe = NULL;
    json_t *info = NULL;
    status result = find_describer(path, &describe, err);
    if (result >= 0) result = describe(from, path, &info, err);
    return result < 0 ? result : give(info, path, json, capacity, err);
}

status file_info_verify(const allocator *from, const char *path, char *json, size_t capacity,
                        error *err)
{
    describer describe = NULL;
    json_t *info = NULL;
    status result = find_describer(path, &describe, err);
    if (result < 0) return result;
    const bool cache = describe == describe_cache || describe == describe_pc2;
    result = cache ? verify_cache(from, path, &info, err) : describe(from, path, &info, err);
    if (result < 0) return result;
    if (info) json_object_set_new(info, "whole", json_boolean(!json_object_get(info, "problem")));
    return give(info, path, json, capacity, err);
}

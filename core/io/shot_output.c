/* SPDX-License-Identifier: Apache-2.0 */
#include "io/shot_output.h"

#include "io/folder_lock.h"
#include "io/obj.h"
#include "scene/arrays.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_LINE = 4096, STATISTICS_LIMIT = 1 << 30 };

/* ---- names ---- */

/* FOLDER/NAME.SUFFIX, which lives as long as the scene file. */
static const char *join_path(shot_output *o, const char *name, const char *suffix, error *err)
{
    const size_t size = strlen(o->folder) + strlen(name) + strlen(suffix) + 2;
    char *path = arena_push(&o->file->store, size);
    if (path) {
        snprintf(path, size, "%s/%s%s", o->folder, name, suffix);
    } else {
        error_out_of_memory(err, name);
    }
    return path;
}

/* A path that is also in the list of files. */
static status plan_file(shot_output *o, bool wanted, const char *name, const char *suffix,
                        const char **path, error *err)
{
    if (!wanted) return STATUS_OK;
    *path = join_path(o, name, suffix, err);
    if (!*path) return err->code;
    o->paths[o->path_count++] = *path;
    return STATUS_OK;
}

static status plan_caches(shot_output *o, const char *name, object_caches *c, error *err)
{
    status result = STATUS_OK;
    for (size_t i = 0; cache_format_at(i) && result >= 0; i++) {
        if (!(o->file->formats >> i & 1)) continue;
        object_cache *one = &c->one[c->count++];
        one->format = cache_format_at(i);
        result = plan_file(o, true, name, cache_format_suffix(one->format), &one->path, err);
    }
    return result;
}

static status plan_objects(shot_output *o, error *err)
{
    const scene_file *f = o->file;
    status result = STATUS_OK;
    for (size_t i = 0; i < f->object_count && result >= 0; i++) {
        const scene_file_object *object = &f->objects[i];
        const bool cloth = object->kind == KIND_CLOTH, moves = cloth || object->kind == KIND_HAIR;
        output_object *out = &o->objects[i];
        result = plan_file(o, cloth && f->write_obj, object->name, ".obj", &out->obj_path, err);
        if (result >= 0 && moves) result = plan_caches(o, object->name, &out->caches, err);
    }
    return result;
}

status output_plan(shot_output *o, scene_file *f, const char *folder, error *err)
{
    *o = (shot_output){.file = f, .folder = folder, .lock = FILE_CLOSED, .statistics = FILE_CLOSED};
    const size_t most_paths = (1 + CACHE_MOST_FORMATS) * f->object_count + 1;
    o->paths = arena_push(&f->store, most_paths * sizeof *o->paths);
    o->objects = arena_push(&f->store, f->object_count * sizeof *o->objects);
    if (!o->paths || !o->objects) {
        o->objects = NULL;
        return error_out_of_memory(err, folder);
    }
    memset(o->objects, 0, f->object_count * sizeof *o->objects);
    status result = cache_room_init(&o->room, f, err);
    if (result >= 0) result = plan_objects(o, err);
    if (result < 0) return result;
    o->checkpoint_path = join_path(o, "checkpoint", ".state", err);
    o->lock_path = join_path(o, ".stiction", ".lock", err);
    if (!o->checkpoint_path || !o->lock_path) return err->code;
    return plan_file(o, f->write_statistics, "frames", ".jsonl", &o->statistics_path, err);
}

/* ---- beginning ---- */

/* The mesh that the scene was read from may lie in the output folder under the same name. */
static status check_inputs_are_safe(const shot_output *o, error *err)
{
    const scene_file *f = o->file;
    for (size_t i = 0; i < f->object_count; i++) {
        for (size_t j = 0; j < f->object_count && o->objects[i].obj_path; j++) {
            const char *input = f->objects[j].mesh_path;
            if (!input || !file_is_same(input, o->objects[i].obj_path)) continue;
            return error_set(err, STATUS_IO,
                             "%s: the scene is read from this file and would be overwritten by "
                             "the output; choose another folder or name",
                             input);
        }
    }
    return STATUS_OK;
}

static status write_mesh(const shot_output *o, size_t i, const scene *s, uint64_t id, error *err)
{
    const scene_file_object *object = &o->file->objects[i];
    const allocator *memory = &o->file->memory;
    const size_t size = memory_size(object->nodes, 3 * sizeof(double));
    double *positions = memory_alloc(memory, size);
    if (!positions) return error_out_of_memory(err, object->name);
    const mut_view all = {
        .data = positions, .count = object->nodes, .components = 3, .format = FORMAT_F64};
    const obj_source source = {.name = object->name,
                               .positions = positions,
                               .vertices = object->nodes,
                               .triangles = object->triangles,
                               .triangle_count = object->triangle_count};
    status result = scene_get_array(s, id, array_table[A_POSITION].name, &all, err);
    if (result >= 0) result = obj_write(&source, memory, o->objects[i].obj_path, err);
    memory_free(memory, positions, size);
    return result;
}

static status create_object_files(shot_output *o, size_t i, const scene *s, uint64_t id, error *err)
{
    output_object *out = &o->objects[i];
    if (out->obj_path) {
        const status result = write_mesh(o, i, s, id, err);
        if (result < 0) return result;
    }
    if (out->caches.count == 0) return STATUS_OK;
    return object_caches_create(&out->caches, o->file, &o->file->objects[i], s, err);
}

status output_lock(shot_output *o, error *err)
{
    return folder_lock_take(&o->lock, o->lock_path, o->folder, err);
}

status output_create(shot_output *o, const scene *s, const uint64_t *ids, error *err)
{
    status result = check_inputs_are_safe(o, err);
    if (result >= 0) result = file_make_folder(&o->file->memory, o->folder, err);
    if (result >= 0) result = output_lock(o, err);
    if (result >= 0) result = file_remove(o->checkpoint_path, err);
    for (size_t i = 0; i < o->file->object_count && result >= 0; i++) {
        result = create_object_files(o, i, s, ids[i], err);
    }
    if (result < 0 || !o->statistics_path) return result;
    o->statistics_size = 0;
    return file_create(&o->statistics, o->statistics_path, err);
}

/* ---- resuming ---- */

/* Where line number `lines` would start. */
static status measure_lines(const char *path, const file_bytes *text, size_t lines, uint64_t *size,
                            error *err)
{
    const char *at = text->data, *const end = text->data + text->size;
    for (size_t i = 0; i < lines; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) {
            return error_set(err, STATUS_STATE_MISMATCH, "%s: has %zu lines, expected at least %zu",
                             path, i, lines);
        }
        at = newline + 1;
    }
    *size = (uint64_t)(at - text->data);
    return STATUS_OK;
}

static status open_statistics(shot_output *o, size_t frames, error *err)
{
    file_bytes text;
    status result = file_read(&o->file->memory, o->statistics_path, STATISTICS_LIMIT, &text, err);
    if (result < 0) return result;
    result = measure_lines(o->statistics_path, &text, frames, &o->statistics_size, err);
    file_bytes_destroy(&text);
    return result < 0 ? result : file_open(&o->statistics, o->statistics_path, true, err);
}

status output_open(shot_output *o, const scene *s, size_t frames, error *err)
{
    status result = STATUS_OK;
    for (size_t i = 0; i < o->file->object_count && result >= 0; i++) {
        object_caches *c = &o->objects[i].caches;
        if (c->count == 0) continue;
        result = object_caches_reopen(c, o->file, &o->file->objects[i], s, frames, err);
    }
    return result < 0 || !o->statistics_path ? result : open_statistics(o, frames, err);
}

status output_cut(shot_output *o, size_t frames, error *err)
{
    status result = STATUS_OK;
    for (size_t i = 0; i < o->file->object_count && result >= 0; i++) {
        result = object_caches_cut(&o->objects[i].caches, frames, err);
    }
    if (result < 0 || !o->statistics_path) return result;
    return file_truncate(&o->statistics, o->statistics_size, err);
}

/* ---- frames ---- */

/* The names are those of the statistics in the ABI. */
static json_t *describe_frame(const scene *s)
{
    const scene_time now = scene_get_time(s);
    const scene_statistics t = scene_get_statistics(s);
    return json_pack(
        "{s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f,"
        " s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I}",
        "frame", now.frame, "seconds", now.seconds, "steps", (json_int_t)t.steps,
        "steps_not_converged", (json_int_t)t.steps_not_converged, "nodes", (json_int_t)t.nodes,
        "contacts", (json_int_t)t.contacts, "stick", (json_int_t)t.stick, "slide",
        (json_int_t)t.slide, "takeoff", (json_int_t)t.takeoff, "local_failures",
        (json_int_t)t.local_failures, "iterations", (json_int_t)t.iterations, "residual",
        t.residual, "fischer_burmeister", t.fischer_burmeister, "alart_curnier", t.alart_curnier,
        "penetration", t.penetration, "seconds_import", t.seconds_import, "seconds_predict",
        t.seconds_predict, "seconds_collide", t.seconds_collide, "seconds_assemble",
        t.seconds_assemble, "seconds_solve", t.seconds_solve, "seconds_correct", t.seconds_correct,
        "seconds_total", t.seconds_total, "pieces", (json_int_t)t.pieces);
}

static status write_line(shot_output *o, const char *line, size_t size, error *err)
{
    const status result = file_write_at(&o->statistics, o->statistics_size, line, size, err);
    if (result >= 0) {
        o->statistics_size += size;
        return result;
    }
    error unimportant; /* the first failure is the one to report */
    file_truncate(&o->statistics, o->statistics_size, &unimportant);
    return result;
}

/* Prints the statistics and ends them; the text, zero-terminated, has *size bytes. */
static status print_frame(const shot_output *o, json_t *frame, char text[LONGEST_LINE],
                          size_t *size, error *err)
{
    *size = frame ? json_dumpb(frame, text, LONGEST_LINE - 2, JSON_COMPACT | JSON_REAL_PRECISION(9))
                  : 0;
    json_decref(frame);
    if (*size == 0 || *size > LONGEST_LINE - 2) return error_out_of_memory(err, o->folder);
    text[*size] = '\0';
    return STATUS_OK;
}

static status write_statistics(shot_output *o, const scene *s, error *err)
{
    char line[LONGEST_LINE];
    size_t size = 0;
    const status result = print_frame(o, describe_frame(s), line, &size, err);
    if (result < 0) return result;
    line[size++] = '\n';
    return write_line(o, line, size, err);
}

/* What is the same in every run: no times of the clock. */
static json_t *describe_frame_for_caches(const scene *s)
{
    static const char *const clock[] = {"seconds_import",   "seconds_predict", "seconds_collide",
                                        "seconds_assemble", "seconds_solve",   "seconds_correct",
                                        "seconds_total"};
    json_t *frame = describe_frame(s);
    for (size_t i = 0; i < sizeof clock / sizeof *clock; i++) json_object_del(frame, clock[i]);
    return frame;
}

static status write_caches(shot_output *o, const scene *s, const uint64_t *ids, size_t index,
                           error *err)
{
    const scene_file *f = o->file;
    const bool last = (double)index >= f->last_frame - f->first_frame;
    char statistics[LONGEST_LINE];
    size_t size = 0;
    status result = print_frame(o, describe_frame_for_caches(s), statistics, &size, err);
    for (size_t i = 0; i < f->object_count && result >= 0; i++) {
        result = object_caches_write(&o->objects[i].caches, &f->objects[i], s, ids[i], index, last,
                                     statistics, &o->room, err);
    }
    return result;
}

status output_write_frame(shot_output *o, const scene *s, const uint64_t *ids, size_t index,
                          error *err)
{
    const status result = write_caches(o, s, ids, index, err);
    return result < 0 || !o->statistics_path ? result : write_statistics(o, s, err);
}

status output_sync(const shot_output *o, error *err)
{
    status result = STATUS_OK;
    for (size_t i = 0; i < o->file->object_count && result >= 0; i++) {
        result = object_caches_sync(&o->objects[i].caches, err);
    }
    return result < 0 || !o->statistics_path ? result : file_sync(&o->statistics, err);
}

void output_close(shot_output *o)
{
    for (size_t i = 0; o->objects && i < o->file->object_count; i++) {
        object_caches_close(&o->objects[i].caches);
    }
    file_close(&o->statistics);
    folder_lock_release(&o->lock);
}

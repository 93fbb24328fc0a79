/* SPDX-License-Identifier: Apache-2.0
 *
 * The shot extension: core/io's shots with a scene as the host sees it. A shot shares its scene's
 * gate and error text.
 */
#include "ext_shot.h"

#include "guard.h"
#include "io/cache.h"
#include "io/file_info.h"
#include "io/shot.h"
#include "structs.h"

#include <inttypes.h>

_Static_assert(STN_SHOT_RESUME == SHOT_RESUME && STN_SHOT_NO_OUTPUT == SHOT_NO_OUTPUT,
               "the flags are the core's");

struct stn_shot {
    shot *core;
    stn_scene *scene;
    allocator memory;
};

/* The scene that the file asks for, and the file's objects in it. */
static status build_scene(stn_shot *h, const stn_shot_desc *desc, error *err)
{
    const stn_scene_desc scene_desc = {.struct_size = sizeof scene_desc,
                                       .threads =
                                           desc->threads ? desc->threads : shot_threads(h->core),
                                       .host = desc->host,
                                       .start_frame = shot_first_frame(h->core)};
    const status st = api_make_scene(&scene_desc, &h->scene, err);
    return st < 0 ? st : shot_build(h->core, h->scene->core, err);
}

static void free_shot(stn_shot *h)
{
    const allocator memory = h->memory;
    shot_close(h->core);
    if (h->scene) api_free_scene(h->scene);
    memory_free(&memory, h, sizeof *h);
}

static status open_shot(const stn_shot_desc *desc, stn_shot **out, error *err)
{
    scene_config host = {0};
    status st = struct_require(desc->scene_path, "scene_path", err);
    if (st >= 0) st = api_read_host(desc->host, &host, err);
    if (st < 0) return st;
    stn_shot *h = memory_alloc(&host.memory, sizeof *h);
    if (!h) return error_out_of_memory(err, "a shot");
    h->memory = host.memory;
    const shot_config config = {.memory = host.memory,
                                .scene_path = desc->scene_path,
                                .output_folder = desc->output_folder,
                                .formats = desc->formats,
                                .flags = desc->flags};
    st = shot_open(&config, &h->core, err);
    if (st >= 0) st = build_scene(h, desc, err);
    if (st < 0) {
        free_shot(h);
        return st;
    }
    *out = h;
    return STATUS_OK;
}

static stn_status ext_open(const stn_shot_desc *given, stn_shot **out)
{
    error *err = guard_thread_error();
    stn_shot_desc desc;
    status st = struct_require(out, "out", err);
    if (st < 0) return st;
    *out = NULL;
    st = struct_take(given, &desc, sizeof desc, "desc", err);
    if (st >= 0) st = struct_check_reserved(desc.reserved, "desc", err);
    if (st >= 0 && (desc.flags & ~(STN_SHOT_RESUME | STN_SHOT_NO_OUTPUT))) {
        st = error_set(err, STATUS_INVALID_ARGUMENT, "stn_shot_desc: unknown flags %" PRIu32,
                       desc.flags);
    }
    return st < 0 ? st : open_shot(&desc, out, err);
}

static status enter(stn_shot *h)
{
    const status st = struct_require(h, "shot", guard_thread_error());
    return st < 0 ? st : guard_enter(h->scene);
}

static stn_status ext_close(stn_shot *h)
{
    if (!h) return STATUS_OK;
    const status st = enter(h);
    if (st >= 0) free_shot(h);
    return st;
}

static const char *ext_last_error(const stn_shot *h)
{
    return guard_last_error(h ? h->scene : NULL);
}

static stn_scene *ext_scene(stn_shot *h) { return h ? h->scene : NULL; }

static stn_status ext_info(stn_shot *h, stn_shot_info *out)
{
    status st = enter(h);
    if (st < 0) return st;
    shot_info info;
    st = shot_get_info(h->core, &info, &h->scene->err);
    if (st < 0) return guard_leave(h->scene, st);
    const stn_shot_info full = {.title = info.title,
                                .scene_path = info.scene_path,
                                .output_folder = info.output_folder,
                                .first_frame = info.first_frame,
                                .last_frame = info.last_frame,
                                .frame = info.frame,
                                .frame_rate = info.frame_rate,
                                .substeps = info.substeps,
                                .files = info.files};
    return guard_leave(h->scene, STRUCT_GIVE(out, &full, &h->scene->err));
}

static const char *ext_file_path(stn_shot *h, uint64_t index)
{
    return h ? shot_file_path(h->core, (size_t)index) : NULL;
}

static stn_status ext_begin(stn_shot *h)
{
    const status st = enter(h);
    return st < 0 ? st : guard_leave(h->scene, shot_begin(h->core, &h->scene->err));
}

static stn_status ext_next_frame(stn_shot *h)
{
    const status st = enter(h);
    return st < 0 ? st : guard_leave(h->scene, shot_next_frame(h->core, &h->scene->err));
}

static stn_status ext_checkpoint(stn_shot *h)
{
    const status st = enter(h);
    return st < 0 ? st : guard_leave(h->scene, shot_checkpoint(h->core, &h->scene->err));
}

static stn_status ext_file_info(const char *path, char *json, uint64_t capacity)
{
    error *err = guard_thread_error();
    status st = struct_require(path, "path", err);
    if (st >= 0) st = struct_require(json, "json", err);
    if (st < 0) return st;
    return file_info_write(&allocator_system, path, json, (size_t)capacity, err);
}

static stn_status ext_file_verify(const char *path, char *json, uint64_t capacity)
{
    error *err = guard_thread_error();
    status st = struct_require(path, "path", err);
    if (st >= 0) st = struct_require(json, "json", err);
    if (st < 0) return st;
    return file_info_verify(&allocator_system, path, json, (size_t)capacity, err);
}

static status choose_format(const char *to, const char *name, const cache_format **out, error *err)
{
    *out = name ? cache_format_by_name(name) : cache_format_by_suffix(to);
    if (*out) return STATUS_OK;
    return error_set(err, STATUS_UNKNOWN_NAME,
                     "%s: cannot tell the format of the cache from its %s; expected one of "
                     "pc2, mdd, stn, usda, mc and mcx",
                     name ? name : to, name ? "name" : "suffix");
}

static stn_status ext_file_convert(const char *from, const char *to, const char *format,
                                   const char *mesh)
{
    error *err = guard_thread_error();
    const cache_format *chosen = NULL;
    status st = struct_require(from, "from", err);
    if (st >= 0) st = struct_require(to, "to", err);
    if (st >= 0) st = choose_format(to, format, &chosen, err);
    return st < 0 ? st : cache_convert(&allocator_system, from, to, chosen, mesh, err);
}

const stn_ext_shot ext_shot_table = {
    .struct_size = sizeof(stn_ext_shot),
    .version = 1,
    .open = ext_open,
    .close = ext_close,
    .last_error = ext_last_error,
    .scene = ext_scene,
    .info = ext_info,
    .file_path = ext_file_path,
    .begin = ext_begin,
    .next_frame = ext_next_frame,
    .checkpoint = ext_checkpoint,
    .file_info = ext_file_info,
    .file_verify = ext_file_verify,
    .file_convert = ext_file_convert,
};

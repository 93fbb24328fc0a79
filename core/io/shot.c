/* SPDX-License-Identifier: Apache-2.0 */
#include "io/shot.h"

#include "io/checkpoint.h"
#include "io/scene_file.h"
#include "io/shot_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How far the frame after the last finished one has come. */
typedef enum frame_stage { STAGE_NONE, STAGE_ANIMATED, STAGE_SIMULATED } frame_stage;

struct shot {
    allocator memory;
    scene_file *file;
    uint32_t flags;
    const char *folder;
    scene *s; /* the caller's */
    uint64_t *ids;
    shot_output output;
    bool begun;
    double frame;
    frame_stage stage;
    error advanced; /* what the advance call said about a simulated frame */
};

static bool writes(const shot *h)
{
    return !(h->flags & SHOT_NO_OUTPUT);
}

/* ---- opening ---- */

/* "out/drop" beside "drop.json". */
static const char *default_folder(scene_file *f)
{
    const char *stem = NULL;
    const size_t length = file_find_stem(f->path, &stem), size = length + sizeof "out/";
    char *name = arena_push(&f->store, size);
    if (!name) return NULL;
    snprintf(name, size, "out/%.*s", (int)length, stem);
    return scene_file_resolve(f, name);
}

static const char *copy_folder(scene_file *f, const char *folder)
{
    const size_t size = strlen(folder) + 1;
    char *copy = arena_push(&f->store, size);
    return copy ? memcpy(copy, folder, size) : NULL;
}

static const char *choose_folder(scene_file *f, const char *given)
{
    if (given && given[0]) return copy_folder(f, given);
    return f->output_folder ? scene_file_resolve(f, f->output_folder) : default_folder(f);
}

static status open_file(shot *h, const shot_config *config, error *err)
{
    status result = scene_file_read(&h->memory, config->scene_path, &h->file, err);
    if (result < 0) return result;
    h->frame = h->file->first_frame;
    h->folder = choose_folder(h->file, config->output_folder);
    h->ids = arena_push(&h->file->store, h->file->object_count * sizeof *h->ids);
    if (!h->folder || !h->ids) return error_out_of_memory(err, config->scene_path);
    if (config->formats && config->formats[0]) {
        result = object_caches_parse_formats(config->formats, &h->file->formats, err);
        if (result < 0) return result;
    }
    return writes(h) ? output_plan(&h->output, h->file, h->folder, err) : STATUS_OK;
}

status shot_open(const shot_config *config, shot **out, error *err)
{
    *out = NULL;
    shot *h = memory_alloc(&config->memory, sizeof *h);
    if (!h) return error_out_of_memory(err, config->scene_path);
    h->memory = config->memory;
    h->flags = config->flags;
    h->output.statistics = h->output.lock = FILE_CLOSED;
    const status result = open_file(h, config, err);
    if (result < 0) {
        shot_close(h);
        return result;
    }
    *out = h;
    return STATUS_OK;
}

void shot_close(shot *h)
{
    if (!h) return;
    const allocator memory = h->memory;
    output_close(&h->output);
    scene_file_destroy(h->file);
    memory_free(&memory, h, sizeof *h);
}

uint32_t shot_threads(const shot *h)
{
    return h->file->threads;
}

double shot_first_frame(const shot *h)
{
    return h->file->first_frame;
}

status shot_build(shot *h, scene *s, error *err)
{
    h->s = s;
    return scene_file_build(h->file, s, h->ids, err);
}

status shot_get_info(const shot *h, shot_info *out, error *err)
{
    double rate = 0.0, substeps = 0.0;
    status result = scene_get_parameter(h->s, 0, parameter_table[P_FRAME_RATE].name, &rate, 1, err);
    if (result < 0) return result;
    result = scene_get_parameter(h->s, 0, parameter_table[P_SUBSTEPS].name, &substeps, 1, err);
    *out = (shot_info){.title = h->file->title,
                       .scene_path = h->file->path,
                       .output_folder = h->folder,
                       .first_frame = h->file->first_frame,
                       .last_frame = h->file->last_frame,
                       .frame = h->frame,
                       .frame_rate = rate,
                       .substeps = (uint64_t)substeps,
                       .files = h->output.path_count};
    return result;
}

const char *shot_file_path(const shot *h, size_t i)
{
    return i < h->output.path_count ? h->output.paths[i] : NULL;
}

/* ---- beginning ---- */

static size_t frames_until(const shot *h, double frame)
{
    return (size_t)(frame - h->file->first_frame) + 1;
}

static status check_checkpoint(const shot *h, const checkpoint_header *c, error *err)
{
    const scene_file *f = h->file;
    if (c->scene_hash != f->hash) {
        return error_set(err, STATUS_STATE_MISMATCH,
                         "%s: belongs to another scene, or %s has changed since; expected a "
                         "checkpoint of this scene",
                         h->output.checkpoint_path, f->path);
    }
    if (c->frame >= f->first_frame && c->frame <= f->last_frame && c->frame == floor(c->frame)) {
        return STATUS_OK;
    }
    return error_set(err, STATUS_STATE_MISMATCH, "%s: is of frame %g, expected one from %g to %g",
                     h->output.checkpoint_path, c->frame, f->first_frame, f->last_frame);
}

/* Everything is checked before anything is changed. */
static status resume_from(shot *h, const checkpoint *c, error *err)
{
    status result = check_checkpoint(h, &c->header, err);
    if (result < 0) return result;
    const size_t frames = frames_until(h, c->header.frame);
    result = output_open(&h->output, h->s, frames, err);
    if (result >= 0) {
        result = scene_load_state(h->s, c->state, (size_t)c->header.state_size, err);
    }
    if (result >= 0) result = output_cut(&h->output, frames, err);
    if (result < 0) return result;
    h->frame = c->header.frame;
    h->stage = c->header.under_way ? STAGE_ANIMATED : STAGE_NONE;
    return STATUS_OK;
}

static status read_and_resume(shot *h, error *err)
{
    if (!file_exists(h->output.checkpoint_path)) {
        return error_set(err, STATUS_IO,
                         "there is no checkpoint in %s; run without resume to start from the first "
                         "frame",
                         h->folder);
    }
    status result = output_lock(&h->output, err);
    if (result < 0) return result;
    checkpoint c;
    result = checkpoint_read(&c, &h->memory, h->output.checkpoint_path, err);
    if (result < 0) return result;
    result = resume_from(h, &c, err);
    checkpoint_destroy(&c);
    return result;
}

static status begin_resumed(shot *h, error *err)
{
    const status result = read_and_resume(h, err);
    if (result >= 0 || result == STATUS_OUT_OF_MEMORY) return result;
    const error inner = *err;
    return error_set(err, inner.code, "cannot resume: %s", inner.text);
}

static status begin_new(shot *h, error *err)
{
    const status result = output_create(&h->output, h->s, h->ids, err);
    return result < 0 ? result : output_write_frame(&h->output, h->s, h->ids, 0, err);
}

status shot_begin(shot *h, error *err)
{
    if (h->begun) return error_set(err, STATUS_INVALID_ARGUMENT, "the shot has begun already");
    status result = STATUS_OK;
    if (writes(h)) {
        result = h->flags & SHOT_RESUME ? begin_resumed(h, err) : begin_new(h, err);
    } else if (h->flags & SHOT_RESUME) {
        result = error_set(err, STATUS_INVALID_ARGUMENT,
                           "a shot without output cannot resume: its checkpoint is in the output");
    }
    if (result < 0) {
        output_close(&h->output);
        return result;
    }
    h->begun = true;
    return STATUS_OK;
}

/* ---- frames ---- */

static status check_begun(const shot *h, error *err)
{
    if (h->begun) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT, "the shot has not begun; call begin first");
}

static status simulate(shot *h, double frame, error *err)
{
    status result = STATUS_OK;
    if (h->stage == STAGE_NONE) {
        result = scene_file_animate(h->file, h->s, h->ids, frame, err);
        if (result < 0) return result;
        h->stage = STAGE_ANIMATED;
    }
    if (h->stage == STAGE_ANIMATED) {
        result = scene_advance_to_frame(h->s, frame, err);
        if (result < 0 || result == STATUS_CANCELLED) return result;
        if (result != STATUS_OK) h->advanced = *err;
        h->advanced.code = result;
        h->stage = STAGE_SIMULATED;
    }
    return STATUS_OK;
}

status shot_next_frame(shot *h, error *err)
{
    status result = check_begun(h, err);
    if (result < 0) return result;
    if (h->frame >= h->file->last_frame) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "frame %g was the last one of the shot",
                         h->frame);
    }
    const double frame = h->frame + 1.0;
    result = simulate(h, frame, err);
    if (result != STATUS_OK) return result;
    if (writes(h)) {
        result = output_write_frame(&h->output, h->s, h->ids, frames_until(h, frame) - 1, err);
        if (result < 0) return result;
    }
    h->frame = frame;
    h->stage = STAGE_NONE;
    if (h->advanced.code != STATUS_OK) *err = h->advanced;
    return h->advanced.code;
}

status shot_checkpoint(shot *h, error *err)
{
    status result = check_begun(h, err);
    if (result < 0) return result;
    if (!writes(h)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "a shot without output has no folder for a checkpoint");
    }
    result = output_sync(&h->output, err);
    if (result < 0) return result;
    return checkpoint_write(&h->memory, h->output.checkpoint_path, h->file->hash, h->frame,
                            h->stage != STAGE_NONE, h->s, err);
}

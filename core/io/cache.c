/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of formats, and writing through it. Checks that all formats need are made here.
 */
#include "io/cache.h"

#include "io/cache_format.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const cache_format *const formats[] = {
    &cache_format_pc2, &cache_format_mdd, &cache_format_stn,
    &cache_format_usd, &cache_format_mcx, /* its suffix ends with that of the next */
    &cache_format_mc,
};
enum { FORMATS = sizeof formats / sizeof *formats };
_Static_assert((int)FORMATS <= (int)CACHE_MOST_FORMATS, "others keep room for all of them");

/* ---- the table ---- */

const cache_format *cache_format_at(size_t i) { return i < FORMATS ? formats[i] : NULL; }

const cache_format *cache_format_by_name(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i]->name, name) == 0) return formats[i];
    }
    return NULL;
}

const cache_format *cache_format_by_suffix(const char *path)
{
    const size_t size = strlen(path);
    for (size_t i = 0; i < FORMATS; i++) {
        const size_t tail = strlen(formats[i]->suffix);
        if (size > tail && strcasecmp(path + size - tail, formats[i]->suffix) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

const char *cache_format_name(const cache_format *f) { return f->name; }
const char *cache_format_suffix(const cache_format *f) { return f->suffix; }
uint32_t cache_format_kinds(const cache_format *f) { return f->kinds; }
uint32_t cache_format_parts(const cache_format *f) { return f->parts; }

/* ---- what is written ---- */

size_t cache_index_count(const cache_shape *s)
{
    return s->kind == CACHE_MESH ? 3 * s->triangle_count : s->kind == CACHE_CURVES ? s->strands : 0;
}

const uint32_t *cache_indices(const cache_shape *s)
{
    return s->kind == CACHE_MESH ? s->triangles : s->strand_sizes;
}

static status check_shape(const cache_format *format, const char *path, const cache_shape *s,
                          error *err)
{
    if (!(format->kinds & s->kind)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: %s holds %s, and there is only a set of points; give its triangles",
                         path, format->title,
                         format->kinds & CACHE_CURVES ? "meshes and curves" : "meshes");
    }
    if (s->points == 0 || s->points > CACHE_MOST_POINTS) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: a cache cannot hold %zu points, expected 1 to %zu", path, s->points,
                         CACHE_MOST_POINTS);
    }
    if (s->frames > 0 && s->frames <= CACHE_MOST_FRAMES && s->frame_rate > 0.0) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "%s: a cache cannot hold %zu frames at %g frames per second, expected 1 to %d",
                     path, s->frames, s->frame_rate, CACHE_MOST_FRAMES);
}

static status make_writer(cache_writer **out, const cache_format *format, const allocator *memory,
                          const char *path, const cache_shape *shape, error *err)
{
    *out = NULL;
    const status result = check_shape(format, path, shape, err);
    if (result < 0) return result;
    cache_writer *w = memory_alloc(memory, sizeof *w);
    if (!w) return error_out_of_memory(err, path);
    *w = (cache_writer){
        .format = format, .memory = memory, .path = path, .shape = *shape, .out = FILE_CLOSED};
    w->shape.parts &= format->parts;
    if (format->writer_size) w->own = memory_alloc(memory, format->writer_size);
    if (format->writer_size && !w->own) {
        memory_free(memory, w, sizeof *w);
        return error_out_of_memory(err, path);
    }
    *out = w;
    return STATUS_OK;
}

/* Hands the writer over, or ends it after a failure. */
static status conclude(cache_writer **out, status result)
{
    if (result >= 0) return result;
    cache_close(*out);
    *out = NULL;
    return result;
}

status cache_create(cache_writer **out, const cache_format *format, const allocator *memory,
                    const char *path, const cache_shape *shape, error *err)
{
    const status result = make_writer(out, format, memory, path, shape, err);
    return result < 0 ? result : conclude(out, format->create(*out, err));
}

/* ---- taking up again ---- */

static status refuse_other(const cache_writer *w, const char *what, double found, double expected,
                           error *err)
{
    return error_set(err, STATUS_STATE_MISMATCH, "%s: has %.15g %s, expected %.15g", w->path, found,
                     what, expected);
}

/* Formats without triangles or rates hold less than the shape says. */
static status check_same(const cache_writer *w, const cache_info *found, error *err)
{
    const cache_shape *a = &found->shape, *b = &w->shape;
    if (found->format != w->format) {
        return error_set(err, STATUS_STATE_MISMATCH, "%s: is %s, expected %s", w->path,
                         found->format->title, w->format->title);
    }
    if (a->points != b->points) {
        return refuse_other(w, "points", (double)a->points, (double)b->points, err);
    }
    if (a->parts != b->parts) {
        return refuse_other(w, "as its parts", (double)a->parts, (double)b->parts, err);
    }
    if (a->kind == CACHE_POINTS) return STATUS_OK;
    const size_t count = cache_index_count(b);
    if (a->kind == b->kind && cache_index_count(a) == count &&
        memcmp(cache_indices(a), cache_indices(b), count * sizeof(uint32_t)) == 0) {
        return STATUS_OK;
    }
    return error_set(err, STATUS_STATE_MISMATCH,
                     "%s: its triangles or strands are those of something else", w->path);
}

static status check_continues(const cache_writer *w, const cache_info *found, size_t frames,
                              error *err)
{
    const status result = check_same(w, found, err);
    if (result < 0) return result;
    const cache_shape *a = &found->shape, *b = &w->shape;
    if (a->frame_rate > 0.0 && a->first_frame != b->first_frame) {
        return refuse_other(w, "as its first frame", a->first_frame, b->first_frame, err);
    }
    if (a->frames != b->frames && w->format->fixed_frames) {
        return refuse_other(w, "as its number of frames", (double)a->frames, (double)b->frames,
                            err);
    }
    if (found->frames >= frames) return STATUS_OK;
    return error_set(err, STATUS_STATE_MISMATCH, "%s: has %zu whole frames, expected at least %zu",
                     w->path, found->frames, frames);
}

static status reopen(cache_writer *w, size_t frames, error *err)
{
    cache_reader *r = NULL;
    status result = cache_open(&r, w->memory, w->path, err);
    if (result < 0) return result;
    result = check_continues(w, cache_get_info(r), frames, err);
    w->frames = cache_get_info(r)->frames;
    cache_reader_close(r);
    return result < 0 ? result : w->format->reopen(w, err);
}

status cache_reopen(cache_writer **out, const cache_format *format, const allocator *memory,
                    const char *path, const cache_shape *shape, size_t frames, error *err)
{
    const status result = make_writer(out, format, memory, path, shape, err);
    return result < 0 ? result : conclude(out, reopen(*out, frames, err));
}

status cache_cut(cache_writer *w, size_t frames, error *err)
{
    if (frames > w->frames) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "%s: has %zu frames and cannot keep %zu",
                         w->path, w->frames, frames);
    }
    const status result = w->format->cut(w, frames, err);
    if (result >= 0) w->frames = frames;
    return result;
}

/* ---- frames ---- */

static status check_frame(const cache_writer *w, size_t index, const cache_frame *f, error *err)
{
    if (index > w->frames || index >= w->shape.frames) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: frame number %zu does not follow the %zu of %zu that are there",
                         w->path, index, w->frames, w->shape.frames);
    }
    const uint32_t parts = w->shape.parts;
    if (f->positions && (f->velocities || !(parts & CACHE_VELOCITIES)) &&
        (f->states || !(parts & CACHE_STATES)) && (f->statistics || !(parts & CACHE_STATISTICS))) {
        return STATUS_OK;
    }
    return error_set(err, STATUS_INVALID_ARGUMENT, "%s: frame number %zu lacks a part", w->path,
                     index);
}

status cache_write(cache_writer *w, size_t index, const cache_frame *frame, error *err)
{
    status result = check_frame(w, index, frame, err);
    if (result < 0) return result;
    result = w->format->write(w, index, frame, err);
    if (result >= 0) w->frames = index + 1;
    if (result != STATUS_IO) return result;
    const uint64_t rest = (w->shape.frames - index) * w->format->frame_size(w);
    return error_set(err, result, "%s; the rest of this file needs up to %" PRIu64 " bytes",
                     err->text, rest);
}

status cache_finish(cache_writer *w, error *err)
{
    if (w->frames == w->shape.frames) return w->format->finish(w, err);
    return error_set(err, STATUS_INVALID_ARGUMENT, "%s: has %zu of its %zu frames", w->path,
                     w->frames, w->shape.frames);
}

status cache_sync(cache_writer *w, error *err)
{
    return w->format->sync ? w->format->sync(w, err) : file_sync(&w->out, err);
}

void cache_close(cache_writer *w)
{
    if (!w) return;
    const allocator *memory = w->memory;
    if (w->format->close) w->format->close(w);
    file_close(&w->out);
    memory_free(memory, w->buffer, w->buffer_size);
    memory_free(memory, w->own, w->format->writer_size);
    memory_free(memory, w, sizeof *w);
}

status cache_writer_reserve(cache_writer *w, size_t size, error *err)
{
    if (w->buffer_size >= size) return STATUS_OK;
    memory_free(w->memory, w->buffer, w->buffer_size);
    w->buffer = memory_alloc(w->memory, size);
    w->buffer_size = w->buffer ? size : 0;
    return w->buffer ? STATUS_OK : error_out_of_memory(err, w->path);
}

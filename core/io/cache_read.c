/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading caches through the table of formats.
 */
#include "io/cache_format.h"

#include <math.h>
#include <string.h>

enum { HEAD_SIZE = 64 };

/* ---- opening ---- */

static const cache_format *find_format(const char *path, const char *head, size_t size)
{
    for (size_t i = 0; cache_format_at(i); i++) {
        const cache_format *f = cache_format_at(i);
        if (f->recognise && f->recognise(head, size)) return f;
    }
    const cache_format *f = cache_format_by_suffix(path);
    return f && !f->recognise ? f : NULL;
}

bool cache_recognises(const char *path, const char *head, size_t size)
{
    return find_format(path, head, size) != NULL;
}

static status choose_format(cache_reader *r, error *err)
{
    char head[HEAD_SIZE] = {0};
    status result = file_open(&r->in, r->path, false, err);
    if (result >= 0) result = file_get_size(&r->in, &r->info.bytes, err);
    const size_t size = r->info.bytes < HEAD_SIZE ? (size_t)r->info.bytes : HEAD_SIZE;
    if (result >= 0) result = file_read_at(&r->in, 0, head, size, err);
    if (result < 0) return result;
    r->info.format = find_format(r->path, head, size);
    if (r->info.format) return STATUS_OK;
    const cache_format *named = cache_format_by_suffix(r->path);
    return error_set(err, STATUS_PARSE, "%s: is not %s", r->path,
                     named ? named->title : "a cache of any format that is known here");
}

static status open_reader(cache_reader *r, error *err)
{
    const status result = choose_format(r, err);
    if (result < 0) return result;
    const size_t size = r->info.format->reader_size;
    if (size) r->own = memory_alloc(r->memory, size);
    if (size && !r->own) return error_out_of_memory(err, r->path);
    return r->info.format->open(r, err);
}

status cache_open(cache_reader **out, const allocator *memory, const char *path, error *err)
{
    *out = NULL;
    cache_reader *r = memory_alloc(memory, sizeof *r);
    if (!r) return error_out_of_memory(err, path);
    *r = (cache_reader){.memory = memory, .path = path, .in = FILE_CLOSED};
    const status result = open_reader(r, err);
    if (result < 0) {
        cache_reader_close(r);
        return result;
    }
    *out = r;
    return STATUS_OK;
}

void cache_reader_close(cache_reader *r)
{
    if (!r) return;
    const allocator *memory = r->memory;
    if (r->info.format && r->own && r->info.format->shut) r->info.format->shut(r);
    file_close(&r->in);
    if (r->info.format) memory_free(memory, r->own, r->info.format->reader_size);
    memory_free(memory, r->buffer, r->buffer_size);
    memory_free(memory, r->name, r->name_size);
    memory_free(memory, r->indices, r->indices_size);
    memory_free(memory, r->positions, r->vector_size);
    memory_free(memory, r->velocities, r->vector_size);
    memory_free(memory, r->states, r->info.shape.points);
    memory_free(memory, r->statistics, r->statistics_size);
    memory_free(memory, r, sizeof *r);
}

const cache_info *cache_get_info(const cache_reader *r) { return &r->info; }

/* ---- frames ---- */

static status check_finite(const cache_reader *r, const char *what, const float *x, size_t index,
                           error *err)
{
    for (size_t i = 0; x && i < 3 * r->info.shape.points; i++) {
        if (isfinite(x[i])) continue;
        return error_set(err, STATUS_PARSE,
                         "%s: frame number %zu: the %s of point %zu is not a number", r->path,
                         index, what, i / 3);
    }
    return STATUS_OK;
}

status cache_read(cache_reader *r, size_t index, cache_frame *out, error *err)
{
    if (index >= r->info.frames) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "%s: has %zu frames, there is no number %zu",
                         r->path, r->info.frames, index);
    }
    status result = r->info.format->read(r, index, err);
    const uint32_t parts = r->info.shape.parts;
    *out = (cache_frame){.positions = r->positions,
                         .velocities = parts & CACHE_VELOCITIES ? r->velocities : NULL,
                         .states = parts & CACHE_STATES ? r->states : NULL,
                         .statistics = parts & CACHE_STATISTICS ? r->statistics : NULL};
    if (result >= 0) result = check_finite(r, "position", out->positions, index, err);
    return result < 0 ? result : check_finite(r, "velocity", out->velocities, index, err);
}

/* ---- for the formats ---- */

status cache_refuse(const cache_reader *r, error *err, const char *what)
{
    return error_set(err, STATUS_PARSE, "%s: %s", r->path, what);
}

status cache_reader_check(const cache_reader *r, error *err)
{
    const cache_shape *s = &r->info.shape;
    const bool mesh = s->kind == CACHE_MESH, curves = s->kind == CACHE_CURVES;
    if ((mesh || curves || s->kind == CACHE_POINTS) && s->points > 0 &&
        s->points <= CACHE_MOST_POINTS && s->triangle_count <= (mesh ? 4 * CACHE_MOST_POINTS : 0) &&
        s->strands <= (curves ? s->points : 0) && (!curves || s->strands > 0) &&
        s->frames <= CACHE_MOST_FRAMES && isfinite(s->first_frame) && isfinite(s->frame_rate) &&
        s->frame_rate >= 0.0 && !(s->parts & ~r->info.format->parts)) {
        return STATUS_OK;
    }
    return error_set(
        err, STATUS_PARSE,
        "%s: says it has %zu points, %zu triangles, %zu strands, %zu frames from %g at "
        "%g per second; expected sensible numbers",
        r->path, s->points, s->triangle_count, s->strands, s->frames, s->first_frame,
        s->frame_rate);
}

status cache_reader_set_name(cache_reader *r, const char *name, size_t size, error *err)
{
    r->name = memory_alloc(r->memory, size + 1);
    if (!r->name) return error_out_of_memory(err, r->path);
    r->name_size = size + 1;
    memcpy(r->name, name, size);
    r->info.shape.name = r->name;
    return STATUS_OK;
}

status cache_reader_reserve(cache_reader *r, error *err)
{
    const cache_shape *s = &r->info.shape;
    r->vector_size = memory_size(s->points, 3 * sizeof(float));
    r->positions = memory_alloc(r->memory, r->vector_size);
    if (s->parts & CACHE_VELOCITIES) r->velocities = memory_alloc(r->memory, r->vector_size);
    if (s->parts & CACHE_STATES) r->states = memory_alloc(r->memory, s->points);
    if (r->positions && (r->velocities || !(s->parts & CACHE_VELOCITIES)) &&
        (r->states || !(s->parts & CACHE_STATES))) {
        return STATUS_OK;
    }
    return error_out_of_memory(err, r->path);
}

status cache_reader_reserve_indices(cache_reader *r, error *err)
{
    cache_shape *s = &r->info.shape;
    const size_t count = cache_index_count(s);
    r->indices_size = memory_size(count + 1, sizeof *r->indices); /* a mesh may have no triangle */
    r->indices = memory_alloc(r->memory, r->indices_size);
    if (!r->indices) return error_out_of_memory(err, r->path);
    s->triangles = s->kind == CACHE_MESH ? r->indices : NULL;
    s->strand_sizes = s->kind == CACHE_CURVES ? r->indices : NULL;
    return STATUS_OK;
}

status cache_reader_check_indices(const cache_reader *r, error *err)
{
    const cache_shape *s = &r->info.shape;
    const size_t count = cache_index_count(s);
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t k = r->indices[i];
        sum += k;
        if (s->kind == CACHE_MESH ? k < s->points : k > 0 && sum <= s->points) continue;
        return error_set(err, STATUS_PARSE, "%s: %s %zu has the %s %u, but there are %zu points",
                         r->path, s->kind == CACHE_MESH ? "triangle" : "strand",
                         s->kind == CACHE_MESH ? i / 3 : i,
                         s->kind == CACHE_MESH ? "corner" : "size", k, s->points);
    }
    if (s->kind != CACHE_CURVES || sum == s->points) return STATUS_OK;
    return error_set(err, STATUS_PARSE, "%s: its strands have %zu points, expected %zu", r->path,
                     sum, s->points);
}

status cache_reader_reserve_buffer(cache_reader *r, size_t size, error *err)
{
    if (r->buffer_size >= size) return STATUS_OK;
    memory_free(r->memory, r->buffer, r->buffer_size);
    r->buffer = memory_alloc(r->memory, size);
    r->buffer_size = r->buffer ? size : 0;
    return r->buffer ? STATUS_OK : error_out_of_memory(err, r->path);
}

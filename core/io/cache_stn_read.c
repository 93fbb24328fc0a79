/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading .stn files. A finished one has an index; in any other the chunks are walked through from
 * the front, and the first that is not whole ends the file.
 */
#include "io/bytes.h"
#include "io/cache_stn.h"

#include <string.h>

bool stn_recognise(const char *head, size_t size)
{
    return size >= sizeof stn_magic && memcmp(head, stn_magic, sizeof stn_magic) == 0;
}

void stn_shut(cache_reader *r)
{
    stn_reader *own = r->own;
    stn_packer_destroy(&own->packer);
    if (own->offsets.from) array_destroy(&own->offsets);
}

/* ---- chunks ---- */

static status read_header(cache_reader *r, uint64_t at, const char tag[4], stn_chunk *c, error *err)
{
    const status result = stn_chunk_read_header(&r->in, at, r->info.bytes, c, err);
    if (result < 0 || memcmp(c->tag, tag, 4) == 0) return result;
    return error_set(err, STATUS_PARSE, "%s: the chunk at byte %llu is no %.4s", r->path,
                     (unsigned long long)at, tag);
}

/* The plain bytes of a chunk at the front of the buffer. */
static status read_plain(cache_reader *r, uint64_t at, const stn_chunk *c, error *err)
{
    stn_reader *own = r->own;
    const size_t plain = (size_t)c->plain;
    status result = cache_reader_reserve_buffer(r, plain + (size_t)stn_chunk_size(c), err);
    if (result < 0) return result;
    char *stored = r->buffer + plain;
    result = stn_chunk_read_data(&r->in, at, c, stored, err);
    if (result < 0) return result;
    return stn_chunk_unpack(&own->packer, c, stored, r->buffer, r->path, err);
}

/* ---- the head ---- */

static status take_shape(cache_reader *r, size_t size, error *err)
{
    const char *b = r->buffer;
    cache_shape *s = &r->info.shape;
    *s = (cache_shape){.kind = bytes_get_le32(b),
                       .parts = bytes_get_le32(b + 4),
                       .points = (size_t)bytes_get_le64(b + 8),
                       .triangle_count = (size_t)bytes_get_le64(b + 16),
                       .strands = (size_t)bytes_get_le64(b + 24),
                       .first_frame = bytes_to_double(bytes_get_le64(b + 32)),
                       .frame_rate = bytes_to_double(bytes_get_le64(b + 40))};
    status result = cache_reader_check(r, err);
    if (result < 0) return result;
    const size_t name = bytes_get_le32(b + 48), count = cache_index_count(s);
    if (size < STN_SHAPE + 4 * count || size - STN_SHAPE - 4 * count != name) {
        return cache_refuse(r, err, "its first chunk does not have the size that it says");
    }
    result = cache_reader_reserve_indices(r, err);
    if (result < 0) return result;
    for (size_t i = 0; i < count; i++) r->indices[i] = bytes_get_le32(b + STN_SHAPE + 4 * i);
    result = cache_reader_set_name(r, b + STN_SHAPE + 4 * count, name, err);
    return result < 0 ? result : cache_reader_check_indices(r, err);
}

/* *next: where the first frame begins. */
static status read_head(cache_reader *r, uint64_t *next, error *err)
{
    char prologue[STN_PROLOGUE];
    stn_chunk c;
    status result = file_read_at(&r->in, 0, prologue, sizeof prologue, err);
    if (result < 0) return result;
    const uint32_t version = bytes_get_le32(prologue + 8);
    if (version != 1 || bytes_get_le32(prologue + 12) != 0) {
        return error_set(err, STATUS_PARSE, "%s: is of version %u, expected 1", r->path, version);
    }
    result = read_header(r, STN_PROLOGUE, "HEAD", &c, err);
    if (result >= 0 && c.plain < STN_SHAPE) result = cache_refuse(r, err, "has no shape");
    if (result >= 0) result = read_plain(r, STN_PROLOGUE, &c, err);
    if (result >= 0) result = take_shape(r, (size_t)c.plain, err);
    *next = STN_PROLOGUE + stn_chunk_size(&c);
    return result;
}

/* ---- the frames ---- */

static status read_index(cache_reader *r, uint64_t at, uint64_t frames, error *err)
{
    stn_reader *own = r->own;
    stn_chunk c;
    status result = read_header(r, at, "INDX", &c, err);
    if (result < 0) return result;
    if (c.plain != 8 * frames || at + stn_chunk_size(&c) + STN_TRAILER != r->info.bytes) {
        return cache_refuse(r, err, "its index does not fit its end");
    }
    result = read_plain(r, at, &c, err);
    if (result < 0) return result;
    if (!array_resize(&own->offsets, (size_t)frames)) return error_out_of_memory(err, r->path);
    for (size_t i = 0; i < frames; i++) {
        *(uint64_t *)array_at(&own->offsets, i) = bytes_get_le64(r->buffer + 8 * i);
    }
    return STATUS_OK;
}

/* Whether the file ends as a finished one does. */
static bool find_index(const cache_reader *r, uint64_t *at, uint64_t *frames)
{
    char b[STN_TRAILER];
    error unimportant;
    if (r->info.bytes < sizeof b ||
        file_read_at(&r->in, r->info.bytes - sizeof b, b, sizeof b, &unimportant) < 0 ||
        memcmp(b + 16, stn_trailer_magic, sizeof stn_trailer_magic) != 0) {
        return false;
    }
    *at = bytes_get_le64(b);
    *frames = bytes_get_le64(b + 8);
    return *frames <= CACHE_MOST_FRAMES;
}

/* A power cut may leave the last chunk with its header but without its data. */
static bool is_whole(cache_reader *r, uint64_t at, const stn_chunk *c)
{
    error unimportant;
    return cache_reader_reserve_buffer(r, (size_t)stn_chunk_size(c), &unimportant) >= 0 &&
           stn_chunk_read_data(&r->in, at, c, r->buffer, &unimportant) >= 0;
}

static status walk(cache_reader *r, uint64_t at, error *err)
{
    stn_reader *own = r->own;
    stn_chunk c, last = {0};
    error end;
    uint64_t last_at = 0;
    while (own->offsets.count < CACHE_MOST_FRAMES && read_header(r, at, "FRAM", &c, &end) >= 0 &&
           c.number == own->offsets.count) {
        uint64_t *offset = array_push(&own->offsets);
        if (!offset) return error_out_of_memory(err, r->path);
        *offset = last_at = at;
        last = c;
        at += stn_chunk_size(&c);
    }
    if (own->offsets.count > 0 && !is_whole(r, last_at, &last)) {
        array_resize(&own->offsets, own->offsets.count - 1);
        at = last_at;
    }
    r->info.note = at < r->info.bytes ? "it was not finished and has a torn end, which does not "
                                        "count"
                                      : "it was not finished";
    return STATUS_OK;
}

status stn_open(cache_reader *r, error *err)
{
    stn_reader *own = r->own;
    array_init(&own->offsets, r->memory, sizeof(uint64_t));
    uint64_t next = 0, index = 0, frames = 0;
    status result = read_head(r, &next, err);
    if (result < 0) return result;
    r->info.complete = find_index(r, &index, &frames);
    result = r->info.complete ? read_index(r, index, frames, err) : walk(r, next, err);
    if (result < 0) return result;
    r->info.frames = r->info.shape.frames = own->offsets.count;
    return STATUS_OK;
}

static status take_frame(cache_reader *r, size_t statistics, error *err)
{
    const cache_shape *s = &r->info.shape;
    const char *at = r->buffer + 8;
    if (!r->positions) {
        const status result = cache_reader_reserve(r, err);
        if (result < 0) return result;
    }
    stn_join_planes(r->positions, at, 3 * s->points);
    at += r->vector_size;
    if (s->parts & CACHE_VELOCITIES) {
        stn_join_planes(r->velocities, at, 3 * s->points);
        at += r->vector_size;
    }
    if (s->parts & CACHE_STATES) {
        memcpy(r->states, at, s->points);
        at += s->points;
    }
    memory_free(r->memory, r->statistics, r->statistics_size);
    r->statistics_size = statistics + 1;
    r->statistics = memory_alloc(r->memory, r->statistics_size);
    if (!r->statistics) return error_out_of_memory(err, r->path);
    memcpy(r->statistics, at, statistics);
    return STATUS_OK;
}

status stn_read(cache_reader *r, size_t index, error *err)
{
    const stn_reader *own = r->own;
    const uint64_t at = *(const uint64_t *)array_at(&own->offsets, index);
    const size_t expected = stn_frame_size(&r->info.shape);
    stn_chunk c;
    status result = read_header(r, at, "FRAM", &c, err);
    if (result < 0) return result;
    if (c.number != index || c.plain < expected || c.plain - expected > STN_MOST_STATISTICS) {
        return cache_refuse(r, err, "a frame does not have the size or number that it should");
    }
    result = read_plain(r, at, &c, err);
    if (result < 0) return result;
    const size_t statistics = (size_t)c.plain - expected;
    if (bytes_get_le64(r->buffer) != statistics) {
        return cache_refuse(r, err, "a frame does not have the size that it says");
    }
    return take_frame(r, statistics, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "io/cache_stn.h"

#include "io/bytes.h"

#include <string.h>

const char stn_magic[8] = {'\x89', 'S', 'T', 'N', '\r', '\n', '\x1a', '\n'};
const char stn_trailer_magic[8] = {'S', 'T', 'N', 'I', 'N', 'D', 'E', 'X'};

typedef struct stn_writer {
    stn_packer packer;
    array offsets; /* uint64_t: of each frame's chunk, and where the next one goes */
} stn_writer;

size_t stn_frame_size(const cache_shape *s)
{
    const size_t vectors = s->parts & CACHE_VELOCITIES ? 2 : 1;
    return 8 + vectors * 12 * s->points + (s->parts & CACHE_STATES ? s->points : 0);
}

void stn_split_planes(char *to, const float *from, size_t count)
{
    const unsigned char *bytes = (const unsigned char *)from;
    for (size_t plane = 0; plane < 4; plane++) {
        for (size_t i = 0; i < count; i++) to[plane * count + i] = (char)bytes[4 * i + plane];
    }
}

void stn_join_planes(float *to, const char *from, size_t count)
{
    unsigned char *bytes = (unsigned char *)to;
    for (size_t plane = 0; plane < 4; plane++) {
        for (size_t i = 0; i < count; i++) {
            bytes[4 * i + plane] = (unsigned char)from[plane * count + i];
        }
    }
}

/* ---- beginning ---- */

static size_t head_size(const cache_shape *s)
{
    return STN_SHAPE + 4 * cache_index_count(s) + strlen(s->name);
}

static void put_head(const cache_shape *s, char *out)
{
    bytes_put_le32(out, s->kind);
    bytes_put_le32(out + 4, s->parts);
    bytes_put_le64(out + 8, s->points);
    bytes_put_le64(out + 16, s->triangle_count);
    bytes_put_le64(out + 24, s->strands);
    bytes_put_le64(out + 32, bytes_of_double(s->first_frame));
    bytes_put_le64(out + 40, bytes_of_double(s->frame_rate));
    bytes_put_le32(out + 48, (uint32_t)strlen(s->name));
    bytes_put_le32(out + 52, 0);
    const size_t count = cache_index_count(s);
    for (size_t i = 0; i < count; i++) {
        bytes_put_le32(out + STN_SHAPE + 4 * i, cache_indices(s)[i]);
    }
    memcpy(out + STN_SHAPE + 4 * count, s->name, strlen(s->name));
}

static uint64_t *offset_of(const cache_writer *w, size_t frame)
{
    const stn_writer *own = w->own;
    return array_at(&own->offsets, frame);
}

/* Plain bytes and, behind them, the chunk that is made of them share the buffer. */
static status reserve(cache_writer *w, size_t plain, error *err)
{
    return cache_writer_reserve(w, plain + stn_chunk_bound(plain), err);
}

/* Packs the plain bytes at the front of the buffer and writes them at `at`. */
static status write_chunk(cache_writer *w, stn_chunk *c, uint64_t at, error *err)
{
    stn_writer *own = w->own;
    char *out = w->buffer + c->plain;
    status result = stn_chunk_pack(&own->packer, c, w->buffer, out, w->path, err);
    if (result >= 0) {
        result = file_write_at(&w->out, at, out, (size_t)stn_chunk_size(c), err);
    }
    return result < 0 ? result : file_sync(&w->out, err);
}

static status init(cache_writer *w, error *err)
{
    stn_writer *own = w->own;
    array_init(&own->offsets, w->memory, sizeof(uint64_t));
    if (!array_push(&own->offsets)) return error_out_of_memory(err, w->path);
    return reserve(w, stn_frame_size(&w->shape) + STN_MOST_STATISTICS, err);
}

static status stn_make(cache_writer *w, error *err)
{
    char prologue[STN_PROLOGUE] = {0};
    memcpy(prologue, stn_magic, sizeof stn_magic);
    bytes_put_le32(prologue + 8, 1);
    stn_chunk c = {.tag = {'H', 'E', 'A', 'D'}, .plain = head_size(&w->shape)};
    status result = init(w, err);
    if (result >= 0) result = reserve(w, (size_t)c.plain, err);
    if (result >= 0) result = file_create(&w->out, w->path, err);
    if (result >= 0) result = file_write_at(&w->out, 0, prologue, sizeof prologue, err);
    if (result < 0) return result;
    put_head(&w->shape, w->buffer);
    result = write_chunk(w, &c, STN_PROLOGUE, err);
    *offset_of(w, 0) = STN_PROLOGUE + stn_chunk_size(&c);
    return result;
}

/* ---- taking up again ---- */

/* The chunks up to the last whole frame, which was counted by the reader. */
static status walk_frames(cache_writer *w, error *err)
{
    stn_writer *own = w->own;
    uint64_t size = 0, at = STN_PROLOGUE;
    stn_chunk c;
    status result = file_get_size(&w->out, &size, err);
    for (size_t i = 0; i <= w->frames && result >= 0; i++) {
        result = stn_chunk_read_header(&w->out, at, size, &c, err);
        if (result < 0) return result;
        at += stn_chunk_size(&c);
        if (i > 0 && !array_push(&own->offsets)) return error_out_of_memory(err, w->path);
        *offset_of(w, i) = at;
    }
    return result;
}

static status stn_continue(cache_writer *w, error *err)
{
    status result = init(w, err);
    if (result >= 0) result = file_open(&w->out, w->path, true, err);
    return result < 0 ? result : walk_frames(w, err);
}

static status stn_cut(cache_writer *w, size_t frames, error *err)
{
    stn_writer *own = w->own;
    const status result = file_truncate(&w->out, *offset_of(w, frames), err);
    if (result < 0) return result;
    array_resize(&own->offsets, frames + 1); /* shrinking cannot fail */
    return file_sync(&w->out, err);
}

/* ---- frames ---- */

static size_t put_frame(const cache_shape *s, const cache_frame *f, size_t statistics, char *out)
{
    const size_t vectors = 12 * s->points;
    char *at = out;
    bytes_put_le64(at, statistics);
    at += 8;
    stn_split_planes(at, f->positions, 3 * s->points);
    at += vectors;
    if (s->parts & CACHE_VELOCITIES) {
        stn_split_planes(at, f->velocities, 3 * s->points);
        at += vectors;
    }
    if (s->parts & CACHE_STATES) {
        memcpy(at, f->states, s->points);
        at += s->points;
    }
    if (statistics) memcpy(at, f->statistics, statistics);
    return (size_t)(at - out) + statistics;
}

static status stn_write(cache_writer *w, size_t index, const cache_frame *f, error *err)
{
    stn_writer *own = w->own;
    const size_t statistics = w->shape.parts & CACHE_STATISTICS ? strlen(f->statistics) : 0;
    if (statistics > STN_MOST_STATISTICS) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: statistics of %zu bytes, expected at most %d", w->path, statistics,
                         STN_MOST_STATISTICS);
    }
    if (index < w->frames) { /* written again: what follows has no place any more */
        const status cut = stn_cut(w, index, err);
        if (cut < 0) return cut;
    }
    if (!array_resize(&own->offsets, index + 2)) return error_out_of_memory(err, w->path);
    stn_chunk c = {.tag = {'F', 'R', 'A', 'M'}, .number = index};
    c.plain = put_frame(&w->shape, f, statistics, w->buffer);
    const status result = write_chunk(w, &c, *offset_of(w, index), err);
    *offset_of(w, index + 1) = *offset_of(w, index) + stn_chunk_size(&c);
    return result;
}

static status stn_finish(cache_writer *w, error *err)
{
    stn_chunk c = {.tag = {'I', 'N', 'D', 'X'}, .plain = 8 * w->frames};
    status result = reserve(w, (size_t)c.plain, err);
    if (result < 0) return result;
    for (size_t i = 0; i < w->frames; i++) bytes_put_le64(w->buffer + 8 * i, *offset_of(w, i));
    const uint64_t at = *offset_of(w, w->frames);
    result = write_chunk(w, &c, at, err);
    if (result < 0) return result;
    char trailer[STN_TRAILER];
    bytes_put_le64(trailer, at);
    bytes_put_le64(trailer + 8, w->frames);
    memcpy(trailer + 16, stn_trailer_magic, sizeof stn_trailer_magic);
    result = file_write_at(&w->out, at + stn_chunk_size(&c), trailer, sizeof trailer, err);
    return result < 0 ? result : file_sync(&w->out, err);
}

static uint64_t stn_most_bytes(const cache_writer *w)
{
    return stn_chunk_bound(stn_frame_size(&w->shape)) + 1024; /* statistics are about that */
}

static void stn_leave(cache_writer *w)
{
    stn_writer *own = w->own;
    stn_packer_destroy(&own->packer);
    if (own->offsets.from) array_destroy(&own->offsets);
}

const cache_format cache_format_stn = {
    .name = "stn",
    .suffix = ".stn",
    .title = "a Stiction cache",
    .kinds = CACHE_POINTS | CACHE_MESH | CACHE_CURVES,
    .parts = CACHE_VELOCITIES | CACHE_STATES | CACHE_STATISTICS,
    .writer_size = sizeof(stn_writer),
    .reader_size = sizeof(stn_reader),
    .create = stn_make,
    .reopen = stn_continue,
    .cut = stn_cut,
    .write = stn_write,
    .finish = stn_finish,
    .frame_size = stn_most_bytes,
    .close = stn_leave,
    .recognise = stn_recognise,
    .open = stn_open,
    .read = stn_read,
    .shut = stn_shut,
};

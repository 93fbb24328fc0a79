/* SPDX-License-Identifier: Apache-2.0
 *
 * MDD point caches, big-endian:
 *
 *     i32 frames | i32 points | f32 times[frames], s | per frame: points x 3 f32
 *
 * The times stand before the data, so the number of frames is settled at the beginning. While the
 * file is being written the count has a minus sign: other programs refuse such a file, and we know
 * how much is still to come. The last thing that happens is that the sign goes.
 */
#include "io/bytes.h"
#include "io/cache_format.h"

#include <math.h>

enum { COUNTS_SIZE = 8 };

static uint64_t mdd_offset(size_t frames, size_t points, size_t index)
{
    return COUNTS_SIZE + 4 * (uint64_t)frames + 12 * (uint64_t)points * index;
}

/* ---- writing ---- */

static status put_count(const cache_writer *w, bool finished, error *err)
{
    const uint32_t frames = (uint32_t)w->shape.frames;
    char bytes[4];
    bytes_put_be32(bytes, finished ? frames : -frames);
    return file_write_at(&w->out, 0, bytes, sizeof bytes, err);
}

static status mdd_make(cache_writer *w, error *err)
{
    const cache_shape *s = &w->shape;
    const size_t head = COUNTS_SIZE + 4 * s->frames;
    status result = cache_writer_reserve(w, head > 12 * s->points ? head : 12 * s->points, err);
    if (result >= 0) result = file_create(&w->out, w->path, err);
    if (result < 0) return result;
    bytes_put_be32(w->buffer, -(uint32_t)s->frames);
    bytes_put_be32(w->buffer + 4, (uint32_t)s->points);
    for (size_t i = 0; i < s->frames; i++) {
        const double seconds = (s->first_frame + (double)i) / s->frame_rate;
        bytes_put_be_float(w->buffer + COUNTS_SIZE + 4 * i, (float)seconds);
    }
    return file_write_at(&w->out, 0, w->buffer, head, err);
}

static status mdd_continue(cache_writer *w, error *err)
{
    const status result = cache_writer_reserve(w, 12 * w->shape.points, err);
    return result < 0 ? result : file_open(&w->out, w->path, true, err);
}

/* The sign comes before the data goes. */
static status mdd_cut(cache_writer *w, size_t frames, error *err)
{
    status result = put_count(w, false, err);
    if (result >= 0) result = file_sync(&w->out, err);
    if (result < 0) return result;
    return file_truncate(&w->out, mdd_offset(w->shape.frames, w->shape.points, frames), err);
}

static status mdd_write(cache_writer *w, size_t index, const cache_frame *f, error *err)
{
    const size_t numbers = 3 * w->shape.points;
    for (size_t i = 0; i < numbers; i++) bytes_put_be_float(w->buffer + 4 * i, f->positions[i]);
    const uint64_t at = mdd_offset(w->shape.frames, w->shape.points, index);
    const status result = file_write_at(&w->out, at, w->buffer, 4 * numbers, err);
    return result < 0 ? result : file_sync(&w->out, err);
}

static status mdd_finish(cache_writer *w, error *err)
{
    status result = file_sync(&w->out, err);
    if (result >= 0) result = put_count(w, true, err);
    return result < 0 ? result : file_sync(&w->out, err);
}

static uint64_t mdd_frame_size(const cache_writer *w) { return 12 * (uint64_t)w->shape.points; }

/* ---- reading ---- */

/* The rate is not in the file; it follows from the times, which are rounded: to thousandths. */
static status find_rate(cache_reader *r, error *err)
{
    cache_shape *s = &r->info.shape;
    char ends[2][4];
    status result = file_read_at(&r->in, COUNTS_SIZE, ends[0], 4, err);
    if (result >= 0) {
        result = file_read_at(&r->in, COUNTS_SIZE + 4 * (s->frames - 1), ends[1], 4, err);
    }
    if (result < 0) return result;
    const double first = (double)bytes_get_be_float(ends[0]);
    const double last = (double)bytes_get_be_float(ends[1]);
    if (!isfinite(first) || !isfinite(last) || (s->frames > 1 && !(last > first))) {
        return cache_refuse(r, err, "its times are not rising numbers");
    }
    if (s->frames == 1) return STATUS_OK;
    s->frame_rate = round(1000.0 * (double)(s->frames - 1) / (last - first)) / 1000.0;
    s->first_frame = round(first * s->frame_rate);
    return STATUS_OK;
}

static status check_size(cache_reader *r, error *err)
{
    const cache_shape *s = &r->info.shape;
    const uint64_t start = mdd_offset(s->frames, s->points, 0), size = 12 * (uint64_t)s->points;
    const uint64_t whole = r->info.bytes < start ? 0 : (r->info.bytes - start) / size;
    r->info.frames = whole < s->frames ? (size_t)whole : s->frames;
    if (r->info.bytes < start || (r->info.complete && r->info.frames < s->frames)) {
        return error_set(err, STATUS_PARSE,
                         "%s: has %llu bytes, too few for %zu frames of %zu points", r->path,
                         (unsigned long long)r->info.bytes, s->frames, s->points);
    }
    return STATUS_OK;
}

static status mdd_open(cache_reader *r, error *err)
{
    char counts[COUNTS_SIZE];
    status result = file_read_at(&r->in, 0, counts, sizeof counts, err);
    if (result < 0) return result;
    const uint32_t count = bytes_get_be32(counts);
    r->info.complete = count <= INT32_MAX;
    if (!r->info.complete) r->info.note = "it was not finished";
    r->info.shape = (cache_shape){.name = "",
                                  .kind = CACHE_POINTS,
                                  .points = bytes_get_be32(counts + 4),
                                  .frames = r->info.complete ? count : 0 - count};
    result = cache_reader_check(r, err);
    if (result >= 0 && r->info.shape.frames == 0) result = cache_refuse(r, err, "has no frames");
    if (result >= 0) result = check_size(r, err);
    if (result >= 0) result = find_rate(r, err);
    if (result < 0 || r->info.frames == 0) return result;
    result = cache_reader_reserve(r, err);
    return result < 0 ? result : cache_reader_reserve_buffer(r, r->vector_size, err);
}

static status mdd_read(cache_reader *r, size_t index, error *err)
{
    const cache_shape *s = &r->info.shape;
    const uint64_t at = mdd_offset(s->frames, s->points, index);
    const status result = file_read_at(&r->in, at, r->buffer, r->vector_size, err);
    if (result < 0) return result;
    for (size_t i = 0; i < 3 * s->points; i++) {
        r->positions[i] = bytes_get_be_float(r->buffer + 4 * i);
    }
    return STATUS_OK;
}

const cache_format cache_format_mdd = {
    .name = "mdd",
    .suffix = ".mdd",
    .title = "an MDD file",
    .kinds = CACHE_POINTS | CACHE_MESH | CACHE_CURVES,
    .fixed_frames = true,
    .create = mdd_make,
    .reopen = mdd_continue,
    .cut = mdd_cut,
    .write = mdd_write,
    .finish = mdd_finish,
    .frame_size = mdd_frame_size,
    .open = mdd_open,
    .read = mdd_read,
};

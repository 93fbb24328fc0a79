/* SPDX-License-Identifier: Apache-2.0
 *
 * PC2 files (pc2.h has the layout) as one of the cache formats.
 */
#include "io/cache_format.h"
#include "io/pc2.h"

#include <string.h>

static status pc2_make(cache_writer *w, error *err)
{
    return pc2_create(w->own, w->path, w->shape.points, w->shape.first_frame, err);
}

static status pc2_continue(cache_writer *w, error *err)
{
    return pc2_open(w->own, w->path, w->shape.points, w->shape.first_frame, w->frames, err);
}

static status pc2_shorten(cache_writer *w, size_t frames, error *err)
{
    return pc2_cut(w->own, frames, err);
}

static status pc2_put(cache_writer *w, size_t index, const cache_frame *f, error *err)
{
    return pc2_write(w->own, index, f->positions, err);
}

static status pc2_settle(cache_writer *w, error *err) { return pc2_sync(w->own, err); }

static uint64_t pc2_frame_size(const cache_writer *w)
{
    return (uint64_t)w->shape.points * 3 * sizeof(float);
}

static void pc2_leave(cache_writer *w)
{
    pc2_writer *own = w->own;
    if (own->header.version) pc2_close(own); /* zero: it was never opened */
}

static bool pc2_recognise(const char *head, size_t size)
{
    return size >= sizeof pc2_magic && memcmp(head, pc2_magic, sizeof pc2_magic) == 0;
}

static status pc2_begin(cache_reader *r, error *err)
{
    pc2_header h;
    uint64_t bytes = 0;
    const status result = pc2_read_header(r->path, &h, &bytes, err);
    if (result < 0) return result;
    r->info.shape = (cache_shape){.name = "",
                                  .kind = CACHE_POINTS,
                                  .points = (size_t)h.points,
                                  .first_frame = (double)h.start,
                                  .frames = (size_t)h.samples};
    r->info.frames = (size_t)h.samples;
    r->info.complete = true;
    const status checked = h.samples == 0 ? STATUS_OK : cache_reader_check(r, err);
    if (checked < 0 || h.samples == 0) return checked; /* the size of the file bounds nothing */
    return cache_reader_reserve(r, err);
}

static status pc2_get(cache_reader *r, size_t index, error *err)
{
    return file_read_at(&r->in, sizeof(pc2_header) + index * r->vector_size, r->positions,
                        r->vector_size, err);
}

const cache_format cache_format_pc2 = {
    .name = "pc2",
    .suffix = ".pc2",
    .title = "a PC2 file",
    .kinds = CACHE_POINTS | CACHE_MESH | CACHE_CURVES,
    .writer_size = sizeof(pc2_writer),
    .create = pc2_make,
    .reopen = pc2_continue,
    .cut = pc2_shorten,
    .write = pc2_put,
    .finish = pc2_settle,
    .sync = pc2_settle,
    .frame_size = pc2_frame_size,
    .close = pc2_leave,
    .recognise = pc2_recognise,
    .open = pc2_begin,
    .read = pc2_get,
};

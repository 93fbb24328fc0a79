/* SPDX-License-Identifier: Apache-2.0 */
#include "io/cache_usd.h"

#include "io/number.h"

#include <string.h>

static const char finished_mark[] = "#usda 1.0", part_mark[] = "#part 1.0";
enum { MARK = sizeof finished_mark - 1, CLAIMS = 1024 };

static double frame_time(const cache_shape *s, size_t index)
{
    return s->first_frame + (double)index;
}

/* ---- writing ---- */

typedef struct usd_writer {
    usd_layout at;
} usd_writer;

static const usd_layout *layout_of(const cache_writer *w)
{
    return &((const usd_writer *)w->own)->at;
}

static status put_mark(const cache_writer *w, const char *mark, error *err)
{
    const status result = file_write_at(&w->out, 0, mark, MARK, err);
    return result < 0 ? result : file_sync(&w->out, err);
}

static status prepare(cache_writer *w, size_t room, error *err)
{
    usd_writer *own = w->own;
    own->at = usd_find_layout(&w->shape);
    return cache_writer_reserve(w, room > USD_PIECE_SIZE ? room : USD_PIECE_SIZE, err);
}

static status usd_make(cache_writer *w, error *err)
{
    const size_t head = (size_t)usd_find_layout(&w->shape).head;
    status result = prepare(w, head + 1, err);
    if (result >= 0) result = file_create(&w->out, w->path, err);
    if (result < 0) return result;
    usd_print_head(&w->shape, false, w->buffer);
    return file_write_at(&w->out, 0, w->buffer, head, err);
}

static status usd_continue(cache_writer *w, error *err)
{
    const status result = prepare(w, 0, err);
    return result < 0 ? result : file_open(&w->out, w->path, true, err);
}

/* Lines of the extent that are gone make their frames uncounted. */
static status usd_cut(cache_writer *w, size_t frames, error *err)
{
    const usd_layout *l = layout_of(w);
    const uint64_t last = l->extents + frames * l->extent_line;
    status result = put_mark(w, part_mark, err);
    if (result >= 0) result = file_truncate(&w->out, last, err);
    return result < 0 ? result : file_sync(&w->out, err);
}

static status write_line(cache_writer *w, uint64_t at, double time, const float *x, size_t n,
                         error *err)
{
    status result = STATUS_OK;
    const number_language l = number_language_enter();
    for (size_t from = 0; from < n && result >= 0; from += USD_PIECE) {
        const size_t to = n - from < USD_PIECE ? n : from + USD_PIECE;
        const size_t size = usd_print_piece(w->buffer, time, x, n, from, to);
        result = file_write_at(&w->out, at + usd_piece_offset(from), w->buffer, size, err);
    }
    number_language_leave(l);
    return result;
}

static status usd_write(cache_writer *w, size_t index, const cache_frame *f, error *err)
{
    const usd_layout *l = layout_of(w);
    const cache_shape *s = &w->shape;
    const double time = frame_time(s, index);
    float extent[6];
    usd_find_extent(f->positions, s->points, extent);
    status result =
        write_line(w, l->points + index * l->vector_line, time, f->positions, s->points, err);
    if (result >= 0 && s->parts & CACHE_VELOCITIES) {
        result = write_line(w, l->velocities + index * l->vector_line, time, f->velocities,
                            s->points, err);
    }
    if (result >= 0) result = file_sync(&w->out, err);
    if (result >= 0) {
        result = write_line(w, l->extents + index * l->extent_line, time, extent, 2, err);
    }
    return result < 0 ? result : file_sync(&w->out, err);
}

static uint64_t between_at(const cache_shape *s, const usd_layout *l, int which)
{
    char text[64];
    if (which == 2) return l->tail;
    return (which ? l->extents : l->velocities) - usd_print_between(s, which, text);
}

static status usd_finish(cache_writer *w, error *err)
{
    char text[64];
    status result = STATUS_OK;
    for (int which = 0; which < 3 && result >= 0; which++) {
        const size_t size = usd_print_between(&w->shape, which, text);
        const uint64_t at = between_at(&w->shape, layout_of(w), which);
        result = file_write_at(&w->out, at, text, size, err);
    }
    if (result >= 0) result = file_sync(&w->out, err);
    return result < 0 ? result : put_mark(w, finished_mark, err);
}

static uint64_t usd_frame_size(const cache_writer *w)
{
    return 2 * layout_of(w)->vector_line + layout_of(w)->extent_line;
}

/* ---- reading ---- */

static bool usd_recognise(const char *head, size_t size)
{
    return size >= MARK &&
           (memcmp(head, finished_mark, MARK) == 0 || memcmp(head, part_mark, MARK) == 0);
}

static const usd_layout *reader_layout(const cache_reader *r) { return r->own; }

/* Whatever was read is printed again and must be the same text. */
static status check_head(cache_reader *r, error *err)
{
    const usd_layout *l = reader_layout(r);
    const size_t size = (size_t)l->head;
    status result = cache_reader_reserve_buffer(r, 2 * size + 2 + USD_PIECE_SIZE, err);
    if (result >= 0) result = file_read_at(&r->in, 0, r->buffer, size, err);
    if (result >= 0) result = cache_reader_reserve_indices(r, err);
    if (result < 0) return result;
    usd_read_indices(&r->info.shape, r->buffer, r->indices);
    char *again = r->buffer + size + 1;
    r->info.complete = memcmp(r->buffer, finished_mark, MARK) == 0;
    usd_print_head(&r->info.shape, r->info.complete, again);
    if (memcmp(r->buffer, again, size) != 0) {
        return cache_refuse(r, err, "its text is not in the columns that this program writes");
    }
    return cache_reader_check_indices(r, err);
}

/* An unfinished file counts the frames whose extent is there. */
static status count_frames(cache_reader *r, error *err)
{
    const usd_layout *l = reader_layout(r);
    if (r->info.complete) {
        r->info.frames = r->info.shape.frames;
        return r->info.bytes == l->end ? STATUS_OK
                                       : cache_refuse(r, err, "has not the size that it says");
    }
    r->info.note = "it was not finished";
    for (size_t i = 0; i < r->info.shape.frames; i++) {
        char end = 0;
        const uint64_t next = l->extents + (i + 1) * l->extent_line;
        error unimportant;
        if (next > r->info.bytes || file_read_at(&r->in, next - 1, &end, 1, &unimportant) < 0 ||
            end != '\n') {
            break;
        }
        r->info.frames = i + 1;
    }
    return STATUS_OK;
}

static status check_between(cache_reader *r, error *err)
{
    char expected[64], found[64];
    for (int which = 0; which < 3 && r->info.complete; which++) {
        const size_t size = usd_print_between(&r->info.shape, which, expected);
        const uint64_t at = between_at(&r->info.shape, reader_layout(r), which);
        const status result = file_read_at(&r->in, at, found, size, err);
        if (result < 0) return result;
        if (memcmp(found, expected, size) != 0) return cache_refuse(r, err, "lacks an attribute");
    }
    return STATUS_OK;
}

static status usd_open(cache_reader *r, error *err)
{
    char text[CLAIMS + 1] = {0};
    const size_t size = r->info.bytes < CLAIMS ? (size_t)r->info.bytes : CLAIMS;
    status result = file_read_at(&r->in, 0, text, size, err);
    if (result >= 0) result = usd_read_claims(r, text, err);
    if (result >= 0) result = cache_reader_check(r, err);
    if (result < 0) return result;
    if (r->info.shape.kind == CACHE_POINTS || r->info.shape.frames == 0) {
        return cache_refuse(r, err, "has no frames of a mesh or of curves");
    }
    usd_layout *l = r->own;
    *l = usd_find_layout(&r->info.shape);
    if (l->head > r->info.bytes) return cache_refuse(r, err, "ends before its first frame");
    result = check_head(r, err);
    if (result >= 0) result = count_frames(r, err);
    if (result >= 0) result = check_between(r, err);
    if (result < 0 || r->info.frames == 0) return result;
    return cache_reader_reserve(r, err);
}

static status read_line(cache_reader *r, uint64_t at, size_t index, float *x, size_t n, error *err)
{
    const double time = frame_time(&r->info.shape, index);
    char again[USD_PIECE_SIZE];
    status result = STATUS_OK;
    const number_language l = number_language_enter();
    for (size_t from = 0; from < n && result >= 0; from += USD_PIECE) {
        const size_t to = n - from < USD_PIECE ? n : from + USD_PIECE;
        const uint64_t begin = usd_piece_offset(from);
        const size_t size = (size_t)(usd_piece_end(n, to) - begin);
        result = file_read_at(&r->in, at + begin, r->buffer, size, err);
        if (result < 0) break;
        usd_parse_piece(r->buffer, x, from, to);
        if (usd_print_piece(again, time, x, n, from, to) == size &&
            memcmp(again, r->buffer, size) == 0) {
            continue;
        }
        result = error_set(err, STATUS_PARSE,
                           "%s: frame number %zu is not in the columns that this program writes",
                           r->path, index);
    }
    number_language_leave(l);
    return result;
}

static status usd_read(cache_reader *r, size_t index, error *err)
{
    const usd_layout *l = reader_layout(r);
    const cache_shape *s = &r->info.shape;
    float found[6], expected[6];
    status result =
        read_line(r, l->points + index * l->vector_line, index, r->positions, s->points, err);
    if (result >= 0 && s->parts & CACHE_VELOCITIES) {
        result = read_line(r, l->velocities + index * l->vector_line, index, r->velocities,
                           s->points, err);
    }
    if (result >= 0) {
        result = read_line(r, l->extents + index * l->extent_line, index, found, 2, err);
    }
    if (result < 0) return result;
    usd_find_extent(r->positions, s->points, expected);
    for (size_t i = 0; i < 6; i++) {
        if (found[i] == expected[i]) continue;
        return error_set(err, STATUS_PARSE,
                         "%s: frame number %zu: the extent is not that of the "
                         "points",
                         r->path, index);
    }
    return STATUS_OK;
}

const cache_format cache_format_usd = {
    .name = "usda",
    .suffix = ".usda",
    .title = "a USD file",
    .kinds = CACHE_MESH | CACHE_CURVES,
    .parts = CACHE_VELOCITIES,
    .fixed_frames = true,
    .writer_size = sizeof(usd_writer),
    .reader_size = sizeof(usd_layout),
    .create = usd_make,
    .reopen = usd_continue,
    .cut = usd_cut,
    .write = usd_write,
    .finish = usd_finish,
    .frame_size = usd_frame_size,
    .recognise = usd_recognise,
    .open = usd_open,
    .read = usd_read,
};

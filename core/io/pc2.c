/* SPDX-License-Identifier: Apache-2.0 */
#include "io/pc2.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(pc2_header) == 32, "the header is written as it lies in memory");
#if defined(__BYTE_ORDER__)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "so is the order of bytes");
#endif

const char pc2_magic[12] = "POINTCACHE2";

static uint64_t sample_size(const pc2_header *h)
{
    return (uint64_t)h->points * 3 * sizeof(float);
}

static uint64_t sample_offset(const pc2_header *h, size_t sample)
{
    return sizeof *h + sample * sample_size(h);
}

static status write_header(const pc2_writer *w, const pc2_header *header, error *err)
{
    return file_write_at(&w->out, 0, header, sizeof *header, err);
}

static status check_points(const char *path, size_t points, error *err)
{
    if (points > 0 && points <= INT32_MAX) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT, "%s: a PC2 file cannot hold %zu points", path,
                     points);
}

status pc2_create(pc2_writer *w, const char *path, size_t points, double start, error *err)
{
    *w = PC2_CLOSED;
    status result = check_points(path, points, err);
    if (result >= 0) result = file_create(&w->out, path, err);
    if (result < 0) return result;
    w->header =
        (pc2_header){.version = 1, .points = (int32_t)points, .start = (float)start, .rate = 1.0f};
    memcpy(w->header.magic, pc2_magic, sizeof pc2_magic);
    result = write_header(w, &w->header, err);
    if (result < 0) pc2_close(w);
    return result;
}

static status read_header(const file *f, pc2_header *h, uint64_t *bytes, error *err)
{
    status result = file_get_size(f, bytes, err);
    if (result >= 0) result = file_read_at(f, 0, h, sizeof *h, err);
    if (result < 0) return result;
    if (memcmp(h->magic, pc2_magic, sizeof pc2_magic) != 0) {
        return error_set(err, STATUS_PARSE, "%s: is not a PC2 file", f->path);
    }
    if (h->version != 1 || h->points <= 0 || h->samples < 0 || !isfinite(h->start) ||
        !(h->rate > 0.0f && isfinite(h->rate))) {
        return error_set(err, STATUS_PARSE,
                         "%s: the header says version %d, %d points, %d samples from frame %g, %g "
                         "frames apart; expected version 1 and sensible numbers",
                         f->path, h->version, h->points, h->samples, (double)h->start,
                         (double)h->rate);
    }
    if (*bytes < sample_offset(h, (size_t)h->samples)) {
        return error_set(err, STATUS_PARSE,
                         "%s: has %llu bytes, too few for the %d samples it counts", f->path,
                         (unsigned long long)*bytes, h->samples);
    }
    return STATUS_OK;
}

status pc2_read_header(const char *path, pc2_header *header, uint64_t *bytes, error *err)
{
    file f;
    status result = file_open(&f, path, false, err);
    if (result < 0) return result;
    result = read_header(&f, header, bytes, err);
    file_close(&f);
    return result;
}

static status check_continues(const pc2_writer *w, size_t points, double start, size_t samples,
                              error *err)
{
    const pc2_header *h = &w->header;
    if ((size_t)h->points == points && h->start == (float)start && h->rate == 1.0f &&
        (size_t)h->samples >= samples) {
        return STATUS_OK;
    }
    return error_set(err, STATUS_STATE_MISMATCH,
                     "%s: has %d points and %d samples from frame %g, expected %zu points and at "
                     "least %zu samples from frame %g",
                     w->out.path, h->points, h->samples, (double)h->start, points, samples, start);
}

status pc2_open(pc2_writer *w, const char *path, size_t points, double start, size_t samples,
                error *err)
{
    *w = PC2_CLOSED;
    uint64_t bytes = 0;
    status result = file_open(&w->out, path, true, err);
    if (result < 0) return result;
    result = read_header(&w->out, &w->header, &bytes, err);
    if (result >= 0) result = check_continues(w, points, start, samples, err);
    if (result < 0) pc2_close(w);
    return result;
}

/* The count goes down before the data goes. */
status pc2_cut(pc2_writer *w, size_t samples, error *err)
{
    pc2_header header = w->header;
    header.samples = (int32_t)samples;
    status result = write_header(w, &header, err);
    if (result >= 0) result = file_sync(&w->out, err);
    if (result < 0) return result;
    w->header = header;
    return file_truncate(&w->out, sample_offset(&header, samples), err);
}

status pc2_write(pc2_writer *w, size_t sample, const float *positions, error *err)
{
    const size_t size = (size_t)sample_size(&w->header);
    status result = file_write_at(&w->out, sample_offset(&w->header, sample), positions, size, err);
    if (result >= 0) result = file_sync(&w->out, err);
    if (result < 0) return result;
    pc2_header header = w->header;
    header.samples = (int32_t)(sample + 1);
    result = write_header(w, &header, err);
    if (result >= 0) w->header = header;
    return result;
}

status pc2_sync(const pc2_writer *w, error *err)
{
    return file_sync(&w->out, err);
}

void pc2_close(pc2_writer *w)
{
    file_close(&w->out);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Maya's nCache: NAME.xml, and for each frame N a file NAMEFrameN.mc (sizes of 4 bytes) or .mcx (of
 * 8 bytes), which maya_frame.h has the layout of. Lengths are in centimetres.
 *
 * A frame's file has a temporary name until it is on the disk. The XML file is written at the
 * beginning without its last line and once more, whole, at the end, so an unfinished cache is no
 * XML.
 */
#include "io/cache_format.h"
#include "io/maya_frame.h"
#include "io/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICKS = 6000, XML_SIZE = 4096, MOST_NAME = 255, FRAME_PATH = 4096 };
static const double CENTIMETRES = 100.0;
static const char last_line[] = "</Autodesk_Cache_File>\n";
static const char xml_head[] = "<?xml version=\"1.0\"?>\n<Autodesk_Cache_File>\n";

static bool is_wide(const cache_format *f) { return f == &cache_format_mcx; }

/* ---- names and times ---- */

static void make_channel(const cache_shape *s, char out[MOST_NAME + 1])
{
    size_t n = 0;
    for (const char *c = s->name; *c && n < MOST_NAME; c++) {
        out[n++] = (char)(*c > 0 && isalnum((unsigned char)*c) ? *c : '_');
    }
    out[n] = '\0';
    if (n == 0) strcpy(out, "points");
}

static long ticks_per_frame(const cache_shape *s) { return lround(TICKS / s->frame_rate); }

static long frame_number(const cache_shape *s, size_t index)
{
    return (long)s->first_frame + (long)index;
}

static status make_frame_path(const char *xml, const cache_format *f, long frame,
                              char out[FRAME_PATH], error *err)
{
    const char *stem;
    const size_t stem_size = file_find_stem(xml, &stem), folder = (size_t)(stem - xml);
    const int size = snprintf(out, FRAME_PATH, "%.*sFrame%ld.%s", (int)(folder + stem_size), xml,
                              frame, f->name);
    if (size < FRAME_PATH) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT, "%s: the path is too long", xml);
}

static maya_frame describe_frame(const cache_shape *s, bool wide, size_t index, const char *channel)
{
    return (maya_frame){.wide = wide,
                        .ticks = (int32_t)(frame_number(s, index) * ticks_per_frame(s)),
                        .points = s->points,
                        .channel = channel,
                        .velocities = s->parts & CACHE_VELOCITIES};
}

/* ---- the XML file ---- */

static size_t print_channel(char *out, const cache_shape *s, int number, const char *channel)
{
    const long rate = ticks_per_frame(s);
    return (size_t)sprintf(
        out,
        "    <channel%d ChannelName=\"%s%s\" ChannelType=\"FloatVectorArray\" "
        "ChannelInterpretation=\"%s\" SamplingType=\"Regular\" SamplingRate=\"%ld\" "
        "StartTime=\"%ld\" EndTime=\"%ld\"/>\n",
        number, channel, number ? "_velocity" : "", number ? "velocity" : "positions", rate,
        rate * frame_number(s, 0), rate * frame_number(s, s->frames - 1));
}

static size_t print_xml(char out[XML_SIZE], const cache_shape *s, bool wide, bool finished)
{
    char channel[MOST_NAME + 1], rate[NUMBER_TEXT_SIZE];
    make_channel(s, channel);
    rate[number_print(rate, s->frame_rate)] = '\0';
    const long ticks = ticks_per_frame(s);
    char *at = out;
    at += sprintf(at,
                  "%s  <cacheType Type=\"OneFilePerFrame\" Format=\"%s\"/>\n"
                  "  <time Range=\"%ld-%ld\"/>\n  <cacheTimePerFrame TimePerFrame=\"%ld\"/>\n"
                  "  <cacheVersion Version=\"2.0\"/>\n"
                  "  <extra>stiction %u %zu %zu %ld %s %s</extra>\n"
                  "  <extra>centimetres, z is up</extra>\n  <Channels>\n",
                  xml_head, wide ? "mcx" : "mcc", ticks * frame_number(s, 0),
                  ticks * frame_number(s, s->frames - 1), ticks, s->parts, s->points, s->frames,
                  frame_number(s, 0), rate, channel);
    at += print_channel(at, s, 0, channel);
    if (s->parts & CACHE_VELOCITIES) at += print_channel(at, s, 1, channel);
    at += sprintf(at, "  </Channels>\n%s", finished ? last_line : "");
    return (size_t)(at - out);
}

static status write_xml(const cache_writer *w, bool finished, error *err)
{
    char text[XML_SIZE];
    const size_t size = print_xml(text, &w->shape, is_wide(w->format), finished);
    file_draft d;
    const status result = file_draft_open(&d, w->memory, w->path, err);
    if (result < 0) return result;
    file_draft_write(&d, text, size);
    return file_draft_commit(&d, err);
}

/* ---- writing ---- */

static status check_time(const cache_writer *w, error *err)
{
    const cache_shape *s = &w->shape;
    const double last = (s->first_frame + (double)s->frames) * TICKS / s->frame_rate;
    if (s->first_frame == floor(s->first_frame) && fabs(s->first_frame) <= 1e6 &&
        s->frame_rate <= TICKS && fabs(last) < INT32_MAX &&
        (is_wide(w->format) ||
         maya_frame_measure(&(maya_frame){.points = s->points, .channel = "", .velocities = true}) <
             INT32_MAX)) {
        return STATUS_OK;
    }
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "%s: this cache cannot hold %zu points in frames from %g at %g per second; "
                     "expected whole frames, and mcx for more than 80 million points",
                     w->path, s->points, s->first_frame, s->frame_rate);
}

static size_t most_bytes(const cache_writer *w)
{
    char channel[MOST_NAME + 1];
    make_channel(&w->shape, channel);
    const maya_frame f = describe_frame(&w->shape, is_wide(w->format), 0, channel);
    return maya_frame_measure(&f);
}

static status prepare(cache_writer *w, error *err)
{
    const status result = check_time(w, err);
    if (result < 0) return result;
    return cache_writer_reserve(w, most_bytes(w) + 24 * w->shape.points, err);
}

static status maya_make(cache_writer *w, error *err)
{
    const status result = prepare(w, err);
    return result < 0 ? result : write_xml(w, false, err);
}

static status maya_continue(cache_writer *w, error *err) { return prepare(w, err); }

static status maya_cut(cache_writer *w, size_t frames, error *err)
{
    char path[FRAME_PATH];
    status result = write_xml(w, false, err);
    for (size_t i = frames; i < w->shape.frames && result >= 0; i++) {
        result = make_frame_path(w->path, w->format, frame_number(&w->shape, i), path, err);
        if (result >= 0) result = file_remove(path, err);
    }
    return result;
}

static status write_whole(const cache_writer *w, const char *path, size_t size, error *err)
{
    file_draft d;
    const status result = file_draft_open(&d, w->memory, path, err);
    if (result < 0) return result;
    file_draft_write(&d, w->buffer, size);
    return file_draft_commit(&d, err);
}

static const float *scale(float *to, const float *from, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = (float)((double)from[i] * CENTIMETRES);
    return to;
}

/* The scaled numbers stand behind the bytes of the file in the buffer. */
static status maya_write(cache_writer *w, size_t index, const cache_frame *f, error *err)
{
    const cache_shape *s = &w->shape;
    char channel[MOST_NAME + 1], path[FRAME_PATH];
    make_channel(s, channel);
    const maya_frame m = describe_frame(s, is_wide(w->format), index, channel);
    const size_t size = maya_frame_measure(&m), n = 3 * s->points;
    float *x = (float *)(void *)(w->buffer + size), *v = x + n;
    maya_frame_build(&m, scale(x, f->positions, n),
                     m.velocities ? scale(v, f->velocities, n) : NULL, w->buffer);
    const status result = make_frame_path(w->path, w->format, frame_number(s, index), path, err);
    return result < 0 ? result : write_whole(w, path, size, err);
}

static status maya_finish(cache_writer *w, error *err) { return write_xml(w, true, err); }

/* Every file was synced when it got its name. */
static status maya_sync(cache_writer *w, error *err)
{
    (void)w, (void)err;
    return STATUS_OK;
}

static uint64_t maya_frame_size(const cache_writer *w) { return most_bytes(w); }

/* ---- reading ---- */

static bool maya_recognise(const char *head, size_t size)
{
    return size >= sizeof xml_head - 1 && memcmp(head, xml_head, sizeof xml_head - 1) == 0;
}

static status read_claims(cache_reader *r, const char *text, error *err)
{
    cache_shape s = {.kind = CACHE_POINTS};
    char rate[NUMBER_TEXT_SIZE], name[MOST_NAME + 1];
    long first = 0;
    const char *at = strstr(text, "<extra>stiction ");
    if (!at ||
        sscanf(at, "<extra>stiction %u %zu %zu %ld %31[^ <] %255[^ <]<", &s.parts, &s.points,
               &s.frames, &first, rate, name) != 6 ||
        !number_parse(rate, strlen(rate), &s.frame_rate) || !(s.frame_rate >= 1e-3) ||
        s.frame_rate > TICKS || s.frames == 0 || labs(first) > 1000000) {
        return cache_refuse(r, err,
                            "is a cache that was not written by this program; only those "
                            "can be read");
    }
    s.first_frame = (double)first;
    r->info.shape = s;
    const status result = cache_reader_set_name(r, name, strlen(name), err);
    return result < 0 ? result : cache_reader_check(r, err);
}

/* What was read is printed again and must be the same text. */
static status read_xml(cache_reader *r, error *err)
{
    char text[XML_SIZE + 1] = {0}, again[XML_SIZE];
    if (r->info.bytes > XML_SIZE) return cache_refuse(r, err, "is too long");
    const size_t size = (size_t)r->info.bytes;
    status result = file_read_at(&r->in, 0, text, size, err);
    if (result >= 0) result = read_claims(r, text, err);
    if (result < 0) return result;
    r->info.complete = strstr(text, last_line) != NULL;
    if (strstr(text, "Format=\"mcx\"")) r->info.format = &cache_format_mcx;
    if (print_xml(again, &r->info.shape, is_wide(r->info.format), r->info.complete) == size &&
        memcmp(text, again, size) == 0) {
        return STATUS_OK;
    }
    return cache_refuse(r, err, "is damaged");
}

static status open_frame(const cache_reader *r, size_t index, char path[FRAME_PATH], file *f,
                         uint64_t *size, error *err)
{
    const long number = frame_number(&r->info.shape, index);
    status result = make_frame_path(r->path, r->info.format, number, path, err);
    if (result >= 0) result = file_open(f, path, false, err);
    if (result >= 0) result = file_get_size(f, size, err);
    return result;
}

static void count_frames(cache_reader *r, size_t frame_size)
{
    char path[FRAME_PATH];
    error unimportant;
    size_t count = 0;
    for (bool there = true; there && count < r->info.shape.frames;) {
        file f = FILE_CLOSED;
        uint64_t size = 0;
        there = open_frame(r, count, path, &f, &size, &unimportant) >= 0 && size == frame_size;
        file_close(&f);
        if (there) count++;
        r->info.bytes += size;
    }
    if (!r->info.complete) {
        r->info.note = "it was not finished";
    } else if (count < r->info.shape.frames) {
        r->info.complete = false;
        r->info.note = "a frame is missing or has a wrong size";
    }
    r->info.frames = count;
}

static status maya_open(cache_reader *r, error *err)
{
    status result = read_xml(r, err);
    if (result < 0) return result;
    char channel[MOST_NAME + 1];
    make_channel(&r->info.shape, channel);
    const maya_frame m = describe_frame(&r->info.shape, is_wide(r->info.format), 0, channel);
    const size_t size = maya_frame_measure(&m);
    count_frames(r, size);
    if (r->info.frames == 0) return STATUS_OK; /* no file says that memory is needed */
    result = cache_reader_reserve(r, err);
    return result < 0 ? result : cache_reader_reserve_buffer(r, 2 * size, err);
}

/* The frame is built again around the numbers that were read: all other bytes must be the same. */
static status take_frame(cache_reader *r, size_t index, const char *path, size_t size, error *err)
{
    const cache_shape *s = &r->info.shape;
    char channel[MOST_NAME + 1];
    make_channel(s, channel);
    const maya_frame m = describe_frame(s, is_wide(r->info.format), index, channel);
    maya_frame_take(&m, r->buffer, r->positions, r->velocities);
    maya_frame_build(&m, r->positions, r->velocities, r->buffer + size);
    if (memcmp(r->buffer, r->buffer + size, size) != 0) {
        return error_set(err, STATUS_PARSE, "%s: the frame in %s is damaged", r->path, path);
    }
    for (size_t i = 0; i < 3 * s->points; i++) {
        r->positions[i] = (float)((double)r->positions[i] / CENTIMETRES);
        if (m.velocities) r->velocities[i] = (float)((double)r->velocities[i] / CENTIMETRES);
    }
    return STATUS_OK;
}

static status maya_read(cache_reader *r, size_t index, error *err)
{
    char path[FRAME_PATH];
    file f = FILE_CLOSED;
    uint64_t found = 0;
    const size_t size = r->buffer_size / 2;
    status result = open_frame(r, index, path, &f, &found, err);
    if (result >= 0 && found != size) {
        result = error_set(err, STATUS_PARSE, "%s: has %llu bytes, expected %zu", path,
                           (unsigned long long)found, size);
    }
    if (result >= 0) result = file_read_at(&f, 0, r->buffer, size, err);
    file_close(&f);
    return result < 0 ? result : take_frame(r, index, path, size, err);
}

#define MAYA_CALLS                                                                                 \
    .kinds = CACHE_POINTS | CACHE_MESH | CACHE_CURVES, .parts = CACHE_VELOCITIES,                  \
    .fixed_frames = true, .create = maya_make, .reopen = maya_continue, .cut = maya_cut,           \
    .write = maya_write, .finish = maya_finish, .sync = maya_sync, .frame_size = maya_frame_size,  \
    .open = maya_open, .read = maya_read

const cache_format cache_format_mc = {
    .name = "mc",
    .suffix = ".xml",
    .title = "a Maya cache",
    MAYA_CALLS,
    .recognise = maya_recognise,
};

/* Its XML file is recognised as the other's and then says what it is. */
const cache_format cache_format_mcx = {
    .name = "mcx",
    .suffix = "_mcx.xml",
    .title = "a Maya cache with wide sizes",
    MAYA_CALLS,
};

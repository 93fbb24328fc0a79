/* SPDX-License-Identifier: Apache-2.0 */
#include "io/maya_frame.h"

#include "io/bytes.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 300 };

/* ---- IFF ---- */

static size_t chunk_head(bool wide) { return wide ? 16 : 8; }

static size_t fill_up(bool wide, size_t size)
{
    const size_t unit = wide ? 8 : 4;
    return (size + unit - 1) / unit * unit;
}

static size_t chunk_size(bool wide, size_t size) { return chunk_head(wide) + fill_up(wide, size); }

static char *put_head(char *at, bool wide, const char *tag, size_t size)
{
    memcpy(at, tag, 4);
    bytes_put_be32(at + 4, wide ? 0 : (uint32_t)size);
    if (wide) bytes_put_be64(at + 8, size);
    return at + chunk_head(wide);
}

static char *put_group(char *at, bool wide, const char *tag, size_t children)
{
    at = put_head(at, wide, wide ? "FOR8" : "FOR4", 4 + children);
    memcpy(at, tag, 4);
    return at + 4;
}

/* Leaves the data to the caller and returns where it goes; *at moves behind its zeros. */
static char *put_chunk(char **at, bool wide, const char *tag, size_t size)
{
    char *data = put_head(*at, wide, tag, size);
    const size_t filled = fill_up(wide, size);
    memset(data + size, 0, filled - size);
    *at = data + filled;
    return data;
}

static void put_number(char **at, bool wide, const char *tag, uint32_t value)
{
    bytes_put_be32(put_chunk(at, wide, tag, 4), value);
}

/* ---- the frame ---- */

static size_t name_of_channel(const maya_frame *f, bool velocities, char out[LONGEST_NAME])
{
    return (size_t)snprintf(out, LONGEST_NAME, "%s%s", f->channel, velocities ? "_velocity" : "") +
           1;
}

static size_t channel_size(const maya_frame *f, bool velocities)
{
    char name[LONGEST_NAME];
    return chunk_size(f->wide, name_of_channel(f, velocities, name)) + chunk_size(f->wide, 4) +
           chunk_size(f->wide, 12 * f->points);
}

static size_t channels_size(const maya_frame *f)
{
    return channel_size(f, false) + (f->velocities ? channel_size(f, true) : 0);
}

static size_t group_head(bool wide) { return chunk_head(wide) + 4; }

static size_t header_size(const maya_frame *f)
{
    return group_head(f->wide) + 3 * chunk_size(f->wide, 4);
}

size_t maya_frame_measure(const maya_frame *f)
{
    return header_size(f) + group_head(f->wide) + channels_size(f);
}

static char *put_channel(char *at, const maya_frame *f, bool velocities, const float *x)
{
    char name[LONGEST_NAME];
    const size_t size = name_of_channel(f, velocities, name);
    memcpy(put_chunk(&at, f->wide, "CHNM", size), name, size);
    put_number(&at, f->wide, "SIZE", (uint32_t)f->points);
    char *data = put_chunk(&at, f->wide, "FVCA", 12 * f->points);
    for (size_t i = 0; i < 3 * f->points; i++) bytes_put_be_float(data + 4 * i, x[i]);
    return at;
}

void maya_frame_build(const maya_frame *f, const float *positions, const float *velocities,
                      char *out)
{
    char *at = put_group(out, f->wide, "CACH", 3 * chunk_size(f->wide, 4));
    memcpy(put_chunk(&at, f->wide, "VRSN", 4), "0.1", 4);
    put_number(&at, f->wide, "STIM", (uint32_t)f->ticks);
    put_number(&at, f->wide, "ETIM", (uint32_t)f->ticks);
    at = put_group(at, f->wide, "MYCH", channels_size(f));
    at = put_channel(at, f, false, positions);
    if (f->velocities) put_channel(at, f, true, velocities);
}

static void take_channel(const maya_frame *f, const char *end, float *x)
{
    const char *data = end - fill_up(f->wide, 12 * f->points);
    for (size_t i = 0; i < 3 * f->points; i++) x[i] = bytes_get_be_float(data + 4 * i);
}

void maya_frame_take(const maya_frame *f, const char *bytes, float *positions, float *velocities)
{
    const char *end = bytes + header_size(f) + group_head(f->wide) + channel_size(f, false);
    take_channel(f, end, positions);
    if (f->velocities) take_channel(f, end + channel_size(f, true), velocities);
}

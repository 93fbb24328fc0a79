/* SPDX-License-Identifier: Apache-2.0
 *
 * Caches: the points of one object, frame by frame, in files that other programs read. Every format
 * is one row of a table and stands behind the same few calls.
 *
 * Writing:  create, or reopen and cut;  write frame 0, 1, ...;  finish after the last;  close.
 * A frame is on the disk before the file says that it is there. Until `finish` a file is valid with
 * the frames it has (PC2, stn) or marked as unfinished in its first bytes (MDD, USD) or
 * lacks its main file (nCache). Frames have fixed places or can be cut off one by one, so a file
 * that was taken up again has the same bytes as one written without a break. Memory does not grow
 * with the number of frames (stn: 8 bytes for each).
 *
 * Reading:  open;  read any frame;  close.  Readers take what the writers here write. Whatever is
 * in a file, a reader answers with an error or with data, and asks for memory in proportion to what
 * the file can really hold.
 */
#ifndef IO_CACHE_H
#define IO_CACHE_H

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>

enum { CACHE_POINTS = 1, CACHE_MESH = 2, CACHE_CURVES = 4 }; /* kinds; one or several of them */
enum { CACHE_VELOCITIES = 1, CACHE_STATES = 2, CACHE_STATISTICS = 4 }; /* parts beside positions */
enum { CACHE_MOST_FRAMES = 1000000, CACHE_MOST_FORMATS = 8 };

#define CACHE_MOST_POINTS ((size_t)1 << 28)

/* What stays the same in all frames. Lengths are in metres; one frame is one sample. */
typedef struct cache_shape {
    const char *name;
    uint32_t kind;
    uint32_t parts; /* that each frame has */
    size_t points, triangle_count, strands;
    const uint32_t *triangles;    /* 3 for each, of a mesh */
    const uint32_t *strand_sizes; /* points of each strand, of curves */
    double first_frame, frame_rate;
    size_t frames; /* that there will be when the file is finished */
} cache_shape;

typedef struct cache_frame {
    const float *positions;  /* m, 3 for each point */
    const float *velocities; /* m/s */
    const uint8_t *states;  /* as the array contact_state: 0 none, 1 taking off, 2 stick, 3 slide */
    const char *statistics; /* JSON text */
} cache_frame;

typedef struct cache_format cache_format;

/* NULL beyond the last one. */
const cache_format *cache_format_at(size_t i);
const cache_format *cache_format_by_name(const char *name);
/* By the end of a file's name; NULL if it is none of ours. */
const cache_format *cache_format_by_suffix(const char *path);
const char *cache_format_name(const cache_format *f);
const char *cache_format_suffix(const cache_format *f); /* ".pc2" */
uint32_t cache_format_kinds(const cache_format *f);
uint32_t cache_format_parts(const cache_format *f);

/* ---- writing ---- */

typedef struct cache_writer cache_writer;

/* What `shape` points at, and `path`, must outlive the writer. Parts that the format has no place
 * for are left out. On failure there is nothing to close. */
status cache_create(cache_writer **out, const cache_format *format, const allocator *memory,
                    const char *path, const cache_shape *shape, error *err);

/* Opens a file of the same shape that holds at least `frames` frames. Nothing is changed yet:
 * cache_cut drops what lies beyond. */
status cache_reopen(cache_writer **out, const cache_format *format, const allocator *memory,
                    const char *path, const cache_shape *shape, size_t frames, error *err);
status cache_cut(cache_writer *w, size_t frames, error *err);

/* Writes frame number `index`, at most one beyond the last; it becomes the last. After a failure
 * the same call may be tried again. */
status cache_write(cache_writer *w, size_t index, const cache_frame *frame, error *err);

/* After the last frame; may be tried again. */
status cache_finish(cache_writer *w, error *err);
status cache_sync(cache_writer *w, error *err);
/* NULL is fine. A file that was not finished stays so. */
void cache_close(cache_writer *w);

/* ---- reading ---- */

typedef struct cache_reader cache_reader;

typedef struct cache_info {
    const cache_format *format;
    cache_shape shape; /* lives as long as the reader; frame_rate 0: the file does not say */
    size_t frames;     /* whole ones that are there */
    bool complete;
    uint64_t bytes;   /* of all files together */
    const char *note; /* what is wrong with an incomplete file, or NULL */
} cache_info;

/* The format is found in the file itself. `path` must outlive the reader. On failure there is
 * nothing to close. */
status cache_open(cache_reader **out, const allocator *memory, const char *path, error *err);
const cache_info *cache_get_info(const cache_reader *r);
/* The frame's arrays stay valid until the next read. */
status cache_read(cache_reader *r, size_t index, cache_frame *out, error *err);
void cache_reader_close(cache_reader *r); /* NULL is fine */

/* Whether a file's first bytes, or else its name, are those of a cache. */
bool cache_recognises(const char *path, const char *head, size_t size);

/* ---- both ---- */

/* Reads every frame and checks all that can be checked: sizes, checksums, finite numbers. */
status cache_verify(const allocator *memory, const char *path, cache_reader **out, error *err);

/* Writes all whole frames of one file into another. `mesh`: triangles for a cache that has none
 * itself, from an OBJ file, or NULL. */
status cache_convert(const allocator *memory, const char *from, const char *to,
                     const cache_format *format, const char *mesh, error *err);

#endif

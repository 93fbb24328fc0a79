/* SPDX-License-Identifier: Apache-2.0
 *
 * What a format is to cache.c, and what formats share. A format's own state lies behind `own`,
 * zeroed when it gets it.
 */
#ifndef IO_CACHE_FORMAT_H
#define IO_CACHE_FORMAT_H

#include "io/cache.h"
#include "io/file.h"

struct cache_writer {
    const cache_format *format;
    const allocator *memory;
    const char *path;
    cache_shape shape; /* parts: those that are written */
    size_t frames;     /* whole ones in the file */
    file out;
    void *own;
    char *buffer; /* room for one frame, as the format asked for it */
    size_t buffer_size;
};

struct cache_reader {
    cache_info info;
    const allocator *memory;
    const char *path;
    file in;
    void *own;
    char *buffer;
    size_t buffer_size;
    char *name;
    size_t name_size;
    uint32_t *indices; /* triangles or strand sizes */
    size_t indices_size;
    float *positions, *velocities;
    uint8_t *states;
    char *statistics; /* with a zero byte */
    size_t vector_size, statistics_size;
};

struct cache_format {
    const char *name, *suffix, *title; /* title: "a PC2 cache" */
    uint32_t kinds, parts;
    bool fixed_frames;               /* the file says from the beginning how many there will be */
    size_t writer_size, reader_size; /* of `own` */
    /* The file may be there already. */
    status (*create)(cache_writer *w, error *err);
    /* Opens the file; the rest was checked. */
    status (*reopen)(cache_writer *w, error *err);
    status (*cut)(cache_writer *w, size_t frames, error *err);
    status (*write)(cache_writer *w, size_t index, const cache_frame *f, error *err);
    status (*finish)(cache_writer *w, error *err);
    status (*sync)(cache_writer *w, error *err); /* NULL: `out` is the file */
    /* Bytes that one more frame takes, at most. */
    uint64_t (*frame_size)(const cache_writer *w);
    void (*close)(cache_writer *w); /* NULL: there is nothing but `out` and memory */
    bool (*recognise)(const char *head, size_t size); /* NULL: by the suffix alone */
    /* The file is open. Fills info and calls cache_reader_reserve. */
    status (*open)(cache_reader *r, error *err);
    status (*read)(cache_reader *r, size_t index, error *err);
    void (*shut)(cache_reader *r); /* as `close` */
};

extern const cache_format cache_format_pc2;
extern const cache_format cache_format_mdd;
extern const cache_format cache_format_stn;
extern const cache_format cache_format_usd;
extern const cache_format cache_format_mc;
extern const cache_format cache_format_mcx;

/* What a file claims in info.shape is within reason, and its name and indices are those of the
 * shape; then there is room for one frame. Nothing is allocated before: the caller has compared the
 * claims with the size of the file. */
status cache_reader_check(const cache_reader *r, error *err);
status cache_reader_reserve(cache_reader *r, error *err);
/* A copy of the name. */
status cache_reader_set_name(cache_reader *r, const char *name, size_t size, error *err);
/* Room for the triangles or strand sizes of the shape, to be filled in through r->indices. */
status cache_reader_reserve_indices(cache_reader *r, error *err);
size_t cache_index_count(const cache_shape *s);
const uint32_t *cache_indices(const cache_shape *s);
/* Whether indices are in range and strands add up to the points. */
status cache_reader_check_indices(const cache_reader *r, error *err);

/* Makes `buffer` at least so large; what was in it is lost. */
status cache_writer_reserve(cache_writer *w, size_t size, error *err);
status cache_reader_reserve_buffer(cache_reader *r, size_t size, error *err);

/* The usual text for a file that is not what it should be. */
status cache_refuse(const cache_reader *r, error *err, const char *what);

#endif

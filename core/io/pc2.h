/* SPDX-License-Identifier: Apache-2.0
 *
 * PC2 point caches: 32 bytes of header, then one sample after the other, little-endian.
 *
 *     char[12] "POINTCACHE2\0" | i32 version 1 | i32 points | f32 first frame |
 *     f32 frames per sample | i32 samples | per sample: points x 3 f32
 *
 * A sample is written and synced before the header counts it, so at every moment the file is valid
 * and holds all samples that it says it holds.
 */
#ifndef IO_PC2_H
#define IO_PC2_H

#include "io/file.h"

extern const char pc2_magic[12];

typedef struct pc2_header {
    char magic[12];
    int32_t version, points;
    float start, rate;
    int32_t samples;
} pc2_header;

typedef struct pc2_writer {
    file out;
    pc2_header header;
} pc2_writer;

#define PC2_CLOSED ((pc2_writer){.out = FILE_CLOSED})

/* A new file without samples; an old one is emptied. */
status pc2_create(pc2_writer *w, const char *path, size_t points, double start, error *err);

/* Opens a file for more samples after the first `samples`; it must have been made with the same
 * points and start and hold at least that many. Nothing is changed yet: pc2_cut drops what lies
 * beyond. */
status pc2_open(pc2_writer *w, const char *path, size_t points, double start, size_t samples,
                error *err);
status pc2_cut(pc2_writer *w, size_t samples, error *err);

/* Writes sample number `sample`, at most one beyond the last; it becomes the last. After a failure
 * the file holds what it held and the same call may be tried again. */
status pc2_write(pc2_writer *w, size_t sample, const float *positions, error *err);

/* Until then a power cut may cost the last sample its place in the count. */
status pc2_sync(const pc2_writer *w, error *err);
void pc2_close(pc2_writer *w);

/* Reads and checks a header; `bytes` is the file's size. */
status pc2_read_header(const char *path, pc2_header *header, uint64_t *bytes, error *err);

#endif

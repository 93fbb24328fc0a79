/* SPDX-License-Identifier: Apache-2.0
 *
 * The native cache, .stn. After 16 bytes (magic, u32 version 1, u32 0) a row of chunks, see
 * stn_chunk.h:
 *
 *     "HEAD"  u32 kind (1 points, 2 mesh, 4 curves) | u32 parts | u64 points, triangles, strands |
 *             f64 first frame, frame rate | u32 bytes of the name | u32 0 |
 *             u32 corners of the triangles or sizes of the strands | name
 *     "FRAM"  for frame number 0, 1, ...: u64 bytes of the statistics | f32 positions |
 *             f32 velocities | u8 contact states | statistics, JSON text; as far as `parts`
 *             (1 velocities, 2 states, 4 statistics) has them
 *     "INDX"  u64 for each frame: where its chunk begins
 *
 * and at the very end of a finished file u64 where INDX begins | u64 frames | "STNINDEX".
 *
 * Inside FRAM each array of floats is stored by planes, all lowest bytes first, which packs better.
 */
#ifndef IO_CACHE_STN_H
#define IO_CACHE_STN_H

#include "base/array.h"
#include "io/cache_format.h"
#include "io/stn_chunk.h"

enum { STN_PROLOGUE = 16, STN_SHAPE = 56, STN_TRAILER = 24, STN_MOST_STATISTICS = 1 << 16 };

extern const char stn_magic[8], stn_trailer_magic[8];

/* Of a frame without its statistics. */
size_t stn_frame_size(const cache_shape *s);

/* Floats to planes of bytes and back. */
void stn_split_planes(char *to, const float *from, size_t count);
void stn_join_planes(float *to, const char *from, size_t count);

/* cache_stn_read.c */
typedef struct stn_reader {
    stn_packer packer;
    array offsets; /* uint64_t, of each whole frame's chunk */
} stn_reader;

bool stn_recognise(const char *head, size_t size);
status stn_open(cache_reader *r, error *err);
status stn_read(cache_reader *r, size_t index, error *err);
void stn_shut(cache_reader *r);

#endif

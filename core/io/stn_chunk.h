/* SPDX-License-Identifier: Apache-2.0
 *
 * The chunks that a .stn file is made of, little-endian:
 *
 *      0  char[4] tag
 *      4  u32 encoding: 0 as it is, 1 one frame of zstd
 *      8  u64 number
 *     16  u64 stored bytes n
 *     24  u64 plain bytes
 *     32  u64 XXH64 of the stored bytes and what fills them up to a multiple of 8
 *     40  u64 XXH64 of the 40 bytes before
 *     48  n bytes, then zeros up to a multiple of 8
 *
 * A chunk that was not written to its end has a wrong sum or none, so a file can be appended to
 * without a draft: what a broken run leaves behind the last whole chunk does not count.
 */
#ifndef IO_STN_CHUNK_H
#define IO_STN_CHUNK_H

#include "io/file.h"

enum { STN_CHUNK_HEADER = 48 };

typedef struct stn_chunk {
    char tag[4];
    uint32_t encoding;
    uint64_t number, stored, plain, sum;
} stn_chunk;

/* Bytes of the whole chunk, and the most that one with so many plain bytes can have. */
uint64_t stn_chunk_size(const stn_chunk *c);
size_t stn_chunk_bound(size_t plain);

/* Compression, with memory that is kept from one chunk to the next. */
typedef struct stn_packer {
    void *compressor, *decompressor; /* made when needed */
} stn_packer;

void stn_packer_destroy(stn_packer *p);

/* Makes a chunk of c->plain bytes: packed, or as it is if that is not larger. `out` has room for
 * stn_chunk_bound bytes. */
status stn_chunk_pack(stn_packer *p, stn_chunk *c, const char *plain, char *out, const char *path,
                      error *err);

/* Reads and checks a chunk's header; the chunk lies within the file's `size` bytes. */
status stn_chunk_read_header(const file *f, uint64_t at, uint64_t size, stn_chunk *c, error *err);

/* Reads and checks the bytes of a chunk into `stored`, which has room for stn_chunk_size bytes. */
status stn_chunk_read_data(const file *f, uint64_t at, const stn_chunk *c, char *stored,
                           error *err);

/* The c->plain bytes of what was read. */
status stn_chunk_unpack(stn_packer *p, const stn_chunk *c, const char *stored, char *plain,
                        const char *path, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "io/stn_chunk.h"

#include "io/bytes.h"

#include <string.h>
#include <xxhash.h>
#include <zstd.h>

enum { PLAIN = 0, ZSTD = 1, LEVEL = 1 };
enum { SUMMED = 40 }; /* bytes of the header before its own sum */

/* A block of zstd has at most 128 KB and takes at least 4 bytes. */
enum { LARGEST_RATIO = 1 << 15 };

static uint64_t fill_up(uint64_t size) { return (size + 7) & ~(uint64_t)7; }

uint64_t stn_chunk_size(const stn_chunk *c) { return STN_CHUNK_HEADER + fill_up(c->stored); }

size_t stn_chunk_bound(size_t plain)
{
    const size_t packed = ZSTD_compressBound(plain);
    return STN_CHUNK_HEADER + (size_t)fill_up(packed > plain ? packed : plain);
}

void stn_packer_destroy(stn_packer *p)
{
    ZSTD_freeCCtx(p->compressor);
    ZSTD_freeDCtx(p->decompressor);
    *p = (stn_packer){0};
}

/* ---- writing ---- */

static void put_header(const stn_chunk *c, char *out)
{
    memcpy(out, c->tag, 4);
    bytes_put_le32(out + 4, c->encoding);
    bytes_put_le64(out + 8, c->number);
    bytes_put_le64(out + 16, c->stored);
    bytes_put_le64(out + 24, c->plain);
    bytes_put_le64(out + 32, c->sum);
    bytes_put_le64(out + SUMMED, XXH64(out, SUMMED, 0));
}

status stn_chunk_pack(stn_packer *p, stn_chunk *c, const char *plain, char *out, const char *path,
                      error *err)
{
    if (!p->compressor) p->compressor = ZSTD_createCCtx();
    if (!p->compressor) return error_out_of_memory(err, path);
    const size_t size = (size_t)c->plain, room = stn_chunk_bound(size) - STN_CHUNK_HEADER;
    char *data = out + STN_CHUNK_HEADER;
    const size_t packed = ZSTD_compressCCtx(p->compressor, data, room, plain, size, LEVEL);
    c->encoding = !ZSTD_isError(packed) && packed < size ? ZSTD : PLAIN;
    c->stored = c->encoding == ZSTD ? packed : size;
    if (c->encoding == PLAIN) memcpy(data, plain, size);
    const size_t filled = (size_t)fill_up(c->stored);
    memset(data + c->stored, 0, filled - (size_t)c->stored);
    c->sum = XXH64(data, filled, 0);
    put_header(c, out);
    return STATUS_OK;
}

/* ---- reading ---- */

static status refuse(const file *f, uint64_t at, const char *what, error *err)
{
    return error_set(err, STATUS_PARSE, "%s: the chunk at byte %llu %s", f->path,
                     (unsigned long long)at, what);
}

status stn_chunk_read_header(const file *f, uint64_t at, uint64_t size, stn_chunk *c, error *err)
{
    char b[STN_CHUNK_HEADER];
    if (at > size || size - at < sizeof b) return refuse(f, at, "is cut off", err);
    const status result = file_read_at(f, at, b, sizeof b, err);
    if (result < 0) return result;
    if (XXH64(b, SUMMED, 0) != bytes_get_le64(b + SUMMED)) {
        return refuse(f, at, "has a header with a wrong checksum", err);
    }
    *c = (stn_chunk){.encoding = bytes_get_le32(b + 4),
                     .number = bytes_get_le64(b + 8),
                     .stored = bytes_get_le64(b + 16),
                     .plain = bytes_get_le64(b + 24),
                     .sum = bytes_get_le64(b + 32)};
    memcpy(c->tag, b, 4);
    const uint64_t rest = size - at - sizeof b;
    if (c->stored > rest || fill_up(c->stored) > rest) return refuse(f, at, "is cut off", err);
    if (c->encoding > ZSTD || (c->encoding == PLAIN && c->plain != c->stored) ||
        c->plain / LARGEST_RATIO > c->stored) {
        return refuse(f, at, "claims a size or an encoding that cannot be", err);
    }
    return STATUS_OK;
}

status stn_chunk_read_data(const file *f, uint64_t at, const stn_chunk *c, char *stored, error *err)
{
    const size_t filled = (size_t)fill_up(c->stored);
    const status result = file_read_at(f, at + STN_CHUNK_HEADER, stored, filled, err);
    if (result < 0) return result;
    if (XXH64(stored, filled, 0) == c->sum) return STATUS_OK;
    return refuse(f, at, "has a wrong checksum", err);
}

status stn_chunk_unpack(stn_packer *p, const stn_chunk *c, const char *stored, char *plain,
                        const char *path, error *err)
{
    if (c->encoding == PLAIN) {
        memcpy(plain, stored, (size_t)c->plain);
        return STATUS_OK;
    }
    if (!p->decompressor) p->decompressor = ZSTD_createDCtx();
    if (!p->decompressor) return error_out_of_memory(err, path);
    const size_t size =
        ZSTD_decompressDCtx(p->decompressor, plain, (size_t)c->plain, stored, (size_t)c->stored);
    if (!ZSTD_isError(size) && size == c->plain) return STATUS_OK;
    return error_set(err, STATUS_PARSE, "%s: a chunk cannot be unpacked: %s", path,
                     ZSTD_isError(size) ? ZSTD_getErrorName(size) : "it is shorter than it says");
}

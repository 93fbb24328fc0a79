/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint.h"

#include <string.h>
#include <xxhash.h>

_Static_assert(sizeof(checkpoint_header) == 40, "the header is written as it lies in memory");
#if defined(__BYTE_ORDER__)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "so is the order of bytes");
#endif

enum { CHECKPOINT_VERSION = 1 };
const char checkpoint_magic[8] = "STNSHOT";
static const size_t CHECKPOINT_LIMIT = (size_t)1 << 36;

static size_t whole_size(size_t state_size)
{
    return sizeof(checkpoint_header) + state_size + sizeof(uint64_t);
}

static status fill_and_write(const allocator *from, const char *path, checkpoint_header header,
                             const scene *s, char *bytes, error *err)
{
    size_t written = 0;
    const size_t state_size = (size_t)header.state_size;
    status result = scene_save_state(s, bytes + sizeof header, state_size, &written, err);
    if (result < 0) return result;
    memcpy(bytes, &header, sizeof header);
    const uint64_t checksum = XXH3_64bits(bytes, sizeof header + state_size);
    memcpy(bytes + sizeof header + state_size, &checksum, sizeof checksum);
    file_draft draft;
    result = file_draft_open(&draft, from, path, err);
    if (result < 0) return result;
    file_draft_write(&draft, bytes, whole_size(state_size));
    return file_draft_commit(&draft, err);
}

status checkpoint_write(const allocator *from, const char *path, uint64_t scene_hash, double frame,
                        bool under_way, const scene *s, error *err)
{
    checkpoint_header header = {.version = CHECKPOINT_VERSION,
                                .under_way = under_way,
                                .scene_hash = scene_hash,
                                .frame = frame,
                                .state_size = scene_state_size(s)};
    memcpy(header.magic, checkpoint_magic, sizeof header.magic);
    const size_t size = whole_size((size_t)header.state_size);
    char *bytes = memory_alloc(from, size);
    if (!bytes) return error_out_of_memory(err, path);
    const status result = fill_and_write(from, path, header, s, bytes, err);
    memory_free(from, bytes, size);
    return result;
}

static status check_bytes(checkpoint *c, const char *path, error *err)
{
    checkpoint_header *h = &c->header;
    const size_t size = c->bytes.size;
    if (size < sizeof *h || memcmp(c->bytes.data, checkpoint_magic, sizeof h->magic) != 0) {
        return error_set(err, STATUS_PARSE, "%s: is not a checkpoint", path);
    }
    memcpy(h, c->bytes.data, sizeof *h);
    if (h->version != CHECKPOINT_VERSION) {
        return error_set(err, STATUS_STATE_MISMATCH,
                         "%s: is a checkpoint of version %u, expected %d", path, h->version,
                         CHECKPOINT_VERSION);
    }
    if (h->state_size > CHECKPOINT_LIMIT || size != whole_size((size_t)h->state_size)) {
        return error_set(err, STATUS_STATE_MISMATCH,
                         "%s: has %zu bytes, which does not fit its header: it is damaged", path,
                         size);
    }
    uint64_t checksum = 0;
    memcpy(&checksum, c->bytes.data + size - sizeof checksum, sizeof checksum);
    if (checksum != XXH3_64bits(c->bytes.data, size - sizeof checksum)) {
        return error_set(err, STATUS_STATE_MISMATCH, "%s: the checksum differs: it is damaged",
                         path);
    }
    c->state = c->bytes.data + sizeof *h;
    return STATUS_OK;
}

status checkpoint_read(checkpoint *c, const allocator *from, const char *path, error *err)
{
    status result = file_read(from, path, CHECKPOINT_LIMIT, &c->bytes, err);
    if (result < 0) return result;
    result = check_bytes(c, path, err);
    if (result < 0) checkpoint_destroy(c);
    return result;
}

void checkpoint_destroy(checkpoint *c)
{
    file_bytes_destroy(&c->bytes);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Checkpoints: the state of a shot in one file, so that a later run can go on from there.
 *
 *     char[8] "STNSHOT\0" | u32 version | u32 under way | u64 hash of the scene file | f64 frame |
 *     u64 size of the state | the state, as scene_save_state gives it | u64 xxh3 of all before
 *
 * Little-endian. The file appears complete or not at all.
 */
#ifndef IO_CHECKPOINT_H
#define IO_CHECKPOINT_H

#include "io/file.h"
#include "scene/scene.h"

extern const char checkpoint_magic[8];

typedef struct checkpoint_header {
    char magic[8];
    uint32_t version;
    uint32_t under_way; /* 1: the frame after `frame` was animated and perhaps begun */
    uint64_t scene_hash;
    double frame; /* the last one that was finished */
    uint64_t state_size;
} checkpoint_header;

status checkpoint_write(const allocator *from, const char *path, uint64_t scene_hash, double frame,
                        bool under_way, const scene *s, error *err);

typedef struct checkpoint {
    checkpoint_header header;
    file_bytes bytes;
    const char *state; /* within bytes */
} checkpoint;

/* Checked to the last byte. On failure there is nothing to destroy. */
status checkpoint_read(checkpoint *c, const allocator *from, const char *path, error *err);
void checkpoint_destroy(checkpoint *c);

#endif

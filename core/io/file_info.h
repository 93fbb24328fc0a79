/* SPDX-License-Identifier: Apache-2.0
 *
 * What a file is, as JSON text: scene files, checkpoints, PC2 caches and OBJ meshes. The kind is
 * found in the file's first bytes; files that are neither a cache nor a checkpoint go by their
 * suffix.
 */
#ifndef IO_FILE_INFO_H
#define IO_FILE_INFO_H

#include "base/memory.h"
#include "base/status.h"

/* Writes a zero-terminated text of at most `capacity` bytes. */
status file_info_write(const allocator *from, const char *path, char *json, size_t capacity,
                       error *err);

#endif

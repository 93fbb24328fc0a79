/* SPDX-License-Identifier: Apache-2.0
 *
 * What a file is, as JSON text: scene files, checkpoints, caches and OBJ meshes. The kind is found
 * in the file's first bytes; files without a mark of their own go by their suffix.
 */
#ifndef IO_FILE_INFO_H
#define IO_FILE_INFO_H

#include "base/memory.h"
#include "base/status.h"

/* Writes a zero-terminated text of at most `capacity` bytes. */
status file_info_write(const allocator *from, const char *path, char *json, size_t capacity,
                       error *err);

/* The same after reading all of it: every frame, every checksum. "whole" is false for a cache that
 * was not finished; "problem" then says what is missing. Damage is an error. */
status file_info_verify(const allocator *from, const char *path, char *json, size_t capacity,
                        error *err);

#endif

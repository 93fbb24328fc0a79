/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are there whole or not at all: written under a temporary name, then renamed. What is
 * no plain file (/dev/stdout) is written directly.
 */
#ifndef STICTION_SAVE_H
#define STICTION_SAVE_H

#include "cli.h"

/* Writes a file; NULL, or why it could not. */
typedef const char *(*save_function)(const char *path, void *user);

/* NULL, or why there is no such file. */
const char *save_whole(const char *path, save_function write, void *user);

/* CLI_DONE, or CLI_FILES with the error reported. */
int save_file(const cli *c, const char *path, save_function write, void *user);

/* The same for a document; it stays the caller's. `flags` are those of jansson's dump. */
int save_json(const cli *c, const char *path, const json_t *document, size_t flags);

#endif

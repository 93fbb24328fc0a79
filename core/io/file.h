/* SPDX-License-Identifier: Apache-2.0
 *
 * Files: the one place that talks to the operating system about them.
 *
 * Reading takes whole regular files up to a limit, so neither a pipe nor a mistaken path can hang
 * us or eat the machine. Writing comes in two kinds: a `file` is written at known places and synced
 * when the caller says so; a `file_draft` is written under a temporary name and takes the place of
 * the old file only when it is complete and on the disk. Every error names the file and the
 * system's reason.
 */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>

/* ---- whole files ---- */

typedef struct file_bytes {
    const allocator *from;
    char *data; /* a zero byte follows the last one */
    size_t size;
} file_bytes;

/* Files beyond `limit` bytes are refused. On failure there is nothing to destroy. */
status file_read(const allocator *from, const char *path, size_t limit, file_bytes *out,
                 error *err);
void file_bytes_destroy(file_bytes *b);

/* ---- files written in place ---- */

typedef struct file {
    int handle;       /* -1: not open */
    const char *path; /* the caller's; must outlive the file */
} file;

#define FILE_CLOSED ((file){.handle = -1})

/* Makes the file, or empties it if there is one. */
status file_create(file *f, const char *path, error *err);
/* Opens what is there for reading and, if asked, for writing. */
status file_open(file *f, const char *path, bool writable, error *err);
status file_get_size(const file *f, uint64_t *size, error *err);
/* STATUS_PARSE if the file ends before. */
status file_read_at(const file *f, uint64_t offset, void *data, size_t size, error *err);
status file_write_at(const file *f, uint64_t offset, const void *data, size_t size, error *err);
status file_truncate(const file *f, uint64_t size, error *err);
status file_sync(const file *f, error *err);
/* Does nothing to a file that is not open. */
void file_close(file *f);

/* ---- all or nothing ---- */

typedef struct file_draft {
    const allocator *from;
    file out;
    const char *path;
    char *temporary; /* path of the file being written */
    char *buffer;
    size_t buffered, temporary_size;
    uint64_t written;
    error failure; /* the first one; later writes do nothing */
} file_draft;

/* After a failure there is nothing to discard. `path` must outlive the draft. */
status file_draft_open(file_draft *d, const allocator *from, const char *path, error *err);
/* A failure is kept and reported by the commit. */
void file_draft_write(file_draft *d, const void *data, size_t size);
/* Syncs and renames; ends the draft. On failure the old file is untouched. */
status file_draft_commit(file_draft *d, error *err);

/* ---- folders and paths ---- */

/* With all its parents; a folder that is there is fine. */
status file_make_folder(const allocator *from, const char *path, error *err);
/* A file that is not there is fine. */
status file_remove(const char *path, error *err);
bool file_exists(const char *path);
/* Whether both names lead to one existing file. */
bool file_is_same(const char *a, const char *b);
/* Bytes of `path` up to and with its last slash; 0 if there is none. */
size_t file_folder_length(const char *path);
/* "drop" of "shots/drop.json"; *start is where it stands in `path`. Returns its length. */
size_t file_find_stem(const char *path, const char **start);

#endif

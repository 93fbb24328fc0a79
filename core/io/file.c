/* SPDX-License-Identifier: Apache-2.0 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_NONBLOCK: opening a pipe must not wait for its other end; regular files ignore it. */
enum { OPEN_FLAGS = O_CLOEXEC | O_NONBLOCK, FILE_MODE = 0666, FOLDER_MODE = 0777 };
enum { DRAFT_BUFFER = 1 << 16 };

static status system_error(error *err, const char *path, const char *what)
{
    return error_set(err, STATUS_IO, "%s: cannot %s: %s", path, what, strerror(errno));
}

/* ---- files written in place ---- */

status file_create(file *f, const char *path, error *err)
{
    *f = (file){open(path, O_RDWR | O_CREAT | O_TRUNC | OPEN_FLAGS, FILE_MODE), path};
    return f->handle < 0 ? system_error(err, path, "write the file") : STATUS_OK;
}

static status check_regular(const file *f, error *err)
{
    struct stat found;
    if (fstat(f->handle, &found) != 0) return system_error(err, f->path, "read the file");
    if (S_ISREG(found.st_mode)) return STATUS_OK;
    return error_set(err, STATUS_IO, "%s: is %s, expected a file", f->path,
                     S_ISDIR(found.st_mode) ? "a folder" : "a device or pipe");
}

status file_open(file *f, const char *path, bool writable, error *err)
{
    *f = (file){open(path, (writable ? O_RDWR : O_RDONLY) | OPEN_FLAGS), path};
    if (f->handle < 0) return system_error(err, path, "open the file");
    const status result = check_regular(f, err);
    if (result < 0) file_close(f);
    return result;
}

status file_get_size(const file *f, uint64_t *size, error *err)
{
    struct stat found;
    if (fstat(f->handle, &found) != 0) return system_error(err, f->path, "read the file");
    *size = (uint64_t)found.st_size;
    return STATUS_OK;
}

status file_read_at(const file *f, uint64_t offset, void *data, size_t size, error *err)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n =
            pread(f->handle, (char *)data + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return system_error(err, f->path, "read the file");
        if (n == 0) {
            return error_set(err, STATUS_PARSE, "%s: ends after %llu bytes, expected %llu more",
                             f->path, (unsigned long long)(offset + done),
                             (unsigned long long)(size - done));
        }
        done += (size_t)n;
    }
    return STATUS_OK;
}

status file_write_at(const file *f, uint64_t offset, const void *data, size_t size, error *err)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n =
            pwrite(f->handle, (const char *)data + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            return error_set(err, STATUS_IO, "%s: cannot write %llu bytes: %s", f->path,
                             (unsigned long long)(size - done), strerror(errno));
        }
        done += (size_t)n;
    }
    return STATUS_OK;
}

status file_truncate(const file *f, uint64_t size, error *err)
{
    if (ftruncate(f->handle, (off_t)size) == 0) return STATUS_OK;
    return system_error(err, f->path, "shorten the file");
}

status file_sync(const file *f, error *err)
{
    if (fsync(f->handle) == 0 || errno == EINVAL) return STATUS_OK; /* EINVAL: cannot be synced */
    return system_error(err, f->path, "write the file to the disk");
}

void file_close(file *f)
{
    if (f->handle >= 0) close(f->handle);
    f->handle = -1;
}

/* ---- whole files ---- */

static status read_open_file(const file *f, size_t limit, file_bytes *out, error *err)
{
    uint64_t size = 0;
    const status result = file_get_size(f, &size, err);
    if (result < 0) return result;
    if (size > limit) {
        return error_set(err, STATUS_PARSE, "%s: has %llu bytes, expected at most %zu", f->path,
                         (unsigned long long)size, limit);
    }
    out->size = (size_t)size;
    out->data = memory_alloc(out->from, out->size + 1);
    if (!out->data) return error_out_of_memory(err, f->path);
    return file_read_at(f, 0, out->data, out->size, err);
}

status file_read(const allocator *from, const char *path, size_t limit, file_bytes *out, error *err)
{
    *out = (file_bytes){.from = from};
    file f;
    status result = file_open(&f, path, false, err);
    if (result < 0) return result;
    result = read_open_file(&f, limit, out, err);
    file_close(&f);
    if (result < 0) file_bytes_destroy(out);
    return result;
}

void file_bytes_destroy(file_bytes *b)
{
    memory_free(b->from, b->data, b->size + 1);
    *b = (file_bytes){.from = b->from};
}

/* ---- all or nothing ---- */

static const char draft_suffix[] = ".part";

static void draft_release(file_draft *d)
{
    file_close(&d->out);
    memory_free(d->from, d->buffer, DRAFT_BUFFER);
    memory_free(d->from, d->temporary, d->temporary_size);
    d->buffer = d->temporary = NULL;
}

status file_draft_open(file_draft *d, const allocator *from, const char *path, error *err)
{
    *d = (file_draft){.from = from, .out = FILE_CLOSED, .path = path};
    d->temporary_size = strlen(path) + sizeof draft_suffix;
    d->temporary = memory_alloc(from, d->temporary_size);
    d->buffer = memory_alloc(from, DRAFT_BUFFER);
    status result = STATUS_OK;
    if (!d->temporary || !d->buffer) {
        result = error_out_of_memory(err, path);
    } else {
        snprintf(d->temporary, d->temporary_size, "%s%s", path, draft_suffix);
        result = file_create(&d->out, d->temporary, err);
    }
    if (result < 0) draft_release(d);
    return result;
}

static void draft_put(file_draft *d, const void *data, size_t size)
{
    if (d->failure.code != STATUS_OK) return;
    if (file_write_at(&d->out, d->written, data, size, &d->failure) == STATUS_OK) {
        d->written += size;
    }
}

static void draft_flush(file_draft *d)
{
    draft_put(d, d->buffer, d->buffered);
    d->buffered = 0;
}

void file_draft_write(file_draft *d, const void *data, size_t size)
{
    if (size > DRAFT_BUFFER - d->buffered) draft_flush(d);
    if (size > DRAFT_BUFFER) {
        draft_put(d, data, size);
        return;
    }
    memcpy(d->buffer + d->buffered, data, size);
    d->buffered += size;
}

/* A rename is on the disk when the folder is. Not every file system can do that; what it cannot do
 * is no reason to fail. */
static void sync_folder_of(char *path)
{
    path[file_folder_length(path)] = '\0';
    const int folder = open(path[0] ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    fsync(folder);
    close(folder);
}

static status draft_publish(file_draft *d, error *err)
{
    draft_flush(d);
    if (d->failure.code != STATUS_OK) {
        *err = d->failure;
        return err->code;
    }
    const status result = file_sync(&d->out, err);
    if (result < 0) return result;
    if (rename(d->temporary, d->path) == 0) return STATUS_OK;
    return system_error(err, d->path, "replace the file");
}

status file_draft_commit(file_draft *d, error *err)
{
    const status result = draft_publish(d, err);
    if (result < 0) {
        unlink(d->temporary);
    } else {
        sync_folder_of(d->temporary);
    }
    draft_release(d);
    return result;
}

/* ---- folders and paths ---- */

static bool is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static status make_one_folder(const char *path, error *err)
{
    if (mkdir(path, FOLDER_MODE) == 0) return STATUS_OK;
    const int reason = errno; /* is_folder has its own */
    if (is_folder(path)) return STATUS_OK;
    errno = reason;
    return system_error(err, path, "make the folder");
}

status file_make_folder(const allocator *from, const char *path, error *err)
{
    const size_t size = strlen(path) + 1;
    char *part = memory_alloc(from, size);
    if (!part) return error_out_of_memory(err, path);
    status result = STATUS_OK;
    for (size_t i = 1; i < size && result == STATUS_OK; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        result = make_one_folder(part, err);
    }
    memory_free(from, part, size);
    return result;
}

status file_remove(const char *path, error *err)
{
    if (unlink(path) == 0 || errno == ENOENT) return STATUS_OK;
    return system_error(err, path, "remove the file");
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

size_t file_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

size_t file_find_stem(const char *path, const char **start)
{
    *start = path + file_folder_length(path);
    const char *dot = strrchr(*start, '.');
    return dot && dot > *start ? (size_t)(dot - *start) : strlen(*start);
}

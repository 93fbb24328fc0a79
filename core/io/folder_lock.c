/* SPDX-License-Identifier: Apache-2.0 */
#include "io/folder_lock.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The run before may have removed the file between our opening and our locking it. */
static bool is_still_there(const file *lock)
{
    struct stat ours, there;
    return fstat(lock->handle, &ours) == 0 && stat(lock->path, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

status folder_lock_take(file *lock, const char *path, const char *folder, error *err)
{
    for (;;) {
        const status result = file_create(lock, path, err);
        if (result < 0) return result;
        if (flock(lock->handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            file_close(lock);
            return error_set(err, STATUS_IO, "another run is writing into %s", folder);
        }
        if (is_still_there(lock)) return STATUS_OK;
        file_close(lock);
    }
}

/* Removed while it is still held: nobody else can have locked this file by then. */
void folder_lock_release(file *lock)
{
    if (lock->handle >= 0) unlink(lock->path);
    file_close(lock);
}

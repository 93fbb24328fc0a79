/* SPDX-License-Identifier: Apache-2.0
 *
 * One writer for a folder: a lock on a small file in it.
 *
 * The lock belongs to the open file, so it ends with the process however that ends; a file that a
 * killed run left behind locks nothing. File systems that know no locks are used without.
 */
#ifndef IO_FOLDER_LOCK_H
#define IO_FOLDER_LOCK_H

#include "io/file.h"

/* `path` is the lock's file in `folder` and must outlive the lock. On failure nothing is held. */
status folder_lock_take(file *lock, const char *path, const char *folder, error *err);

/* Removes the file. Does nothing to a lock that is not held. */
void folder_lock_release(file *lock);

#endif

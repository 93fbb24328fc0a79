/* SPDX-License-Identifier: Apache-2.0
 *
 * One fresh folder for the files of the running test, and short ways to fill it and look into it.
 * Every function fails the test when the system refuses.
 */
#ifndef SUPPORT_TEMPORARY_FOLDER_H
#define SUPPORT_TEMPORARY_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* For setUp and tearDown: a new folder under $TMPDIR or /tmp, and its end with everything in it. */
void temporary_make(void);
void temporary_remove(void);

/* The path of a name in the folder; the last eight answers stay valid. */
const char *temporary_path(const char *name);

void temporary_write(const char *name, const void *data, size_t size);
void temporary_write_text(const char *name, const char *text);

/* The whole file, with a zero byte behind it. Give it back with free. */
char *temporary_read(const char *name, size_t *size);
bool temporary_exists(const char *name);
/* How many files and folders are in a folder; "" is the temporary one itself. */
size_t temporary_count(const char *name);
void temporary_check_equal(const char *name_a, const char *name_b);

/* From now on no file may grow beyond `bytes`, as if the disk were full; -1 lifts the limit. */
void temporary_limit_files(long bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_special(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

static const char *write_and_rename(const char *path, save_function write, void *user)
{
    const size_t size = strlen(path) + sizeof ".tmp";
    char *temporary = malloc(size);
    if (!temporary) return "out of memory";
    snprintf(temporary, size, "%s.tmp", path);
    const char *why = write(temporary, user);
    if (!why && rename(temporary, path) != 0) why = strerror(errno);
    if (why) remove(temporary);
    free(temporary);
    return why;
}

const char *save_whole(const char *path, save_function write, void *user)
{
    return is_special(path) ? write(path, user) : write_and_rename(path, write, user);
}

int save_file(const cli *c, const char *path, save_function write, void *user)
{
    const char *why = save_whole(path, write, user);
    return why ? cli_fail(c, CLI_FILES, "%s: %s", path, why) : CLI_DONE;
}

typedef struct dump {
    const json_t *document;
    size_t flags;
} dump;

static const char *write_json(const char *path, void *user)
{
    const dump *d = user;
    errno = 0;
    if (json_dump_file(d->document, path, d->flags) == 0) return NULL;
    return errno ? strerror(errno) : "cannot be written";
}

int save_json(const cli *c, const char *path, const json_t *document, size_t flags)
{
    dump d = {document, flags};
    return save_file(c, path, write_json, &d);
}

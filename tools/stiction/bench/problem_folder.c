/* SPDX-License-Identifier: Apache-2.0 */
#include "problem_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ENDING[] = ".hdf5";

const char *problem_folder_default(void)
{
    const char *published = "../shared/problems";
    return access(published, F_OK) == 0 ? published : "tests/data/problems";
}

static bool is_problem(const char *name)
{
    const size_t length = strlen(name), ending = strlen(ENDING);
    return length > ending && strcmp(name + length - ending, ENDING) == 0;
}

static bool add_path(problem_folder *folder, char *path)
{
    if (!path) return false;
    if (folder->count == folder->capacity) {
        const size_t capacity = folder->capacity ? 2 * folder->capacity : 32;
        char **grown = realloc(folder->paths, capacity * sizeof *grown);
        if (!grown) {
            free(path);
            return false;
        }
        folder->paths = grown;
        folder->capacity = capacity;
    }
    folder->paths[folder->count++] = path;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int problem_folder_read(const cli *c, const char *path, problem_folder *out)
{
    *out = (problem_folder){0};
    DIR *stream = opendir(path);
    if (!stream) return cli_fail(c, CLI_FILES, "%s: %s", path, strerror(errno));
    bool room = true;
    for (const struct dirent *entry; room && (entry = readdir(stream));) {
        if (is_problem(entry->d_name)) room = add_path(out, cli_join_path(path, entry->d_name));
    }
    closedir(stream);
    if (room && out->count > 0) {
        qsort(out->paths, out->count, sizeof *out->paths, compare_paths);
        return CLI_DONE;
    }
    problem_folder_free(out);
    if (!room) return cli_fail(c, CLI_SIMULATION, "out of memory");
    return cli_fail(c, CLI_FILES, "%s: there is no file that ends in %s", path, ENDING);
}

void problem_folder_free(problem_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++) free(folder->paths[i]);
    free(folder->paths);
    *folder = (problem_folder){0};
}

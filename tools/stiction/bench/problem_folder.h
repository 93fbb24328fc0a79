/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact problems of a folder: its files that end in .hdf5, in the order of their names.
 */
#ifndef STICTION_BENCH_PROBLEM_FOLDER_H
#define STICTION_BENCH_PROBLEM_FOLDER_H

#include "../cli.h"

typedef struct problem_folder {
    char **paths;
    size_t count, capacity;
} problem_folder;

/* The folder of published problems if it is there, else that of the tests; both as seen from the
 * root of the repository. */
const char *problem_folder_default(void);

/* CLI_DONE, or an exit code with the error reported; a folder without problems is an error. */
int problem_folder_read(const cli *c, const char *path, problem_folder *out);
void problem_folder_free(problem_folder *folder);

#endif

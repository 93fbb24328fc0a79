/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction bench contact --locals: the one-contact solvers side by side (paper 001, section 7.3,
 * Table 2 and Figure 11), in two ways:
 *     met      each on the same one-contact problems, those that Gauss-Seidel with exact answers
 *              meets in its first sweeps: W_ii, b with all other contacts held, the last r as
 *              guess;
 *     whole    Gauss-Seidel with each of them, on whole problems.
 */
#ifndef STICTION_BENCH_LOCALS_H
#define STICTION_BENCH_LOCALS_H

#include <stiction/ext_contact.h>

#include "../cli.h"
#include "../text.h"
#include "problem_folder.h"

enum { LOCALS_SWEEPS = 2000, LOCALS_MET_SWEEPS = 50 };
extern const double LOCALS_TOLERANCE;

/* One solver on all one-contact problems that were met. */
typedef struct local_met {
    uint64_t failures, fallbacks, iterations;
    double seconds;
} local_met;

/* Gauss-Seidel with one solver on one file. */
typedef struct local_whole {
    stn_contact_result result;
    double seconds; /* median of the repetitions */
} local_whole;

typedef struct local_row {
    stn_solver_info local;
    local_met met;
    local_whole *whole; /* for each file */
} local_row;

typedef struct local_file {
    text problem;
    uint32_t contacts;
    int code; /* not CLI_DONE: nothing but problem and error is there */
    char error[600];
} local_file;

typedef struct locals_bench {
    const cli *c;
    const stn_ext_contact *contact;
    const char *problems; /* folder; NULL: the default one */
    uint32_t threads;     /* 0: one */
    problem_folder folder;
    local_row *rows; /* for each one-contact solver */
    size_t row_count;
    local_file *files;
    size_t file_count;         /* fewer than the folder has if it was interrupted */
    uint64_t met, met_opening; /* one-contact problems; those with b_N >= 0 */
} locals_bench;

/* CLI_DONE, or an exit code with the error reported and nothing to free. */
int locals_bench_open(locals_bench *b);

/* CLI_DONE, CLI_INTERRUPTED, or the exit code of the first file that could not be read or solved. A
 * miss is a result. */
int locals_bench_run(locals_bench *b);
void locals_bench_free(locals_bench *b);

/* Runs all solvers on the one-contact problems of one file and adds to rows[...].met. STN_OK,
 * STN_CANCELLED if the user has interrupted, or an error of the library. */
stn_status locals_meet(locals_bench *b, const stn_contact_problem *problem);

void locals_print(const locals_bench *b);
json_t *locals_json(const locals_bench *b);

/* Which share of the files each solver has solved within how many times the fastest one's time. */
int locals_save_chart(const locals_bench *b, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction bench contact: how long the solvers take to solve contact problems from files, each from
 * r = 0 to a tolerance on the worst contact's residual over the largest free velocity.
 */
#ifndef STICTION_BENCH_CONTACT_H
#define STICTION_BENCH_CONTACT_H

#include <stiction/ext_contact.h>

#include "../cli.h"
#include "../text.h"
#include "problem_folder.h"

enum { CONTACT_GOALS = 5 };

/* A solver and how far it is to go. */
typedef struct contact_goal {
    const char *solver;
    double tolerance;
} contact_goal;

typedef struct contact_time {
    uint64_t iterations;
    double seconds; /* median of the repetitions */
    uint32_t repetitions;
    double residual; /* relative, at the end */
    bool reached;
} contact_time;

typedef struct contact_row {
    text problem;
    uint32_t contacts, blocks;
    contact_time times[CONTACT_GOALS];
    int code; /* not CLI_DONE: nothing but problem and error is there */
    char error[600];
} contact_row;

typedef struct contact_bench {
    const cli *c;
    const stn_ext_contact *contact;
    const char *problems; /* folder; NULL: the default one */
    const char *solver;   /* only this one; NULL: those that are compared by default */
    uint32_t threads;     /* 0: one */
    contact_goal goals[CONTACT_GOALS];
    size_t goal_count;
    problem_folder folder;
    contact_row *rows;
    size_t row_count;
} contact_bench;

/* Checks what was asked for and finds the problems; CLI_DONE, or an exit code with the error
 * reported and nothing to free. */
int contact_bench_open(contact_bench *b);

/* Measures all problems of the folder and prints the table as it goes, unless JSON was asked for.
 * CLI_DONE, or the exit code of the first problem that could not be solved. A tolerance that is
 * missed is a result. */
int contact_bench_run(contact_bench *b);
void contact_bench_free(contact_bench *b);

/* A list with an object for each problem and goal. */
json_t *contact_bench_json(const contact_bench *b);

/* Of the table; `width` is that of the problems' names. */
void contact_print_header(const contact_bench *b, int width);
void contact_print_row(const contact_bench *b, const contact_row *row, int width);
void contact_print_legend(void);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction solve, problem by problem: what was asked for, and what came out for each file.
 */
#ifndef STICTION_SOLVE_ROW_H
#define STICTION_SOLVE_ROW_H

#include "../cli.h"
#include "../fclib/fclib.h"
#include "../text.h"

typedef struct solve_settings {
    const stn_ext_contact *contact;
    const char *solver, *local; /* names that exist */
    bool uncondensed;           /* the solver wants systems: files in global form */
    double tolerance;
    uint32_t max_iterations; /* 0: the solver's choice */
    uint32_t threads;
    bool keep_trace; /* somebody wants to see it */
} solve_settings;

/* The relative residual after each iteration that the solver tells of. One that goes from island to
 * island counts on, and tells the worst residual of all of them. */
typedef struct solve_trace {
    double *iteration, *residual;
    size_t count, capacity;
} solve_trace;

typedef struct solve_row {
    const char *file;
    text name; /* of the file without folder and ending */
    uint32_t contacts;
    double *r, *u;
    solve_trace trace;
    stn_contact_result result;
    double seconds_read; /* of the file */
    bool stopped;        /* by the user: result is the best found */
    int code;            /* not CLI_DONE: nothing but file, name and error is there */
    char error[600];
} solve_row;

text solve_name(const char *file);

/* CLI_DONE, or the exit code that the error means. */
int solve_read(const char *file, fclib_problem *problem, fclib_error *error);

/* Reads the problem and solves it. Errors go into the row. */
void solve_row_run(const cli *c, const solve_settings *settings, const char *file, solve_row *row);
void solve_row_free(solve_row *row);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction bench contact --nu: which share of made problems the global Newton method solves as
 * there come to be more equations than unknowns (paper 000, section 5.2), and what others do there.
 */
#ifndef STICTION_BENCH_NU_H
#define STICTION_BENCH_NU_H

#include <stiction/ext_contact.h>

#include "../cli.h"

enum { NU_SOLVERS = 3, NU_STEPS = 12 };

/* How one solver did on all problems of one nu; medians over those that it solved. */
typedef struct nu_cell {
    uint32_t converged;
    uint32_t by_islands; /* of those: how many ended island by island, for `auto` with Newton */
    double iterations, seconds;
} nu_cell;

typedef struct nu_row {
    double nu;
    uint32_t contacts, problems;
    nu_cell cells[NU_SOLVERS];
} nu_row;

typedef struct nu_bench {
    const cli *c;
    const stn_ext_contact *contact;
    const char *solver; /* only this one; NULL: those that are compared by default */
    uint32_t seeds;     /* problems for each nu; 0: the default */
    uint32_t threads;   /* 0: one */
    const char *solvers[NU_SOLVERS];
    size_t solver_count;
    nu_row rows[NU_STEPS]; /* fewer if it was interrupted */
    size_t row_count;
} nu_bench;

extern const double NU_TOLERANCE;
enum { NU_ITERATIONS = 200 }; /* of Newton's method, as in the paper */

/* CLI_DONE, or an exit code with the error reported. */
int nu_bench_open(nu_bench *b);

/* CLI_DONE, CLI_INTERRUPTED, or an exit code with the error reported. */
int nu_bench_run(nu_bench *b);

void nu_print(const nu_bench *b);
json_t *nu_json(const nu_bench *b);
int nu_save_chart(const nu_bench *b, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction bench contact --fibres: what a sweep over packed fibres (fibres_problem.h) costs against
 * the number of contacts. Work and memory must grow linearly, and two threads must pay.
 *
 * Runs on one thread and on two take turns, so that both meet the same noise. A run is timed over
 * FIBRES_SWEEPS sweeps after the first few, with all that belongs to them: momentum, and the
 * velocities computed afresh once. Contacts that have settled are looked at but not solved again,
 * as in every solve.
 */
#ifndef STICTION_BENCH_FIBRES_H
#define STICTION_BENCH_FIBRES_H

#include <stiction/ext_contact.h>

#include "../cli.h"

enum {
    FIBRES_SIZES = 16,  /* at most */
    FIBRES_THREADS = 2, /* one, and two */
    FIBRES_SWEEPS = 20, /* timed in a run */
    FIBRES_RUNS = 11,   /* of sweeps */
    FIBRES_SOLVES = 3,  /* to the tolerance */
};
extern const double FIBRES_TOLERANCE;

/* Of all runs with so many threads; seconds. */
typedef struct fibres_cell {
    double sweep_best, sweep_median; /* per contact */
    double solve;                    /* all sweeps to the tolerance, the fastest of the solves */
    double setup;                    /* of that solve: all but its sweeps */
} fibres_cell;

typedef struct fibres_row {
    uint32_t contacts, bodies;
    fibres_cell cells[FIBRES_THREADS];
    uint64_t sweeps;     /* to the tolerance */
    double pressed;      /* share of the contacts that push in the end */
    double bytes;        /* per contact; NAN: not known */
    bool reached, equal; /* the tolerance; all bits, whatever the threads */
} fibres_row;

typedef struct fibres_bench {
    const cli *c;
    const stn_ext_contact *contact;
    const char *sizes; /* "N,N,..."; NULL: the default ones */
    uint32_t size[FIBRES_SIZES];
    size_t size_count;
    fibres_row rows[FIBRES_SIZES]; /* fewer if it was interrupted */
    size_t row_count;
} fibres_bench;

/* CLI_DONE, or an exit code with the error reported. */
int fibres_bench_open(fibres_bench *b);

/* CLI_DONE, CLI_INTERRUPTED, or an exit code with the error reported. A miss is a result. */
int fibres_bench_run(fibres_bench *b);

void fibres_print(const fibres_bench *b);
json_t *fibres_json(const fibres_bench *b);

#endif

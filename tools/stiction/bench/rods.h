/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction bench rods: what a free step of thousands of rods costs, by model, by threads, by their
 * number and by their elements, and how much memory they take.
 */
#ifndef STICTION_BENCH_RODS_H
#define STICTION_BENCH_RODS_H

#include <stiction/ext_rods.h>

#include "../cli.h"

enum { RODS_BENCH_ROWS = 128 };

typedef struct rods_row {
    const char *model;
    uint32_t rods, elements, threads;
    double seconds; /* of the fastest step of the repetitions */
    uint32_t repetitions;
    double bytes; /* by which the process grew, for each of many rods; else NAN */
} rods_row;

typedef struct rods_bench {
    const cli *c;
    const stn_ext_rods *rods;
    uint32_t count;   /* of rods; 0: 1,920, and up to 100,000 of the first model */
    uint32_t threads; /* 0: one and two */
    rods_row rows[RODS_BENCH_ROWS];
    size_t row_count;
} rods_bench;

/* Prints the table as it goes, unless JSON is wanted. CLI_DONE, CLI_INTERRUPTED with the rows so
 * far, or another code that has been explained. */
int rods_bench_run(rods_bench *b);
json_t *rods_bench_json(const rods_bench *b);

#endif

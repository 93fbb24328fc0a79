/* SPDX-License-Identifier: Apache-2.0
 *
 * A benchmark makes rows: nanoseconds per node and step, and the share of each stage in them.
 */
#ifndef STICTION_BENCH_BENCH_H
#define STICTION_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stiction/stiction.h>

enum { BENCH_STAGES = 6 };

/* "import", "predict", ... in the order of a step. */
extern const char *const bench_stage_names[BENCH_STAGES];

typedef struct bench_row {
    const char *name; /* "cloth_first/slide" */
    uint64_t nodes, contacts;
    uint32_t threads;
    uint32_t repetitions;
    double nanoseconds;          /* per node and step; median of the repetitions */
    double shares[BENCH_STAGES]; /* of the stages' sum */
} bench_row;

typedef struct bench {
    const stn_api *api;
    const char *wanted; /* beginning of the names to run; "" for all */
    uint32_t threads;   /* 0: one and two */
    bench_row *rows;
    size_t count, capacity;
    char error[256]; /* "" if all went well */
} bench;

typedef struct bench_suite {
    const char *name;
    const char *summary;
    void (*run)(bench *b);
} bench_suite;

extern const bench_suite bench_cloth_first;

/* True if `name` is or lies under what is wanted. */
bool bench_wants(const bench *b, const char *name);

/* Steps the scene `steps` times in each repetition, after a first one that is not counted. */
void bench_measure(bench *b, const char *name, stn_scene *scene, double dt, uint32_t threads,
                   uint32_t steps);

/* Keeps the text of a failed call; true if it failed. */
bool bench_failed(bench *b, const stn_scene *scene, stn_status status);

void bench_free(bench *b);

#endif

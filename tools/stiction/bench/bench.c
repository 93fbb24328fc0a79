/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "median.h"

enum { REPETITIONS = 11 };

const char *const bench_stage_names[BENCH_STAGES] = {"import",   "predict", "collide",
                                                     "assemble", "solve",   "correct"};

bool bench_wants(const bench *b, const char *name)
{
    const size_t length = strlen(b->wanted);
    return strncmp(name, b->wanted, length) == 0 &&
           (length == 0 || name[length] == '\0' || name[length] == '/');
}

bool bench_failed(bench *b, const stn_scene *scene, stn_status status)
{
    if (status >= 0) return b->error[0] != '\0';
    if (!b->error[0]) {
        snprintf(b->error, sizeof b->error, "%s: %s", b->api->status_name(status),
                 b->api->last_error(scene));
    }
    return true;
}

static bench_row *new_row(bench *b)
{
    if (b->count == b->capacity) {
        const size_t capacity = b->capacity ? 2 * b->capacity : 32;
        bench_row *grown = realloc(b->rows, capacity * sizeof *grown);
        if (!grown) {
            snprintf(b->error, sizeof b->error, "out of memory");
            return NULL;
        }
        b->rows = grown;
        b->capacity = capacity;
    }
    return &b->rows[b->count++];
}

static void add_stages(double sums[BENCH_STAGES], const stn_statistics *s)
{
    const double stages[BENCH_STAGES] = {s->seconds_import,  s->seconds_predict,
                                         s->seconds_collide, s->seconds_assemble,
                                         s->seconds_solve,   s->seconds_correct};
    for (int i = 0; i < BENCH_STAGES; i++) sums[i] += stages[i];
}

/* Seconds of `steps` steps, by the library's own clock. */
static double measure_once(bench *b, stn_scene *scene, double dt, uint32_t steps,
                           double sums[BENCH_STAGES], stn_statistics *last)
{
    double seconds = 0.0;
    for (uint32_t i = 0; i < steps && !b->error[0]; i++) {
        *last = (stn_statistics){.struct_size = sizeof *last};
        if (bench_failed(b, scene, b->api->step(scene, dt))) break;
        bench_failed(b, scene, b->api->statistics_get(scene, last));
        seconds += last->seconds_total;
        add_stages(sums, last);
    }
    return seconds;
}

void bench_measure(bench *b, const char *name, stn_scene *scene, double dt, uint32_t threads,
                   uint32_t steps)
{
    double sums[BENCH_STAGES] = {0.0}, unused[BENCH_STAGES] = {0.0}, seconds[REPETITIONS];
    stn_statistics last;
    measure_once(b, scene, dt, steps, unused, &last);
    for (int i = 0; i < REPETITIONS; i++) {
        seconds[i] = measure_once(b, scene, dt, steps, sums, &last);
    }
    bench_row *row = b->error[0] ? NULL : new_row(b);
    if (!row) return;
    *row = (bench_row){.name = name,
                       .nodes = last.nodes,
                       .contacts = last.contacts,
                       .threads = threads,
                       .repetitions = REPETITIONS};
    row->nanoseconds = 1e9 * median_of(seconds, REPETITIONS) / ((double)last.nodes * steps);
    double total = 0.0;
    for (int i = 0; i < BENCH_STAGES; i++) total += sums[i];
    for (int i = 0; i < BENCH_STAGES; i++) row->shares[i] = total > 0.0 ? sums[i] / total : 0.0;
}

void bench_free(bench *b)
{
    free(b->rows);
    b->rows = NULL;
}

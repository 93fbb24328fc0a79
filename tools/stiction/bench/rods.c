/* SPDX-License-Identifier: Apache-2.0 */
#include "rods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../interrupt.h"
#include "../progress.h"
#include "../term.h"
#include "../text.h"

enum { USUAL_RODS = 1920, USUAL_ELEMENTS = 5, SWEPT_RODS = 64, REPETITIONS = 15, WARM_UP = 3 };
static const uint32_t MANY_RODS[] = {10000, 100000};
static const uint32_t ELEMENTS[] = {5, 10, 20, 50, 100};
static const double LENGTH = 0.2, DT = 1e-3; /* m, s */

/* ---- rods ------------------------------------------------------------------------------------ */

/* Bytes of the process that are in memory. */
static double resident_bytes(void)
{
    unsigned long long whole, resident;
    FILE *in = fopen("/proc/self/statm", "r");
    const int read = in ? fscanf(in, "%llu %llu", &whole, &resident) : 0;
    if (in) fclose(in);
    return read == 2 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : (double)NAN;
}

/* Dry hair with natural curls between a straight line and half a radian in each element. */
static stn_status grow(const rods_bench *b, const rods_row *row, stn_rods **out)
{
    const size_t all = (size_t)row->rods * row->elements;
    double *lengths = malloc(4 * all * sizeof *lengths);
    if (!lengths) return STN_ERROR_OUT_OF_MEMORY;
    double *natural = lengths + all;
    const double length = LENGTH / row->elements;
    for (size_t i = 0; i < all; i++) {
        lengths[i] = length;
        for (size_t c = 0; c < 3; c++) {
            natural[3 * i + c] = ((double)(i * (7 + c) % 15) - 7.0) / 7.0 * 0.3 / length;
        }
    }
    stn_rod_preset preset = {.struct_size = sizeof preset};
    stn_rod_material material = {.struct_size = sizeof material};
    b->rods->preset_info(0, &preset, &material);
    const stn_rods_desc desc = {.struct_size = sizeof desc,
                                .rods = row->rods,
                                .elements = row->elements,
                                .model = row->model,
                                .material = &material,
                                .lengths = lengths,
                                .natural = natural,
                                .threads = row->threads};
    const stn_status status = b->rods->create(&desc, out);
    free(lengths);
    return status;
}

/* The fastest step: programs beside us only ever make one slower. */
static stn_status time_steps(const rods_bench *b, rods_row *row, stn_rods *rods)
{
    const stn_rods_input input = {.struct_size = sizeof input, .gravity = {0.0, 0.0, -9.81}};
    row->seconds = INFINITY;
    for (int i = -WARM_UP; i < REPETITIONS; i++) {
        const double began = progress_now();
        const stn_status status = b->rods->step(rods, &input, DT);
        if (status < 0) return status;
        if (i >= 0) row->seconds = fmin(row->seconds, progress_now() - began);
    }
    row->repetitions = REPETITIONS;
    return STN_OK;
}

static stn_status measure(const rods_bench *b, rods_row *row)
{
    stn_rods *rods = NULL;
    const double before = resident_bytes();
    stn_status status = grow(b, row, &rods);
    if (status >= 0) status = time_steps(b, row, rods);
    const bool many = row->rods >= MANY_RODS[0]; /* less than that hides in what others gave back */
    row->bytes = many ? (resident_bytes() - before) / row->rods : (double)NAN;
    b->rods->destroy(rods);
    return status;
}

/* ---- what is measured ------------------------------------------------------------------------ */

static void plan(rods_bench *b, const char *model, uint32_t rods, uint32_t elements,
                 uint32_t threads)
{
    if (b->row_count == RODS_BENCH_ROWS) return;
    b->rows[b->row_count++] =
        (rods_row){.model = model, .rods = rods, .elements = elements, .threads = threads};
}

static const char *model_name(const rods_bench *b, uint64_t index)
{
    stn_rod_model_info info = {.struct_size = sizeof info};
    return b->rods->model_info(index, &info) < 0 ? NULL : info.name;
}

/* The largest first: memory that an earlier row has given back would hide how much a row takes. */
static void plan_all(rods_bench *b)
{
    const uint32_t first = b->threads ? b->threads : 1, last = b->threads ? b->threads : 2;
    const uint32_t rods = b->count ? b->count : USUAL_RODS;
    const uint32_t swept = rods < SWEPT_RODS ? rods : SWEPT_RODS;
    for (size_t k = sizeof MANY_RODS / sizeof *MANY_RODS; k-- > 0 && !b->count;) {
        plan(b, model_name(b, 0), MANY_RODS[k], USUAL_ELEMENTS, first);
    }
    for (uint64_t m = 0; m < b->rods->model_count(); m++) {
        for (uint32_t t = first; t <= last; t++) {
            plan(b, model_name(b, m), rods, USUAL_ELEMENTS, t);
        }
    }
    for (uint64_t m = 0; m < b->rods->model_count(); m++) {
        for (size_t k = 0; k < sizeof ELEMENTS / sizeof *ELEMENTS; k++) {
            plan(b, model_name(b, m), swept, ELEMENTS[k], first);
        }
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_header(void)
{
    printf("%s%-22s %9s %9s %8s %10s %10s %10s%s\n", term_on(stdout, TERM_BOLD), "model", "rods",
           "elements", "threads", "ms/step", "us/rod", "kB/rod", term_off(stdout));
}

static void print_row(const rods_row *row)
{
    printf("%-22s %9s %9u %8u %10.3f %s%10.3f%s %10s\n", row->model, text_count(row->rods).s,
           row->elements, row->threads, 1e3 * row->seconds, term_on(stdout, TERM_BLUE),
           1e6 * row->seconds / row->rods, term_off(stdout),
           isnan(row->bytes) ? "" : text_real(1e-3 * row->bytes).s);
    fflush(stdout);
}

/* Measures the rows until one fails or the user has had enough. */
static int measure_rows(rods_bench *b, progress *p)
{
    const size_t planned = b->row_count;
    for (b->row_count = 0; b->row_count < planned; b->row_count++) {
        rods_row *row = &b->rows[b->row_count];
        if (interrupt_count() > 0) return CLI_INTERRUPTED;
        progress_update(p, b->row_count, 0.0);
        const stn_status status = measure(b, row);
        progress_end(p);
        if (status < 0) return cli_fail_status(b->c, status, b->rods->last_error());
        if (!b->c->json) print_row(row);
    }
    return CLI_DONE;
}

int rods_bench_run(rods_bench *b)
{
    b->rods = b->c->api->get_extension(STN_EXT_RODS);
    if (!b->rods) return cli_fail(b->c, CLI_SIMULATION, "the library lacks " STN_EXT_RODS);
    progress p;
    interrupt_begin(b->c->api, b->c->quiet ? NULL : "stopping after this row");
    plan_all(b);
    if (!b->c->json) print_header();
    progress_begin(&p, !b->c->quiet, "measuring", "row", 0, b->row_count);
    const int code = measure_rows(b, &p);
    progress_end(&p);
    interrupt_end();
    return code;
}

json_t *rods_bench_json(const rods_bench *b)
{
    json_t *list = json_array();
    for (size_t i = 0; i < b->row_count; i++) {
        const rods_row *row = &b->rows[i];
        json_array_append_new(
            list, json_pack("{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "model", row->model, "rods",
                            (json_int_t)row->rods, "elements", (json_int_t)row->elements, "threads",
                            (json_int_t)row->threads, "repetitions", (json_int_t)row->repetitions,
                            "milliseconds_per_step", cli_json_real(1e3 * row->seconds),
                            "microseconds_per_rod", cli_json_real(1e6 * row->seconds / row->rods),
                            "bytes_per_rod", cli_json_real(row->bytes)));
    }
    return list;
}

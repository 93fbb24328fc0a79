/* SPDX-License-Identifier: Apache-2.0 */
#include "fibres.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../interrupt.h"
#include "../progress.h"
#include "fibres_problem.h"
#include "median.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

const double FIBRES_TOLERANCE = 1e-3;

enum { WARM_UP = 3 }; /* sweeps of a run before it is timed */

/* ---- sizes ----------------------------------------------------------------------------------- */

static int read_sizes(fibres_bench *b)
{
    const char *at = b->sizes;
    do {
        char *stop;
        errno = 0;
        const long size = strtol(at, &stop, 10);
        const bool digits = *at >= '0' && *at <= '9'; /* strtol takes blanks and signs, too */
        const bool fits = errno == 0 && size >= FIBRES_LEAST && size <= FIBRES_MOST;
        if (!digits || !fits || (*stop != ',' && *stop) || b->size_count == FIBRES_SIZES) {
            return cli_fail_usage(b->c,
                                  "--sizes %s: expected at most %d whole numbers from %d to %d, "
                                  "as in 1000,5000",
                                  b->sizes, FIBRES_SIZES, FIBRES_LEAST, FIBRES_MOST);
        }
        b->size[b->size_count++] = (uint32_t)size;
        at = *stop ? stop + 1 : NULL;
    } while (at);
    return CLI_DONE;
}

int fibres_bench_open(fibres_bench *b)
{
    static const uint32_t sizes[] = {1000, 5000, 25000, 100000, 200000};
    if (b->sizes) return read_sizes(b);
    memcpy(b->size, sizes, sizeof sizes);
    b->size_count = sizeof sizes / sizeof *sizes;
    return CLI_DONE;
}

/* ---- one run --------------------------------------------------------------------------------- */

/* What the C library counts as in use; NAN where it does not count. */
static double memory_in_use(void)
{
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 m = mallinfo2();
    if (m.uordblks + m.hblkhd > 0) return (double)(m.uordblks + m.hblkhd);
#endif
#endif
    return NAN;
}

typedef struct watch {
    double warm, last; /* when the warm-up and the last timed sweep were over */
    uint32_t begun;    /* sweeps of the warm-up */
    uint32_t timed;    /* sweeps between */
    double memory;     /* in use during the first sweep */
} watch;

static int32_t watch_sweep(void *user, uint32_t sweep, double residual)
{
    watch *w = user;
    const double now = progress_now();
    if (w->warm == 0.0) w->memory = memory_in_use();
    if (sweep <= WARM_UP || w->warm == 0.0) {
        w->warm = now;
        w->begun = sweep;
    } else {
        w->last = now;
        w->timed = sweep - w->begun;
    }
    return interrupt_trace(NULL, sweep, residual);
}

/* A problem, its answers for each number of threads, and what is made of them. */
typedef struct trial {
    const fibres_bench *b;
    const stn_contact_system *system;
    double *r[FIBRES_THREADS];
    fibres_row *row;
} trial;

/* From r = 0 with t + 1 threads. */
static int run(const trial *x, size_t t, double tolerance, uint32_t most, watch *w,
               stn_contact_result *result)
{
    const stn_contact_options options = {.struct_size = sizeof options,
                                         .threads = (uint32_t)t + 1,
                                         .solver = "nodal-gauss-seidel",
                                         .tolerance = tolerance,
                                         .max_iterations = most,
                                         .user = w,
                                         .trace = watch_sweep};
    *w = (watch){0};
    *result = (stn_contact_result){.struct_size = sizeof *result};
    memset(x->r[t], 0, 3 * (size_t)x->system->contacts * sizeof *x->r[t]);
    const stn_status status =
        x->b->contact->solve_system(x->system, &options, x->r[t], NULL, NULL, result);
    if (status >= 0) return status == STN_CANCELLED ? CLI_INTERRUPTED : CLI_DONE;
    return cli_fail(x->b->c, cli_exit_code(status), "%u contacts: %s", x->system->contacts,
                    x->b->contact->last_error());
}

static void compare_bits(const trial *x)
{
    const size_t size = 3 * (size_t)x->system->contacts * sizeof *x->r[0];
    for (size_t t = 1; t < FIBRES_THREADS; t++) {
        x->row->equal = x->row->equal && memcmp(x->r[0], x->r[t], size) == 0;
    }
}

/* ---- one problem ----------------------------------------------------------------------------- */

/* The tolerance is not reached, and one more sweep than is timed ends the run: the last one also
 * looks for the best answer. */
static int time_sweeps(const trial *x, progress *bar)
{
    double seconds[FIBRES_THREADS][FIBRES_RUNS];
    for (size_t k = 0; k < FIBRES_RUNS; k++) {
        for (size_t t = 0; t < FIBRES_THREADS; t++) {
            watch w;
            stn_contact_result result;
            const int code = run(x, t, 1e-14, WARM_UP + FIBRES_SWEEPS + 1, &w, &result);
            if (code != CLI_DONE) return code;
            seconds[t][k] = (w.last - w.warm) / w.timed / x->row->contacts;
        }
        compare_bits(x);
        progress_update(bar, x->b->row_count, (double)(k + 1) / (FIBRES_RUNS + FIBRES_SOLVES));
    }
    for (size_t t = 0; t < FIBRES_THREADS; t++) {
        x->row->cells[t].sweep_median = median_of(seconds[t], FIBRES_RUNS);
        x->row->cells[t].sweep_best = seconds[t][0];
    }
    return CLI_DONE;
}

static void keep_solve(const trial *x, size_t t, const stn_contact_result *result)
{
    fibres_row *row = x->row;
    fibres_cell *cell = &row->cells[t];
    row->sweeps = result->iterations;
    row->reached = row->reached && result->converged;
    row->pressed = (double)(result->stick + result->slide) / row->contacts;
    if (cell->solve > 0.0 && cell->solve <= result->seconds_sweeps) return;
    cell->solve = result->seconds_sweeps;
    cell->setup = result->seconds_setup + result->seconds - result->seconds_sweeps;
}

static int time_solves(const trial *x, progress *bar)
{
    for (size_t k = 0; k < FIBRES_SOLVES; k++) {
        for (size_t t = 0; t < FIBRES_THREADS; t++) {
            watch w;
            stn_contact_result result;
            const double before = memory_in_use();
            const int code = run(x, t, FIBRES_TOLERANCE, 0, &w, &result);
            if (code != CLI_DONE) return code;
            keep_solve(x, t, &result);
            x->row->bytes = (w.memory - before) / x->row->contacts;
        }
        compare_bits(x);
        progress_update(bar, x->b->row_count,
                        (double)(FIBRES_RUNS + k + 1) / (FIBRES_RUNS + FIBRES_SOLVES));
    }
    return CLI_DONE;
}

static stn_contact_system view(const fibres *f)
{
    return (stn_contact_system){.struct_size = sizeof(stn_contact_system),
                                .bodies = f->bodies,
                                .contacts = f->contacts,
                                .body_unknowns = f->body_unknowns,
                                .body_inertia = f->body_inertia,
                                .body_velocity = f->body_velocity,
                                .mu = f->mu,
                                .velocity = f->velocity,
                                .term_start = f->term_start,
                                .term_target = f->term_target,
                                .term_H = f->term_H};
}

/* A row that is not whole is not kept. */
static int run_row(fibres_bench *b, uint32_t contacts, progress *bar)
{
    fibres_row *row = &b->rows[b->row_count];
    fibres f;
    const bool made = fibres_make(&f, contacts);
    const stn_contact_system system = view(&f);
    trial x = {.b = b, .system = &system, .row = row};
    double *r = calloc(3 * FIBRES_THREADS * (size_t)contacts, sizeof *r);
    int code = made && r ? CLI_DONE
                         : cli_fail(b->c, CLI_SIMULATION, "%u contacts: out of memory", contacts);
    for (size_t t = 0; r && t < FIBRES_THREADS; t++) x.r[t] = r + 3 * t * contacts;
    *row = (fibres_row){.contacts = contacts, .bodies = f.bodies, .reached = true, .equal = true};
    if (code == CLI_DONE) code = time_sweeps(&x, bar);
    if (code == CLI_DONE) code = time_solves(&x, bar);
    if (code == CLI_DONE) b->row_count++;
    free(r);
    fibres_free(&f);
    return code;
}

int fibres_bench_run(fibres_bench *b)
{
    progress bar;
    int code = CLI_DONE;
    progress_begin(&bar, !b->c->quiet && !b->c->json, "sweeping", "problem", 0, b->size_count);
    for (size_t k = 0; code == CLI_DONE && k < b->size_count; k++) {
        code = run_row(b, b->size[k], &bar);
    }
    progress_end(&bar);
    return code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The one-contact solvers' figures for people, for scripts and as a performance profile.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../plot/save_plot.h"
#include "../term.h"
#include "locals.h"
#include "median.h"

/* Over the files that could be read. */
typedef struct totals {
    uint64_t files, solved, sweeps, calls, failures, fallbacks;
    double seconds;
} totals;

static totals add_up(const locals_bench *b, const local_row *row)
{
    totals t = {0};
    for (size_t i = 0; i < b->file_count; i++) {
        if (b->files[i].code != CLI_DONE) continue;
        const stn_contact_result *result = &row->whole[i].result;
        t.files++;
        t.solved += result->converged;
        t.sweeps += result->iterations;
        t.calls += result->local_calls;
        t.failures += result->local_failures;
        t.fallbacks += result->local_fallbacks;
        t.seconds += row->whole[i].seconds;
    }
    return t;
}

static double ratio(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

/* Relative to the first solver, the default. */
static double met_relative(const locals_bench *b, const local_row *row)
{
    return ratio(row->met.seconds, b->rows[0].met.seconds);
}

/* ---- for people ------------------------------------------------------------------------------ */

/* "0", and never "0.00%" for what is more. */
static text percent(uint64_t part, uint64_t whole)
{
    const double share = 100.0 * ratio((double)part, (double)whole);
    text out;
    if (part == 0) {
        snprintf(out.s, sizeof out.s, "0");
    } else if (share < 0.01) {
        snprintf(out.s, sizeof out.s, "<0.01%%");
    } else {
        snprintf(out.s, sizeof out.s, "%.*f%%", share < 10.0 ? 2 : 1, share);
    }
    return out;
}

static void print_row(const locals_bench *b, const local_row *row)
{
    const local_met *met = &row->met;
    const totals t = add_up(b, row);
    const double calls = (double)b->met;
    printf("%-14s %7.0f %7.2f %7.2f %7s %7s", row->local.name, 1e9 * ratio(met->seconds, calls),
           met_relative(b, row), ratio((double)met->iterations, calls),
           percent(met->failures, b->met).s, percent(met->fallbacks, b->met).s);
    printf("   %s%3u of %-3u%s %7s %8s %7s %7s\n",
           term_on(stdout, t.solved == t.files ? TERM_BLUE : TERM_RED), (unsigned)t.solved,
           (unsigned)t.files, term_off(stdout), text_count(t.sweeps).s, text_duration(t.seconds).s,
           percent(t.failures, t.calls).s, percent(t.fallbacks, t.calls).s);
}

void locals_print(const locals_bench *b)
{
    const char *bold = term_on(stdout, TERM_BOLD), *off = term_off(stdout);
    printf("%s%-14s %-40s  %s\n", bold, "", " one-contact problems met", "whole problems");
    printf("%-14s %7s %7s %7s %7s %7s   %10s %7s %8s %7s %7s%s\n", "local", "ns/call", "ratio",
           "iter.", "failed", "enum.", "solved", "sweeps", "time", "failed", "enum.", off);
    for (size_t i = 0; i < b->row_count; i++) print_row(b, &b->rows[i]);
    printf("\nmet: %s in up to %d sweeps over each file, %.0f%% of them opening; failed: off the\n"
           "law by more than 1e-10 |b|; enum.: handed on to the enumeration. whole: Gauss-Seidel\n"
           "from r = 0 to %g of the largest free velocity, at most %d sweeps; sums over %s\n",
           text_plural(b->met, "problem").s, LOCALS_MET_SWEEPS,
           100.0 * ratio((double)b->met_opening, (double)b->met), LOCALS_TOLERANCE, LOCALS_SWEEPS,
           text_plural(b->file_count, "file").s);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *whole_json(const local_file *file, const local_whole *whole)
{
    const stn_contact_result *result = &whole->result;
    return json_pack(
        "{s:o, s:I, s:b, s:I, s:o, s:o, s:I, s:I, s:I, s:I}", "problem",
        cli_json_text(file->problem.s), "contacts", (json_int_t)file->contacts, "converged",
        (int)result->converged, "sweeps", (json_int_t)result->iterations, "milliseconds",
        cli_json_real(1e3 * whole->seconds), "residual_rel",
        cli_json_real(result->residual_relative), "calls", (json_int_t)result->local_calls,
        "failures", (json_int_t)result->local_failures, "fallbacks",
        (json_int_t)result->local_fallbacks, "iterations", (json_int_t)result->local_iterations);
}

static json_t *row_json(const locals_bench *b, const local_row *row)
{
    const local_met *met = &row->met;
    json_t *whole = json_array();
    for (size_t i = 0; i < b->file_count; i++) {
        if (b->files[i].code != CLI_DONE) continue;
        json_array_append_new(whole, whole_json(&b->files[i], &row->whole[i]));
    }
    return json_pack("{s:s, s:{s:I, s:o, s:o, s:I, s:I, s:I}, s:o}", "local", row->local.name,
                     "met", "problems", (json_int_t)b->met, "nanoseconds",
                     cli_json_real(1e9 * ratio(met->seconds, (double)b->met)), "ratio",
                     cli_json_real(met_relative(b, row)), "iterations", (json_int_t)met->iterations,
                     "failures", (json_int_t)met->failures, "fallbacks", (json_int_t)met->fallbacks,
                     "whole", whole);
}

json_t *locals_json(const locals_bench *b)
{
    json_t *list = json_array();
    for (size_t i = 0; i < b->row_count; i++) json_array_append_new(list, row_json(b, &b->rows[i]));
    for (size_t i = 0; i < b->file_count; i++) {
        const local_file *file = &b->files[i];
        if (file->code == CLI_DONE) continue;
        json_array_append_new(list, json_pack("{s:o, s:o, s:i}", "problem",
                                              cli_json_text(file->problem.s), "error",
                                              cli_json_text(file->error), "exit_code", file->code));
    }
    return list;
}

/* ---- chart ----------------------------------------------------------------------------------- */

static const double RATIO_MOST = 8.0; /* what takes longer is beyond the chart */

/* The time of a solver on a file over the shortest one of all solvers; infinite if it missed. */
static double file_ratio(const locals_bench *b, const local_row *row, size_t file)
{
    double fastest = INFINITY;
    for (size_t i = 0; i < b->row_count; i++) {
        const local_whole *whole = &b->rows[i].whole[file];
        if (whole->result.converged) fastest = fmin(fastest, whole->seconds);
    }
    return row->whole[file].result.converged ? row->whole[file].seconds / fastest : INFINITY;
}

/* A staircase with a step at each file's ratio, 2 points for each and one at both ends. */
static plot_series profile(const locals_bench *b, const local_row *row, double *ratios, double *x,
                           double *y)
{
    size_t files = 0, points = 0;
    for (size_t i = 0; i < b->file_count; i++) {
        if (b->files[i].code == CLI_DONE) ratios[files++] = file_ratio(b, row, i);
    }
    median_sort(ratios, files);
    size_t solved = 0;
    x[points] = 1.0;
    y[points++] = 0.0;
    for (; solved < files && ratios[solved] <= RATIO_MOST; solved++) {
        x[points] = x[points + 1] = ratios[solved];
        y[points] = 100.0 * (double)solved / (double)files;
        y[points + 1] = 100.0 * (double)(solved + 1) / (double)files;
        points += 2;
    }
    x[points] = RATIO_MOST;
    y[points] = y[points - 1];
    return (plot_series){row->local.name, x, y, points + 1, solved == files};
}

int locals_save_chart(const locals_bench *b, const char *path)
{
    const size_t points = 2 * b->file_count + 2;
    plot_series *series = calloc(b->row_count + 1, sizeof *series);
    double *memory = calloc((2 * b->row_count + 1) * points, sizeof *memory);
    int code = CLI_SIMULATION;
    if (series && memory) {
        for (size_t i = 0; i < b->row_count; i++) {
            double *x = memory + (2 * i + 1) * points;
            series[i] = profile(b, &b->rows[i], memory, x, x + points);
        }
        const plot p = {.title = "Gauss-Seidel with each one-contact solver",
                        .x_label = "time / time of the fastest on the same file",
                        .y_label = "share of the files solved",
                        .first_x = 1.0,
                        .percent = true,
                        .series = series,
                        .count = b->row_count};
        code = plot_save(b->c, path, &p);
    } else {
        cli_fail(b->c, code, "out of memory");
    }
    free(memory);
    free(series);
    return code;
}

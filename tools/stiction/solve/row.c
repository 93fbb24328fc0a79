/* SPDX-License-Identifier: Apache-2.0 */
#include "row.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../interrupt.h"
#include "../progress.h"
#include "../term.h"

text solve_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    const size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    text name;
    snprintf(name.s, sizeof name.s, "%.*s", (int)(length < 60 ? length : 60), base);
    return name;
}

__attribute__((format(printf, 3, 4))) static void row_fail(solve_row *row, int code,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->error, sizeof row->error, format, arguments);
    va_end(arguments);
    row->code = code;
}

static int reading_code(bool good, const fclib_error *error)
{
    if (good) return CLI_DONE;
    switch (error->reason) {
    case FCLIB_UNREADABLE: return CLI_FILES;
    case FCLIB_OUT_OF_MEMORY: return CLI_SIMULATION;
    default: return CLI_INPUT;
    }
}

int solve_read(const char *file, fclib_problem *problem, fclib_error *error)
{
    return reading_code(fclib_read(file, problem, error), error);
}

/* ---- during the iterations ------------------------------------------------------------------- */

typedef struct watcher {
    solve_row *row;
    bool keep_trace, shown;
    double last_shown;
} watcher;

static bool trace_grow(solve_trace *t)
{
    const size_t capacity = t->capacity ? 2 * t->capacity : 256;
    double *iteration = realloc(t->iteration, capacity * sizeof *iteration);
    if (iteration) t->iteration = iteration;
    double *residual = realloc(t->residual, capacity * sizeof *residual);
    if (residual) t->residual = residual;
    if (!iteration || !residual) return false;
    t->capacity = capacity;
    return true;
}

/* A trace that memory has no room for ends early; the solution does not depend on it. */
static void trace_add(solve_trace *t, uint32_t iteration, double residual)
{
    if (t->count == t->capacity && !trace_grow(t)) return;
    t->iteration[t->count] = (double)iteration;
    t->residual[t->count++] = residual;
}

static void show_iteration(watcher *w, uint32_t iteration, double residual)
{
    const double now = progress_now();
    if (!w->shown || now - w->last_shown < 0.1) return;
    w->last_shown = now;
    fprintf(stderr, "\rsolving %s: iteration %s, residual %s\033[K", w->row->name.s,
            text_count(iteration).s, text_real(residual).s);
    fflush(stderr);
}

static int32_t watch_iteration(void *user, uint32_t iteration, double residual)
{
    watcher *w = user;
    if (w->keep_trace) trace_add(&w->row->trace, iteration, residual);
    show_iteration(w, iteration, residual);
    return interrupt_count() > 0;
}

static void watch_end(const watcher *w)
{
    if (w->last_shown > 0.0) fputs("\r\033[K", stderr);
}

/* ---- solution -------------------------------------------------------------------------------- */

/* One of the two, as the solver wants it. */
typedef struct source {
    fclib_problem problem;
    fclib_system system;
    uint32_t contacts;
} source;

static int source_read(source *s, bool uncondensed, const char *file, fclib_error *error)
{
    *s = (source){0};
    const int code = uncondensed ? reading_code(fclib_read_system(file, &s->system, error), error)
                                 : solve_read(file, &s->problem, error);
    s->contacts = uncondensed ? s->system.contacts : s->problem.contacts;
    return code;
}

static void source_free(source *s)
{
    fclib_free(&s->problem);
    fclib_free_system(&s->system);
}

static stn_status source_solve(const source *s, const solve_settings *settings,
                               const stn_contact_options *options, solve_row *row)
{
    const stn_contact_problem problem = fclib_view(&s->problem);
    const stn_contact_system system = fclib_view_system(&s->system);
    row->result.struct_size = sizeof row->result;
    if (!settings->uncondensed) {
        return settings->contact->solve(&problem, options, row->r, row->u, &row->result);
    }
    return settings->contact->solve_system(&system, options, row->r, row->u, NULL, &row->result);
}

static void solve(const cli *c, const solve_settings *settings, const source *from, solve_row *row)
{
    watcher w = {.row = row,
                 .keep_trace = settings->keep_trace,
                 .shown = !c->quiet && !c->json && term_is_terminal(stderr)};
    const stn_contact_options options = {.struct_size = sizeof options,
                                         .threads = settings->threads,
                                         .solver = settings->solver,
                                         .local = settings->local,
                                         .tolerance = settings->tolerance,
                                         .max_iterations = settings->max_iterations,
                                         .user = &w,
                                         .trace = watch_iteration};
    const stn_status status = source_solve(from, settings, &options, row);
    watch_end(&w);
    row->stopped = status == STN_CANCELLED;
    if (status < 0) {
        row_fail(row, cli_exit_code(status), "%s", settings->contact->last_error());
    }
}

static void solve_source(const cli *c, const solve_settings *settings, const source *from,
                         solve_row *row)
{
    const size_t numbers = 3 * (size_t)from->contacts;
    row->contacts = from->contacts;
    row->r = calloc(numbers, sizeof *row->r);
    row->u = calloc(numbers, sizeof *row->u);
    if (row->r && row->u) {
        solve(c, settings, from, row);
    } else {
        row_fail(row, CLI_SIMULATION, "out of memory");
    }
}

void solve_row_run(const cli *c, const solve_settings *settings, const char *file, solve_row *row)
{
    *row = (solve_row){.file = file, .name = solve_name(file), .code = CLI_DONE};
    source from;
    fclib_error error;
    const double start = progress_now();
    const int code = source_read(&from, settings->uncondensed, file, &error);
    row->seconds_read = progress_now() - start;
    if (code == CLI_DONE) {
        solve_source(c, settings, &from, row);
        source_free(&from);
    } else {
        row_fail(row, code, "%s", error.text);
    }
}

void solve_row_free(solve_row *row)
{
    free(row->r);
    free(row->u);
    free(row->trace.iteration);
    free(row->trace.residual);
}

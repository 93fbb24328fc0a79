/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdio.h>

#include "../term.h"

/* ---- for people ------------------------------------------------------------------------------ */

void solve_print_header(const solve_settings *settings, int width)
{
    const char *bold = term_on(stdout, TERM_BOLD), *off = term_off(stdout);
    printf("%s%s%s with %s, to %s of the largest free velocity, %s\n\n", bold, settings->solver,
           off, settings->local, text_exact(settings->tolerance).s,
           text_plural(settings->threads, "thread").s);
    printf("%s%-*s %9s %10s %9s %8s %8s %8s %9s%s\n", bold, width, "problem", "contacts",
           "iterations", "residual", "stick", "slide", "take-off", "time", off);
}

static void print_outcome(const solve_row *row)
{
    const bool good = row->result.converged;
    const term_style style = good ? TERM_GREEN : row->stopped ? TERM_YELLOW : TERM_RED;
    printf("  %s%s%s\n", term_on(stdout, style),
           good           ? "ok"
           : row->stopped ? "stopped"
                          : "MISSED",
           term_off(stdout));
}

void solve_print_row(const solve_row *row, int width)
{
    const stn_contact_result *s = &row->result;
    printf("%-*s ", width, row->name.s);
    if (row->code != CLI_DONE) {
        printf("%s%s%s\n", term_on(stdout, TERM_RED), "not solved", term_off(stdout));
        return;
    }
    printf("%9s %10s %9.2g %8s %8s %8s %9s", text_count(row->contacts).s,
           text_count(s->iterations).s, s->residual_relative, text_count(s->stick).s,
           text_count(s->slide).s, text_count(s->takeoff).s, text_duration(s->seconds).s);
    print_outcome(row);
    fflush(stdout);
}

static void print_detail(const char *label, double value, const char *unit)
{
    printf("  %-24s %10s %s\n", label, text_real(value).s, unit);
}

static void print_count(const char *label, uint64_t count)
{
    printf("  %-24s %10s\n", label, text_count(count).s);
}

/* Phases that a solver does not have, or does not tell apart, are not mentioned. */
static void print_seconds(const char *label, double seconds)
{
    if (seconds > 0.0) printf("  %-24s %10s\n", label, text_duration(seconds).s);
}

void solve_print_details(const solve_row *row)
{
    const stn_contact_result *s = &row->result;
    puts("");
    print_detail("worst contact's residual", s->residual, "m/s");
    print_detail("Fischer-Burmeister error", s->fischer_burmeister, "m/s");
    print_detail("Alart-Curnier error", s->alart_curnier, "m/s");
    print_detail("furthest out of its cone", s->cone_violation, "N s");
    print_detail("lowest normal velocity", s->min_normal_velocity, "m/s");
    print_count("islands", s->islands);
    print_count("one-contact fall-backs", s->local_fallbacks);
    print_count("one-contact failures", s->local_failures);
    puts("");
    print_seconds("reading the file", row->seconds_read);
    print_seconds("set-up", s->seconds_setup);
    print_seconds("solver", s->seconds);
    print_seconds("  sweeps", s->seconds_sweeps);
    print_seconds("  Newton", s->seconds_newton);
    print_seconds("  linear algebra", s->seconds_linear);
    print_seconds("measuring the answer", s->seconds_measure);
}

void solve_print_sum(const solve_row *rows, size_t count)
{
    uint64_t missed = 0, failed = 0;
    for (size_t i = 0; i < count; i++) {
        failed += rows[i].code != CLI_DONE;
        missed += rows[i].code == CLI_DONE && !rows[i].result.converged;
    }
    printf("\n%s%s", term_on(stdout, missed + failed ? TERM_RED : TERM_GREEN),
           text_plural(count, "problem").s);
    if (missed) printf(", %s missed the tolerance", text_count(missed).s);
    if (failed) printf(", %s not solved", text_count(failed).s);
    printf("%s\n", term_off(stdout));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *error_json(const solve_row *row)
{
    return json_pack("{s:o, s:o, s:i}", "file", cli_json_text(row->file), "error",
                     cli_json_text(row->error), "exit_code", row->code);
}

static json_t *row_json(const solve_settings *settings, const solve_row *row)
{
    if (row->code != CLI_DONE) return error_json(row);
    const stn_contact_result *s = &row->result;
    return json_pack(
        "{s:o, s:I, s:n, s:s, s:s, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, "
        "s:o, "
        "s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}",
        "file", cli_json_text(row->file), "contacts", (json_int_t)row->contacts,
        "bodies" /* FCLIB does not say */, "solver", settings->solver, "local", settings->local,
        "threads", (json_int_t)settings->threads, "iterations", (json_int_t)s->iterations,
        "converged", s->converged != 0, "residual", cli_json_real(s->residual), "residual_rel",
        cli_json_real(s->residual_relative), "fb_error", cli_json_real(s->fischer_burmeister),
        "ac_error", cli_json_real(s->alart_curnier), "max_cone_violation",
        cli_json_real(s->cone_violation), "min_normal_velocity",
        cli_json_real(s->min_normal_velocity), "stick", (json_int_t)s->stick, "slide",
        (json_int_t)s->slide, "takeoff", (json_int_t)s->takeoff, "seconds",
        cli_json_real(s->seconds), "local_failures", (json_int_t)s->local_failures, "islands",
        (json_int_t)s->islands, "local_fallbacks", (json_int_t)s->local_fallbacks, "seconds_read",
        cli_json_real(row->seconds_read), "seconds_setup", cli_json_real(s->seconds_setup),
        "seconds_sweeps", cli_json_real(s->seconds_sweeps), "seconds_newton",
        cli_json_real(s->seconds_newton), "seconds_linear", cli_json_real(s->seconds_linear),
        "seconds_measure", cli_json_real(s->seconds_measure));
}

/* The first of a list alone; null if there is none. */
static json_t *unwrap(json_t *list)
{
    json_t *first = json_array_size(list) ? json_incref(json_array_get(list, 0)) : json_null();
    json_decref(list);
    return first;
}

json_t *solve_json(const solve_settings *settings, const solve_row *rows, size_t count, bool single)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, row_json(settings, &rows[i]));
    return single ? unwrap(list) : list;
}

static json_t *numbers_json(const double *numbers, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, cli_json_real(numbers[i]));
    return list;
}

static json_t *solution_json(const solve_row *row)
{
    if (row->code != CLI_DONE) return json_null();
    const size_t count = 3 * (size_t)row->contacts;
    return json_pack("{s:o, s:o}", "r", numbers_json(row->r, count), "u",
                     numbers_json(row->u, count));
}

json_t *solve_json_solutions(const solve_row *rows, size_t count, bool single)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, solution_json(&rows[i]));
    return single ? unwrap(list) : list;
}

static json_t *trace_json(const solve_settings *settings, const solve_row *row)
{
    const solve_trace *t = &row->trace;
    json_t *iterations = json_array();
    for (size_t i = 0; i < t->count; i++) {
        json_array_append_new(iterations, json_integer((json_int_t)t->iteration[i]));
    }
    return json_pack("{s:o, s:s, s:s, s:o, s:b, s:o, s:o}", "file", cli_json_text(row->file),
                     "solver", settings->solver, "local", settings->local, "tolerance",
                     cli_json_real(settings->tolerance), "converged", row->result.converged != 0,
                     "iteration", iterations, "residual_rel", numbers_json(t->residual, t->count));
}

json_t *solve_json_traces(const solve_settings *settings, const solve_row *rows, size_t count,
                          bool single)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, rows[i].code == CLI_DONE ? trace_json(settings, &rows[i])
                                                             : json_null());
    }
    return single ? unwrap(list) : list;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact problems' times for people and for scripts.
 */
#include <stdio.h>
#include <string.h>

#include "../term.h"
#include "contact.h"

/* ---- for people ------------------------------------------------------------------------------ */

static text goal_title(const contact_goal *goal)
{
    text title;
    snprintf(title.s, sizeof title.s, "%.40s %g", goal->solver, goal->tolerance);
    return title;
}

/* Iterations and time of a goal stand under its title. */
enum { ITERATIONS_WIDTH = 9, TIME_WIDTH = 9 };

static int time_width(const contact_goal *goal)
{
    const int title = (int)strlen(goal_title(goal).s) - ITERATIONS_WIDTH - 1;
    return title > TIME_WIDTH ? title : TIME_WIDTH;
}

void contact_print_header(const contact_bench *b, int width)
{
    printf("%s%*s", term_on(stdout, TERM_BOLD), width + 20, "");
    for (size_t i = 0; i < b->goal_count; i++) {
        const contact_goal *goal = &b->goals[i];
        printf("  %*s", ITERATIONS_WIDTH + 1 + time_width(goal), goal_title(goal).s);
    }
    printf("\n%-*s %9s %9s", width, "problem", "contacts", "blocks");
    for (size_t i = 0; i < b->goal_count; i++) {
        printf("  %*s %*s", ITERATIONS_WIDTH, "iter.", time_width(&b->goals[i]), "time");
    }
    printf("%s\n", term_off(stdout));
}

static void print_time(const contact_time *time, int width)
{
    printf("  %*s %s%*s%s", ITERATIONS_WIDTH, text_count(time->iterations).s,
           term_on(stdout, time->reached ? TERM_BLUE : TERM_RED), width,
           time->reached ? text_duration(time->seconds).s : "MISSED", term_off(stdout));
}

void contact_print_row(const contact_bench *b, const contact_row *row, int width)
{
    printf("%-*s ", width, row->problem.s);
    if (row->code == CLI_DONE) {
        printf("%9s %9s", text_count(row->contacts).s, text_count(row->blocks).s);
        for (size_t i = 0; i < b->goal_count; i++) {
            print_time(&row->times[i], time_width(&b->goals[i]));
        }
        putchar('\n');
    } else {
        printf("%snot solved%s\n", term_on(stdout, TERM_RED), term_off(stdout));
    }
    fflush(stdout);
}

void contact_print_legend(void)
{
    puts("\ntime: median of at least 3 runs from r = 0 until the worst contact's residual is below "
         "the\ntolerance times the largest free velocity");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *time_json(const contact_bench *b, const contact_row *row, size_t i)
{
    const contact_time *time = &row->times[i];
    return json_pack("{s:o, s:I, s:I, s:s, s:o, s:I, s:I, s:I, s:o, s:b, s:o}", "problem",
                     cli_json_text(row->problem.s), "contacts", (json_int_t)row->contacts, "blocks",
                     (json_int_t)row->blocks, "solver", b->goals[i].solver, "tolerance",
                     cli_json_real(b->goals[i].tolerance), "threads", (json_int_t)b->threads,
                     "repetitions", (json_int_t)time->repetitions, "iterations",
                     (json_int_t)time->iterations, "milliseconds",
                     cli_json_real(1e3 * time->seconds), "reached", (int)time->reached,
                     "residual_rel", cli_json_real(time->residual));
}

static json_t *error_json(const contact_row *row)
{
    return json_pack("{s:o, s:o, s:i}", "problem", cli_json_text(row->problem.s), "error",
                     cli_json_text(row->error), "exit_code", row->code);
}

json_t *contact_bench_json(const contact_bench *b)
{
    json_t *list = json_array();
    for (size_t k = 0; k < b->row_count; k++) {
        const contact_row *row = &b->rows[k];
        if (row->code != CLI_DONE) json_array_append_new(list, error_json(row));
        for (size_t i = 0; row->code == CLI_DONE && i < b->goal_count; i++) {
            json_array_append_new(list, time_json(b, row, i));
        }
    }
    return list;
}

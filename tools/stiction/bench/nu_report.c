/* SPDX-License-Identifier: Apache-2.0
 *
 * Convergence against nu for people, for scripts and as a chart.
 */
#include <stdio.h>

#include "../plot/save_plot.h"
#include "../term.h"
#include "../text.h"
#include "nu.h"
#include "nu_problem.h"

static double share(const nu_row *row, size_t i)
{
    return 100.0 * row->cells[i].converged / row->problems;
}

/* ---- for people ------------------------------------------------------------------------------ */

enum { SHARE_WIDTH = 8, ITERATIONS_WIDTH = 6, TIME_WIDTH = 8 };

static void print_header(const nu_bench *b)
{
    printf("%s%13s", term_on(stdout, TERM_BOLD), "");
    for (size_t i = 0; i < b->solver_count; i++) {
        printf("  %*s", SHARE_WIDTH + ITERATIONS_WIDTH + TIME_WIDTH + 2, b->solvers[i]);
    }
    printf("\n%4s %8s", "nu", "contacts");
    for (size_t i = 0; i < b->solver_count; i++) {
        printf("  %*s %*s %*s", SHARE_WIDTH, "solved", ITERATIONS_WIDTH, "iter.", TIME_WIDTH,
               "time");
    }
    printf("%s\n", term_off(stdout));
}

static void print_cell(const nu_row *row, size_t i)
{
    const nu_cell *cell = &row->cells[i];
    const bool all = cell->converged == row->problems, any = cell->converged > 0;
    printf("  %s%*.0f%%%s", term_on(stdout, all ? TERM_BLUE : TERM_RED), SHARE_WIDTH - 1,
           share(row, i), term_off(stdout));
    printf(" %*s %*s", ITERATIONS_WIDTH, any ? text_count((uint64_t)cell->iterations).s : "-",
           TIME_WIDTH, any ? text_duration(cell->seconds).s : "-");
}

void nu_print(const nu_bench *b)
{
    print_header(b);
    for (size_t k = 0; k < b->row_count; k++) {
        const nu_row *row = &b->rows[k];
        printf("%4.4g %8s", row->nu, text_count(row->contacts).s);
        for (size_t i = 0; i < b->solver_count; i++) print_cell(row, i);
        putchar('\n');
    }
    printf("\n%s for each nu = 3 contacts / %d unknowns, from r = 0 to %g of the largest\n"
           "free velocity; all of them have a solution. Newton's methods have %d iterations.\n"
           "iter., time: medians over the problems that were solved\n",
           text_plural(b->seeds, "problem").s, NU_UNKNOWNS, NU_TOLERANCE, NU_ITERATIONS);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *cell_json(const nu_bench *b, const nu_row *row, size_t i)
{
    const nu_cell *cell = &row->cells[i];
    const bool any = cell->converged > 0;
    return json_pack("{s:o, s:I, s:s, s:o, s:I, s:I, s:I, s:o, s:o}", "nu", cli_json_real(row->nu),
                     "contacts", (json_int_t)row->contacts, "solver", b->solvers[i], "tolerance",
                     cli_json_real(NU_TOLERANCE), "problems", (json_int_t)row->problems,
                     "converged", (json_int_t)cell->converged, "by_islands",
                     (json_int_t)cell->by_islands, "iterations",
                     any ? cli_json_real(cell->iterations) : json_null(), "milliseconds",
                     any ? cli_json_real(1e3 * cell->seconds) : json_null());
}

json_t *nu_json(const nu_bench *b)
{
    json_t *list = json_array();
    for (size_t k = 0; k < b->row_count; k++) {
        for (size_t i = 0; i < b->solver_count; i++) {
            json_array_append_new(list, cell_json(b, &b->rows[k], i));
        }
    }
    return list;
}

/* ---- chart ----------------------------------------------------------------------------------- */

int nu_save_chart(const nu_bench *b, const char *path)
{
    double x[NU_STEPS], y[NU_SOLVERS][NU_STEPS];
    plot_series series[NU_SOLVERS];
    for (size_t k = 0; k < b->row_count; k++) x[k] = b->rows[k].nu;
    for (size_t i = 0; i < b->solver_count; i++) {
        bool all = true;
        for (size_t k = 0; k < b->row_count; k++) {
            y[i][k] = share(&b->rows[k], i);
            all = all && b->rows[k].cells[i].converged == b->rows[k].problems;
        }
        series[i] = (plot_series){b->solvers[i], x, y[i], b->row_count, all};
    }
    const plot p = {.title = "Problems solved against nu",
                    .x_label = "nu = 3 contacts / unknowns",
                    .y_label = "share of the problems solved",
                    .percent = true,
                    .series = series,
                    .count = b->solver_count};
    return plot_save(b->c, path, &p);
}

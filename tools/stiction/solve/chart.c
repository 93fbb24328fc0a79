/* SPDX-License-Identifier: Apache-2.0 */
#include "chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../plot/save_plot.h"

/* A linear axis would squeeze the short runs to nothing. */
static bool wants_log(const solve_row *rows, size_t count)
{
    double shortest = INFINITY, longest = 0.0;
    for (size_t i = 0; i < count; i++) {
        const solve_trace *t = &rows[i].trace;
        if (t->count == 0) continue;
        shortest = fmin(shortest, t->iteration[t->count - 1]);
        longest = fmax(longest, t->iteration[t->count - 1]);
    }
    return longest > 20.0 * shortest;
}

/* Rows that could not be solved have no line. */
static size_t make_series(plot_series *series, const solve_row *rows, size_t count)
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].code != CLI_DONE) continue;
        series[made++] = (plot_series){.name = rows[i].name.s,
                                       .x = rows[i].trace.iteration,
                                       .y = rows[i].trace.residual,
                                       .count = rows[i].trace.count,
                                       .reached = rows[i].result.converged != 0};
    }
    return made;
}

int solve_save_chart(const cli *c, const char *path, const solve_settings *settings,
                     const solve_row *rows, size_t count)
{
    plot_series *series = calloc(count + 1, sizeof *series);
    if (!series) return cli_fail(c, CLI_SIMULATION, "out of memory");
    char title[160], target[64];
    snprintf(title, sizeof title, "Convergence of %s with %s", settings->solver, settings->local);
    snprintf(target, sizeof target, "tolerance %g", settings->tolerance);
    const plot p = {.title = title,
                    .x_label = "iteration",
                    .y_label = "worst contact's residual / largest free velocity",
                    .log_x = wants_log(rows, count),
                    .target = settings->tolerance,
                    .target_label = target,
                    .series = series,
                    .count = make_series(series, rows, count)};
    const int code = plot_save(c, path, &p);
    free(series);
    return code;
}

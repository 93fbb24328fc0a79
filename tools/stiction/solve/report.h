/* SPDX-License-Identifier: Apache-2.0
 *
 * What stiction solve says about its rows: a table for people, objects for programs.
 */
#ifndef STICTION_SOLVE_REPORT_H
#define STICTION_SOLVE_REPORT_H

#include "row.h"

/* `width` is that of the longest name. */
void solve_print_header(const solve_settings *settings, int width);
void solve_print_row(const solve_row *row, int width);

/* The figures of one row that the table has no room for. */
void solve_print_details(const solve_row *row);

/* "12 problems, 1 missed the tolerance" */
void solve_print_sum(const solve_row *rows, size_t count);

/* One object per row: the object itself if only one file was given, otherwise a list. */
json_t *solve_json(const solve_settings *settings, const solve_row *rows, size_t count,
                   bool single);

/* {"r": [...], "u": [...]}, three numbers per contact; null for a row without a solution. */
json_t *solve_json_solutions(const solve_row *rows, size_t count, bool single);

/* The relative residual after each iteration. */
json_t *solve_json_traces(const solve_settings *settings, const solve_row *rows, size_t count,
                          bool single);

#endif

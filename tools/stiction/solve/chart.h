/* SPDX-License-Identifier: Apache-2.0
 *
 * The residuals of stiction solve as a chart, one line per file.
 */
#ifndef STICTION_SOLVE_CHART_H
#define STICTION_SOLVE_CHART_H

#include "row.h"

/* CLI_DONE, or the exit code of an error that was reported. */
int solve_save_chart(const cli *c, const char *path, const solve_settings *settings,
                     const solve_row *rows, size_t count);

#endif

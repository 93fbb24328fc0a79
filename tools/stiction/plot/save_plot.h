/* SPDX-License-Identifier: Apache-2.0
 *
 * A chart as a file that is there whole or not at all.
 */
#ifndef STICTION_PLOT_SAVE_PLOT_H
#define STICTION_PLOT_SAVE_PLOT_H

#include "../cli.h"
#include "plot.h"

/* CLI_DONE, or CLI_FILES with the error reported. */
int plot_save(const cli *c, const char *path, const plot *p);

#endif

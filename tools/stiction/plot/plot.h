/* SPDX-License-Identifier: Apache-2.0
 *
 * Line charts as SVG: a logarithmic y axis, or one from 0 to 100%; an x axis of counts that may be
 * logarithmic too; a legend; a line to be reached.
 */
#ifndef STICTION_PLOT_H
#define STICTION_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct plot_series {
    const char *name;
    const double *x, *y; /* x does not fall, and is at least 1 on a logarithmic axis */
    size_t count;
    bool reached; /* ends with a dot, otherwise with a cross */
} plot_series;

typedef struct plot {
    const char *title, *x_label, *y_label;
    bool log_x;
    double first_x; /* where a linear x axis begins */
    bool percent;   /* y is in percent, and there is no target */
    double target;  /* dashed line */
    double floor;   /* what lies below is drawn at the lower edge; 0: 1e-4 of the target */
    const char *target_label;
    const plot_series *series;
    size_t count;
} plot;

/* False: the stream failed. */
bool plot_write(FILE *out, const plot *p);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * One axis of a chart: from numbers to places, and where the ticks are: at whole numbers, or at
 * whole powers of ten.
 */
#ifndef STICTION_PLOT_AXIS_H
#define STICTION_PLOT_AXIS_H

#include <stdbool.h>

typedef struct axis {
    bool log;
    double low, high; /* at the ends; logarithms to base 10 if log */
    double step;      /* between ticks */
    double from, to;  /* places of the ends */
} axis;

/* From the number lowest to the number highest, with about `ticks` ticks. */
axis axis_make(bool log, double lowest, double highest, double from, double to, int ticks);

/* Moves the ends outward to the next ticks. */
void axis_round(axis *a);

double axis_place(const axis *a, double number);

/* Multiples of the step: how many there are, and the value of each (its logarithm if log). */
int axis_ticks(const axis *a);
double axis_tick(const axis *a, int i);
double axis_tick_place(const axis *a, int i);

#endif

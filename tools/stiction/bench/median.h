/* SPDX-License-Identifier: Apache-2.0
 *
 * The median of measurements: one slow run does not move it.
 */
#ifndef STICTION_BENCH_MEDIAN_H
#define STICTION_BENCH_MEDIAN_H

#include <stddef.h>

void median_sort(double *numbers, size_t count);

/* The upper one of two in the middle; sorts the numbers. At least one. */
double median_of(double *numbers, size_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "median.h"

#include <stdlib.h>

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void median_sort(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_reals);
}

double median_of(double *numbers, size_t count)
{
    median_sort(numbers, count);
    return numbers[count / 2];
}

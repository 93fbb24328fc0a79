/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/reduced_rod.h"

void reduced_rod_set_root_columns(double *linear, double *angular, size_t n, v3 r)
{
    const v3 zero = {0.0, 0.0, 0.0};
    for (size_t c = 0; c < 3; c++) {
        const v3 axis = {c == 0, c == 1, c == 2};
        reduced_rod_set_column(linear, n, c, axis);
        reduced_rod_set_column(linear, n, 3 + c, v3_cross(axis, r));
        reduced_rod_set_column(angular, n, c, zero);
        reduced_rod_set_column(angular, n, 3 + c, axis);
    }
}

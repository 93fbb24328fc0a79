/* SPDX-License-Identifier: Apache-2.0 */
#include "axis.h"

#include <math.h>

/* 1, 2 or 5 times a power of ten. */
static double round_step(double rough)
{
    const double power = pow(10.0, floor(log10(rough)));
    const double lead = rough / power;
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

axis axis_make(bool log, double lowest, double highest, double from, double to, int ticks)
{
    const double low = log ? log10(lowest) : lowest;
    const double high = fmax(log ? log10(highest) : highest, low + 1.0);
    const double step = fmax(1.0, round_step((high - low) / ticks));
    return (axis){log, low, high, step, from, to};
}

void axis_round(axis *a)
{
    a->low = a->step * floor(a->low / a->step);
    a->high = a->step * ceil(a->high / a->step);
}

static double place(const axis *a, double value)
{
    return a->from + (a->to - a->from) * (value - a->low) / (a->high - a->low);
}

double axis_place(const axis *a, double number)
{
    return place(a, a->log ? log10(number) : number);
}

static double first_tick(const axis *a) { return a->step * ceil(a->low / a->step - 1e-9); }

int axis_ticks(const axis *a) { return (int)floor((a->high - first_tick(a)) / a->step + 1e-9) + 1; }

double axis_tick(const axis *a, int i) { return first_tick(a) + i * a->step; }

double axis_tick_place(const axis *a, int i) { return place(a, axis_tick(a, i)); }

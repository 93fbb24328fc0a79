/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/hair_maps.h"

#include "math/scalar.h"
#include "scene/arrays.h"

static const struct {
    int array;
    bool of_rods;
    double least, most;
} map_table[MAP_COUNT] = {
    [MAP_STIFFNESS] = {A_STIFFNESS_MAP, true, 1e-6, 1e6},
    [MAP_CURL] = {A_CURL_MAP, true, -100.0, 100.0},
    [MAP_MASS] = {A_MASS_MAP, true, 1e-6, 1e6},
    [MAP_DRAG] = {A_DRAG_MAP, true, 0.0, 1e6},
    [MAP_THICKNESS] = {A_THICKNESS_MAP, false, 0.0, 1e3},
    [MAP_FRICTION] = {A_FRICTION_MAP, false, 0.0, 1e3},
    [MAP_FREEZE] = {A_FREEZE, false, 0.0, 1.0},
    [MAP_STIFFNESS_PROFILE] = {A_STIFFNESS_PROFILE, true, 1e-6, 1e6},
    [MAP_CURL_PROFILE] = {A_CURL_PROFILE, true, -100.0, 100.0},
};

status hair_maps_init(hair_maps *m, size_t strands, size_t points, const allocator *from,
                      error *err)
{
    const size_t count =
        MAP_STIFFNESS_PROFILE * strands + (MAP_COUNT - MAP_STIFFNESS_PROFILE) * points;
    double *at = memory_alloc(from, memory_size(count, sizeof *at));
    if (!at) return error_out_of_memory(err, "maps of hair");
    m->count = count;
    for (size_t i = 0; i < count; i++) at[i] = 1.0;
    for (int map = 0; map < MAP_COUNT; map++) {
        m->value[map] = at;
        at += map < MAP_STIFFNESS_PROFILE ? strands : points;
    }
    for (size_t i = 0; i < strands; i++) m->value[MAP_FREEZE][i] = 0.0;
    return STATUS_OK;
}

void hair_maps_destroy(hair_maps *m, const allocator *from)
{
    memory_free(from, m->value[0], m->count * sizeof(double));
    *m = (hair_maps){0};
}

int hair_map_of_array(int row)
{
    for (int map = 0; map < MAP_COUNT; map++) {
        if (map_table[map].array == row) return map;
    }
    return -1;
}

bool hair_map_is_of_rods(int map) { return map_table[map].of_rods; }

status hair_map_check(int map, const double *values, size_t count, const char *what, error *err)
{
    const double least = map_table[map].least, most = map_table[map].most;
    for (size_t i = 0; i < count; i++) {
        const bool whole = map != MAP_FREEZE || values[i] == 0.0 || values[i] == 1.0;
        if (values[i] >= least && values[i] <= most && whole) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: %s %zu has the value %g, expected %g %s %g", what,
                         map < MAP_STIFFNESS_PROFILE ? "strand" : "point", i, values[i], least,
                         map == MAP_FREEZE ? "or" : "to", most);
    }
    return STATUS_OK;
}

/* Where [begin, end) meets the piece from s[i] to s[i + 1], the integral over it. */
static double piece_integral(const double *s, const double *value, size_t i, double begin,
                             double end)
{
    const double a = scalar_max(begin, s[i]), b = scalar_min(end, s[i + 1]);
    if (!(b > a)) return 0.0;
    const double middle = (0.5 * (a + b) - s[i]) / (s[i + 1] - s[i]);
    return (b - a) * (value[i] + middle * (value[i + 1] - value[i]));
}

double hair_map_average(const double *s, const double *value, size_t count, double begin,
                        double end)
{
    double sum = scalar_max(scalar_min(end, s[0]) - begin, 0.0) * value[0] +
                 scalar_max(end - scalar_max(begin, s[count - 1]), 0.0) * value[count - 1];
    for (size_t i = 0; i + 1 < count; i++) sum += piece_integral(s, value, i, begin, end);
    return sum / (end - begin);
}

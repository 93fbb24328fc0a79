/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/rod.h"

#include <inttypes.h>

static bool is_positive(double x) { return x > 0.0 && isfinite(x); }

static bool is_zero_or_positive(double x) { return x >= 0.0 && isfinite(x); }

static status refuse(const rods_source *source, const char *one, uint32_t rod, const char *what,
                     double value, const char *expected, error *err)
{
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "'%s', %s %" PRIu32 ": its %s is %g, expected %s", source->name, one, rod,
                     what, value, expected);
}

static status check_material(const rods_source *source, const char *one, uint32_t rod, error *err)
{
    static const char positive[] = "a positive number", not_negative[] = "0 or more";
    const rod_material *m = &source->material[rod];
    const struct {
        const char *what;
        double value;
        bool good;
        const char *expected;
    } rows[] = {
        {"mass per length", m->density, is_positive(m->density), positive},
        {"bending stiffness about n1", m->bend[0], is_positive(m->bend[0]), positive},
        {"bending stiffness about n2", m->bend[1], is_positive(m->bend[1]), positive},
        {"twisting stiffness", m->twist, is_positive(m->twist), positive},
        {"stretching stiffness", m->stretch, is_positive(m->stretch), positive},
        {"radius", m->radius, is_positive(m->radius), positive},
        {"damping", m->damping, is_zero_or_positive(m->damping), not_negative},
        {"drag", m->drag, is_zero_or_positive(m->drag), not_negative},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (!rows[k].good) {
            return refuse(source, one, rod, rows[k].what, rows[k].value, rows[k].expected, err);
        }
    }
    return STATUS_OK;
}

static status check_elements(const rods_source *source, const char *one, uint32_t rod, error *err)
{
    const size_t first = (size_t)rod * source->elements;
    for (size_t e = first; e < first + source->elements; e++) {
        if (!is_positive(source->lengths[e])) {
            return refuse(source, one, rod, "element length", source->lengths[e],
                          "a positive number", err);
        }
        if (source->scale && !is_positive(source->scale[e])) {
            return refuse(source, one, rod, "stiffness scale", source->scale[e],
                          "a positive number", err);
        }
        for (size_t k = 3 * e; source->natural && k < 3 * e + 3; k++) {
            if (isfinite(source->natural[k])) continue;
            return refuse(source, one, rod, "natural curvature", source->natural[k],
                          "a finite number", err);
        }
    }
    return STATUS_OK;
}

status rods_check_each(const rods_source *source, const char *one, error *err)
{
    for (uint32_t rod = 0; rod < source->rods; rod++) {
        status st = check_material(source, one, rod, err);
        if (st >= 0) st = check_elements(source, one, rod, err);
        if (st < 0) return st;
    }
    return STATUS_OK;
}

status rods_check_source(const rods_source *source, error *err)
{
    if (source->rods == 0 || source->elements == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "'%s' has %" PRIu32 " strands of %" PRIu32
                         " elements, expected at least one of each",
                         source->name, source->rods, source->elements);
    }
    return rods_check_each(source, "strand", err);
}

enum { DENSE_MOST = 65535 }; /* elements: (3 * 65536 + 6)^2 doubles can be counted */

status rods_check_dense_source(const rods_source *source, error *err)
{
    if (source->elements <= DENSE_MOST) return rods_check_source(source, err);
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "'%s' has strands of %" PRIu32 " elements, expected at most %d", source->name,
                     source->elements, DENSE_MOST);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/view.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static size_t format_size(uint32_t format)
{
    switch (format) {
    case FORMAT_F32:
    case FORMAT_U32:
    case FORMAT_I32: return 4;
    case FORMAT_F64: return 8;
    default: return 0;
    }
}

static bool format_is_real(uint32_t format) { return format == FORMAT_F32 || format == FORMAT_F64; }

view view_of_f64(const double *data, size_t count, uint32_t components)
{
    return (view){data, count, components, FORMAT_F64, 0};
}

view view_of_u32(const uint32_t *data, size_t count, uint32_t components)
{
    return (view){data, count, components, FORMAT_U32, 0};
}

/* Any of the four formats at one place. */
typedef union number {
    float f32;
    double f64;
    uint32_t u32;
    int32_t i32;
} number;

/* memcpy because a host's stride need not keep alignment. */
static double read_number(const char *at, uint32_t format)
{
    number n;
    memcpy(&n, at, format_size(format));
    switch (format) {
    case FORMAT_F32: return (double)n.f32;
    case FORMAT_F64: return n.f64;
    case FORMAT_U32: return (double)n.u32;
    default: return (double)n.i32;
    }
}

static void write_number(char *at, uint32_t format, double value)
{
    number n;
    switch (format) {
    case FORMAT_F32: n.f32 = (float)value; break;
    case FORMAT_F64: n.f64 = value; break;
    case FORMAT_U32: n.u32 = (uint32_t)(value + 0.5); break;
    default: n.i32 = (int32_t)floor(value + 0.5); break;
    }
    memcpy(at, &n, format_size(format));
}

static status view_check(const view *v, const char *what, size_t count, uint32_t components,
                         error *err)
{
    if (!v->data && count > 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "%s: the view has no data", what);
    }
    if (format_size(v->format) == 0) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: format %" PRIu32 " is none of f32, f64, u32, i32", what, v->format);
    }
    if (v->components != components) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: %" PRIu32 " numbers per element, expected %" PRIu32, what,
                         v->components, components);
    }
    if (v->count != count) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "%s: %zu elements, expected %zu", what,
                         v->count, count);
    }
    return STATUS_OK;
}

static ptrdiff_t view_stride(ptrdiff_t stride, uint32_t format, uint32_t components)
{
    return stride ? stride : (ptrdiff_t)(format_size(format) * components);
}

status view_read_reals(const view *from, const char *what, size_t count, uint32_t components,
                       double *to, error *err)
{
    const status s = view_check(from, what, count, components, err);
    if (s < 0) return s;
    if (!format_is_real(from->format)) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "%s: integers, expected f32 or f64", what);
    }
    const size_t size = format_size(from->format);
    const ptrdiff_t stride = view_stride(from->stride, from->format, components);
    for (size_t i = 0; i < count; i++) {
        const char *element = (const char *)from->data + (ptrdiff_t)i * stride;
        for (uint32_t c = 0; c < components; c++) {
            const double value = read_number(element + c * size, from->format);
            if (!isfinite(value)) {
                return error_set(err, STATUS_INVALID_ARGUMENT,
                                 "%s: element %zu, component %" PRIu32
                                 " is %g, expected a finite number",
                                 what, i, c, value);
            }
            to[i * components + c] = value;
        }
    }
    return STATUS_OK;
}

status view_read_indices(const view *from, const char *what, size_t count, uint32_t components,
                         size_t limit, uint32_t *to, error *err)
{
    const status s = view_check(from, what, count, components, err);
    if (s < 0) return s;
    if (format_is_real(from->format)) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "%s: reals, expected u32 or i32 indices",
                         what);
    }
    const ptrdiff_t stride = view_stride(from->stride, from->format, components);
    for (size_t i = 0; i < count; i++) {
        const char *element = (const char *)from->data + (ptrdiff_t)i * stride;
        for (uint32_t c = 0; c < components; c++) {
            const double value = read_number(element + c * sizeof(uint32_t), from->format);
            if (value < 0.0 || value >= (double)limit) {
                return error_set(err, STATUS_INVALID_ARGUMENT,
                                 "%s: element %zu names index %.0f, expected 0 to %.0f", what, i,
                                 value, (double)limit - 1.0);
            }
            to[i * components + c] = (uint32_t)value;
        }
    }
    return STATUS_OK;
}

static status mut_view_check(const mut_view *to, const char *what, size_t count,
                             uint32_t components, error *err)
{
    const view as_const = {to->data, to->count, to->components, to->format, to->stride};
    return view_check(&as_const, what, count, components, err);
}

/* Where component c of element i goes. */
static char *mut_view_at(const mut_view *to, size_t i, uint32_t c)
{
    const ptrdiff_t stride = view_stride(to->stride, to->format, to->components);
    return (char *)to->data + (ptrdiff_t)i * stride + c * format_size(to->format);
}

/* Converting a number that the format cannot hold would give infinity, or be undefined. */
static status check_range(const mut_view *to, const char *what, const double *from, size_t n,
                          error *err)
{
    double low = -(double)FLT_MAX, high = (double)FLT_MAX;
    if (to->format == FORMAT_U32) low = 0.0, high = (double)UINT32_MAX;
    if (to->format == FORMAT_I32) low = (double)INT32_MIN, high = (double)INT32_MAX;
    for (size_t i = 0; i < n; i++) {
        if (from[i] >= low && from[i] <= high) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: %g does not fit into the view's format; ask for f64", what, from[i]);
    }
    return STATUS_OK;
}

status view_write_reals(const mut_view *to, const char *what, size_t count, uint32_t components,
                        const double *from, error *err)
{
    status s = mut_view_check(to, what, count, components, err);
    if (s >= 0 && to->format != FORMAT_F64) {
        s = check_range(to, what, from, count * components, err);
    }
    if (s < 0) return s;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < components; c++) {
            write_number(mut_view_at(to, i, c), to->format, from[i * components + c]);
        }
    }
    return STATUS_OK;
}

status view_write_indices(const mut_view *to, const char *what, size_t count, uint32_t components,
                          const uint32_t *from, error *err)
{
    const status s = mut_view_check(to, what, count, components, err);
    if (s < 0) return s;
    if (format_is_real(to->format)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s: the view has reals, expected u32 or i32", what);
    }
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < components; c++) {
            memcpy(mut_view_at(to, i, c), &from[i * components + c], sizeof *from);
        }
    }
    return STATUS_OK;
}

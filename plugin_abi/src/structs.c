/* SPDX-License-Identifier: Apache-2.0 */
#include "structs.h"

#include <inttypes.h>
#include <string.h>

enum { SMALLEST = 8, LARGEST = 1 << 16 }; /* beyond these struct_size is a mistake, not a version */

status struct_require(const void *pointer, const char *name, error *err)
{
    if (pointer) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT, "'%s' is NULL", name);
}

static status struct_read_size(const void *given, const char *name, uint32_t *size, error *err)
{
    const status st = struct_require(given, name, err);
    if (st < 0) return st;
    memcpy(size, given, sizeof *size);
    if (*size >= SMALLEST && *size <= LARGEST) return STATUS_OK;
    return error_set(err, STATUS_STRUCT_SIZE,
                     "'%s': struct_size is %" PRIu32 "; set it to sizeof the struct", name, *size);
}

static bool tail_is_zero(const char *bytes, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (bytes[i]) return false;
    }
    return true;
}

status struct_take(const void *given, void *full, size_t full_size, const char *name, error *err)
{
    uint32_t size;
    const status st = struct_read_size(given, name, &size, err);
    if (st < 0) return st;
    if (size > full_size && !tail_is_zero(given, full_size, size)) {
        return error_set(err, STATUS_STRUCT_SIZE,
                         "'%s': struct_size is %" PRIu32 ", this library knows %zu bytes, and the "
                         "rest is not zero",
                         name, size, full_size);
    }
    memset(full, 0, full_size);
    memcpy(full, given, size < full_size ? size : full_size);
    return STATUS_OK;
}

status struct_take_item(const void *items, size_t index, void *full, size_t full_size,
                        const char *name, error *err)
{
    uint32_t apart, size;
    const status st = struct_read_size(items, name, &apart, err);
    if (st < 0) return st;
    const char *item = (const char *)items + index * apart;
    memcpy(&size, item, sizeof size);
    if (size == apart) return struct_take(item, full, full_size, name, err);
    return error_set(err, STATUS_STRUCT_SIZE,
                     "'%s' %zu: struct_size is %" PRIu32 ", that of the first one is %" PRIu32,
                     name, index, size, apart);
}

status struct_check_out(const void *given, const char *name, error *err)
{
    uint32_t size;
    return struct_read_size(given, name, &size, err);
}

status struct_give(void *given, const void *full, size_t full_size, const char *name, error *err)
{
    uint32_t size;
    const status st = struct_read_size(given, name, &size, err);
    if (st < 0) return st;
    const size_t known = size < full_size ? size : full_size;
    memcpy((char *)given + sizeof size, (const char *)full + sizeof size, known - sizeof size);
    if (size > known) memset((char *)given + known, 0, size - known);
    return STATUS_OK;
}

status struct_check_reserved(uint32_t reserved, const char *name, error *err)
{
    if (!reserved) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT, "'%s': reserved is %" PRIu32 ", expected 0",
                     name, reserved);
}

status struct_take_view(const stn_view *given, const char *name, view *out, error *err)
{
    *out = (view){0};
    if (!given) return STATUS_OK;
    stn_view v;
    status st = struct_take(given, &v, sizeof v, name, err);
    if (st >= 0) st = struct_check_reserved(v.reserved, name, err);
    if (st < 0) return st;
    if (v.count > PTRDIFF_MAX / 64) {
        return error_set(err, STATUS_INVALID_ARGUMENT, "'%s': a view of %" PRIu64 " elements", name,
                         v.count);
    }
    *out = (view){v.data, (size_t)v.count, v.components, v.format, (ptrdiff_t)v.stride};
    return STATUS_OK;
}

status struct_take_mut_view(const stn_mut_view *given, const char *name, mut_view *out, error *err)
{
    *out = (mut_view){0};
    status st = struct_require(given, name, err);
    if (st < 0) return st;
    stn_mut_view v;
    st = struct_take(given, &v, sizeof v, name, err);
    if (st >= 0) st = struct_check_reserved(v.reserved, name, err);
    if (st < 0) return st;
    *out = (mut_view){v.data, (size_t)v.count, v.components, v.format, (ptrdiff_t)v.stride};
    return STATUS_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs that cross the border carry their size. In: a smaller one is completed with zeros, a
 * larger one is taken if the part we do not know is zero. Out: the caller gets as much as its
 * struct holds.
 */
#ifndef ABI_STRUCTS_H
#define ABI_STRUCTS_H

#include "base/status.h"
#include "base/view.h"

#include <stddef.h>
#include <stiction/stiction.h>

status struct_take(const void *given, void *full, size_t full_size, const char *name, error *err);
status struct_give(void *given, const void *full, size_t full_size, const char *name, error *err);

/* Item `index` of an array of structs, which are as far apart as the first one is large. */
status struct_take_item(const void *items, size_t index, void *full, size_t full_size,
                        const char *name, error *err);

/* What struct_give asks of an out struct, before anything is done for it. */
status struct_check_out(const void *given, const char *name, error *err);

#define STRUCT_TAKE(given, full, err) struct_take(given, full, sizeof *(full), #given, err)
#define STRUCT_GIVE(given, full, err) struct_give(given, full, sizeof *(full), #given, err)

/* Members named `reserved` must be zero, so that they can get a meaning later. */
status struct_check_reserved(uint32_t reserved, const char *name, error *err);

/* NULL becomes a view without data. */
status struct_take_view(const stn_view *given, const char *name, view *out, error *err);
status struct_take_mut_view(const stn_mut_view *given, const char *name, mut_view *out, error *err);

/* Writes the text into err and returns the code if `pointer` is NULL. */
status struct_require(const void *pointer, const char *name, error *err);

#endif

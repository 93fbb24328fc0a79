/* SPDX-License-Identifier: Apache-2.0
 *
 * Strided, formatted views of somebody else's arrays, and the copies in and out of them: the one
 * place where floats become doubles and indices are checked.
 */
#ifndef BASE_VIEW_H
#define BASE_VIEW_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORMAT_F32 = 1, FORMAT_F64 = 2, FORMAT_U32 = 3, FORMAT_I32 = 4 };

/* Element i is `components` numbers at data + i * stride bytes. data == NULL: there is no array. */
typedef struct view {
    const void *data;
    size_t count;
    uint32_t components;
    uint32_t format;
    ptrdiff_t stride; /* 0: packed */
} view;

typedef struct mut_view {
    void *data;
    size_t count;
    uint32_t components;
    uint32_t format;
    ptrdiff_t stride;
} mut_view;

/* Packed arrays. */
view view_of_f64(const double *data, size_t count, uint32_t components);
view view_of_u32(const uint32_t *data, size_t count, uint32_t components);

/* Copies numbers of any format. `what` names the array in errors ("cloth 'shawl': positions").
 * Errors: wrong count or components, a value that is not finite, integer formats where reals are
 * meant. */
status view_read_reals(const view *from, const char *what, size_t count, uint32_t components,
                       double *to, error *err);

/* Copies indices; every one must lie below `limit`. Real formats are refused. */
status view_read_indices(const view *from, const char *what, size_t count, uint32_t components,
                         size_t limit, uint32_t *to, error *err);

/* Writes doubles in the view's format; integer formats get rounded values, which must fit. */
status view_write_reals(const mut_view *to, const char *what, size_t count, uint32_t components,
                        const double *from, error *err);

/* Writes indices; the view must have an integer format. */
status view_write_indices(const mut_view *to, const char *what, size_t count, uint32_t components,
                          const uint32_t *from, error *err);

#endif

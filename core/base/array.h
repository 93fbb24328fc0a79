/* SPDX-License-Identifier: Apache-2.0
 *
 * A growable array of items of one size. `data` is typed by the code that reads it.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include "base/memory.h"

#include <stdbool.h>

typedef struct array {
    const allocator *from;
    void *data;
    size_t item_size;
    size_t count;
    size_t capacity;
} array;

void array_init(array *a, const allocator *from, size_t item_size);
void array_destroy(array *a);

/* Room for at least `capacity` items; false when memory ran out, then nothing has changed. */
bool array_reserve(array *a, size_t capacity);

/* Appends one zeroed item; NULL when memory ran out. */
void *array_push(array *a);

/* Sets the count; new items are zeroed. */
bool array_resize(array *a, size_t count);

/* Takes item i out and keeps the order of the others. */
void array_remove(array *a, size_t i);

void *array_at(const array *a, size_t i);

#endif

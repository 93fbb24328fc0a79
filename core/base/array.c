/* SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"

#include <string.h>

void array_init(array *a, const allocator *from, size_t item_size)
{
    *a = (array){.from = from, .item_size = item_size};
}

void array_destroy(array *a)
{
    memory_free(a->from, a->data, a->capacity * a->item_size);
    array_init(a, a->from, a->item_size);
}

bool array_reserve(array *a, size_t capacity)
{
    if (capacity <= a->capacity) return true;
    if (capacity < a->capacity + a->capacity / 2) capacity = a->capacity + a->capacity / 2;
    if (capacity < 8) capacity = 8;
    void *data = memory_alloc(a->from, memory_size(capacity, a->item_size));
    if (!data) return false;
    if (a->count) memcpy(data, a->data, a->count * a->item_size);
    memory_free(a->from, a->data, a->capacity * a->item_size);
    a->data = data;
    a->capacity = capacity;
    return true;
}

bool array_resize(array *a, size_t count)
{
    if (!array_reserve(a, count)) return false;
    if (count > a->count) {
        memset(array_at(a, a->count), 0, (count - a->count) * a->item_size);
    }
    a->count = count;
    return true;
}

void *array_push(array *a)
{
    return array_resize(a, a->count + 1) ? array_at(a, a->count - 1) : NULL;
}

void array_remove(array *a, size_t i)
{
    const size_t behind = a->count - i - 1;
    if (behind) memmove(array_at(a, i), array_at(a, i + 1), behind * a->item_size);
    a->count--;
}

void *array_at(const array *a, size_t i) { return (char *)a->data + i * a->item_size; }

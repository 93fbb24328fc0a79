/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void *system_alloc(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    const uint64_t rounded = (size + alignment - 1) / alignment * alignment; /* C11 asks for it */
    return rounded < size ? NULL : aligned_alloc((size_t)alignment, (size_t)rounded);
}

static void system_release(void *user, void *memory, uint64_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

const allocator allocator_system = {NULL, system_alloc, system_release};

void *memory_alloc(const allocator *from, size_t size)
{
    if (size == 0 || size > PTRDIFF_MAX) return NULL;
    void *memory = from->alloc(from->user, size, MEMORY_ALIGNMENT);
    if (memory) memset(memory, 0, size);
    return memory;
}

void memory_free(const allocator *from, void *memory, size_t size)
{
    if (memory) from->release(from->user, memory, size);
}

size_t memory_size(size_t count, size_t item_size)
{
    return item_size && count > SIZE_MAX / item_size ? 0 : count * item_size;
}

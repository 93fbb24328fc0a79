/* SPDX-License-Identifier: Apache-2.0
 *
 * Each block has a header of one alignment unit in front, which holds its size.
 */
#include "support/counting_allocator.h"

#include <stdlib.h>
#include <unity.h>

static void *counting_alloc(void *user, uint64_t size, uint64_t alignment)
{
    counting_allocator *memory = user;
    if (++memory->allocations == memory->fail_at) return NULL;
    const uint64_t rounded = (size + alignment - 1) / alignment * alignment;
    char *block = aligned_alloc((size_t)alignment, (size_t)(alignment + rounded));
    if (!block) return NULL;
    *(uint64_t *)(void *)block = size;
    memory->live_blocks++;
    memory->live_bytes += size;
    if (memory->live_bytes > memory->most_bytes) memory->most_bytes = memory->live_bytes;
    return block + alignment;
}

static void counting_release(void *user, void *block, uint64_t size)
{
    counting_allocator *memory = user;
    void *start = (char *)block - MEMORY_ALIGNMENT;
    const uint64_t taken = *(const uint64_t *)start;
    if (size != taken) memory->wrong_sizes++;
    memory->live_blocks--;
    memory->live_bytes -= taken;
    free(start);
}

void counting_init(counting_allocator *memory, uint64_t fail_at)
{
    *memory = (counting_allocator){.from = {memory, counting_alloc, counting_release},
                                   .fail_at = fail_at};
}

void counting_check(const counting_allocator *memory)
{
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, memory->live_blocks, "blocks not given back");
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, memory->live_bytes, "bytes not given back");
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, memory->wrong_sizes, "blocks given back with a wrong size");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include "support/counting_allocator.h"

#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static void test_memory_is_aligned_and_zeroed(void)
{
    for (size_t size = 1; size < 5000; size = 3 * size + 1) {
        unsigned char *dirty = memory_alloc(&allocator_system, size);
        TEST_ASSERT_NOT_NULL(dirty);
        TEST_ASSERT_EQUAL_UINT64(0, (uintptr_t)dirty % MEMORY_ALIGNMENT);
        for (size_t i = 0; i < size; i++) dirty[i] = 0xff;
        memory_free(&allocator_system, dirty, size);

        unsigned char *clean = memory_alloc(&allocator_system, size);
        TEST_ASSERT_NOT_NULL(clean);
        TEST_ASSERT_EACH_EQUAL_HEX8(0, clean, size);
        memory_free(&allocator_system, clean, size);
    }
}

static void test_nothing_is_asked_for_sizes_that_cannot_be(void)
{
    counting_allocator memory;
    counting_init(&memory, 0);
    TEST_ASSERT_NULL(memory_alloc(&memory.from, 0));
    TEST_ASSERT_NULL(memory_alloc(&memory.from, (size_t)PTRDIFF_MAX + 1));
    TEST_ASSERT_NULL(memory_alloc(&memory.from, SIZE_MAX));
    TEST_ASSERT_EQUAL_UINT64(0, memory.allocations);
}

static void test_the_system_refuses_a_size_that_rounds_up_to_nothing(void)
{
    TEST_ASSERT_NULL(allocator_system.alloc(NULL, UINT64_MAX - 1, MEMORY_ALIGNMENT));
}

static void test_freeing_nothing_does_nothing(void)
{
    counting_allocator memory;
    counting_init(&memory, 0);
    memory_free(&memory.from, NULL, 100);
    counting_check(&memory);
}

static void test_a_refusal_is_handed_on(void)
{
    counting_allocator memory;
    counting_init(&memory, 1);
    TEST_ASSERT_NULL(memory_alloc(&memory.from, 8));
    counting_check(&memory);
}

static void test_sizes_that_overflow_are_zero(void)
{
    TEST_ASSERT_EQUAL_size_t(24, memory_size(3, 8));
    TEST_ASSERT_EQUAL_size_t(0, memory_size(0, 8));
    TEST_ASSERT_EQUAL_size_t(0, memory_size(8, 0));
    TEST_ASSERT_EQUAL_size_t(SIZE_MAX - 7, memory_size(SIZE_MAX / 8, 8));
    TEST_ASSERT_EQUAL_size_t(0, memory_size(SIZE_MAX / 8 + 1, 8));
    TEST_ASSERT_EQUAL_size_t(0, memory_size(SIZE_MAX, SIZE_MAX));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_memory_is_aligned_and_zeroed);
    RUN_TEST(test_nothing_is_asked_for_sizes_that_cannot_be);
    RUN_TEST(test_the_system_refuses_a_size_that_rounds_up_to_nothing);
    RUN_TEST(test_freeing_nothing_does_nothing);
    RUN_TEST(test_a_refusal_is_handed_on);
    RUN_TEST(test_sizes_that_overflow_are_zero);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"

#include "support/counting_allocator.h"

#include <unity.h>

static counting_allocator memory;
static array numbers;

void setUp(void)
{
    counting_init(&memory, 0);
    array_init(&numbers, &memory.from, sizeof(uint32_t));
}

void tearDown(void)
{
    array_destroy(&numbers);
    counting_check(&memory);
}

static uint32_t number_at(size_t i) { return *(const uint32_t *)array_at(&numbers, i); }

/* 0, 1, 2, ... */
static void push_numbers(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *item = array_push(&numbers);
        TEST_ASSERT_NOT_NULL(item);
        TEST_ASSERT_EQUAL_UINT32(0, *item);
        *item = i;
    }
}

static void test_pushed_items_keep_their_values_while_the_array_grows(void)
{
    push_numbers(10000);
    TEST_ASSERT_EQUAL_size_t(10000, numbers.count);
    for (uint32_t i = 0; i < 10000; i++) TEST_ASSERT_EQUAL_UINT32(i, number_at(i));
}

static void test_the_number_of_allocations_grows_with_the_logarithm(void)
{
    push_numbers(100000);
    /* 8 * 1.5^k >= 100000 from k = 24 on; rounding down costs a few more */
    TEST_ASSERT_LESS_OR_EQUAL_UINT64(30, memory.allocations);
}

static void test_reserved_room_is_used_without_further_allocations(void)
{
    TEST_ASSERT_TRUE(array_reserve(&numbers, 1000));
    TEST_ASSERT_EQUAL_size_t(0, numbers.count);
    push_numbers(1000);
    TEST_ASSERT_EQUAL_UINT64(1, memory.allocations);
}

static void test_items_that_come_back_after_shrinking_are_zero(void)
{
    push_numbers(10);
    TEST_ASSERT_TRUE(array_resize(&numbers, 3));
    TEST_ASSERT_TRUE(array_resize(&numbers, 10));
    for (size_t i = 0; i < 3; i++) TEST_ASSERT_EQUAL_UINT32(i, number_at(i));
    for (size_t i = 3; i < 10; i++) TEST_ASSERT_EQUAL_UINT32(0, number_at(i));
}

static void test_removing_keeps_the_order_of_the_others(void)
{
    push_numbers(5);
    array_remove(&numbers, 1);
    array_remove(&numbers, 3);
    array_remove(&numbers, 0);
    TEST_ASSERT_EQUAL_size_t(2, numbers.count);
    TEST_ASSERT_EQUAL_UINT32(2, number_at(0));
    TEST_ASSERT_EQUAL_UINT32(3, number_at(1));
}

static void test_an_impossible_size_is_refused_and_changes_nothing(void)
{
    push_numbers(3);
    TEST_ASSERT_FALSE(array_reserve(&numbers, SIZE_MAX / 2));
    TEST_ASSERT_FALSE(array_resize(&numbers, SIZE_MAX));
    TEST_ASSERT_EQUAL_size_t(3, numbers.count);
    TEST_ASSERT_EQUAL_UINT32(2, number_at(2));
}

static void test_every_failed_allocation_leaves_the_array_as_it_was(void)
{
    bool complete = false;
    for (uint64_t k = 1; !complete; k++) {
        tearDown();
        counting_init(&memory, k);
        complete = true;
        for (uint32_t i = 0; i < 1000 && complete; i++) {
            uint32_t *item = array_push(&numbers);
            complete = item != NULL;
            if (item) *item = i;
            TEST_ASSERT_EQUAL_size_t(complete ? i + 1 : i, numbers.count);
        }
        for (uint32_t i = 0; i < numbers.count; i++) TEST_ASSERT_EQUAL_UINT32(i, number_at(i));
    }
    TEST_ASSERT_EQUAL_size_t(1000, numbers.count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_pushed_items_keep_their_values_while_the_array_grows);
    RUN_TEST(test_the_number_of_allocations_grows_with_the_logarithm);
    RUN_TEST(test_reserved_room_is_used_without_further_allocations);
    RUN_TEST(test_items_that_come_back_after_shrinking_are_zero);
    RUN_TEST(test_removing_keeps_the_order_of_the_others);
    RUN_TEST(test_an_impossible_size_is_refused_and_changes_nothing);
    RUN_TEST(test_every_failed_allocation_leaves_the_array_as_it_was);
    return UNITY_END();
}

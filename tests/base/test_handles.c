/* SPDX-License-Identifier: Apache-2.0 */
#include "base/handles.h"

#include "support/counting_allocator.h"
#include "support/random.h"

#include <unity.h>

enum { ITEMS = 300 };

static counting_allocator memory;
static handles book;
static char item[ITEMS]; /* only the addresses matter */

void setUp(void)
{
    counting_init(&memory, 0);
    handles_init(&book, &memory.from);
}

void tearDown(void)
{
    handles_destroy(&book);
    counting_check(&memory);
}

static void test_an_id_finds_its_item_and_ids_differ(void)
{
    uint64_t id[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        id[i] = handles_add(&book, &item[i]);
        TEST_ASSERT_NOT_EQUAL_UINT64(0, id[i]);
        for (int j = 0; j < i; j++) TEST_ASSERT_NOT_EQUAL_UINT64(id[j], id[i]);
    }
    for (int i = 0; i < ITEMS; i++) TEST_ASSERT_EQUAL_PTR(&item[i], handles_get(&book, id[i]));
}

static void test_an_id_that_was_never_given_finds_nothing(void)
{
    const uint64_t id = handles_add(&book, &item[0]);
    const uint64_t next_generation = (uint64_t)1 << 32;
    const uint64_t strangers[] = {0,          id + 1,          id + next_generation,   UINT64_MAX,
                                  UINT32_MAX, next_generation, UINT64_MAX - UINT32_MAX};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        TEST_ASSERT_NULL(handles_get(&book, strangers[i]));
        handles_remove(&book, strangers[i]);
    }
    TEST_ASSERT_EQUAL_PTR(&item[0], handles_get(&book, id));
}

static void test_an_old_id_does_not_find_the_new_item_in_its_slot(void)
{
    const uint64_t old = handles_add(&book, &item[0]);
    handles_remove(&book, old);
    TEST_ASSERT_NULL(handles_get(&book, old));
    const uint64_t fresh = handles_add(&book, &item[1]);
    TEST_ASSERT_EQUAL_UINT32(old & UINT32_MAX, fresh & UINT32_MAX); /* the same slot */
    TEST_ASSERT_NULL(handles_get(&book, old));
    TEST_ASSERT_EQUAL_PTR(&item[1], handles_get(&book, fresh));
}

static void test_removing_twice_does_not_free_the_slot_twice(void)
{
    const uint64_t old = handles_add(&book, &item[0]);
    handles_remove(&book, old);
    handles_remove(&book, old);
    const uint64_t a = handles_add(&book, &item[1]), b = handles_add(&book, &item[2]);
    handles_remove(&book, old);
    TEST_ASSERT_EQUAL_PTR(&item[1], handles_get(&book, a));
    TEST_ASSERT_EQUAL_PTR(&item[2], handles_get(&book, b));
}

static void test_a_long_random_history_agrees_with_a_plain_list(void)
{
    uint64_t id[ITEMS] = {0}, last[ITEMS] = {0};
    random_source rng = {2};
    for (int round = 0; round < 20000; round++) {
        const uint32_t i = random_below(&rng, ITEMS);
        if (id[i]) {
            handles_remove(&book, id[i]);
            last[i] = id[i];
            id[i] = 0;
        } else {
            id[i] = handles_add(&book, &item[i]);
        }
        const uint32_t j = random_below(&rng, ITEMS);
        TEST_ASSERT_EQUAL_PTR(id[j] ? &item[j] : NULL, handles_get(&book, id[j]));
        TEST_ASSERT_NULL(handles_get(&book, last[j]));
    }
    TEST_ASSERT_LESS_OR_EQUAL_size_t(ITEMS, book.slots.count); /* slots are used again */
}

static void test_every_failed_allocation_is_survived(void)
{
    bool complete = false;
    for (uint64_t k = 1; !complete; k++) {
        tearDown();
        counting_init(&memory, k);
        uint64_t id[ITEMS];
        complete = true;
        for (int i = 0; i < ITEMS; i++) {
            id[i] = handles_add(&book, &item[i]);
            complete = complete && id[i];
        }
        for (int i = 0; i < ITEMS; i++) {
            TEST_ASSERT_EQUAL_PTR(id[i] ? &item[i] : NULL, handles_get(&book, id[i]));
        }
        TEST_ASSERT_EQUAL(memory.allocations < k, complete);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_id_finds_its_item_and_ids_differ);
    RUN_TEST(test_an_id_that_was_never_given_finds_nothing);
    RUN_TEST(test_an_old_id_does_not_find_the_new_item_in_its_slot);
    RUN_TEST(test_removing_twice_does_not_free_the_slot_twice);
    RUN_TEST(test_a_long_random_history_agrees_with_a_plain_list);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include "support/counting_allocator.h"
#include "support/random.h"

#include <stdbool.h>
#include <string.h>
#include <unity.h>

static counting_allocator memory;
static arena scratch;

void setUp(void)
{
    counting_init(&memory, 0);
    arena_init(&scratch, &memory.from);
}

void tearDown(void)
{
    arena_destroy(&scratch);
    counting_check(&memory);
}

static void test_pieces_are_aligned_and_do_not_overlap(void)
{
    enum { PIECES = 500 };
    unsigned char *piece[PIECES];
    size_t size[PIECES];
    random_source rng = {1};
    for (int i = 0; i < PIECES; i++) {
        size[i] = random_below(&rng, i % 50 ? 2000 : 300000);
        piece[i] = arena_push(&scratch, size[i]);
        TEST_ASSERT_NOT_NULL(piece[i]);
        TEST_ASSERT_EQUAL_UINT64(0, (uintptr_t)piece[i] % MEMORY_ALIGNMENT);
        memset(piece[i], i & 0xff, size[i]);
    }
    for (int i = 0; i < PIECES; i++) {
        if (size[i]) TEST_ASSERT_EACH_EQUAL_HEX8(i & 0xff, piece[i], size[i]);
    }
}

static void test_a_piece_of_size_zero_is_a_pointer(void)
{
    TEST_ASSERT_NOT_NULL(arena_push(&scratch, 0));
}

static void test_a_released_piece_is_handed_out_again(void)
{
    TEST_ASSERT_NOT_NULL(arena_push(&scratch, 1000));
    const arena_mark mark = arena_get_mark(&scratch);
    const void *first = arena_push(&scratch, 100);
    arena_release(&scratch, mark);
    TEST_ASSERT_EQUAL_PTR(first, arena_push(&scratch, 200));
}

static void test_what_was_pushed_before_a_mark_survives_the_release(void)
{
    unsigned char *kept = arena_push(&scratch, 5000);
    memset(kept, 0x5a, 5000);
    for (int round = 0; round < 10; round++) {
        const arena_mark mark = arena_get_mark(&scratch);
        for (int i = 0; i < 20; i++) memset(arena_push(&scratch, 30000), 0xff, 30000);
        arena_release(&scratch, mark);
    }
    TEST_ASSERT_EACH_EQUAL_HEX8(0x5a, kept, 5000);
}

static void test_marks_nest(void)
{
    TEST_ASSERT_NOT_NULL(arena_push(&scratch, 60000));
    const arena_mark outer = arena_get_mark(&scratch);
    const void *in_outer = arena_push(&scratch, 60000); /* needs a second block */
    const arena_mark inner = arena_get_mark(&scratch);
    const void *in_inner = arena_push(&scratch, 600000); /* and a third */
    arena_release(&scratch, inner);
    TEST_ASSERT_EQUAL_PTR(in_inner, arena_push(&scratch, 600000));
    arena_release(&scratch, outer);
    TEST_ASSERT_EQUAL_PTR(in_outer, arena_push(&scratch, 60000));
}

static void test_a_mark_of_an_empty_arena_releases_everything(void)
{
    const arena_mark empty = arena_get_mark(&scratch);
    const void *first = arena_push(&scratch, 10);
    TEST_ASSERT_NOT_NULL(arena_push(&scratch, 1000000));
    arena_release(&scratch, empty);
    TEST_ASSERT_EQUAL_PTR(first, arena_push(&scratch, 10));
}

static void test_releasing_an_arena_that_never_had_memory_does_nothing(void)
{
    arena_release(&scratch, arena_get_mark(&scratch));
    TEST_ASSERT_EQUAL_UINT64(0, memory.allocations);
}

static void test_a_loop_allocates_only_in_its_first_rounds(void)
{
    uint64_t after_two = 0;
    for (int round = 0; round < 50; round++) {
        const arena_mark mark = arena_get_mark(&scratch);
        for (size_t i = 0; i < 40; i++) {
            TEST_ASSERT_NOT_NULL(arena_push(&scratch, 100 + 7000 * (i % 9)));
        }
        arena_release(&scratch, mark);
        if (round == 1) after_two = memory.allocations;
    }
    TEST_ASSERT_EQUAL_UINT64(after_two, memory.allocations);
}

static void test_sizes_that_cannot_be_are_refused(void)
{
    TEST_ASSERT_NULL(arena_push(&scratch, SIZE_MAX));
    TEST_ASSERT_NULL(arena_push(&scratch, (size_t)PTRDIFF_MAX));
    TEST_ASSERT_EQUAL_UINT64(0, memory.allocations);
    TEST_ASSERT_NOT_NULL(arena_push(&scratch, 1));
}

static bool push_many(arena *a)
{
    bool complete = true;
    for (size_t i = 0; i < 30; i++) {
        char *piece = arena_push(a, 1000 * i);
        if (piece) memset(piece, 1, 1000 * i);
        complete = complete && piece;
    }
    return complete;
}

static void test_every_failed_allocation_is_survived(void)
{
    for (uint64_t k = 1;; k++) {
        counting_allocator failing;
        arena a;
        counting_init(&failing, k);
        arena_init(&a, &failing.from);
        const bool complete = push_many(&a);
        arena_destroy(&a);
        counting_check(&failing);
        TEST_ASSERT_EQUAL(failing.allocations < k, complete);
        if (complete) break;
    }
}

static void test_a_destroyed_arena_can_be_used_again(void)
{
    TEST_ASSERT_TRUE(push_many(&scratch));
    arena_destroy(&scratch);
    counting_check(&memory);
    TEST_ASSERT_TRUE(push_many(&scratch));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_pieces_are_aligned_and_do_not_overlap);
    RUN_TEST(test_a_piece_of_size_zero_is_a_pointer);
    RUN_TEST(test_a_released_piece_is_handed_out_again);
    RUN_TEST(test_what_was_pushed_before_a_mark_survives_the_release);
    RUN_TEST(test_marks_nest);
    RUN_TEST(test_a_mark_of_an_empty_arena_releases_everything);
    RUN_TEST(test_releasing_an_arena_that_never_had_memory_does_nothing);
    RUN_TEST(test_a_loop_allocates_only_in_its_first_rounds);
    RUN_TEST(test_sizes_that_cannot_be_are_refused);
    RUN_TEST(test_every_failed_allocation_is_survived);
    RUN_TEST(test_a_destroyed_arena_can_be_used_again);
    return UNITY_END();
}

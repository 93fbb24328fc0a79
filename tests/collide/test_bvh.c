/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/bvh.h"

#include "support/counting_allocator.h"
#include "support/random.h"

#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 700 };

static bvh_box boxes[MOST];

/* Boxes of sizes from dust to half of the world, some flat, some on top of one another. */
static void make_boxes(uint32_t count, uint64_t seed)
{
    random_source rng = {seed};
    for (uint32_t i = 0; i < count; i++) {
        const v3 c = random_v3(&rng);
        const double at[3] = {c.x, c.y, c.z};
        const bool large = random_below(&rng, 40) == 0;
        for (int k = 0; k < 3; k++) {
            const double half =
                random_below(&rng, 5) ? random_between(&rng, 0.0, large ? 0.5 : 0.05) : 0.0;
            boxes[i].min[k] = at[k] - half;
            boxes[i].max[k] = at[k] + half;
        }
        if (i && random_below(&rng, 20) == 0) boxes[i] = boxes[i - 1];
    }
}

static void check_pairs(uint32_t count, const bvh *t, bvh_pairs *pairs, pool *threads)
{
    error err = {0};
    TEST_ASSERT_EQUAL(STATUS_OK, bvh_find_pairs(t, boxes, NULL, NULL, threads, pairs, &err));
    size_t next = 0;
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = a + 1; b < count; b++) {
            if (!bvh_boxes_meet(&boxes[a], &boxes[b])) continue;
            TEST_ASSERT_TRUE(next < pairs->count);
            TEST_ASSERT_EQUAL_UINT32(a, pairs->pair[next].a);
            TEST_ASSERT_EQUAL_UINT32(b, pairs->pair[next].b);
            next++;
        }
    }
    TEST_ASSERT_EQUAL_size_t(next, pairs->count);
}

static void test_pairs_are_those_of_brute_force_in_order(void)
{
    static const uint32_t counts[] = {0, 1, 2, 4, 5, 63, 700, 9};
    bvh t;
    bvh_pairs pairs;
    bvh_init(&t, &allocator_system);
    bvh_pairs_init(&pairs, &allocator_system);
    pool *threads = pool_create(&allocator_system, 3, NULL);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        error err = {0};
        make_boxes(counts[k], k + 1);
        TEST_ASSERT_EQUAL(STATUS_OK, bvh_build(&t, boxes, counts[k], &err));
        check_pairs(counts[k], &t, &pairs, k % 2 ? threads : NULL);
    }
    pool_destroy(threads);
    bvh_pairs_destroy(&pairs);
    bvh_destroy(&t);
}

static void test_a_refitted_tree_is_right_for_boxes_anywhere(void)
{
    bvh t;
    bvh_pairs pairs;
    error err = {0};
    bvh_init(&t, &allocator_system);
    bvh_pairs_init(&pairs, &allocator_system);
    make_boxes(300, 5);
    TEST_ASSERT_EQUAL(STATUS_OK, bvh_build(&t, boxes, 300, &err));
    make_boxes(300, 6);
    bvh_refit(&t, boxes);
    check_pairs(300, &t, &pairs, NULL);
    bvh_pairs_destroy(&pairs);
    bvh_destroy(&t);
}

static void mark(void *user, uint32_t item) { ((uint8_t *)user)[item]++; }

static void test_a_query_visits_what_meets_the_box_once(void)
{
    bvh t;
    error err = {0};
    bvh_init(&t, &allocator_system);
    make_boxes(500, 7);
    TEST_ASSERT_EQUAL(STATUS_OK, bvh_build(&t, boxes, 500, &err));
    for (int k = 0; k < 50; k++) {
        uint8_t seen[500] = {0};
        bvh_box box = boxes[10 * k];
        box.max[0] += 0.1;
        bvh_query(&t, boxes, &box, mark, seen);
        for (uint32_t i = 0; i < 500; i++) {
            TEST_ASSERT_EQUAL_UINT8(bvh_boxes_meet(&boxes[i], &box), seen[i]);
        }
    }
    bvh_destroy(&t);
}

static bool only_even_sums(const void *user, uint32_t a, uint32_t b)
{
    (void)user;
    return (a + b) % 2 == 0;
}

static void test_a_filter_leaves_pairs_out(void)
{
    bvh t;
    bvh_pairs pairs;
    error err = {0};
    bvh_init(&t, &allocator_system);
    bvh_pairs_init(&pairs, &allocator_system);
    make_boxes(300, 8);
    TEST_ASSERT_EQUAL(STATUS_OK, bvh_build(&t, boxes, 300, &err));
    TEST_ASSERT_EQUAL(STATUS_OK,
                      bvh_find_pairs(&t, boxes, only_even_sums, NULL, NULL, &pairs, &err));
    size_t expected = 0;
    for (uint32_t a = 0; a < 300; a++) {
        for (uint32_t b = a + 2; b < 300; b += 2) expected += bvh_boxes_meet(&boxes[a], &boxes[b]);
    }
    TEST_ASSERT_GREATER_THAN_size_t(0, expected);
    TEST_ASSERT_EQUAL_size_t(expected, pairs.count);
    bvh_pairs_destroy(&pairs);
    bvh_destroy(&t);
}

static void test_the_second_build_of_the_same_size_allocates_nothing(void)
{
    counting_allocator memory;
    counting_init(&memory, 0);
    bvh t;
    bvh_pairs pairs;
    error err = {0};
    bvh_init(&t, &memory.from);
    bvh_pairs_init(&pairs, &memory.from);
    make_boxes(400, 9);
    TEST_ASSERT_EQUAL(STATUS_OK, bvh_build(&t, boxes, 400, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, bvh_find_pairs(&t, boxes, NULL, NULL, NULL, &pairs, &err));
    const uint64_t before = memory.allocations;
    TEST_ASSERT_EQUAL(STATUS_OK, bvh_build(&t, boxes, 400, &err));
    TEST_ASSERT_EQUAL(STATUS_OK, bvh_find_pairs(&t, boxes, NULL, NULL, NULL, &pairs, &err));
    TEST_ASSERT_EQUAL_UINT64(before, memory.allocations);
    bvh_pairs_destroy(&pairs);
    bvh_destroy(&t);
    counting_check(&memory);
}

static void test_every_failed_allocation_is_survived(void)
{
    make_boxes(200, 10);
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        counting_init(&memory, k);
        bvh t;
        bvh_pairs pairs;
        error err = {0};
        bvh_init(&t, &memory.from);
        bvh_pairs_init(&pairs, &memory.from);
        status st = bvh_build(&t, boxes, 200, &err);
        if (st >= 0) st = bvh_find_pairs(&t, boxes, NULL, NULL, NULL, &pairs, &err);
        bvh_pairs_destroy(&pairs);
        bvh_destroy(&t);
        counting_check(&memory);
        if (st == STATUS_OK) break;
        TEST_ASSERT_EQUAL(STATUS_OUT_OF_MEMORY, st);
        TEST_ASSERT_TRUE(k < 20);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_pairs_are_those_of_brute_force_in_order);
    RUN_TEST(test_a_refitted_tree_is_right_for_boxes_anywhere);
    RUN_TEST(test_a_query_visits_what_meets_the_box_once);
    RUN_TEST(test_a_filter_leaves_pairs_out);
    RUN_TEST(test_the_second_build_of_the_same_size_allocates_nothing);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

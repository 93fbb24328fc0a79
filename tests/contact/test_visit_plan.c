/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/visit_plan.h"

#include "support/counting_allocator.h"
#include "support/random.h"

#include <string.h>
#include <unity.h>

enum { CONTACTS = 3000, BODIES = 400 };

static counting_allocator memory;
static random_source source;
static uint32_t touches[CONTACTS][2];
static visit_plan plan;

void setUp(void)
{
    counting_init(&memory, 0);
    source = (random_source){3};
}

void tearDown(void) { counting_check(&memory); }

static void make_plan(void)
{
    TEST_ASSERT_TRUE(
        visit_plan_create(&plan, &memory.from, CONTACTS, BODIES, (const uint32_t(*)[2])touches));
}

/* Pairs at random; some touch one body, some the same twice. */
static void touch_at_random(void)
{
    for (uint32_t i = 0; i < CONTACTS; i++) {
        touches[i][0] = random_below(&source, BODIES);
        touches[i][1] = i % 9 == 0    ? VISIT_NO_BODY
                        : i % 11 == 0 ? touches[i][0]
                                      : random_below(&source, BODIES);
    }
}

static void touch_all_the_same(void)
{
    for (uint32_t i = 0; i < CONTACTS; i++) touches[i][0] = 5, touches[i][1] = i % BODIES;
}

static void touch_nothing_twice(void)
{
    for (uint32_t i = 0; i < CONTACTS; i++) {
        touches[i][0] = i < BODIES / 2 ? 2 * i : 5;
        touches[i][1] = i < BODIES / 2 ? 2 * i + 1 : VISIT_NO_BODY;
    }
}

static bool share_a_body(uint32_t i, uint32_t j)
{
    for (int k = 0; k < 4; k++) {
        if (touches[i][k / 2] != VISIT_NO_BODY && touches[i][k / 2] == touches[j][k % 2]) {
            return true;
        }
    }
    return false;
}

/* Each contact has its turn once, batches and chunks follow one another without a gap. */
static void assert_complete(void)
{
    uint8_t seen[CONTACTS] = {0};
    for (uint32_t k = 0; k < CONTACTS; k++) {
        TEST_ASSERT_TRUE(plan.order[k] < CONTACTS);
        TEST_ASSERT_EQUAL_UINT32(k, plan.turn[plan.order[k]]);
        seen[plan.order[k]]++;
    }
    for (uint32_t i = 0; i < CONTACTS; i++) TEST_ASSERT_EQUAL_UINT8(1, seen[i]);
    TEST_ASSERT_EQUAL_UINT32(0, plan.batch[0]);
    TEST_ASSERT_EQUAL_UINT32(CONTACTS, plan.batch[plan.batches]);
    TEST_ASSERT_EQUAL_UINT32(0, plan.chunk[0]);
    TEST_ASSERT_EQUAL_UINT32(plan.batches, plan.chunk[plan.chunks]);
    for (uint32_t b = 0; b < plan.batches; b++) {
        TEST_ASSERT_TRUE(plan.batch[b] < plan.batch[b + 1]);
        TEST_ASSERT_TRUE(plan.batch[b + 1] - plan.batch[b] <= VISIT_BATCH);
    }
    for (uint32_t c = 0; c < plan.chunks; c++) {
        TEST_ASSERT_TRUE(plan.chunk[c] < plan.chunk[c + 1]);
        TEST_ASSERT_TRUE(plan.after[c] <= c);
    }
}

static void assert_batches_share_no_body(void)
{
    for (uint32_t b = 0; b < plan.batches; b++) {
        for (uint32_t i = plan.batch[b]; i < plan.batch[b + 1]; i++) {
            for (uint32_t j = plan.batch[b]; j < i; j++) {
                TEST_ASSERT_FALSE(share_a_body(plan.order[i], plan.order[j]));
            }
        }
    }
}

static uint32_t chunk_of_turn(uint32_t turn)
{
    uint32_t c = 0;
    while (plan.batch[plan.chunk[c + 1]] <= turn) c++;
    return c;
}

/* Chunks that may run at the same time share no body; and none waits longer than it must. */
static void assert_chunks_wait_for_what_they_need(void)
{
    uint32_t needed[CONTACTS] = {0};
    for (uint32_t j = 0; j < CONTACTS; j++) {
        const uint32_t later = chunk_of_turn(j);
        for (uint32_t i = 0; i < j; i++) {
            if (!share_a_body(plan.order[i], plan.order[j])) continue;
            const uint32_t earlier = chunk_of_turn(i);
            if (earlier < later && earlier + 1 > needed[later]) needed[later] = earlier + 1;
        }
    }
    TEST_ASSERT_EQUAL_UINT32_ARRAY(needed, plan.after, plan.chunks);
}

static void test_plans_are_complete_and_safe(void)
{
    static void (*const kinds[])(void) = {touch_at_random, touch_all_the_same, touch_nothing_twice};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        kinds[k]();
        make_plan();
        assert_complete();
        assert_batches_share_no_body();
        assert_chunks_wait_for_what_they_need();
        visit_plan_destroy(&plan, &memory.from);
    }
}

/* A body with more contacts than there are colours: they are worked off one by one. */
static void test_contacts_of_one_body_are_batches_of_one(void)
{
    touch_all_the_same();
    make_plan();
    TEST_ASSERT_EQUAL_UINT32(CONTACTS, plan.batches);
    TEST_ASSERT_EQUAL_UINT32(plan.chunks, plan.stages);
    visit_plan_destroy(&plan, &memory.from);
}

/* Body b touches b + 1: every other contact has the first colour, the rest the second. */
static void test_a_chain_of_bodies_has_two_colours(void)
{
    enum { LINKS = BODIES - 1, FIRST = (LINKS + 1) / 2 };
    for (uint32_t i = 0; i < LINKS; i++) touches[i][0] = i, touches[i][1] = i + 1;
    TEST_ASSERT_TRUE(
        visit_plan_create(&plan, &memory.from, LINKS, BODIES, (const uint32_t(*)[2])touches));
    for (uint32_t k = 0; k < LINKS; k++) {
        TEST_ASSERT_EQUAL_UINT32(k < FIRST ? 2 * k : 2 * (k - FIRST) + 1, plan.order[k]);
    }
    visit_plan_destroy(&plan, &memory.from);
}

static void test_every_failed_allocation_is_survived(void)
{
    touch_at_random();
    for (uint64_t k = 1;; k++) {
        counting_allocator scarce;
        counting_init(&scarce, k);
        const bool made =
            visit_plan_create(&plan, &scarce.from, CONTACTS, BODIES, (const uint32_t(*)[2])touches);
        if (made) visit_plan_destroy(&plan, &scarce.from);
        counting_check(&scarce);
        if (made) break;
        TEST_ASSERT_TRUE(k < 10);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_plans_are_complete_and_safe);
    RUN_TEST(test_contacts_of_one_body_are_batches_of_one);
    RUN_TEST(test_a_chain_of_bodies_has_two_colours);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

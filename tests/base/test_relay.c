/* SPDX-License-Identifier: Apache-2.0 */
#include "base/relay.h"

#include <stdbool.h>
#include <string.h>
#include <unity.h>

enum { TASKS = 400 };

void setUp(void) {}
void tearDown(void) {}

static uint32_t after[TASKS];
static atomic_uchar done[TASKS];
static atomic_uint runs[TASKS];
static atomic_bool too_early;

static void run_task(void *user, uint32_t i)
{
    (void)user;
    for (uint32_t k = 0; k < after[i]; k++) {
        if (atomic_load(&runs[k]) != 1) atomic_store(&too_early, true);
    }
    atomic_fetch_add(&runs[i], 1);
}

static void host_run_backwards(void *user, uint32_t count, pool_task task, void *task_user)
{
    (void)user;
    while (count-- > 0) task(task_user, count);
}

static void run_on_all_pools(void)
{
    const pool_host host = {NULL, host_run_backwards};
    pool *const pools[] = {
        NULL, pool_create(&allocator_system, 1, NULL), pool_create(&allocator_system, 2, NULL),
        pool_create(&allocator_system, 7, NULL), pool_create(&allocator_system, 2, &host)};
    for (size_t k = 0; k < sizeof pools / sizeof *pools; k++) {
        for (int round = 0; round < 50; round++) {
            memset(runs, 0, sizeof runs);
            relay_run(pools[k], TASKS, after, done, run_task, NULL);
            for (uint32_t i = 0; i < TASKS; i++) TEST_ASSERT_EQUAL_UINT32(1, runs[i]);
            TEST_ASSERT_FALSE(too_early);
        }
        pool_destroy(pools[k]);
    }
}

static void test_tasks_without_needs_are_all_run_once(void)
{
    memset(after, 0, sizeof after);
    run_on_all_pools();
}

static void test_a_row_of_tasks_is_run_in_order(void)
{
    for (uint32_t i = 0; i < TASKS; i++) after[i] = i;
    run_on_all_pools();
}

static void test_stages_wait_for_the_stage_before(void)
{
    for (uint32_t i = 0; i < TASKS; i++) after[i] = i / 16 * 16;
    run_on_all_pools();
}

static void test_no_tasks_are_no_trouble(void) { relay_run(NULL, 0, after, done, run_task, NULL); }

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_tasks_without_needs_are_all_run_once);
    RUN_TEST(test_a_row_of_tasks_is_run_in_order);
    RUN_TEST(test_stages_wait_for_the_stage_before);
    RUN_TEST(test_no_tasks_are_no_trouble);
    return UNITY_END();
}

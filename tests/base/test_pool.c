/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include "support/counting_allocator.h"
#include "support/random.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

/* Hosts' loops: one goes backwards, one has two threads, of which each takes every other index. */

typedef struct host_half {
    uint32_t first, count;
    pool_task task;
    void *user;
} host_half;

static void *host_run_half(void *argument)
{
    const host_half *half = argument;
    for (uint32_t i = half->first; i < half->count; i += 2) half->task(half->user, i);
    return NULL;
}

static void host_run_on_two_threads(void *user, uint32_t count, pool_task task, void *task_user)
{
    ++*(uint32_t *)user;
    host_half even = {0, count, task, task_user}, odd = {1, count, task, task_user};
    pthread_t thread;
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, host_run_half, &odd));
    host_run_half(&even);
    pthread_join(thread, NULL);
}

static void host_run_backwards(void *user, uint32_t count, pool_task task, void *task_user)
{
    ++*(uint32_t *)user;
    while (count-- > 0) task(task_user, count);
}

static uint32_t host_calls;

/* All the kinds of pool there are; number 0 is no pool at all. */
enum { KINDS = 6 };

static pool *create_kind(int kind)
{
    static const uint32_t threads[KINDS] = {0, 1, 2, 4, 4, 4};
    const pool_host backwards = {&host_calls, host_run_backwards};
    const pool_host two_threads = {&host_calls, host_run_on_two_threads};
    const pool_host *host = kind == 4 ? &backwards : kind == 5 ? &two_threads : NULL;
    if (kind == 0) return NULL;
    pool *p = pool_create(&allocator_system, threads[kind], host);
    TEST_ASSERT_NOT_NULL(p);
    return p;
}

/* Not atomic on purpose: an index run twice at the same time is a race that a sanitizer sees. */
static void count_visit(void *user, uint32_t index)
{
    uint8_t *visits = user;
    visits[index]++;
}

static void test_every_index_is_run_exactly_once(void)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 4, 5, 17, 1000};
    enum { SIZES = sizeof counts / sizeof *counts, ROUNDS = 300 };
    uint8_t visits[1000];
    for (int kind = 0; kind < KINDS; kind++) {
        pool *p = create_kind(kind);
        for (int round = 0; round < ROUNDS; round++) {
            const uint32_t count = counts[round % SIZES];
            memset(visits, 0, sizeof visits);
            pool_run(p, count, count_visit, visits);
            for (uint32_t i = 0; i < 1000; i++) TEST_ASSERT_EQUAL_UINT8(i < count, visits[i]);
        }
        pool_destroy(p);
    }
}

static void test_a_host_with_a_loop_of_its_own_is_asked(void)
{
    for (int kind = 1; kind < KINDS; kind++) {
        host_calls = 0;
        uint8_t visits[10] = {0};
        pool *p = create_kind(kind);
        pool_run(p, 10, count_visit, visits);
        pool_destroy(p);
        TEST_ASSERT_EQUAL_UINT32(kind >= 4, host_calls);
    }
}

typedef struct cover {
    uint8_t *visits;
    size_t items;
} cover;

static void cover_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const cover *c = user;
    TEST_ASSERT_EQUAL_size_t((size_t)chunk * POOL_CHUNK, begin);
    TEST_ASSERT_TRUE(end == begin + POOL_CHUNK || (end > begin && end == c->items));
    for (size_t i = begin; i < end; i++) c->visits[i]++;
}

static void test_chunks_cover_all_items_without_overlap(void)
{
    enum { MOST = 3 * POOL_CHUNK + 1 };
    static const size_t sizes[] = {0, 1, POOL_CHUNK - 1, POOL_CHUNK, POOL_CHUNK + 1, MOST};
    uint8_t visits[MOST];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        cover c = {visits, sizes[k]};
        memset(visits, 0, sizeof visits);
        pool_for(NULL, sizes[k], cover_range, &c);
        for (size_t i = 0; i < MOST; i++) TEST_ASSERT_EQUAL_UINT8(i < sizes[k], visits[i]);
    }
}

typedef struct attendance {
    pthread_t caller;
    uint32_t chunks, strangers;
} attendance;

static void attend(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)begin;
    (void)end;
    attendance *a = user;
    a->strangers += chunk != a->chunks || !pthread_equal(a->caller, pthread_self());
    a->chunks++;
}

static void test_few_chunks_stay_with_the_caller(void)
{
    pool *p = pool_create(&allocator_system, 4, NULL);
    for (int round = 0; round < 100; round++) {
        attendance a = {.caller = pthread_self()};
        pool_for(p, (POOL_FEW_CHUNKS - 1) * POOL_CHUNK, attend, &a);
        TEST_ASSERT_EQUAL_UINT32(POOL_FEW_CHUNKS - 1, a.chunks);
        TEST_ASSERT_EQUAL_UINT32(0, a.strangers);
    }
    pool_destroy(p);
}

enum { NUMBERS = 40000 };

typedef struct sum_job {
    const double *number;
    double part[NUMBERS / POOL_CHUNK + 1];
} sum_job;

static void sum_range(void *user, size_t begin, size_t end, uint32_t chunk)
{
    sum_job *job = user;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) sum += job->number[i];
    job->part[chunk] = sum;
}

static double sum_with(pool *p, const double *number)
{
    sum_job job = {.number = number};
    pool_for(p, NUMBERS, sum_range, &job);
    double sum = 0.0;
    for (uint32_t chunk = 0; chunk < pool_chunks(NUMBERS); chunk++) sum += job.part[chunk];
    return sum;
}

static void test_a_chunked_sum_has_the_same_bits_for_every_pool(void)
{
    static double number[NUMBERS];
    random_source rng = {3};
    for (int i = 0; i < NUMBERS; i++) {
        number[i] = random_between(&rng, -1.0, 1.0) * (i % 7 ? 1e-8 : 1e8);
    }
    const double expected = sum_with(NULL, number);
    for (int kind = 1; kind < KINDS; kind++) {
        pool *p = create_kind(kind);
        for (int round = 0; round < 50; round++) {
            const double sum = sum_with(p, number);
            TEST_ASSERT_EQUAL_MEMORY(&expected, &sum, sizeof sum);
        }
        pool_destroy(p);
    }
}

static void test_a_pool_has_the_threads_asked_for(void)
{
    for (uint32_t threads = 1; threads <= 4; threads++) {
        pool *p = pool_create(&allocator_system, threads, NULL);
        TEST_ASSERT_EQUAL_UINT32(threads, pool_threads(p));
        pool_destroy(p);
    }
    pool *p = pool_create(&allocator_system, 0, NULL);
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(1, pool_threads(p));
    pool_destroy(p);
}

static void test_absurdly_many_threads_become_as_many_as_the_system_gives(void)
{
    uint8_t visits[1000] = {0};
    pool *p = pool_create(&allocator_system, UINT32_MAX, NULL);
    TEST_ASSERT_NOT_NULL(p);
    pool_run(p, 1000, count_visit, visits);
    pool_destroy(p);
    TEST_ASSERT_EACH_EQUAL_UINT8(1, visits, 1000);
}

static void test_pools_come_and_go_without_having_worked(void)
{
    for (int round = 0; round < 100; round++) pool_destroy(create_kind(3));
    pool_destroy(NULL);
}

static void test_every_failed_allocation_is_survived(void)
{
    for (uint64_t k = 1;; k++) {
        counting_allocator memory;
        counting_init(&memory, k);
        pool *p = pool_create(&memory.from, 3, NULL);
        TEST_ASSERT_EQUAL(memory.allocations < k, p != NULL);
        pool_destroy(p);
        counting_check(&memory);
        if (p) break;
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_index_is_run_exactly_once);
    RUN_TEST(test_a_host_with_a_loop_of_its_own_is_asked);
    RUN_TEST(test_chunks_cover_all_items_without_overlap);
    RUN_TEST(test_few_chunks_stay_with_the_caller);
    RUN_TEST(test_a_chunked_sum_has_the_same_bits_for_every_pool);
    RUN_TEST(test_a_pool_has_the_threads_asked_for);
    RUN_TEST(test_absurdly_many_threads_become_as_many_as_the_system_gives);
    RUN_TEST(test_pools_come_and_go_without_having_worked);
    RUN_TEST(test_every_failed_allocation_is_survived);
    return UNITY_END();
}

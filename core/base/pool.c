/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

enum { MAX_THREADS = 256, HOST_WIDTH = 16 };

struct pool {
    const allocator *from;
    pool_host host;
    uint32_t workers; /* beside the caller */
    pthread_t *threads;

    pthread_mutex_t lock;
    pthread_cond_t work_arrived;
    pthread_cond_t work_done;
    uint64_t round;   /* rises by one with each pool_run */
    bool open;        /* the round may still be joined */
    uint32_t running; /* workers that have joined it and not left */
    bool quit;

    pool_task task;
    void *user;
    uint32_t count;
    atomic_uint_fast64_t next; /* wider than count, so that late workers cannot make it wrap */
};

static void pool_take_tasks(pool *p)
{
    for (;;) {
        const uint64_t i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
        if (i >= p->count) return;
        p->task(p->user, (uint32_t)i);
    }
}

static void *pool_worker(void *argument)
{
    pool *p = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!(p->open && p->round != seen) && !p->quit) {
            pthread_cond_wait(&p->work_arrived, &p->lock);
        }
        if (p->quit) break;
        seen = p->round;
        p->running++;
        pthread_mutex_unlock(&p->lock);
        pool_take_tasks(p);
        pthread_mutex_lock(&p->lock);
        if (--p->running == 0) pthread_cond_signal(&p->work_done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static uint32_t pool_count_workers(uint32_t threads, const pool_host *host)
{
    if (host && host->parallel_for) return 0;
    if (threads == 0) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        threads = cores > 0 ? (uint32_t)cores : 1;
    }
    return (threads < MAX_THREADS ? threads : MAX_THREADS) - 1;
}

pool *pool_create(const allocator *from, uint32_t threads, const pool_host *host)
{
    pool *p = memory_alloc(from, sizeof *p);
    if (!p) return NULL;
    p->from = from;
    if (host) p->host = *host;
    const uint32_t wanted = pool_count_workers(threads, host);
    if (wanted && !(p->threads = memory_alloc(from, MAX_THREADS * sizeof *p->threads))) {
        memory_free(from, p, sizeof *p);
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work_arrived, NULL);
    pthread_cond_init(&p->work_done, NULL);
    while (p->workers < wanted &&
           pthread_create(&p->threads[p->workers], NULL, pool_worker, p) == 0) {
        p->workers++;
    }
    return p;
}

void pool_destroy(pool *p)
{
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->work_arrived);
    pthread_mutex_unlock(&p->lock);
    for (uint32_t i = 0; i < p->workers; i++) pthread_join(p->threads[i], NULL);
    pthread_cond_destroy(&p->work_done);
    pthread_cond_destroy(&p->work_arrived);
    pthread_mutex_destroy(&p->lock);
    memory_free(p->from, p->threads, MAX_THREADS * sizeof *p->threads);
    memory_free(p->from, p, sizeof *p);
}

uint32_t pool_threads(const pool *p) { return p->workers + 1; }

uint32_t pool_width(const pool *p) { return p->host.parallel_for ? HOST_WIDTH : pool_threads(p); }

static void run_alone(uint32_t count, pool_task task, void *user)
{
    for (uint32_t i = 0; i < count; i++) task(user, i);
}

/* Wakes as many workers as there is work for beside the caller's. */
static void open_round(pool *p, uint32_t count, pool_task task, void *user)
{
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->user = user;
    p->count = count;
    atomic_store_explicit(&p->next, 0, memory_order_relaxed);
    p->open = true;
    p->round++;
    for (uint32_t i = 0; i < p->workers && i + 1 < count; i++) {
        pthread_cond_signal(&p->work_arrived);
    }
    pthread_mutex_unlock(&p->lock);
}

/* All tasks have been taken: waits for the workers that are at one, not for those still asleep. */
static void close_round(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->open = false;
    while (p->running) pthread_cond_wait(&p->work_done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void pool_run(pool *p, uint32_t count, pool_task task, void *user)
{
    if (p && p->host.parallel_for && count > 1) {
        p->host.parallel_for(p->host.user, count, task, user);
        return;
    }
    if (!p || p->workers == 0 || count <= 1) {
        run_alone(count, task, user);
        return;
    }
    open_round(p, count, task, user);
    pool_take_tasks(p);
    close_round(p);
}

typedef struct range_job {
    pool_range range;
    void *user;
    size_t items;
} range_job;

static void pool_run_chunk(void *user, uint32_t chunk)
{
    const range_job *job = user;
    const size_t begin = (size_t)chunk * POOL_CHUNK;
    const size_t end = begin + POOL_CHUNK < job->items ? begin + POOL_CHUNK : job->items;
    job->range(job->user, begin, end, chunk);
}

void pool_for(pool *p, size_t items, pool_range range, void *user)
{
    range_job job = {range, user, items};
    const uint32_t chunks = pool_chunks(items);
    const bool host_decides = p && p->host.parallel_for;
    if (chunks < POOL_FEW_CHUNKS && !host_decides) {
        run_alone(chunks, pool_run_chunk, &job);
    } else {
        pool_run(p, chunks, pool_run_chunk, &job);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A small thread pool with deterministic splitting.
 *
 * Work is cut into chunks whose size depends on the work alone, never on the number of threads;
 * threads take chunks from a shared counter. A chunk writes only what is its own, and whoever needs
 * a sum adds the chunks' parts in chunk order afterwards. So one thread or sixty-four give the same
 * bits.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/memory.h"

#include <stdint.h>

typedef struct pool pool;

typedef void (*pool_task)(void *user, uint32_t index);

/* A host's own parallel loop, to be used instead of our threads; parallel_for == NULL if there is
 * none. */
typedef struct pool_host {
    void *user;
    void (*parallel_for)(void *user, uint32_t count, pool_task task, void *task_user);
} pool_host;

/* `threads` counts the caller too; 0 is one per core. If the system refuses some threads the pool
 * works with fewer. NULL when memory ran out. */
pool *pool_create(const allocator *from, uint32_t threads, const pool_host *host);
void pool_destroy(pool *p);
uint32_t pool_threads(const pool *p);

/* How many tasks may run at the same time, at most. A host does not say, so for one this is a
 * guess: enough for the machines that artists have. */
uint32_t pool_width(const pool *p);

/* task(user, i) for i in [0, count); returns when all are done. One caller at a time, not from a
 * task. A NULL pool is the calling thread alone, for code that already runs inside a task. */
void pool_run(pool *p, uint32_t count, pool_task task, void *user);

enum { POOL_CHUNK = 512 }; /* items per chunk: some 10 microseconds of work */

typedef void (*pool_range)(void *user, size_t begin, size_t end, uint32_t chunk);

static inline uint32_t pool_chunks(size_t items)
{
    return (uint32_t)((items + POOL_CHUNK - 1) / POOL_CHUNK);
}

/* Fewer than these are over before a sleeping thread is awake: the caller runs them alone, unless
 * there is a host's loop, whose threads may well be awake. */
enum { POOL_FEW_CHUNKS = 4 };

/* Runs range(user, begin, end, chunk) over [0, items) in chunks of POOL_CHUNK. For items that cost
 * microseconds each, pool_run with tasks of another size splits better. */
void pool_for(pool *p, size_t items, pool_range range, void *user);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/relay.h"

#include <sched.h>

typedef struct relay {
    uint32_t count;
    const uint32_t *after;
    atomic_uchar *done;
    pool_task task;
    void *user;
    atomic_uint_fast64_t next; /* wider than count, so that late runners cannot make it wrap */
} relay;

enum { SPINS = 2000 }; /* some microseconds: longer than a task should take */

static void pause_briefly(uint32_t spins)
{
    if (spins > SPINS) {
        sched_yield();
        return;
    }
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* `known`: how many tasks, from the first, this runner has seen done. */
static uint32_t wait_for(relay *r, uint32_t known, uint32_t needed)
{
    uint32_t spins = 0;
    while (known < needed) {
        if (atomic_load_explicit(&r->done[known], memory_order_acquire)) {
            known++;
        } else {
            pause_briefly(spins++);
        }
    }
    return known;
}

static void run_leg(void *user, uint32_t index)
{
    (void)index;
    relay *r = user;
    uint32_t known = 0;
    for (;;) {
        const uint64_t i = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);
        if (i >= r->count) return;
        known = wait_for(r, known, r->after[i]);
        r->task(r->user, (uint32_t)i);
        atomic_store_explicit(&r->done[i], 1, memory_order_release);
    }
}

void relay_run(pool *p, uint32_t count, const uint32_t *after, atomic_uchar *done, pool_task task,
               void *user)
{
    relay r = {.count = count, .after = after, .done = done, .task = task, .user = user};
    for (uint32_t i = 0; i < count; i++) atomic_store_explicit(&done[i], 0, memory_order_relaxed);
    pool_run(p, p ? pool_width(p) : 1, run_leg, &r);
}

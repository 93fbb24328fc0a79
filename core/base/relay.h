/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks in a fixed order, of which each may begin once the first after[i] of them are done.
 *
 * Whoever is free takes the next task of the order and waits for what it needs, which others have
 * begun already: the first task that is not done has all it needs, so that the relay goes on even
 * if its runners are one thread, one after another, or more threads than cores. Waiting is a short
 * spin, then a polite one.
 */
#ifndef BASE_RELAY_H
#define BASE_RELAY_H

#include "base/pool.h"

#include <stdatomic.h>

/* after[i] <= i; `done` is the caller's memory for `count` flags; p may be NULL. Returns when all
 * are done. */
void relay_run(pool *p, uint32_t count, const uint32_t *after, atomic_uchar *done, pool_task task,
               void *user);

#endif

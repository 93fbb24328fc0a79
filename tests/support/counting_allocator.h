/* SPDX-License-Identifier: Apache-2.0
 *
 * An allocator that keeps books and can refuse: for tests that nothing leaks and that every failed
 * allocation is survived.
 *
 *     for (uint64_t k = 1;; k++) {
 *         counting_init(&memory, k);                 the k-th allocation fails
 *         const bool done = ...(&memory.from);
 *         counting_check(&memory);                   nothing is left, sizes were right
 *         if (done) break;
 *     }
 */
#ifndef SUPPORT_COUNTING_ALLOCATOR_H
#define SUPPORT_COUNTING_ALLOCATOR_H

#include "base/memory.h"

typedef struct counting_allocator {
    allocator from;
    uint64_t fail_at;     /* number of the allocation to refuse, from 1; 0: none */
    uint64_t allocations; /* asked for so far, the refused one too */
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t most_bytes;  /* that were live at any time */
    uint64_t wrong_sizes; /* blocks given back with another size than they were taken with */
} counting_allocator;

void counting_init(counting_allocator *memory, uint64_t fail_at);

/* Fails the running test if a block is still out or came back with a wrong size. */
void counting_check(const counting_allocator *memory);

#endif

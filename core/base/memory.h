/* SPDX-License-Identifier: Apache-2.0
 *
 * Where memory comes from. Every allocation of a scene goes through one allocator, the host's or
 * the system's, on the thread that called the library; NULL is always an answer that callers
 * survive.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum { MEMORY_ALIGNMENT = 64 }; /* a cache line, and the widest vector register */

typedef struct allocator {
    void *user;
    void *(*alloc)(void *user, uint64_t size, uint64_t alignment);
    void (*release)(void *user, void *memory, uint64_t size);
} allocator;

extern const allocator allocator_system;

/* Aligned to MEMORY_ALIGNMENT, zeroed; NULL if there is none or if size is 0. */
void *memory_alloc(const allocator *from, size_t size);
void memory_free(const allocator *from, void *memory, size_t size);

/* count * item_size, or 0 if that overflows. */
size_t memory_size(size_t count, size_t item_size);

#endif

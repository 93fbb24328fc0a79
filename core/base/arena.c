/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

enum { BLOCK_SIZE = 1 << 16 };

struct arena_block {
    arena_block *next;
    size_t capacity; /* bytes behind the header */
    size_t used;
};

enum { HEADER_SIZE = MEMORY_ALIGNMENT }; /* keeps what follows aligned */
_Static_assert(sizeof(arena_block) <= HEADER_SIZE, "the header fits in one alignment unit");

void arena_init(arena *a, const allocator *from) { *a = (arena){.from = from}; }

void arena_destroy(arena *a)
{
    for (arena_block *block = a->first; block;) {
        arena_block *next = block->next;
        memory_free(a->from, block, HEADER_SIZE + block->capacity);
        block = next;
    }
    *a = (arena){.from = a->from};
}

static void *block_take(arena_block *block, size_t size)
{
    void *memory = (char *)block + HEADER_SIZE + block->used;
    block->used += size;
    return memory;
}

/* Makes a new block behind the current one. */
static arena_block *arena_grow(arena *a, size_t size)
{
    size_t capacity = a->current ? 2 * a->current->capacity : BLOCK_SIZE;
    if (capacity < size) capacity = size;
    arena_block *block = memory_alloc(a->from, HEADER_SIZE + capacity);
    if (!block) return NULL;
    block->capacity = capacity;
    if (a->current) {
        block->next = a->current->next;
        a->current->next = block;
    } else {
        a->first = block;
    }
    return a->current = block;
}

void *arena_push(arena *a, size_t size)
{
    if (size > PTRDIFF_MAX / 2) return NULL;
    size = (size + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
    for (arena_block *block = a->current; block; block = block->next) {
        if (block->capacity - block->used < size) continue;
        a->current = block;
        return block_take(block, size);
    }
    arena_block *block = arena_grow(a, size);
    return block ? block_take(block, size) : NULL;
}

static void *arena_alloc(void *user, uint64_t size, uint64_t alignment)
{
    return alignment <= MEMORY_ALIGNMENT ? arena_push(user, (size_t)size) : NULL;
}

static void arena_keep(void *user, void *memory, uint64_t size)
{
    (void)user;
    (void)memory;
    (void)size;
}

allocator arena_allocator(arena *a) { return (allocator){a, arena_alloc, arena_keep}; }

arena_mark arena_get_mark(const arena *a)
{
    return (arena_mark){a->current, a->current ? a->current->used : 0};
}

void arena_release(arena *a, arena_mark mark)
{
    a->current = mark.block ? mark.block : a->first;
    if (!a->current) return;
    a->current->used = mark.used;
    for (arena_block *block = a->current->next; block; block = block->next) block->used = 0;
}

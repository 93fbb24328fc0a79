/* SPDX-License-Identifier: Apache-2.0
 *
 * Scratch memory that is taken piece by piece and given back all at once. Blocks are kept after a
 * release, so a loop that needs the same amount every time allocates only in its first rounds.
 *
 *     const arena_mark mark = arena_get_mark(&scratch);
 *     double *work = arena_push(&scratch, n * sizeof *work);
 *     ...
 *     arena_release(&scratch, mark);
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/memory.h"

typedef struct arena_block arena_block;

typedef struct arena {
    const allocator *from;
    arena_block *first;
    arena_block *current;
} arena;

typedef struct arena_mark {
    arena_block *block;
    size_t used;
} arena_mark;

void arena_init(arena *a, const allocator *from);
void arena_destroy(arena *a);

/* Aligned to MEMORY_ALIGNMENT, not cleared; NULL when memory ran out. A size of 0 gives a valid
 * pointer. */
void *arena_push(arena *a, size_t size);

/* An allocator that takes from the arena and gives back only by arena_release. */
allocator arena_allocator(arena *a);

arena_mark arena_get_mark(const arena *a);
void arena_release(arena *a, arena_mark mark);

#endif

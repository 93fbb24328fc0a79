/* SPDX-License-Identifier: Apache-2.0
 *
 * Ids that outlive what they name: 32 bits of slot, 32 bits of generation. A slot's generation
 * rises when its object goes, so an old id finds nothing instead of somebody else's object. 0 is
 * never an id.
 */
#ifndef BASE_HANDLES_H
#define BASE_HANDLES_H

#include "base/array.h"

typedef struct handles {
    array slots;
    uint32_t free_slot; /* 1 + index of the first free slot, 0 if none */
} handles;

void handles_init(handles *h, const allocator *from);
void handles_destroy(handles *h);

/* An id for `item`, or 0 when memory ran out. `item` must not be NULL. */
uint64_t handles_add(handles *h, void *item);

/* NULL if the id names nothing (any more). */
void *handles_get(const handles *h, uint64_t id);

/* Does nothing for an id that names nothing. */
void handles_remove(handles *h, uint64_t id);

#endif

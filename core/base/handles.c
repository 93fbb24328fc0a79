/* SPDX-License-Identifier: Apache-2.0 */
#include "base/handles.h"

typedef struct slot {
    void *item; /* NULL: free */
    uint32_t generation;
    uint32_t next_free;
} slot;

void handles_init(handles *h, const allocator *from)
{
    array_init(&h->slots, from, sizeof(slot));
    h->free_slot = 0;
}

void handles_destroy(handles *h)
{
    array_destroy(&h->slots);
    h->free_slot = 0;
}

static slot *slot_of_id(const handles *h, uint64_t id)
{
    const uint64_t index = (id & UINT32_MAX) - 1; /* id 0 wraps to a huge index */
    if (index >= h->slots.count) return NULL;
    slot *s = array_at(&h->slots, (size_t)index);
    return s->item && s->generation == id >> 32 ? s : NULL;
}

uint64_t handles_add(handles *h, void *item)
{
    if (!h->free_slot) {
        if (h->slots.count >= UINT32_MAX - 1 || !array_push(&h->slots)) return 0;
        h->free_slot = (uint32_t)h->slots.count;
    }
    const uint32_t number = h->free_slot;
    slot *s = array_at(&h->slots, number - 1);
    h->free_slot = s->next_free;
    s->item = item;
    s->next_free = 0;
    return (uint64_t)s->generation << 32 | number;
}

void *handles_get(const handles *h, uint64_t id)
{
    const slot *s = slot_of_id(h, id);
    return s ? s->item : NULL;
}

void handles_remove(handles *h, uint64_t id)
{
    slot *s = slot_of_id(h, id);
    if (!s) return;
    s->item = NULL;
    if (++s->generation == 0) return; /* worn out after 2^32 uses: never handed out again */
    s->next_free = h->free_slot;
    h->free_slot = (uint32_t)(id & UINT32_MAX);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Items of a number nobody knows before, found by many tasks, in one row sorted by their keys.
 *
 * Each task has a row of its own with room for as many as it found the last time, and a half more.
 * A task that finds more only counts them, and runs once more when there is room: workers do not
 * allocate. A search that finds about as much as the last one allocates nothing. What is gathered
 * depends on the items alone, if items with equal keys are equal or the caller can tell them apart.
 */
#ifndef COLLIDE_HARVEST_H
#define COLLIDE_HARVEST_H

#include "base/array.h"
#include "base/pool.h"
#include "base/status.h"

typedef struct harvest {
    size_t item_size; /* every item begins with its uint64_t key */
    array items;      /* what was gathered, sorted by key */
    array rows;       /* of each task */
    array found;      /* room of the rows */
    array spill;      /* room of those that had too little */
    array keys;       /* scratch of sorting */
} harvest;

void harvest_init(harvest *h, const allocator *from, size_t item_size);
void harvest_destroy(harvest *h);

typedef struct harvest_row {
    unsigned char *items;
    size_t item_size;
    uint32_t room, count;
    bool too_short; /* had too little room in the first pass */
} harvest_row;

/* A place for one more item, for the task to fill in; NULL: it was counted, there is no room. */
static inline void *harvest_add(harvest_row *row)
{
    const uint32_t i = row->count++;
    return i < row->room ? row->items + i * row->item_size : NULL;
}

/* Adds what task number `task` finds; always the same. Any thread. */
typedef void (*harvest_task)(void *user, uint32_t task, harvest_row *row);

/* After a failure there are no items. */
status harvest_gather(harvest *h, uint32_t tasks, harvest_task find, void *user, pool *threads,
                      error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "collide/harvest.h"

#include <string.h>

enum { LEAST_ROOM = 8 };

typedef struct sort_key {
    uint64_t key;
    const unsigned char *item;
} sort_key;

void harvest_init(harvest *h, const allocator *from, size_t item_size)
{
    *h = (harvest){.item_size = item_size};
    array_init(&h->items, from, item_size);
    array_init(&h->rows, from, sizeof(harvest_row));
    array_init(&h->found, from, item_size);
    array_init(&h->spill, from, item_size);
    array_init(&h->keys, from, sizeof(sort_key));
}

void harvest_destroy(harvest *h)
{
    array_destroy(&h->items);
    array_destroy(&h->rows);
    array_destroy(&h->found);
    array_destroy(&h->spill);
    array_destroy(&h->keys);
}

/* ---- finding ---- */

typedef struct search {
    const harvest *h;
    harvest_task find;
    void *user;
    bool again; /* only the rows that were too short */
} search;

static harvest_row *row_of(const harvest *h, size_t i) { return array_at(&h->rows, i); }

static void run_task(void *user, uint32_t task)
{
    const search *s = user;
    harvest_row *row = row_of(s->h, task);
    if (s->again && !row->too_short) return;
    row->count = 0;
    s->find(s->user, task, row);
}

/* Cuts an array into the room of the rows, of all or of those that were too short. */
static bool lay_out_rows(harvest *h, array *room, bool again)
{
    size_t total = 0;
    for (size_t i = 0; i < h->rows.count; i++) {
        if (!again || row_of(h, i)->too_short) total += row_of(h, i)->room;
    }
    if (!array_reserve(room, total)) return false;
    total = 0;
    for (size_t i = 0; i < h->rows.count; i++) {
        harvest_row *row = row_of(h, i);
        if (again && !row->too_short) continue;
        row->items = array_at(room, total);
        total += row->room;
    }
    return true;
}

static bool begin_rows(harvest *h, uint32_t tasks)
{
    if (!array_resize(&h->rows, tasks)) return false;
    for (uint32_t i = 0; i < tasks; i++) {
        harvest_row *row = row_of(h, i);
        if (row->too_short) row->room += row->room / 2;
        if (row->room < LEAST_ROOM) row->room = LEAST_ROOM;
        row->too_short = false;
        row->item_size = h->item_size;
    }
    return lay_out_rows(h, &h->found, false);
}

static bool mark_short_rows(harvest *h)
{
    bool any = false;
    for (size_t i = 0; i < h->rows.count; i++) {
        harvest_row *row = row_of(h, i);
        row->too_short = row->count > row->room;
        if (row->too_short) row->room = row->count;
        any = any || row->too_short;
    }
    return any;
}

static bool find_all(harvest *h, uint32_t tasks, harvest_task find, void *user, pool *threads)
{
    search s = {.h = h, .find = find, .user = user};
    if (!begin_rows(h, tasks)) return false;
    pool_run(threads, tasks, run_task, &s);
    if (!mark_short_rows(h)) return true;
    if (!lay_out_rows(h, &h->spill, true)) return false;
    s.again = true;
    pool_run(threads, tasks, run_task, &s);
    return true;
}

/* ---- sorting ---- */

/* By one byte of the keys, stable; false if all have the same, and nothing was done. */
static bool sort_by_byte(const sort_key *from, sort_key *to, size_t count, int shift)
{
    size_t start[257] = {0};
    for (size_t i = 0; i < count; i++) start[1 + (from[i].key >> shift & 255)]++;
    if (start[1 + (from[0].key >> shift & 255)] == count) return false;
    for (int k = 0; k < 256; k++) start[k + 1] += start[k];
    for (size_t i = 0; i < count; i++) to[start[from[i].key >> shift & 255]++] = from[i];
    return true;
}

static const sort_key *sort_keys(sort_key *keys, size_t count)
{
    sort_key *from = keys, *to = keys + count;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!sort_by_byte(from, to, count, shift)) continue;
        sort_key *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static void list_keys(const harvest *h, sort_key *keys)
{
    for (size_t i = 0; i < h->rows.count; i++) {
        const harvest_row *row = row_of(h, i);
        for (uint32_t k = 0; k < row->count; k++, keys++) {
            keys->item = row->items + k * h->item_size;
            memcpy(&keys->key, keys->item, sizeof keys->key);
        }
    }
}

static bool put_in_order(harvest *h)
{
    size_t count = 0;
    for (size_t i = 0; i < h->rows.count; i++) count += row_of(h, i)->count;
    if (count == 0) return true;
    if (!array_reserve(&h->keys, 2 * count) || !array_reserve(&h->items, count)) return false;
    list_keys(h, h->keys.data);
    const sort_key *sorted = sort_keys(h->keys.data, count);
    h->items.count = count;
    for (size_t i = 0; i < count; i++) {
        memcpy(array_at(&h->items, i), sorted[i].item, h->item_size);
    }
    return true;
}

status harvest_gather(harvest *h, uint32_t tasks, harvest_task find, void *user, pool *threads,
                      error *err)
{
    h->items.count = 0;
    if (find_all(h, tasks, find, user, threads) && put_in_order(h)) return STATUS_OK;
    return error_out_of_memory(err, "what a search found");
}

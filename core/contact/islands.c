/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/islands.h"

#include <string.h>

/* The first contact of a's island as far as it is known, with the way there halved. */
static uint32_t find_root(uint32_t *parent, uint32_t a)
{
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    return a;
}

static void join_neighbours(uint32_t *parent, const bsr3 *W)
{
    for (uint32_t i = 0; i < W->rows; i++) parent[i] = i;
    for (uint32_t i = 0; i < W->rows; i++) {
        for (uint32_t s = W->row_start[i]; s < W->row_start[i + 1]; s++) {
            const uint32_t a = find_root(parent, i), b = find_root(parent, W->col[s]);
            if (a < b) parent[b] = a;
            if (b < a) parent[a] = b;
        }
    }
}

/* A root is smaller than all its members, so its label is there before theirs are asked for. */
static void set_labels(islands *s, uint32_t *parent)
{
    for (uint32_t i = 0; i < s->contacts; i++) {
        const uint32_t root = find_root(parent, i);
        s->label[i] = root == i ? s->count++ : s->label[root];
    }
}

static void list_members(islands *s)
{
    for (uint32_t i = 0; i < s->contacts; i++) s->start[s->label[i] + 1]++;
    for (uint32_t k = 0; k < s->count; k++) s->start[k + 1] += s->start[k];
    for (uint32_t i = 0; i < s->contacts; i++) {
        uint32_t *next = &s->start[s->label[i]];
        s->member[(*next)++] = i;
    }
    memmove(s->start + 1, s->start, s->count * sizeof *s->start);
    s->start[0] = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        for (uint32_t j = s->start[k]; j < s->start[k + 1]; j++) {
            s->place[s->member[j]] = j - s->start[k];
        }
    }
}

static size_t islands_bytes(uint32_t contacts)
{
    return (4 * (size_t)contacts + 1) * sizeof(uint32_t);
}

status islands_find(islands *s, const allocator *from, const contact_problem *p)
{
    *s = (islands){.from = from, .contacts = p->contacts};
    s->start = memory_alloc(from, islands_bytes(p->contacts));
    if (!s->start) return STATUS_OUT_OF_MEMORY;
    s->member = s->start + p->contacts + 1;
    s->label = s->member + p->contacts;
    s->place = s->label + p->contacts;
    join_neighbours(s->place, &p->W); /* free until the members are listed */
    set_labels(s, s->place);
    list_members(s);
    return STATUS_OK;
}

void islands_destroy(islands *s)
{
    memory_free(s->from, s->start, islands_bytes(s->contacts));
    s->start = NULL;
}

void islands_gather(const islands *s, uint32_t k, const double *all, double *part)
{
    for (uint32_t j = s->start[k]; j < s->start[k + 1]; j++, part += 3) {
        memcpy(part, all + 3 * (size_t)s->member[j], 3 * sizeof *part);
    }
}

void islands_scatter(const islands *s, uint32_t k, const double *part, double *all)
{
    for (uint32_t j = s->start[k]; j < s->start[k + 1]; j++, part += 3) {
        memcpy(all + 3 * (size_t)s->member[j], part, 3 * sizeof *part);
    }
}

/* ---- one island as a problem ---- */

typedef struct extraction {
    uint32_t *row_start, *col;
    double *blocks, *b, *mu;
    void *memory;
    size_t size;
} extraction;

static size_t count_blocks(const islands *s, const bsr3 *W, uint32_t k)
{
    size_t blocks = 0;
    for (uint32_t j = s->start[k]; j < s->start[k + 1]; j++) {
        blocks += W->row_start[s->member[j] + 1] - W->row_start[s->member[j]];
    }
    return blocks;
}

static bool extraction_allocate(extraction *e, const allocator *from, size_t contacts,
                                size_t blocks)
{
    const size_t doubles = 9 * blocks + 4 * contacts, numbers = contacts + 1 + blocks;
    e->size = doubles * sizeof(double) + numbers * sizeof(uint32_t);
    e->memory = memory_alloc(from, e->size);
    if (!e->memory) return false;
    e->blocks = e->memory;
    e->b = e->blocks + 9 * blocks;
    e->mu = e->b + 3 * contacts;
    e->row_start = (uint32_t *)(e->mu + contacts);
    e->col = e->row_start + contacts + 1;
    return true;
}

static void extraction_fill(extraction *e, const islands *s, const contact_problem *p, uint32_t k)
{
    uint32_t at = 0;
    for (uint32_t j = 0; j < islands_size(s, k); j++) {
        const uint32_t i = s->member[s->start[k] + j];
        e->row_start[j] = at;
        for (uint32_t slot = p->W.row_start[i]; slot < p->W.row_start[i + 1]; slot++, at++) {
            e->col[at] = s->place[p->W.col[slot]];
            for (int row = 0; row < 3; row++) {
                v3_store(e->blocks + 9 * (size_t)at + 3 * row, p->W.block[slot].row[row]);
            }
        }
        memcpy(e->b + 3 * (size_t)j, p->b + 3 * (size_t)i, 3 * sizeof *e->b);
        e->mu[j] = p->mu[i];
    }
    e->row_start[islands_size(s, k)] = at;
}

status islands_extract(const islands *s, const allocator *from, const contact_problem *p,
                       uint32_t k, contact_problem *out, error *err)
{
    extraction e = {0};
    const uint32_t contacts = islands_size(s, k);
    if (!extraction_allocate(&e, from, contacts, count_blocks(s, &p->W, k))) {
        return error_out_of_memory(err, "an island of contacts");
    }
    extraction_fill(&e, s, p, k);
    const contact_source source = {.contacts = contacts,
                                   .row_start = e.row_start,
                                   .col = e.col,
                                   .blocks = e.blocks,
                                   .b = e.b,
                                   .mu = e.mu};
    const status st = contact_problem_create(out, from, &source, err);
    if (st >= 0) out->scale = p->scale;
    memory_free(from, e.memory, e.size);
    return st;
}

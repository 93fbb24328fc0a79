/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/visit_plan.h"

typedef uint32_t pair[2];

/* What is only needed while a plan is made. */
typedef struct planning {
    const pair *touches;
    uint64_t *colours; /* [bodies] those that a body has */
    uint32_t *last;    /* [bodies] 1 + the last batch, then chunk, that touched a body; 0: none */
    uint8_t *colour;   /* [contacts] */
} planning;

static uint64_t colours_of(const planning *w, uint32_t body)
{
    return body == VISIT_NO_BODY ? 0 : w->colours[body];
}

static void paint(planning *w, uint32_t contacts)
{
    for (uint32_t i = 0; i < contacts; i++) {
        const uint32_t *t = w->touches[i];
        const uint64_t open = ~(colours_of(w, t[0]) | colours_of(w, t[1]));
        const int colour = open ? __builtin_ctzll(open) : VISIT_COLOURS;
        w->colour[i] = (uint8_t)colour;
        for (int k = 0; k < 2 && open; k++) {
            if (t[k] != VISIT_NO_BODY) w->colours[t[k]] |= 1ull << colour;
        }
    }
}

/* Colour by colour, in the caller's order within one. */
static void sort_by_colour(const planning *w, visit_plan *plan)
{
    uint32_t start[VISIT_COLOURS + 2] = {0};
    for (uint32_t i = 0; i < plan->contacts; i++) start[w->colour[i] + 1]++;
    for (int c = 0; c < VISIT_COLOURS; c++) start[c + 1] += start[c];
    for (uint32_t i = 0; i < plan->contacts; i++) {
        plan->turn[i] = start[w->colour[i]]++;
        plan->order[plan->turn[i]] = i;
    }
}

static uint32_t last_of(const planning *w, uint32_t body)
{
    return body == VISIT_NO_BODY ? 0 : w->last[body];
}

static uint32_t last_at_contact(const planning *w, uint32_t contact)
{
    const uint32_t *t = w->touches[contact];
    const uint32_t first = last_of(w, t[0]), second = last_of(w, t[1]);
    return first > second ? first : second;
}

static void mark_contact(const planning *w, uint32_t contact, uint32_t mark)
{
    for (int k = 0; k < 2; k++) {
        const uint32_t body = w->touches[contact][k];
        if (body != VISIT_NO_BODY) w->last[body] = mark;
    }
}

static void forget_bodies(const planning *w, const visit_plan *plan)
{
    for (uint32_t k = 0; k < plan->contacts; k++) mark_contact(w, plan->order[k], 0);
}

/* A batch ends where it is full, or before a contact that shares a body with it. */
static void cut_batches(const planning *w, visit_plan *plan)
{
    uint32_t begin = 0, batch = 0;
    forget_bodies(w, plan);
    plan->batch[0] = 0;
    for (uint32_t k = 0; k < plan->contacts; k++) {
        const uint32_t contact = plan->order[k];
        if (k - begin == VISIT_BATCH || last_at_contact(w, contact) == batch + 1) {
            begin = k;
            plan->batch[++batch] = k;
        }
        mark_contact(w, contact, batch + 1);
    }
    plan->batches = batch + 1;
    plan->batch[plan->batches] = plan->contacts;
}

static void cut_chunks(visit_plan *plan)
{
    uint32_t chunk = 0;
    plan->chunk[0] = 0;
    for (uint32_t b = 1; b < plan->batches; b++) {
        if (plan->batch[b] - plan->batch[plan->chunk[chunk]] >= VISIT_CHUNK) {
            plan->chunk[++chunk] = b;
        }
    }
    plan->chunks = chunk + 1;
    plan->chunk[plan->chunks] = plan->batches;
}

static void find_order_of_chunks(const planning *w, visit_plan *plan)
{
    forget_bodies(w, plan);
    for (uint32_t c = 0; c < plan->chunks; c++) {
        plan->after[c] = 0;
        const uint32_t begin = plan->batch[plan->chunk[c]], end = plan->batch[plan->chunk[c + 1]];
        for (uint32_t k = begin; k < end; k++) {
            const uint32_t last = last_at_contact(w, plan->order[k]);
            if (last > plan->after[c]) plan->after[c] = last;
        }
        for (uint32_t k = begin; k < end; k++) mark_contact(w, plan->order[k], c + 1);
    }
}

/* The first chunk that waits for the first, the first that waits for that one, and so on. */
static uint32_t count_stages(const visit_plan *plan)
{
    uint32_t stages = 1, begin = 0;
    for (uint32_t c = 1; c < plan->chunks; c++) {
        if (plan->after[c] <= begin) continue;
        begin = c;
        stages++;
    }
    return stages;
}

void visit_plan_cut(visit_plan *plan, const uint32_t (*touches)[2], uint32_t *last)
{
    const planning w = {.touches = touches, .last = last};
    cut_batches(&w, plan);
    cut_chunks(plan);
    find_order_of_chunks(&w, plan);
    plan->stages = count_stages(plan);
}

/* ---- memory ---- */

/* All arrays in one piece; a batch has at least one contact, a chunk one batch. */
static size_t plan_size(uint32_t contacts)
{
    const size_t most_chunks = (size_t)contacts / VISIT_CHUNK + 1;
    return memory_size(3 * (size_t)contacts + 1 + 2 * most_chunks + 1, sizeof(uint32_t));
}

static bool plan_allocate(visit_plan *plan, const allocator *from)
{
    plan->order = memory_alloc(from, plan_size(plan->contacts));
    if (!plan->order) return false;
    plan->turn = plan->order + plan->contacts;
    plan->batch = plan->turn + plan->contacts;
    plan->chunk = plan->batch + plan->contacts + 1;
    plan->after = plan->chunk + plan->contacts / VISIT_CHUNK + 2;
    return true;
}

static size_t planning_size(uint32_t contacts, uint32_t bodies)
{
    return memory_size(bodies, sizeof(uint64_t) + sizeof(uint32_t)) + contacts;
}

bool visit_plan_create(visit_plan *plan, const allocator *from, uint32_t contacts, uint32_t bodies,
                       const uint32_t (*touches)[2])
{
    *plan = (visit_plan){.contacts = contacts};
    const size_t size = planning_size(contacts, bodies);
    uint64_t *scratch = memory_alloc(from, size);
    if (!scratch || !plan_allocate(plan, from)) {
        memory_free(from, scratch, size);
        return false;
    }
    uint32_t *last = (uint32_t *)(void *)(scratch + bodies);
    planning w = {touches, scratch, last, (uint8_t *)(last + bodies)};
    paint(&w, contacts);
    sort_by_colour(&w, plan);
    visit_plan_cut(plan, touches, last);
    memory_free(from, scratch, size);
    return true;
}

void visit_plan_destroy(visit_plan *plan, const allocator *from)
{
    if (plan->order) memory_free(from, plan->order, plan_size(plan->contacts));
    *plan = (visit_plan){0};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/bodies_focus.h"

#include <string.h>

/* ---- memory ---- */

static size_t most_spots(const bodies_problem *p)
{
    return p->bodies < p->contacts ? p->bodies : p->contacts;
}

/* Order and batches, then where chunks begin and what they wait for, of all spots together. */
static size_t place_count(const bodies_problem *p)
{
    const size_t n = p->contacts, spots = most_spots(p);
    return n + visit_batch_places(n) + spots + 2 * (visit_chunk_places(n) + 2 * spots);
}

static size_t chunk_count(const bodies_problem *p)
{
    return visit_chunk_places(p->contacts) + most_spots(p);
}

bool bodies_focus_create(bodies_focus *f, const bodies_problem *p)
{
    const size_t bodies = p->bodies;
    *f = (bodies_focus){.p = p};
    f->seen = memory_alloc(p->from, memory_size(p->contacts, sizeof *f->seen));
    f->habit = memory_alloc(p->from, memory_size(bodies, sizeof *f->habit));
    f->spot = memory_alloc(p->from, memory_size(most_spots(p), sizeof *f->spot));
    f->places = memory_alloc(p->from, memory_size(place_count(p), sizeof *f->places));
    f->bodies = memory_alloc(p->from, memory_size(4 * bodies + 1, sizeof *f->bodies));
    f->met = memory_alloc(p->from, memory_size(chunk_count(p), sizeof *f->met));
    f->done = memory_alloc(p->from, memory_size(chunk_count(p), sizeof *f->done));
    if (!f->seen || !f->habit || !f->spot || !f->places || !f->bodies || !f->met || !f->done) {
        bodies_focus_destroy(f);
        return false;
    }
    f->parent = f->bodies + bodies;
    f->last = f->parent + bodies;
    f->count = f->last + bodies;
    return true;
}

void bodies_focus_destroy(bodies_focus *f)
{
    const bodies_problem *p = f->p;
    memory_free(p->from, f->seen, p->contacts * sizeof *f->seen);
    memory_free(p->from, f->habit, p->bodies * sizeof *f->habit);
    memory_free(p->from, f->spot, most_spots(p) * sizeof *f->spot);
    memory_free(p->from, f->places, place_count(p) * sizeof *f->places);
    memory_free(p->from, f->bodies, (4 * (size_t)p->bodies + 1) * sizeof *f->bodies);
    memory_free(p->from, f->met, chunk_count(p) * sizeof *f->met);
    memory_free(p->from, f->done, chunk_count(p) * sizeof *f->done);
    *f = (bodies_focus){.p = p};
}

/* ---- which contacts ---- */

static void mark_hot_bodies(const bodies_focus *f, double settled, uint32_t *hot)
{
    memset(hot, 0, f->p->bodies * sizeof *hot);
    for (size_t i = 0; i < f->p->contacts; i++) {
        if (f->seen[i].residual <= settled) continue;
        for (int k = 0; k < 2; k++) {
            if (f->p->touches[i][k] != BODIES_NONE) hot[f->p->touches[i][k]] = 1;
        }
    }
}

static bool touches_hot(const uint32_t *touches, const uint32_t *hot)
{
    return hot[touches[0]] || (touches[1] != BODIES_NONE && hot[touches[1]]);
}

/* The body that a spot is known by: the first of its own. */
static uint32_t find_root(uint32_t *parent, uint32_t body)
{
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
}

static void unite(uint32_t *parent, const uint32_t *touches)
{
    if (touches[1] == BODIES_NONE) return;
    const uint32_t a = find_root(parent, touches[0]), b = find_root(parent, touches[1]);
    if (a < b) {
        parent[b] = a;
    } else {
        parent[a] = b;
    }
}

/* Lists them, and unites their bodies. */
static void select_contacts(bodies_focus *f, double margin, const uint32_t *hot, uint32_t *chosen)
{
    f->visits = 0;
    for (uint32_t b = 0; b < f->p->bodies; b++) f->parent[b] = b;
    for (uint32_t i = 0; i < f->p->contacts; i++) {
        const uint32_t *touches = f->p->touches[i];
        if (!(f->seen[i].opening < margin) || !touches_hot(touches, hot)) continue;
        chosen[f->visits++] = i;
        unite(f->parent, touches);
    }
}

/* ---- spots ---- */

/* Contacts by spot, in the order of visits; count[b] is then where those of root b end. */
static void sort_contacts(bodies_focus *f, const uint32_t *chosen)
{
    memset(f->count, 0, ((size_t)f->p->bodies + 1) * sizeof *f->count);
    for (uint32_t k = 0; k < f->visits; k++) {
        f->count[find_root(f->parent, f->p->touches[chosen[k]][0]) + 1]++;
    }
    for (uint32_t b = 0; b < f->p->bodies; b++) f->count[b + 1] += f->count[b];
    for (uint32_t k = 0; k < f->visits; k++) {
        f->places[f->count[find_root(f->parent, f->p->touches[chosen[k]][0])]++] = chosen[k];
    }
}

/* The bodies of a spot, each once, at the end of the list so far. */
static void list_bodies(const bodies_focus *f, bodies_spot *spot)
{
    const visit_plan *plan = &spot->plan;
    for (uint32_t k = 0; k < plan->contacts; k++) {
        for (int side = 0; side < 2; side++) {
            const uint32_t b = f->p->touches[plan->order[k]][side];
            if (b == BODIES_NONE || f->last[b] == UINT32_MAX) continue;
            f->last[b] = UINT32_MAX;
            spot->body[spot->bodies++] = b;
        }
    }
}

static void make_spots(bodies_focus *f)
{
    uint32_t *batch = f->places + f->p->contacts, begin = 0;
    uint32_t *chunk = batch + visit_batch_places(f->p->contacts) + most_spots(f->p);
    uint32_t *body = f->bodies;
    size_t chunks = 0;
    f->spots = 0;
    for (uint32_t b = 0; b < f->p->bodies; b++) {
        const uint32_t count = f->count[b] - begin;
        if (count == 0) continue;
        bodies_spot *spot = &f->spot[f->spots++];
        *spot = (bodies_spot){.plan = {.contacts = count, .order = f->places + begin},
                              .body = body,
                              .met = f->met + chunks,
                              .done = f->done + chunks};
        spot->plan.batch = batch;
        spot->plan.chunk = chunk;
        spot->plan.after = chunk + visit_chunk_places(count);
        visit_plan_cut(&spot->plan, (const uint32_t(*)[2])f->p->touches, f->last);
        list_bodies(f, spot);
        batch += visit_batch_places(count);
        chunk += 2 * visit_chunk_places(count);
        body += spot->bodies;
        chunks += spot->plan.chunks;
        begin = f->count[b];
    }
}

void bodies_focus_choose(bodies_focus *f, double settled, double margin)
{
    /* both lie where the spots' own numbers will be */
    uint32_t *hot = f->last, *chosen = f->places + f->p->contacts;
    mark_hot_bodies(f, settled, hot);
    select_contacts(f, margin, hot, chosen);
    sort_contacts(f, chosen);
    make_spots(f);
}

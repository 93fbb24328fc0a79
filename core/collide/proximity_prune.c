/* SPDX-License-Identifier: Apache-2.0
 *
 * Contacts that say almost the same about the same vertices.
 */
#include "collide/proximity.h"

typedef struct prune_job {
    const surface *a, *b;
    const proximity *contact;
    size_t count;
} prune_job;

/* The vertex with the largest weight; all that are held are one. */
static uint32_t find_place(const surface *s, const uint32_t *vertex, const double *weight,
                           uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < count; k++) {
        if (weight[k] > weight[best]) best = k;
    }
    const bool held = s->held && s->held[vertex[best] - s->first_vertex];
    return held ? UINT32_MAX : vertex[best];
}

/* Of one surface with itself (p, q) and (q, p) are one place, seen from two sides. */
static void list_places(void *user, uint32_t task, harvest_row *row)
{
    (void)task;
    const prune_job *job = user;
    for (size_t i = 0; i < job->count; i++) {
        const proximity *c = &job->contact[i];
        proximity_place *place = harvest_add(row);
        if (!place) continue;
        uint32_t p = find_place(job->a, c->vertex, c->weight, c->of_a);
        uint32_t q = find_place(job->b, c->vertex + c->of_a, c->weight + c->of_a, c->of_b);
        const bool flipped = job->a == job->b && q < p;
        const uint64_t key = flipped ? (uint64_t)q << 32 | p : (uint64_t)p << 32 | q;
        *place = (proximity_place){key, c->end, (uint32_t)i, flipped, false};
    }
}

static bool are_alike(const proximity *contact, const proximity_place *p, const proximity_place *q,
                      double cosine)
{
    const double dot = v3_dot(contact[p->contact].normal, contact[q->contact].normal);
    return (p->flipped == q->flipped ? dot : -dot) >= cosine;
}

static bool is_deeper(const proximity_place *p, const proximity_place *q)
{
    return p->end < q->end || (p->end == q->end && p->contact < q->contact);
}

/* The deepest that is left takes those like it away, until all are kept or dropped. */
static void prune_place(const proximity *contact, proximity_place *p, size_t count, double cosine)
{
    for (size_t done = 0; done < count; done++) {
        size_t best = done;
        for (size_t i = done + 1; i < count; i++) {
            const bool first = p[best].dropped && !p[i].dropped;
            if (first || (!p[i].dropped && is_deeper(&p[i], &p[best]))) best = i;
        }
        const proximity_place chosen = p[best];
        if (chosen.dropped) return;
        p[best] = p[done];
        p[done] = chosen;
        for (size_t i = done + 1; i < count; i++) {
            if (are_alike(contact, &chosen, &p[i], cosine)) p[i].dropped = true;
        }
    }
}

status proximity_prune(const surface *a, const surface *b, double cosine, harvest *contacts,
                       harvest *scratch, error *err)
{
    proximity *contact = contacts->items.data;
    prune_job job = {a, b, contact, contacts->items.count};
    const status st = harvest_gather(scratch, 1, list_places, &job, NULL, err);
    if (st < 0) return st;
    proximity_place *place = scratch->items.data;
    const size_t count = scratch->items.count;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && place[end].key == place[i].key;) end++;
        prune_place(contact, place + i, end - i, cosine);
    }
    for (size_t i = 0; i < count; i++) {
        if (place[i].dropped) contact[place[i].contact].of_a = 0;
    }
    size_t kept = 0;
    for (size_t i = 0; i < job.count; i++) {
        if (contact[i].of_a) contact[kept++] = contact[i];
    }
    contacts->items.count = kept;
    return STATUS_OK;
}

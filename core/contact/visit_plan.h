/* SPDX-License-Identifier: Apache-2.0
 *
 * In which order the contacts of bodies are visited, and what may be done at once.
 *
 * Contacts that share no body do not see one another. Each contact, in the caller's order, gets the
 * first colour that its bodies do not have yet; the order is colour by colour. Whoever finds no
 * colour left is last, in a row that may have to be worked off one by one.
 *
 *     batch   contacts in a row that share no body: the order among them means nothing
 *     chunk   batches in a row, one thread's portion; it must wait for the chunks before after[]
 *             and for no others
 *
 * So the result is that of one thread that goes through the order, whatever the number of threads.
 * Where bodies that touch have numbers close by, after[] lies most of a colour back and nobody
 * waits; with numbers at random, threads meet at the end of each colour.
 */
#ifndef CONTACT_VISIT_PLAN_H
#define CONTACT_VISIT_PLAN_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VISIT_COLOURS = 64, /* one bit each */
    VISIT_BATCH = 32,   /* contacts in a batch, at most */
    VISIT_CHUNK = 128   /* contacts in a chunk, at least, but for the last */
};

#define VISIT_NO_BODY UINT32_MAX

typedef struct visit_plan {
    uint32_t contacts, batches, chunks;
    uint32_t stages; /* chunks that wait for one another in a row: where they are almost as many as
                      * there are, more threads do not help */
    uint32_t *order; /* [contacts] the number of the contact that is visited k-th */
    uint32_t *turn;  /* [contacts] the other way round: when contact i is visited */
    uint32_t *batch; /* [batches + 1] where each begins in the order */
    uint32_t *chunk; /* [chunks + 1] its first batch */
    uint32_t *after; /* [chunks] how many chunks, from the first, must be done before it */
} visit_plan;

/* touches: the two bodies of each contact; the second may be VISIT_NO_BODY or the same. False when
 * memory ran out. */
bool visit_plan_create(visit_plan *plan, const allocator *from, uint32_t contacts, uint32_t bodies,
                       const uint32_t (*touches)[2]);
/* Batches, chunks and what they wait for, of a plan whose contacts and order are set and whose
 * arrays have room; `turn` is not used. last: [bodies] scratch. */
void visit_plan_cut(visit_plan *plan, const uint32_t (*touches)[2], uint32_t *last);

/* How many places the batches and the chunks of so many contacts need. */
static inline size_t visit_batch_places(size_t contacts) { return contacts + 1; }
static inline size_t visit_chunk_places(size_t contacts) { return contacts / VISIT_CHUNK + 2; }

void visit_plan_destroy(visit_plan *plan, const allocator *from);

#endif

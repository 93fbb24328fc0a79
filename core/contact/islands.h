/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of contacts that do not act on one another, and each as a problem of its own.
 */
#ifndef CONTACT_ISLANDS_H
#define CONTACT_ISLANDS_H

#include "contact/problem.h"

typedef struct islands {
    const allocator *from;
    uint32_t contacts, count;
    uint32_t *start;  /* [count + 1] island k has the contacts member[start[k]] ..., rising */
    uint32_t *member; /* [contacts] */
    uint32_t *label;  /* [contacts] which island a contact belongs to */
    uint32_t *place;  /* [contacts] which of its members it is */
} islands;

/* Numbered by their first contacts. */
status islands_find(islands *s, const allocator *from, const contact_problem *p);
void islands_destroy(islands *s);

static inline uint32_t islands_size(const islands *s, uint32_t k)
{
    return s->start[k + 1] - s->start[k];
}

/* The numbers of island k, 3 per contact, out of a vector of all contacts and back into it. */
void islands_gather(const islands *s, uint32_t k, const double *all, double *part);
void islands_scatter(const islands *s, uint32_t k, const double *part, double *all);

/* Island k of p; its scale is that of p. */
status islands_extract(const islands *s, const allocator *from, const contact_problem *p,
                       uint32_t k, contact_problem *out, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * "Did you mean ...?": the candidate nearest to a misspelt name.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; names beyond 63
 * characters count as different in all of the rest. */
size_t text_distance(const char *a, const char *b);

/* Keeps the best of a series of candidates: start with {NULL}. */
typedef struct text_suggestion {
    const char *best;
    size_t distance;
} text_suggestion;

void text_suggestion_offer(text_suggestion *s, const char *name, const char *candidate);

#endif

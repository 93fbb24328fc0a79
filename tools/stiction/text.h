/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as people read them, and the name that was probably meant.
 */
#ifndef STICTION_TEXT_H
#define STICTION_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Short texts by value, so that printf("%s", text_count(n).s) needs no buffer. */
typedef struct text {
    char s[64];
} text;

/* 1234567 -> "1,234,567" */
text text_count(uint64_t number);

/* "1 frame", "1,200 frames" */
text text_plural(uint64_t number, const char *noun);

/* "850 us", "12.3 ms", "4.21 s", "3 min 05 s", "2 h 14 min" */
text text_duration(double seconds);

/* Three significant digits, without an exponent where that is short: "0", "9.81", "2.3e-14" */
text text_real(double number);

/* Shortest decimal number that reads back as the same double. */
text text_exact(double number);

/* Fewest insertions, deletions, replacements and swaps of neighbours that turn a into b. */
size_t text_distance(const char *a, const char *b);

/* The best guess among many names: offer each with text_consider, then look at `name`. */
typedef struct text_guess {
    const char *typed;
    const char *name; /* NULL while nothing is near */
    size_t distance;
} text_guess;

text_guess text_guess_for(const char *typed);
void text_consider(text_guess *guess, const char *name);

#endif

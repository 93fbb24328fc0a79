/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <string.h>

enum { LONGEST = 63 };

static size_t min3(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

size_t text_distance(const char *a, const char *b)
{
    const size_t whole_a = strlen(a), whole_b = strlen(b);
    const size_t n = whole_a < LONGEST ? whole_a : LONGEST;
    const size_t m = whole_b < LONGEST ? whole_b : LONGEST;
    size_t rows[3]
               [LONGEST + 1]; /* distances of the last three prefixes of a to all prefixes of b */
    for (size_t j = 0; j <= m; j++) rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3];
        const size_t *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            const int swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && before[j - 2] + 1 < now[j]) now[j] = before[j - 2] + 1;
        }
    }
    return rows[n % 3][m] + (whole_a - n) + (whole_b - m);
}

void text_suggestion_offer(text_suggestion *s, const char *name, const char *candidate)
{
    const size_t distance = text_distance(name, candidate);
    const size_t near = 1 + strlen(name) / 3;
    if (distance > near || (s->best && s->distance <= distance)) return;
    s->best = candidate;
    s->distance = distance;
}

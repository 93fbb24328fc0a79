/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

text text_count(uint64_t number)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    text out;
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out.s[at++] = ',';
        out.s[at++] = digits[i];
    }
    out.s[at] = '\0';
    return out;
}

text text_plural(uint64_t number, const char *noun)
{
    text out;
    snprintf(out.s, sizeof out.s, "%.28s %.24s%s", text_count(number).s, noun,
             number == 1 ? "" : "s");
    return out;
}

text text_duration(double seconds)
{
    text out;
    if (!(seconds >= 0.0 && seconds < 1e9)) {
        snprintf(out.s, sizeof out.s, "?");
    } else if (seconds < 0.9995e-3) {
        snprintf(out.s, sizeof out.s, "%.0f us", 1e6 * seconds);
    } else if (seconds < 0.9995) {
        snprintf(out.s, sizeof out.s, "%.3g ms", 1e3 * seconds);
    } else if (seconds < 59.95) {
        snprintf(out.s, sizeof out.s, "%.3g s", seconds);
    } else if (seconds < 3570.0) {
        const long whole = lround(seconds);
        snprintf(out.s, sizeof out.s, "%ld min %02ld s", whole / 60, whole % 60);
    } else {
        const long minutes = lround(seconds / 60.0);
        snprintf(out.s, sizeof out.s, "%ld h %02ld min", minutes / 60, minutes % 60);
    }
    return out;
}

text text_real(double number)
{
    text out;
    snprintf(out.s, sizeof out.s, "%.3g", number);
    return out;
}

text text_exact(double number)
{
    text out;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out.s, sizeof out.s, "%.*g", digits, number);
        if (!(strtod(out.s, NULL) != number)) break;
    }
    return out;
}

static size_t smallest(size_t a, size_t b) { return a < b ? a : b; }

/* Three rows of the usual table are enough; names longer than a row are far from everything. */
size_t text_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    const size_t n = strlen(a), m = strlen(b);
    if (n >= LONGEST || m >= LONGEST) return LONGEST;
    size_t rows[3][LONGEST];
    for (size_t j = 0; j <= m; j++) rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] =
                smallest(above[j - 1] + (a[i - 1] != b[j - 1]), 1 + smallest(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = smallest(row[j], above2[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

text_guess text_guess_for(const char *typed)
{
    return (text_guess){.typed = typed, .name = NULL, .distance = SIZE_MAX};
}

/* Near means: less than half of the letters differ, or one is the beginning of the other. */
void text_consider(text_guess *guess, const char *name)
{
    const size_t length = strlen(guess->typed);
    size_t distance = text_distance(guess->typed, name);
    if (length >= 2 && strncmp(guess->typed, name, length) == 0) distance = 1;
    if (2 * distance < strlen(name) + (length > 2) && distance < guess->distance) {
        guess->name = name;
        guess->distance = distance;
    }
}

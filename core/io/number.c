/* SPDX-License-Identifier: Apache-2.0 */
#include "io/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 255, DIGITS_SURE = 15, DIGITS_EXACT = 17 };

number_language number_language_enter(void)
{
    number_language l = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
    if (l.plain) l.before = uselocale(l.plain);
    return l;
}

void number_language_leave(number_language l)
{
    if (!l.plain) return;
    uselocale(l.before);
    freelocale(l.plain);
}

bool number_parse(const char *text, size_t size, double *value)
{
    char copy[LONGEST + 1];
    if (size == 0 || size > LONGEST) return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    if (strspn(copy, "0123456789+-.eE") != size) return false; /* strtod also takes nan, inf, hex */
    char *end = NULL;
    const number_language l = number_language_enter();
    const double parsed = strtod(copy, &end);
    number_language_leave(l);
    if (end != copy + size || !isfinite(parsed)) return false;
    *value = parsed;
    return true;
}

size_t number_print(char text[NUMBER_TEXT_SIZE], double value)
{
    const number_language l = number_language_enter();
    int length = 0;
    for (int digits = DIGITS_SURE; digits <= DIGITS_EXACT; digits++) {
        length = snprintf(text, NUMBER_TEXT_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    number_language_leave(l);
    return (size_t)length;
}

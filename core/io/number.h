/* SPDX-License-Identifier: Apache-2.0
 *
 * Decimal numbers in files: always with a point, whatever language the host has set, and printed
 * with as few digits as read back to the same bits.
 */
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_TEXT_SIZE = 32 };

/* All of text[0..size) as one plain decimal number; false if it is none or not finite. */
bool number_parse(const char *text, size_t size, double *value);

/* Prints a finite number; returns its length. */
size_t number_print(char text[NUMBER_TEXT_SIZE], double value);

/* For many numbers in a row: this thread alone speaks the "C" language between the two calls. */
typedef struct number_language {
    locale_t plain, before;
} number_language;

number_language number_language_enter(void);
void number_language_leave(number_language l);

#endif

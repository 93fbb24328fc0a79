/* SPDX-License-Identifier: Apache-2.0
 *
 * What a stream can show: colours only on a terminal and only if the user has not refused them
 * (NO_COLOR, TERM=dumb), box characters only where the locale has them.
 */
#ifndef STICTION_TERM_H
#define STICTION_TERM_H

#include <stdbool.h>
#include <stdio.h>

typedef enum term_style {
    TERM_PLAIN,
    TERM_BOLD,
    TERM_DIM,
    TERM_RED,
    TERM_GREEN,
    TERM_YELLOW,
    TERM_BLUE
} term_style;

bool term_is_terminal(FILE *stream);
bool term_has_utf8(void);
int term_width(FILE *stream); /* columns; 80 if nobody knows */

/* The sequences around coloured text on this stream; "" where there are no colours. */
const char *term_on(FILE *stream, term_style style);
const char *term_off(FILE *stream);

#endif

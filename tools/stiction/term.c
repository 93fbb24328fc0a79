/* SPDX-License-Identifier: Apache-2.0 */
#include "term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool term_is_terminal(FILE *stream) { return isatty(fileno(stream)) == 1; }

bool term_has_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && value[0]) return strstr(value, "UTF-8") || strstr(value, "utf8");
    }
    return false;
}

int term_width(FILE *stream)
{
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

static bool has_colours(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    if (refused && refused[0]) return false;
    if (!kind || strcmp(kind, "dumb") == 0) return false;
    return term_is_terminal(stream);
}

const char *term_on(FILE *stream, term_style style)
{
    static const char *const sequences[] = {
        [TERM_PLAIN] = "",         [TERM_BOLD] = "\033[1m",   [TERM_DIM] = "\033[2m",
        [TERM_RED] = "\033[1;31m", [TERM_GREEN] = "\033[32m", [TERM_YELLOW] = "\033[33m",
        [TERM_BLUE] = "\033[36m",
    };
    return has_colours(stream) ? sequences[style] : "";
}

const char *term_off(FILE *stream) { return has_colours(stream) ? "\033[0m" : ""; }

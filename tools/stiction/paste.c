/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "paste.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void paste_word(const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_-+=./,:@%";
    if (word[0] && word[strspn(word, harmless)] == '\0') {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word; word++) {
        if (*word == '\'') fputs("'\\'", stdout);
        putchar(*word);
    }
    putchar('\'');
}

static const char *relative_to(const char *folder, const char *path)
{
    const size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0) return path;
    if (path[length] == '\0') return ".";
    return path[length] == '/' ? path + length + 1 : path;
}

void paste_path(const char *path)
{
    char *real = realpath(path, NULL), *here = realpath(".", NULL);
    const char *shown = real && here ? relative_to(here, real) : path;
    if (shown[0] == '-') fputs("./", stdout); /* no option */
    paste_word(shown);
    free(real);
    free(here);
}

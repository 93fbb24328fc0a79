/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts on stdout that can be pasted into a shell.
 */
#ifndef STICTION_PASTE_H
#define STICTION_PASTE_H

/* One word, in quotes where it needs them. */
void paste_word(const char *word);

/* A path as one word: without detours, and relative if it is below the working folder. */
void paste_path(const char *path);

#endif

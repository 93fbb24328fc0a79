/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a long command is: on a terminal a bar with frames per second and the time left,
 * elsewhere a plain line every few seconds, and nothing if the user wants quiet. Always on stderr.
 */
#ifndef STICTION_PROGRESS_H
#define STICTION_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    const char *verb; /* "simulating" */
    const char *noun; /* "frame" */
    uint64_t total, first, done;
    bool shown, terminal;
    double began, last_shown;
} progress;

/* Seconds on a clock that only goes forward. */
double progress_now(void);

/* `done` of `total` are there already. Not shown: does nothing from here on. */
void progress_begin(progress *p, bool shown, const char *verb, const char *noun, uint64_t done,
                    uint64_t total);

/* `part` in [0, 1] of the next one is there too. */
void progress_update(progress *p, uint64_t done, double part);

/* Takes the bar away, so that other lines can follow. */
void progress_end(progress *p);

#endif

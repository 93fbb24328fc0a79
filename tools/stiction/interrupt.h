/* SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C and SIGTERM, politely. The first asks to stop after the running frame, the second cancels
 * inside the step, the third ends the process.
 *
 * A thread of its own waits for the signals, so that no handler ever interrupts the library; all
 * other threads have them blocked. A signal that the parent made us ignore stays ignored.
 */
#ifndef STICTION_INTERRUPT_H
#define STICTION_INTERRUPT_H

#include <stdbool.h>
#include <stiction/stiction.h>

/* Before any other thread exists. `notice` is printed at the first signal; NULL: silence. False: no
 * thread could be made, and signals do what they always do. */
bool interrupt_begin(const stn_api *api, const char *notice);

/* Whose step the second signal cancels; NULL for none. */
void interrupt_watch(stn_scene *scene);

/* Signals so far. */
int interrupt_count(void);

/* A trace for the contact solvers that stops them after the first signal. */
int32_t interrupt_trace(void *user, uint32_t iteration, double residual);

/* From here on the signals wait for ever: the command is about to end by itself. */
void interrupt_end(void);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What a benchmark ran on: the processor's model and the compiler. Never the machine's name.
 */
#ifndef STICTION_BENCH_MACHINE_H
#define STICTION_BENCH_MACHINE_H

typedef struct machine {
    char processor[96]; /* "unknown processor" if nobody says */
    char slug[96];      /* the same, fit for a file name */
    int cores;
    const char *compiler;
} machine;

machine machine_read(void);

#endif

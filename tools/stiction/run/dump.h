/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction run --dump-problems: the contact problem of each step as a file that stiction solve
 * reads, DIR/step_000123.hdf5.
 */
#ifndef STICTION_RUN_DUMP_H
#define STICTION_RUN_DUMP_H

#include <stiction/ext_contact.h>

#include "../cli.h"

typedef struct dump_options {
    const char *folder; /* NULL: no dump */
    uint32_t every;     /* 0: not given, each */
    cli_range steps;    /* from 0: not given, all */
} dump_options;

typedef struct dump {
    dump_options options;
    const char *title; /* of the scene */
    uint64_t written;
    char error[600]; /* a file could not be written; "": none */
} dump;

/* CLI_GO_ON, or the exit code of a mistake that was reported. */
int dump_init(dump *d, const cli *c, const dump_options *options);

/* Makes the folder and lets the scene's steps be written from now on; a step that cannot be written
 * stops the scene. CLI_GO_ON, or the exit code of an error that was reported. */
int dump_begin(dump *d, const cli *c, stn_scene *scene, const char *title);

#endif

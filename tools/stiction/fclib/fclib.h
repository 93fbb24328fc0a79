/* SPDX-License-Identifier: Apache-2.0
 *
 * One-step frictional contact problems as files, in the layout of FCLIB (HDF5):
 *
 *     /fclib_local    W, q, mu            u = W r + q
 *     /fclib_global   M, H, f, w, mu      M v = H r + f,  u = H^T v + w
 *
 * Both are read, a global problem is brought into local form or taken as the system it is, and
 * local problems are written. HDF5 is used here, in the command, and not in the library: a host
 * that loads the library need not carry it.
 *
 * Nothing in a file is believed: what is missing, damaged, out of range or not finite is an error
 * that names the dataset, the value and what was expected. The caller adds the file's name.
 */
#ifndef STICTION_FCLIB_H
#define STICTION_FCLIB_H

#include <stdbool.h>
#include <stdint.h>
#include <stiction/ext_contact.h>

typedef enum fclib_reason {
    FCLIB_WRONG,      /* what the file says */
    FCLIB_UNREADABLE, /* or cannot be written */
    FCLIB_OUT_OF_MEMORY
} fclib_reason;

typedef struct fclib_error {
    fclib_reason reason;
    char text[512];
} fclib_error;

/* The arrays that a stn_contact_problem points at; blocks of a row are sorted, no column twice. */
typedef struct fclib_problem {
    uint32_t contacts;
    uint32_t *row_start, *col;
    double *blocks, *b, *mu;
} fclib_problem;

/* False: the error is filled in and there is nothing to free. */
bool fclib_read(const char *path, fclib_problem *out, fclib_error *error);
void fclib_free(fclib_problem *problem);

/* A view that is valid as long as the problem is. */
stn_contact_problem fclib_view(const fclib_problem *problem);

/* The arrays that a stn_contact_system points at: bodies or nodes, as M asks for. */
typedef struct fclib_system {
    uint32_t bodies, nodes, contacts;
    uint32_t *body_unknowns, *row_start, *col, *term_start, *term_target;
    double *body_inertia, *body_velocity, *blocks, *force, *mu, *velocity, *term_H;
} fclib_system;

/* A global problem as it is; one in local form is an error. */
bool fclib_read_system(const char *path, fclib_system *out, fclib_error *error);
void fclib_free_system(fclib_system *system);
stn_contact_system fclib_view_system(const fclib_system *system);

/* Writes a local problem with W in compressed columns; an existing file is replaced. */
bool fclib_write(const char *path, const stn_contact_problem *problem, const char *title,
                 fclib_error *error);

/* For the parts of this folder: fills in the error and is false. */
bool fclib_fail(fclib_error *error, fclib_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool fclib_fail_memory(fclib_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Packed fibres: contact problems of bodies, of any size, the same on every machine but for the
 * last bits of sine and cosine.
 *
 * Curled fibres hang side by side on a square grid, with 16 hinges each: hinge k turns everything
 * below it about one axis. A fibre touches its neighbours at 13 places of its own choice (26 with
 * theirs), 3 * 13 / 16 = 2.4 equations per unknown.
 */
#ifndef STICTION_BENCH_FIBRES_PROBLEM_H
#define STICTION_BENCH_FIBRES_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FIBRE_UNKNOWNS = 16,
    FIBRE_CONTACTS = 13,
    FIBRES_LEAST = 100, /* contacts: no fibre is its own neighbour */
    FIBRES_MOST = 2000000
};

/* Flat arrays, as in stn_contact_system. */
typedef struct fibres {
    uint32_t bodies, contacts;
    uint32_t *body_unknowns; /* [bodies] */
    double *body_inertia, *body_velocity;
    double *mu;            /* [contacts] */
    double *velocity;      /* [3 contacts] normal first */
    uint32_t *term_start;  /* [contacts + 1] */
    uint32_t *term_target; /* [2 contacts] */
    double *term_H;
} fibres;

/* FIBRES_LEAST to FIBRES_MOST contacts. False when memory ran out; fibres_free in any case. */
bool fibres_make(fibres *f, uint32_t contacts);
void fibres_free(fibres *f);

#endif

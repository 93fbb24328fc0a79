/* SPDX-License-Identifier: Apache-2.0
 *
 * Packed fibres: contact problems of bodies, of any size, the same on every machine.
 *
 * Curled fibres hang side by side on a square grid, with 16 hinges each: hinge k turns everything
 * below it about one axis. A fibre touches its neighbours at 13 places of its own choice (26 with
 * theirs), 3 * 13 / 16 = 2.4 equations per unknown.
 *
 * Flat arrays: body b has body_unknowns[b] = n unknowns, n numbers of body_velocity and n x n of
 * body_inertia, one body after another. Contact i has the terms term_start[i] to term_start[i + 1];
 * a term is a body, term_target, and 3 x n numbers of term_H, row by row, one term after another.
 * u = sum H v + velocity.
 */
#ifndef BENCH_FIBRES_H
#define BENCH_FIBRES_H

#include <stdbool.h>
#include <stdint.h>

enum { FIBRE_UNKNOWNS = 16, FIBRE_CONTACTS = 13 };

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

/* False when memory ran out; fibres_free in any case. */
bool fibres_make(fibres *f, uint32_t contacts);
void fibres_free(fibres *f);

#endif

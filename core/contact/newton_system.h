/* SPDX-License-Identifier: Apache-2.0
 *
 * One Newton step for all contacts of a problem at once: with f the contact functions stacked and
 * u = W r + b, the direction solves
 *     J dr = -f,    J = by_r + by_u (W + shift d),
 * where by_r, by_u and d are block diagonal. A shift above 0 is a proximal term, or regularises.
 */
#ifndef CONTACT_NEWTON_SYSTEM_H
#define CONTACT_NEWTON_SYSTEM_H

#include "contact/contact_function.h"
#include "contact/solver.h"
#include "linalg/block_lu.h"

typedef struct newton_system {
    const contact_problem *p;
    contact_function function;
    block_lu lu;
    bsr3 J; /* W's pattern, blocks of its own */
    bool *idle;
    double seconds; /* spent in create and direction */
} newton_system;

/* STATUS_UNSUPPORTED if the factors would be too large. On failure too, destroy cleans up. */
status newton_system_create(newton_system *s, const allocator *from, const contact_problem *p,
                            contact_function function, error *err);
void newton_system_destroy(newton_system *s, const allocator *from);

/* Splits the time of a Newton's method that used the system. */
void newton_system_account(const newton_system *s, double total, solver_seconds *seconds);

/* |f|^2 */
double newton_system_merit(const newton_system *s, const double *r, const double *u);

/* dr = -J^-1 f; false when the factorisation breaks down. */
bool newton_system_direction(newton_system *s, const double *r, const double *u, double shift,
                             double *dr);

/* The derivative of |f|^2 along dr, with du = W dr; -2 |f|^2 for an exact direction, shift 0. */
double newton_system_slope(const newton_system *s, const double *r, const double *u,
                           const double *dr, const double *du);

#endif

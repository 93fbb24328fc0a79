/* SPDX-License-Identifier: Apache-2.0
 *
 * Newton's method on all contacts of an island at once (paper 000, section 4), with Alart and
 * Curnier's function or the modified one of Fischer and Burmeister (paper 001).
 *
 * The length a of a step satisfies Goldstein and Price's conditions on q = |f|^2,
 *     0.9 q'(0) <= (q(a) - q(0)) / a <= 0.1 q'(0).
 * W is singular where there is more than one equation per unknown (nu = 3 n / m > 1), and J with
 * it: only where the factorisation breaks down, or gives a direction that cannot be followed for
 * even 1/512 of its length, is the derivative taken with W + shift d, for the smallest
 * shift that helps. Newton's method can still end in a minimum of q that is no zero; then r goes
 * back to the best point, sweeps of Gauss-Seidel, twice as many each time, look for a better
 * start, and it is tried again. Sweeps count as iterations. It gives up when the residual has not
 * halved for long.
 *
 * Alone, as in paper 000, there are no sweeps: it ends where no step descends.
 */
#ifndef CONTACT_DAMPED_NEWTON_H
#define CONTACT_DAMPED_NEWTON_H

#include "contact/solver.h"

/* Table entries. */
status damped_newton_solve_alart_curnier(const contact_problem *p, const allocator *from,
                                         const solver_options *options, double *r,
                                         solver_report *report, error *err);
status damped_newton_solve_alart_curnier_alone(const contact_problem *p, const allocator *from,
                                               const solver_options *options, double *r,
                                               solver_report *report, error *err);
status damped_newton_solve_fischer_burmeister(const contact_problem *p, const allocator *from,
                                              const solver_options *options, double *r,
                                              solver_report *report, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Cadoux's fixed point (paper 003, section 3.2): with s held, r(s) solves the convex problem
 *     min  1/2 r'W r + (b + s e_N)'r   over r in K,
 * and Coulomb's law holds where s_i = mu_i |u_Ti(s)|. The outer loop repeats s <- mu |u_T(s)|; the
 * inner one is the accelerated projected gradient, stopped when its own error is half of the change
 * of s that it would cause, or after a number of steps; its momentum is kept when s moves. When the
 * changes of s turn around without shrinking, s goes only part of the way.
 */
#ifndef CONTACT_CADOUX_H
#define CONTACT_CADOUX_H

#include "contact/solver.h"

status cadoux_solve(const contact_problem *p, const allocator *from, const solver_options *options,
                    double *r, solver_report *report, error *err);

#endif

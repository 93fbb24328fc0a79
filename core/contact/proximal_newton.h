/* SPDX-License-Identifier: Apache-2.0
 *
 * Proximal point iteration with Newton's method inside: the finish for problems on which
 * Gauss-Seidel stalls, most of all where contacts are redundant and W is singular.
 *
 * Outer step: r_{k+1} solves Coulomb's law for
 *     u = W r + b + eps d (r - r_k),
 * which is regular however redundant the contacts are; at a fixed point the extra term is gone. eps
 * falls while the inner problems are easy and rises when one is too hard. Inner: damped Newton on
 * Alart and Curnier's function with a sparse block LU, and a few sweeps of Gauss-Seidel where no
 * step descends. Redundant contacts leave flat directions along which r drifts evenly: when outer
 * moves are parallel, the iteration runs ahead along them.
 */
#ifndef CONTACT_PROXIMAL_NEWTON_H
#define CONTACT_PROXIMAL_NEWTON_H

#include "contact/solver.h"

status proximal_newton_solve(const contact_problem *p, const allocator *from,
                             const solver_options *options, double *r, solver_report *report,
                             error *err);

#endif

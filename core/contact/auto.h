/* SPDX-License-Identifier: Apache-2.0
 *
 * The default: momentum Gauss-Seidel on everything; then, on every island that has not settled and
 * where sweeps would cost more, the proximal Newton method; and sweeps to the end where even that
 * does not do. What is given up is decided by counted work, never by a clock: the same problem gets
 * the same answer everywhere.
 */
#ifndef CONTACT_AUTO_H
#define CONTACT_AUTO_H

#include "contact/solver.h"

status auto_solve(const contact_problem *p, const allocator *from, const solver_options *options,
                  double *r, solver_report *report, error *err);

#endif

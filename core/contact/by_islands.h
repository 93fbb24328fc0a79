/* SPDX-License-Identifier: Apache-2.0
 *
 * A problem solved island by island (the constraint partitioning of paper 000, section 4.5).
 */
#ifndef CONTACT_BY_ISLANDS_H
#define CONTACT_BY_ISLANDS_H

#include "contact/solver.h"

/* Runs `each` on every island that is not within the tolerance at r, each with the whole budget of
 * iterations. The report gets the sums, and trace the worst residual of all islands. Stops at the
 * first status other than STATUS_OK and hands it on; r and the report then hold what was found. */
status by_islands_solve(const contact_problem *p, const allocator *from,
                        const solver_options *options, solver_function each, double *r,
                        solver_report *report, error *err);

#endif

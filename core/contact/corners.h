/* SPDX-License-Identifier: Apache-2.0
 *
 * The corners that Gauss-Seidel leaves over: nodes with several contacts, most of them where a node
 * that slides on one surface reaches a second one within the step. Each is a small problem with
 * W_ij = w F_i F_j^T, of rank three at most, and gets the proximal Newton method.
 */
#ifndef CONTACT_CORNERS_H
#define CONTACT_CORNERS_H

#include "base/arena.h"
#include "base/status.h"
#include "contact/nodal.h"

/* Solves, one after another, the nodes [begin, end) that nodal_solve_range left above the tolerance. What it
 * reported is then out of date: measure again. */
status corners_solve(const nodal_problem *p, size_t begin, size_t end, arena *scratch, error *err);

#endif

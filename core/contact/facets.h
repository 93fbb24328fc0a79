/* SPDX-License-Identifier: Apache-2.0
 *
 * Coulomb's law with a k-sided pyramid for the cone, as a linear complementarity problem (paper
 * 002, section 5.1: the inner approximation of Stewart, Trinkle, Anitescu and Potra).
 *
 * With k unit vectors d_j that divide the tangent plane evenly, d_0 = T1, the friction impulse is
 *     r_T = sum_j beta_j d_j,    beta >= 0,    sum_j beta_j <= mu r_N,
 * and with a slip speed lambda the law of one contact is
 *     0 <= r_N      _|_  u_N                       >= 0
 *     0 <= beta_j   _|_  lambda + d_j . u_T        >= 0     for every j
 *     0 <= lambda   _|_  mu r_N - sum_j beta_j     >= 0,
 * k + 2 unknowns. It is not Coulomb's law: what slides is braked along a d_j, or is drawn to the
 * direction midway between two of them, and friction is too weak there by the factor cos(pi/k). It
 * is here so that this can be shown. Residuals are those of the round cone.
 */
#ifndef CONTACT_FACETS_H
#define CONTACT_FACETS_H

#include "contact/solver.h"

enum {
    FACETS_LEAST = 3,
    FACETS_MOST_UNKNOWNS = 2000 /* contacts of an island times k + 2; Lemke's matrix is dense */
};

/* With k = `facets` sides, each island an LCP of its own. The start r is not used: the answer is
 * the pyramid's, even where a better one is known. STATUS_UNSUPPORTED for an island with too many
 * unknowns, STATUS_INVALID_ARGUMENT for too few facets. A path that ended on a ray, or at the limit
 * of pivots (the iterations, and 20 per unknown), counts as a local failure. */
status facets_solve(const contact_problem *p, const allocator *from, const solver_options *options,
                    uint32_t facets, double *r, solver_report *report, error *err);

status facets_solve_4(const contact_problem *p, const allocator *from,
                      const solver_options *options, double *r, solver_report *report, error *err);
status facets_solve_8(const contact_problem *p, const allocator *from,
                      const solver_options *options, double *r, solver_report *report, error *err);
status facets_solve_16(const contact_problem *p, const allocator *from,
                       const solver_options *options, double *r, solver_report *report, error *err);

#endif

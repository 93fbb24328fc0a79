/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate projected gradient (paper 002, section 6.3) on De Saxce's form: v = W r + b + s e_N,
 * s = mu |u_T|, is the gradient at r of a quadratic over the cones K.
 *
 * At every contact r lies on a face of its cone: inside (all directions are free), on the surface
 * and pushed against it (the tangent plane is free), on the axis of a closed cone or leaving the
 * apex along a ray (one direction is free), or held at the apex (none is). Then
 *     w = P(-v; tangent cone at r),   z = P(p_last; subspace of the face),   p = M w + beta z,
 *     beta makes p conjugate to p_last,   r+ = P_K(r + alpha p),   alpha = w.p / p.Hp.
 * When a face changes, the conjugate directions start over there: z is zero at that contact.
 *
 * What handicaps the method in three dimensions is that cones are curved. Their curvature is known,
 * though: pushed against the surface by lambda, a sideways step t costs lambda t^2 /
 * (2 |r_T| sqrt(1 + mu^2)) when it is projected back. H is W plus these terms, M the inverse of d
 * plus them. A step that does not descend is replaced by one of the plain projected gradient.
 */
#ifndef CONTACT_CONJUGATE_PROJECTED_GRADIENT_H
#define CONTACT_CONJUGATE_PROJECTED_GRADIENT_H

#include "contact/solver.h"

status conjugate_projected_gradient_solve(const contact_problem *p, const allocator *from,
                                          const solver_options *options, double *r,
                                          solver_report *report, error *err);

#endif

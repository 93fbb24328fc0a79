/* SPDX-License-Identifier: Apache-2.0
 *
 * When sweeps over bodies have stalled on a small problem: the operator W is made and "auto"
 * (auto.h) goes on from there, whose Newton steps see all contacts at once.
 */
#ifndef CONTACT_BODIES_RESCUE_H
#define CONTACT_BODIES_RESCUE_H

#include "contact/bodies_gs.h"

/* After bodies_gs_solve with a report that says that it missed. r and s->w get better or stay;
 * large problems stay. Statuses as those of bodies_gs_solve. */
status bodies_rescue(bodies_gs *s, const solver_options *options, double *r, solver_report *report,
                     error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What rigid bodies ask of their input (rigid.h says what is refused).
 */
#ifndef RIGID_CHECK_H
#define RIGID_CHECK_H

#include "rigid/rigid.h"

status rigid_check_source(const rigid_source *source, error *err);

/* v [6] may be NULL. */
status rigid_check_pose(const char *name, size_t body, const pose *at, const double *v, error *err);

#endif

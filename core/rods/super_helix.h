/* SPDX-License-Identifier: Apache-2.0
 *
 * The super-helix: a rod of elements with constant twist and curvatures (paper 003, 2.3.1).
 */
#ifndef RODS_SUPER_HELIX_H
#define RODS_SUPER_HELIX_H

#include "rods/rod.h"

status super_helix_create(const rods_source *source, const allocator *from, body_group **out,
                          error *err);
void super_helix_place(const body_group *g, const pose *root, const double *kappa, double *state);

#endif

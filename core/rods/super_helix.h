/* SPDX-License-Identifier: Apache-2.0
 *
 * The super-helix: a rod of elements with constant twist and curvatures (paper 003, 2.3.1). No
 * stretch by construction; kinetic plus elastic energy never grows without forcing, whatever the
 * step (super_helix_assembly.h).
 *
 * Numbers so large that A leaves the range of double give a body the v_free NaN, and none to others.
 */
#ifndef RODS_SUPER_HELIX_H
#define RODS_SUPER_HELIX_H

#include "rods/rod.h"

status super_helix_create(const rods_source *source, const allocator *from, body_group **out,
                          error *err);
void super_helix_place(const body_group *g, const pose *root, const double *kappa, double *state);

/* A clamped rod is somewhere else at once: its shape and its velocities v stay, its root stands. */
void super_helix_carry(const body_group *g, const pose *root, double *state, uint32_t body);

#endif

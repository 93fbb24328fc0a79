/* SPDX-License-Identifier: Apache-2.0
 *
 * The super-clothoid: a rod whose twist and curvatures are continuous and linear in each element
 * (paper 003, 2.3.2). The unknowns are those at the joints, three at each of elements + 1. No
 * stretch by construction; kinetic plus elastic energy never grows without forcing, whatever the
 * step (super_clothoid_step.c).
 *
 * Natural curvatures, and those that a rod is placed with, are given for elements. A joint takes
 * the mean of its two elements, weighted with their lengths; the root and the tip take that of
 * their only one. So a curl that is the same all along is kept exactly, another one is smoothed.
 *
 * A curvature times the length of its element beyond ten thousand, and numbers so large that A
 * leaves the range of double, give a body the v_free NaN, and none to others.
 */
#ifndef RODS_SUPER_CLOTHOID_H
#define RODS_SUPER_CLOTHOID_H

#include "rods/rod.h"

status super_clothoid_create(const rods_source *source, const allocator *from, body_group **out,
                             error *err);
void super_clothoid_place(const body_group *g, const pose *root, const double *kappa,
                          double *state);

#endif

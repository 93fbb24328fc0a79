/* SPDX-License-Identifier: Apache-2.0
 *
 * The chain of masses and springs: nodes alone, for strands that need no twist.
 *
 * It stretches and bends. Bending is the same in every direction, with the mean of the two bending
 * stiffnesses. A natural curve is a rest angle between edges, whatever the plane in which they
 * turn: the natural shape is free of stress, but so is every shape with the same angles. There is
 * no twist: a moment about the rod does nothing, and a root that turns about its own axis turns
 * nothing. For curls and ribbons take another model.
 */
#ifndef RODS_MASS_SPRING_H
#define RODS_MASS_SPRING_H

#include "rods/nodal_rod.h"

status mass_spring_create(const rods_source *source, const allocator *from, body_group **out,
                          error *err);

#endif

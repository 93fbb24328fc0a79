/* SPDX-License-Identifier: Apache-2.0
 *
 * The discrete elastic rod: nodes, and an angle of the material about every edge. Bending of
 * elliptic sections, twist and stretch; any natural shape.
 */
#ifndef RODS_DISCRETE_ELASTIC_ROD_H
#define RODS_DISCRETE_ELASTIC_ROD_H

#include "rods/nodal_rod.h"

status discrete_elastic_rod_create(const rods_source *source, const allocator *from,
                                   body_group **out, error *err);

#endif

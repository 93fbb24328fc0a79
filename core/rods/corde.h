/* SPDX-License-Identifier: Apache-2.0
 *
 * CoRdE, the Cosserat rod of positions and quaternions: nodes, and a rotation of its own for every
 * edge, held to the edge's direction by a spring. Bending of elliptic sections, twist and stretch;
 * any natural shape.
 */
#ifndef RODS_CORDE_H
#define RODS_CORDE_H

#include "rods/nodal_rod.h"

status corde_create(const rods_source *source, const allocator *from, body_group **out, error *err);

#endif

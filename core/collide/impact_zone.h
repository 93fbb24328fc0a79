/* SPDX-License-Identifier: Apache-2.0
 *
 * Impact zones: sets of vertices that hit one another in a step, and go on as if each set were one
 * rigid body. What did not cross at the beginning does not cross in a rigid motion either.
 *
 * A zone moves with the linear and the angular momentum that its vertices had,
 *
 *     v = v_c + omega x (x - x_c),    v_c = sum m v / sum m,    I omega = sum m (x - x_c) x v
 *
 * and turns by the rotation of omega over the step. Vertices of inverse mass 0 move as given: they
 * count as very heavy, and a zone follows them.
 */
#ifndef COLLIDE_IMPACT_ZONE_H
#define COLLIDE_IMPACT_ZONE_H

#include "base/array.h"
#include "base/status.h"
#include "math/v3.h"

#include <stdint.h>

typedef struct impact_zones {
    array parent; /* [vertices] uint32_t: leads to the lowest vertex of the zone */
    array order;  /* [vertices] uint32_t: vertices of zones, zone by zone */
    array first;  /* [zones + 1] uint32_t: where each begins in the order */
    array place;  /* [vertices] scratch */
} impact_zones;

void impact_zones_init(impact_zones *z, const allocator *from);
void impact_zones_destroy(impact_zones *z);

/* Every vertex by itself. */
status impact_zones_clear(impact_zones *z, uint32_t vertices, error *err);

/* These are in one zone from here on. */
void impact_zones_join(impact_zones *z, const uint32_t *vertex, uint32_t count);

/* Lists the zones of more than one vertex, by their lowest vertices. */
status impact_zones_list(impact_zones *z, error *err);

static inline size_t impact_zones_count(const impact_zones *z)
{
    return z->first.count ? z->first.count - 1 : 0;
}

/* The velocities of the vertices in zones become those of rigid bodies. `w` is the inverse mass. */
void impact_zones_make_rigid(const impact_zones *z, const double *w, const double *x0, double *v);

/* Takes the vertices in zones to x1 by a rigid motion of `dt` with velocities that are those of
 * rigid bodies already. Vertices of inverse mass 0 are not touched. */
void impact_zones_move(const impact_zones *z, const double *w, const double *x0, const double *v,
                       double dt, double *x1);

#endif

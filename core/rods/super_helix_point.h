/* SPDX-License-Identifier: Apache-2.0
 *
 * A material point of a super-helix, for one rod at a time.
 */
#ifndef RODS_SUPER_HELIX_POINT_H
#define RODS_SUPER_HELIX_POINT_H

#include "rods/spatial.h"
#include "rods/super_helix_motion.h"

/* Arc lengths before the beginning or beyond the end are taken there. */
static inline double helix_clamp(double s, double length)
{
    if (!(s > 0.0)) return 0.0;
    return s > length ? length : s;
}

/* A point at arc length s of element `joint`: from the root, its offset from the centreline, and
 * the columns of its own element's curvatures. */
typedef struct helix_material {
    real3 r, offset;
    real33 slope, turn;
} helix_material;

static inline helix_material helix_find_material(const helix_joint *joint, double s, v3 X)
{
    const helix at = helix_at(joint->kappa, s);
    const real33 D = helix_slope(&at), T = helix_turn(&at), F = helix_frame(&at);
    helix_material p = {.slope = real33_mul(&joint->R, &D), .turn = real33_mul(&joint->R, &T)};
    const real3 section = real33_mul_real3(&F, (real3){0.0, X.y, X.z});
    p.offset = real33_mul_real3(&joint->R, section);
    p.r = real3_add(joint->r, real33_mul_real3(&joint->R, helix_point(&at)));
    p.r = real3_add(p.r, p.offset);
    return p;
}

/* A load in element `joint`: to its curvatures and to the wrench about the root. */
static inline wrench helix_pull(const helix_joint *joint, double s, const body_load *load,
                                wrench sum, double own[3])
{
    const helix_material p = helix_find_material(joint, s, load->at);
    const real3 force = {load->force.x, load->force.y, load->force.z};
    const real3 moment = {load->moment.x, load->moment.y, load->moment.z};
    const real3 about = real3_add(real3_cross(p.offset, force), moment);
    for (size_t c = 0; c < 3; c++) {
        own[c] += real3_dot(p.slope.column[c], force) + real3_dot(p.turn.column[c], about);
    }
    return wrench_add(sum, p.r, force, moment);
}

#endif

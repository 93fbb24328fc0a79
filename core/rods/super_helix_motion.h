/* SPDX-License-Identifier: Apache-2.0
 *
 * Along a rod from root to tip, over `real`: where its elements are and how they move.
 *
 * The rates of one element's curvatures move everything beyond its end as one rigid body. Such a
 * motion is written as in Featherstone's spatial algebra: an angular velocity `turn`, and `lift`,
 * the velocity of that rigid body's point at the root. A point r (from the root) then moves with
 *     lift + turn x r.
 */
#ifndef RODS_SUPER_HELIX_MOTION_H
#define RODS_SUPER_HELIX_MOTION_H

#include "rods/helix.h"
#include "rods/super_helix_group.h"

/* An element now. */
typedef struct helix_joint {
    real3 kappa;
    real33 R;          /* the frame where it begins */
    real3 r;           /* where it begins, from the root */
    real33 turn, lift; /* of all beyond it, a column for each curvature */
} helix_joint;

/* The same element in the last step. */
typedef struct helix_memory {
    real33 Q;             /* its frame then, seen in the frame of now */
    real3 kappa, rate;    /* its curvatures then, and their rates */
    real3 velocity, spin; /* of its beginning: in the frame of now, in the frame of then */
} helix_memory;

/* A batch of REAL_LANES rods that begins at `body`. */
typedef struct helix_batch {
    const super_helix *g;
    const double *state;
    size_t body;
} helix_batch;

static inline real helix_length(const helix_batch *batch, size_t e)
{
    const size_t elements = batch->g->elements;
    return real_gather(batch->g->lengths + batch->body * elements + e, elements);
}

/* The factor on the stiffnesses of an element. */
static inline real helix_scale(const helix_batch *batch, size_t e)
{
    const size_t elements = batch->g->elements;
    return real_gather(batch->g->scale + batch->body * elements + e, elements);
}

/* Numbers at an address inside the state of the batch's first rod. */
static inline real3 helix_state3(const helix_batch *batch, const double *at)
{
    return real3_gather(at, batch->g->base.state_count);
}

/* The rotation matrix of a pose in the state. */
static inline real33 helix_root_frame(const helix_batch *batch, const pose *first)
{
    real33 R;
    for (size_t k = 0; k < REAL_LANES; k++) {
        const pose *p = (const pose *)((const double *)first + k * batch->g->base.state_count);
        const m3 m = quat_to_m3(p->rotation);
        for (size_t j = 0; j < 3; j++) {
            const double *rows = &m.row[0].x;
            real_set_lane(&R.column[j].x, k, rows[j]);
            real_set_lane(&R.column[j].y, k, rows[3 + j]);
            real_set_lane(&R.column[j].z, k, rows[6 + j]);
        }
    }
    return R;
}

/* The element that begins at R, r; both move on to its end. */
static inline helix_joint helix_pass_element(real3 kappa, real length, real33 *R, real3 *r)
{
    const helix end = helix_at(kappa, length);
    const real33 D = helix_slope(&end), T = helix_turn(&end), F = helix_frame(&end);
    helix_joint joint = {kappa, *R, *r, real33_mul(R, &T), real33_mul(R, &D)};
    *r = real3_add(*r, real33_mul_real3(R, helix_point(&end)));
    *R = real33_mul(R, &F);
    for (size_t c = 0; c < 3; c++) {
        joint.lift.column[c] =
            real3_add(joint.lift.column[c], real3_cross(*r, joint.turn.column[c]));
    }
    return joint;
}

static inline void helix_find_joints(const helix_batch *batch, helix_joint *joints)
{
    const reduced_rod_state s = super_helix_view(batch->g, batch->state, batch->body);
    real33 R = helix_root_frame(batch, s.root);
    const real zero = 0.0 * R.column[0].x;
    real3 r = {zero, zero, zero};
    for (size_t e = 0; e < batch->g->elements; e++) {
        const real3 kappa = helix_state3(batch, s.q + batch->g->first + 3 * e);
        joints[e] = helix_pass_element(kappa, helix_length(batch, e), &R, &r);
    }
}

/* How a frame moves through the last step. */
typedef struct helix_carriage {
    real33 R;
    real3 velocity, spin; /* in space */
} helix_carriage;

static inline helix_carriage helix_root_carriage(const helix_batch *batch)
{
    const reduced_rod_state s = super_helix_view(batch->g, batch->state, batch->body);
    return (helix_carriage){helix_root_frame(batch, s.last_root),
                            helix_state3(batch, s.root_motion),
                            helix_state3(batch, s.root_motion + 3)};
}

/* An element that began at the carriage, which moves on to its end. R is the frame of now. */
static inline helix_memory helix_recall_element(real3 kappa, real3 rate, real length,
                                                const real33 *R, helix_carriage *at)
{
    const helix_memory m = {
        .Q = real33_tmul(R, &at->R),
        .kappa = kappa,
        .rate = rate,
        .velocity = real33_tmul_real3(R, at->velocity),
        .spin = real33_tmul_real3(&at->R, at->spin),
    };
    const helix end = helix_at(kappa, length);
    const real33 T = helix_turn(&end), F = helix_frame(&end);
    const real3 moved =
        real3_add(real3_cross(m.spin, helix_point(&end)), helix_slope_along(&end, rate));
    const real3 turned = real33_mul_real3(&T, rate);
    at->velocity = real3_add(at->velocity, real33_mul_real3(&at->R, moved));
    at->spin = real3_add(at->spin, real33_mul_real3(&at->R, turned));
    at->R = real33_mul(&at->R, &F);
    return m;
}

static inline helix_memory helix_recall(const helix_batch *batch, size_t e, const real33 *R,
                                        helix_carriage *at)
{
    const reduced_rod_state s = super_helix_view(batch->g, batch->state, batch->body);
    return helix_recall_element(helix_state3(batch, s.last + 3 * e),
                                helix_state3(batch, s.v + batch->g->first + 3 * e),
                                helix_length(batch, e), R, at);
}

static inline void helix_find_memory(const helix_batch *batch, const helix_joint *joints,
                                     helix_memory *memory)
{
    helix_carriage at = helix_root_carriage(batch);
    for (size_t e = 0; e < batch->g->elements; e++) {
        memory[e] = helix_recall(batch, e, &joints[e].R, &at);
    }
}

#endif

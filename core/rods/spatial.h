/* SPDX-License-Identifier: Apache-2.0
 *
 * Spatial algebra (Featherstone) over `real`: motions, forces and inertias of rigid or articulated
 * bodies about a point p, all in the axes of space.
 *
 * A body whose point at p moves with `lift` while it turns with `turn` has the velocity
 * lift + turn x r at r (from p). A force f at r is the wrench (f, r x f) about p; its power is
 * f . lift + moment . turn.
 */
#ifndef RODS_SPATIAL_H
#define RODS_SPATIAL_H

#include "math/real3.h"

typedef struct twist {
    real3 turn, lift;
} twist;

typedef struct wrench {
    real3 force, moment;
} wrench;

/* moment = turn w + mixed u, force = mixed^T w + lift u for the motion (w, u). */
typedef struct spatial_inertia {
    real_sym3 turn;
    real33 mixed;
    real_sym3 lift;
} spatial_inertia;

/* a + the force and the moment that act at r. */
static inline wrench wrench_add(wrench a, real3 r, real3 force, real3 moment)
{
    return (wrench){real3_add(a.force, force),
                    real3_add(a.moment, real3_add(real3_cross(r, force), moment))};
}

/* a + s b */
static inline wrench wrench_add_scaled(wrench a, real s, wrench b)
{
    return (wrench){real3_add_scaled(a.force, s, b.force), real3_add_scaled(a.moment, s, b.moment)};
}

/* About p, of what is given about p + r. */
static inline wrench wrench_move(wrench a, real3 r)
{
    return (wrench){a.force, real3_add(a.moment, real3_cross(r, a.force))};
}

static inline real wrench_power(wrench a, twist t)
{
    return real3_dot(a.force, t.lift) + real3_dot(a.moment, t.turn);
}

/* The same motion, about the point r further on. */
static inline twist twist_move(twist t, real3 r)
{
    return (twist){t.turn, real3_add(t.lift, real3_cross(t.turn, r))};
}

static inline wrench spatial_multiply(const spatial_inertia *I, twist t)
{
    return (wrench){
        real3_add(real33_tmul_real3(&I->mixed, t.turn), real_sym3_mul_real3(&I->lift, t.lift)),
        real3_add(real_sym3_mul_real3(&I->turn, t.turn), real33_mul_real3(&I->mixed, t.lift))};
}

static inline real_sym3 spatial_sym3_add(real_sym3 a, real_sym3 b)
{
    return (real_sym3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz,
                       a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

static inline void spatial_add(spatial_inertia *sum, const spatial_inertia *I)
{
    sum->turn = spatial_sym3_add(sum->turn, I->turn);
    sum->lift = spatial_sym3_add(sum->lift, I->lift);
    for (size_t c = 0; c < 3; c++) {
        sum->mixed.column[c] = real3_add(sum->mixed.column[c], I->mixed.column[c]);
    }
}

/* I += s a a^T */
static inline void spatial_add_square(spatial_inertia *I, real s, wrench a)
{
    const real3 sm = real3_scale(s, a.moment);
    real_sym3_add_square(&I->turn, s, a.moment);
    real_sym3_add_square(&I->lift, s, a.force);
    I->mixed.column[0] = real3_add_scaled(I->mixed.column[0], a.force.x, sm);
    I->mixed.column[1] = real3_add_scaled(I->mixed.column[1], a.force.y, sm);
    I->mixed.column[2] = real3_add_scaled(I->mixed.column[2], a.force.z, sm);
}

static inline real33 spatial_transpose(const real33 *A)
{
    const real3 *c = A->column;
    return (real33){{{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}}};
}

/* [r]x A */
static inline real33 spatial_cross(real3 r, const real33 *A)
{
    return (real33){
        {real3_cross(r, A->column[0]), real3_cross(r, A->column[1]), real3_cross(r, A->column[2])}};
}

/* The inertia about p of what has I about p + r:
 *     mixed' = mixed + [r]x lift,  turn' = turn + [r]x mixed^T + ([r]x mixed'^T)^T. */
static inline spatial_inertia spatial_move(const spatial_inertia *I, real3 r)
{
    const real_sym3 *u = &I->lift;
    const real33 lift = {{{u->xx, u->xy, u->xz}, {u->xy, u->yy, u->yz}, {u->xz, u->yz, u->zz}}};
    const real33 more = spatial_cross(r, &lift);
    spatial_inertia moved = *I;
    for (size_t c = 0; c < 3; c++) {
        moved.mixed.column[c] = real3_add(moved.mixed.column[c], more.column[c]);
    }
    const real33 old_T = spatial_transpose(&I->mixed), new_T = spatial_transpose(&moved.mixed);
    const real33 X = spatial_cross(r, &old_T), Y = spatial_cross(r, &new_T);
    const real3 *x = X.column, *y = Y.column;
    moved.turn.xx += x[0].x + y[0].x;
    moved.turn.xy += x[1].x + y[0].y;
    moved.turn.xz += x[2].x + y[0].z;
    moved.turn.yy += x[1].y + y[1].y;
    moved.turn.yz += x[2].y + y[1].z;
    moved.turn.zz += x[2].z + y[2].z;
    return moved;
}

#endif

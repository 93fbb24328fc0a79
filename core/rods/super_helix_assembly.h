/* SPDX-License-Identifier: Apache-2.0
 *
 * One implicit step of a super-helix, over `real`. With V the velocity of every material point in
 * the last step, the new velocities v minimise
 *
 *     1/2 int rho |J v + U - V|^2 + h/2 int drag |J v + U - air|^2
 *       + h/2 damping |v|_K^2 + 1/2 |q + h v - natural|_K^2 + brake/2 |h v|_K^2
 *       - h int rho (gravity + field) . J v - h loads . v
 *
 * where J v + U is the velocity of a point, U the part of a moving root, and K the stiffnesses
 * times the length of each element. V is a field in space, not a set of old coordinates: Coriolis
 * and centrifugal terms and the inertia of a moving root are in it. Multiplied by v, the equations
 * say that kinetic plus elastic energy falls by 1/2 int rho |J v - V|^2 + 1/2 |h v|_K^2 and by what
 * damping takes: without forcing it never grows.
 *
 * So A = (rho + h drag) int J^T J + (h damping + h^2) K. The integral is built from tip to root as
 * by composite rigid bodies: the momentum that one curvature's rate gives its own element and all
 * beyond, met by the motions `turn`, `lift` of the curvatures before it.
 *
 * A thin rod's own inertia against twist is tiny but the only one a straight rod has; each
 * element's turning about its beginning is counted: rho l^3/3 times r^2/2 for twist and r^2/4 for
 * bending. To the turns of a free root all of the rod adds rho L r^2/2, the same about every axis.
 */
#ifndef RODS_SUPER_HELIX_ASSEMBLY_H
#define RODS_SUPER_HELIX_ASSEMBLY_H

#include "rods/spatial.h"
#include "rods/super_helix_element.h"

/* What does not change along the rods of a batch. */
typedef struct helix_step {
    helix_batch batch;
    const body_input *in;
    helix_matter matter;
    real3 root_v, root_w; /* motion of a clamped root; 0 if it is free */
} helix_step;

/* What lies beyond an element: length and its moments about the root, momentum and its moment. */
typedef struct helix_beyond {
    real length;
    real3 r;
    real_sym3 rr;
    real3 F, rF;
} helix_beyond;

static inline helix_step helix_begin_step(const super_helix *g, const body_input *in,
                                          const double *state, size_t body)
{
    return (helix_step){.batch = {g, state, body},
                        .in = in,
                        .matter = helix_gather_matter(&g->material[body], in->h)};
}

/* h (drag air + rho (gravity + field)) at a station. */
static inline real3 helix_forcing(const helix_step *step, size_t station)
{
    const size_t stride = 3 * (size_t)step->batch.g->base.stations;
    const size_t at = step->batch.body * stride + 3 * station;
    return helix_force_at(&step->matter, step->in, at, stride);
}

/* The momentum that the next velocities shall have, as far as it can be said beforehand. */
static inline helix_momentum helix_wanted(const helix_step *step, size_t e,
                                          const helix_joint *joint, const helix_memory *memory)
{
    const real3 begin = helix_forcing(step, e), end = helix_forcing(step, e + 1);
    const real3 root = real3_add(step->root_v, real3_cross(step->root_w, joint->r));
    const helix_matter *m = &step->matter;
    const real3 kept = real3_sub(begin, real3_scale(m->inertia, root));
    return (helix_momentum){
        .constant =
            real3_add_scaled(real33_tmul_real3(&joint->R, kept), m->density, memory->velocity),
        .linear = real33_tmul_real3(&joint->R, real3_sub(end, begin)),
        .spin = real3_scale(-m->inertia, real33_tmul_real3(&joint->R, step->root_w)),
        .density = m->density,
        .memory = memory,
    };
}

static inline void helix_add_element(helix_beyond *sum, const helix_joint *joint,
                                     const helix_integrals *own)
{
    const real3 r = joint->r, Rx = real33_mul_real3(&joint->R, own->x);
    const real3 RF = real33_mul_real3(&joint->R, own->F);
    const real3 RxF = real33_mul_real3(&joint->R, own->xF);
    sum->length += own->length;
    sum->r = real3_add(sum->r, real3_add_scaled(Rx, own->length, r));
    /* rr += r half^T + half r^T + R xx R^T */
    const real33 RT = spatial_transpose(&joint->R);
    const real3 half = real3_add_scaled(Rx, 0.5 * own->length, r);
    const real3 row[3] = {real_sym3_mul_real3(&own->xx, RT.column[0]),
                          real_sym3_mul_real3(&own->xx, RT.column[1]),
                          real_sym3_mul_real3(&own->xx, RT.column[2])};
    sum->rr.xx += 2.0 * r.x * half.x + real3_dot(row[0], RT.column[0]);
    sum->rr.xy += r.x * half.y + half.x * r.y + real3_dot(row[0], RT.column[1]);
    sum->rr.xz += r.x * half.z + half.x * r.z + real3_dot(row[0], RT.column[2]);
    sum->rr.yy += 2.0 * r.y * half.y + real3_dot(row[1], RT.column[1]);
    sum->rr.yz += r.y * half.z + half.y * r.z + real3_dot(row[1], RT.column[2]);
    sum->rr.zz += 2.0 * r.z * half.z + real3_dot(row[2], RT.column[2]);
    sum->F = real3_add(sum->F, RF);
    sum->rF = real3_add(sum->rF, real3_add(real3_cross(r, RF), RxF));
}

/* Momentum and its moment about the root that a rigid motion gives to what lies beyond. */
static inline void helix_move_beyond(const helix_beyond *beyond, real3 turn, real3 lift, real3 *p,
                                     real3 *L)
{
    const real trace = beyond->rr.xx + beyond->rr.yy + beyond->rr.zz;
    *p = real3_add_scaled(real3_cross(turn, beyond->r), beyond->length, lift);
    *L = real3_add(real3_cross(beyond->r, lift),
                   real3_sub(real3_scale(trace, turn), real_sym3_mul_real3(&beyond->rr, turn)));
}

/* The row of A of curvature c of element e, as far as the diagonal, without the factor rho + h drag
 * and without K. */
static inline void helix_fill_row(const super_helix *g, const helix_joint *joints, size_t e,
                                  size_t c, const helix_integrals *own, const helix_beyond *beyond,
                                  real *row)
{
    const helix_joint *joint = &joints[e];
    const real DD[3][3] = {{own->DD.xx, own->DD.xy, own->DD.xz},
                           {own->DD.xy, own->DD.yy, own->DD.yz},
                           {own->DD.xz, own->DD.yz, own->DD.zz}};
    real3 p, L;
    helix_move_beyond(beyond, joint->turn.column[c], joint->lift.column[c], &p, &L);
    real *at = row + g->first + 3 * e;
    for (size_t i = 0; i <= c; i++) {
        at[i] =
            DD[c][i] + (real3_dot(joint->turn.column[i], L) + real3_dot(joint->lift.column[i], p));
    }
    const real3 RD = real33_mul_real3(&joint->R, own->D.column[c]);
    p = real3_add(p, RD);
    L = real3_add(
        L, real3_add(real3_cross(joint->r, RD), real33_mul_real3(&joint->R, own->xD.column[c])));
    for (size_t i = 0; i < e; i++) {
        for (size_t k = 0; k < 3; k++) {
            row[g->first + 3 * i + k] =
                real3_dot(joints[i].turn.column[k], L) + real3_dot(joints[i].lift.column[k], p);
        }
    }
    if (g->first == 0) return;
    row[0] = p.x, row[1] = p.y, row[2] = p.z;
    row[3] = L.x, row[4] = L.y, row[5] = L.z;
}

/* The rows of a free root. */
static inline void helix_fill_root(const helix_beyond *all, size_t n, real *A, real *rhs)
{
    const real_sym3 *rr = &all->rr;
    const real3 r = all->r;
    const real zero = 0.0 * all->length;
    const real rows[6][6] = {
        {all->length},
        {zero, all->length},
        {zero, zero, all->length},
        {zero, -r.z, r.y, rr->yy + rr->zz},
        {r.z, zero, -r.x, -rr->xy, rr->xx + rr->zz},
        {-r.y, r.x, zero, -rr->xz, -rr->yz, rr->xx + rr->yy},
    };
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j <= i; j++) A[i * n + j] = rows[i][j];
    }
    rhs[0] += all->F.x, rhs[1] += all->F.y, rhs[2] += all->F.z;
    rhs[3] += all->rF.x, rhs[4] += all->rF.y, rhs[5] += all->rF.z;
}

/* The elastic part of curvature c of element e. */
static inline void helix_add_own(const helix_step *step, size_t e, size_t c, real length,
                                 real *diagonal, real *rhs)
{
    const super_helix *g = step->batch.g;
    const reduced_rod_state s = super_helix_view(g, step->batch.state, step->batch.body);
    const size_t at = 3 * e + c, row = 3 * (size_t)g->elements, stride = g->base.state_count;
    const real q = real_gather(s.q + g->first + at, stride);
    const real rate = real_gather(s.v + g->first + at, stride);
    const real natural = real_gather(g->natural + step->batch.body * row + at, row);
    if (step->in->brake) {
        const real brake = real_gather(step->in->brake + step->batch.body, 1);
        *diagonal += brake * (step->in->h * step->in->h * (length * step->matter.stiffness[c]));
    }
    helix_add_elastic(&step->matter, c, step->in->h, length, helix_scale(&step->batch, e),
                      q - natural, rate, diagonal, rhs);
}

/* The section's inertia against turns of a free root. */
static inline void helix_add_root_section(const helix_step *step, real length, real *A, real *rhs)
{
    const super_helix *g = step->batch.g;
    const reduced_rod_state s = super_helix_view(g, step->batch.state, step->batch.body);
    const real section = 0.5 * step->matter.density * step->matter.radius2 * length;
    for (size_t i = 3; i < 6; i++) {
        A[i * g->base.unknowns + i] += section;
        rhs[i] += section * real_gather(s.v + i, g->base.state_count);
    }
}

/* A (n x n, its lower triangle) and the right hand side, which comes with what loads gave. */
static inline void helix_assemble(const helix_step *step, const helix_joint *joints,
                                  const helix_memory *memory, real *A, real *rhs)
{
    const super_helix *g = step->batch.g;
    const size_t n = g->base.unknowns;
    helix_beyond beyond = {0};
    for (size_t e = g->elements; e-- > 0;) {
        const helix_momentum wanted = helix_wanted(step, e, &joints[e], &memory[e]);
        const real length = helix_length(&step->batch, e);
        const helix_integrals own = helix_integrate(joints[e].kappa, length, &wanted);
        const real DF[3] = {own.DF.x, own.DF.y, own.DF.z};
        for (size_t c = 0; c < 3; c++) {
            const size_t i = g->first + 3 * e + c;
            real *row = A + i * n;
            helix_fill_row(g, joints, e, c, &own, &beyond, row);
            for (size_t j = 0; j <= i; j++) row[j] *= step->matter.inertia;
            rhs[i] += DF[c] + (real3_dot(joints[e].turn.column[c], beyond.rF) +
                               real3_dot(joints[e].lift.column[c], beyond.F));
            helix_add_own(step, e, c, length, &row[i], &rhs[i]);
        }
        helix_add_element(&beyond, &joints[e], &own);
    }
    if (g->first == 0) return;
    helix_fill_root(&beyond, n, A, rhs);
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j <= i; j++) A[i * n + j] *= step->matter.inertia;
    }
    helix_add_root_section(step, beyond.length, A, rhs);
}

#endif

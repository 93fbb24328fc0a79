/* SPDX-License-Identifier: Apache-2.0
 *
 * One implicit step of a cloth as a linear system in the velocities v at its end.
 *
 * The theta-scheme, backward Euler for theta = 1, trapezoids for 1/2:
 *     M (v - v_t) = h (theta f(x, v) + (1 - theta) f(x_t, v_t)) + h (weight, loads, air)
 *     x = x_t + h (theta v + (1 - theta) v_t),
 * with f = elastic forces - D v and Rayleigh's damping D = alpha M + beta K_0. K_0 is the material
 * part of K: it does not see motions of the whole, so that damping does not brake them. Around the
 * trial shape x^k that trial velocities v^k lead to, this is A v = b:
 *     A = M + h theta D + h^2 theta^2 K + h G + h^2 theta^2 anchors,
 *     b = M v_t + h (...) + h theta f(x^k) + h^2 theta^2 K v^k,
 * K being made of positive semidefinite elements. v^k = 0 at first; then v^k is what the last
 * system gave. A v^k - b is what is left of the nonlinear equations at v^k.
 *
 * The air pushes a triangle by area |u| (normal u_n + tangential u_t), u = air - velocity, whose
 * |u| and normal are those at t; the part of it across u is lift.
 *
 *     cloth_system_begin(&system, &forcing, threads);
 *     cloth_system_assemble(&system, v_trial, threads);      once per Newton iteration
 *     ... solve system.A v = system.b, with contacts or without
 *     cloth_system_move(&system, v, x_next);
 *
 * Nothing is allocated in a step. Triangles and hinges are computed first, each by itself; then
 * every row of A gathers its own blocks in the order of their numbers. So the bits depend neither
 * on threads nor on who does what, and A is symmetric to the bit.
 */
#ifndef CLOTH_ASSEMBLE_H
#define CLOTH_ASSEMBLE_H

#include "base/pool.h"
#include "cloth/sheet.h"
#include "linalg/bsr3.h"

typedef struct cloth_air {
    const double *velocity;    /* [nodes][3] of the air, m/s; NULL: still */
    double normal, tangential; /* kg/m^3, half the density of air times a coefficient; 0: none */
} cloth_air;

/* All of one step that comes from outside; what is NULL is not there. */
typedef struct cloth_forcing {
    double h, theta;
    double mass_damping, damping; /* alpha, 1/s, and beta, s */
    v3 gravity;
    const double *mass;             /* [nodes] kg, positive */
    const double *x, *v;            /* [nodes][3] at t */
    const double *load;             /* [nodes][3] N */
    const uint8_t *is_known;        /* [nodes] whether the velocity at the end is given */
    const double *v_known;          /* [nodes][3] then this one */
    const double *anchor;           /* [nodes][3] where springs pull nodes to */
    const double *anchor_stiffness; /* [nodes] N/m */
    cloth_air air;
} cloth_forcing;

typedef struct cloth_face_part {
    m3 block[3]; /* [a]: of corners a and a + 1 */
    v3 push[3];  /* on the corners, N s */
    sym3 air;    /* on each corner, kg */
} cloth_face_part;

typedef struct cloth_hinge_part {
    v3 slope[4]; /* gradients of the angle, scaled so that blocks are slope_a slope_b^T */
    double push; /* along the slopes */
} cloth_hinge_part;

/* A node's part in a triangle or a hinge, and where its row keeps the blocks. */
typedef struct cloth_face_place {
    uint32_t face, corner;
    uint32_t slot[2]; /* with corners a + 1 and a + 2 */
} cloth_face_place;

typedef struct cloth_hinge_place {
    uint32_t hinge, corner;
    uint32_t slot[4];
} cloth_hinge_place;

typedef struct cloth_system {
    const allocator *from;
    const cloth_sheet *sheet;
    cloth_forcing forcing; /* of this step */
    bsr3 A;
    double *b;                          /* [nodes][3] */
    double *base, *trial;               /* [nodes][3] what of b stays the same in a step; x^k */
    double *bent, *bending;             /* [hinges] angle from rest and its rate at v^k */
    uint32_t *face_start, *hinge_start; /* [nodes + 1] */
    cloth_face_place *face_place;       /* [3 triangles] by node */
    cloth_hinge_place *hinge_place;     /* [4 hinges] by node */
    cloth_face_part *face;
    cloth_hinge_part *hinge;
    void *memory; /* behind all arrays but those of A */
    size_t memory_size;
} cloth_system;

/* The sheet must outlive the system. */
status cloth_system_create(cloth_system *k, const allocator *from, const cloth_sheet *sheet,
                           error *err);
void cloth_system_destroy(cloth_system *k);

/* Keeps a copy of `forcing`, whose arrays must live as long as the step. */
void cloth_system_begin(cloth_system *k, const cloth_forcing *forcing, pool *threads);

/* Fills A and b around v_trial; NULL: 0. Rows of known nodes are mass times v = v_known, and their
 * columns have moved to the right: to contacts such nodes are bodies with given motion. */
void cloth_system_assemble(cloth_system *k, const double *v_trial, pool *threads);

/* x_next = x_t + h (theta v + (1 - theta) v_t); known nodes go by h v. */
void cloth_system_move(const cloth_system *k, const double *v, double *x_next);

#endif

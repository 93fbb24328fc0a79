/* SPDX-License-Identifier: Apache-2.0 */
#include "fibres_problem.h"

#include <stdlib.h>
#include <string.h>

#include "../validate/space.h"
#include "draw.h"

enum { N = FIBRE_UNKNOWNS, POINTS = 32 };

static const double length = 0.2, curl = 0.004, turns = 40.0; /* m, m, rad */

/* A point of the fibre, s in [0, 1]. */
static vec fibre_point(double s)
{
    return (vec){curl * cos(turns * s), curl * sin(turns * s), -length * s};
}

/* How fast the point at s moves when hinge k turns. */
static vec hinge_velocity(double s, int k)
{
    const double at = (double)k / N;
    if (s <= at) return (vec){0.0, 0.0, 0.0};
    const vec axis = {k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0, k % 3 == 2 ? 1.0 : 0.0};
    return vec_cross(axis, vec_sub(fibre_point(s), fibre_point(at)));
}

/* Mass and an elastic part on the diagonal. */
static void make_inertia(double *A)
{
    for (int p = 0; p < POINTS; p++) {
        const double s = (p + 0.5) / POINTS;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                A[N * i + j] += 1e-5 / POINTS * vec_dot(hinge_velocity(s, i), hinge_velocity(s, j));
            }
        }
    }
    for (int i = 0; i < N; i++) A[(N + 1) * i] += 1e-10;
}

typedef struct frame {
    vec normal, across, along;
} frame;

/* The normal is somewhere across the fibres, at most slightly along them. */
static frame draw_frame(uint64_t *random)
{
    const double angle = draw_between(random, 0.0, SPACE_TURN);
    const vec n = {cos(angle), sin(angle), draw_between(random, -0.3, 0.3)};
    const vec normal = vec_scale(1.0 / vec_norm(n), n), across = {-sin(angle), cos(angle), 0.0};
    return (frame){normal, across, vec_cross(normal, across)};
}

static void make_term(double *H, const frame *f, double s, double sign)
{
    for (int k = 0; k < N; k++) {
        const vec u = hinge_velocity(s, k);
        H[k] = sign * vec_dot(f->normal, u);
        H[N + k] = sign * vec_dot(f->across, u);
        H[2 * N + k] = sign * vec_dot(f->along, u);
    }
}

static uint32_t draw_neighbour(uint64_t *random, uint32_t fibre, uint32_t count, uint32_t row)
{
    const uint32_t steps[4] = {1, row, row + 1, row - 1};
    return (fibre + steps[draw_below(random, 4)]) % count;
}

static void make_contact(const fibres *f, uint64_t *random, uint32_t i, uint32_t row)
{
    const uint32_t fibre = i / FIBRE_CONTACTS;
    const frame axes = draw_frame(random);
    double *H = f->term_H + 6 * N * (size_t)i;
    make_term(H, &axes, draw_between(random, 0.1, 1.0), 1.0);
    make_term(H + 3 * N, &axes, draw_between(random, 0.1, 1.0), -1.0);
    f->term_start[i + 1] = 2 * (i + 1);
    f->term_target[2 * (size_t)i] = fibre;
    f->term_target[2 * (size_t)i + 1] = draw_neighbour(random, fibre, f->bodies, row);
    f->velocity[3 * (size_t)i] = draw_between(random, 0.0, 0.01);
    f->mu[i] = 0.3;
}

static bool allocate(fibres *f)
{
    const size_t bodies = f->bodies, contacts = f->contacts;
    f->body_unknowns = calloc(bodies, sizeof *f->body_unknowns);
    f->body_inertia = calloc(N * N * bodies, sizeof *f->body_inertia);
    f->body_velocity = calloc(N * bodies, sizeof *f->body_velocity);
    f->mu = calloc(contacts, sizeof *f->mu);
    f->velocity = calloc(3 * contacts, sizeof *f->velocity);
    f->term_start = calloc(contacts + 1, sizeof *f->term_start);
    f->term_target = calloc(2 * contacts, sizeof *f->term_target);
    f->term_H = calloc(6 * N * contacts, sizeof *f->term_H);
    return f->body_unknowns && f->body_inertia && f->body_velocity && f->mu && f->velocity &&
           f->term_start && f->term_target && f->term_H;
}

bool fibres_make(fibres *f, uint32_t contacts)
{
    uint64_t random = contacts;
    uint32_t row = 2;
    *f = (fibres){.bodies = (contacts + FIBRE_CONTACTS - 1) / FIBRE_CONTACTS, .contacts = contacts};
    while ((row + 1) * (row + 1) <= f->bodies) row++;
    if (!allocate(f)) return false;
    make_inertia(f->body_inertia);
    for (uint32_t b = 0; b < f->bodies; b++) {
        f->body_unknowns[b] = N;
        memmove(f->body_inertia + N * N * (size_t)b, f->body_inertia, N * N * sizeof(double));
    }
    for (size_t k = 0; k < N * (size_t)f->bodies; k++) {
        f->body_velocity[k] = draw_between(&random, -1.0, 1.0);
    }
    for (uint32_t i = 0; i < contacts; i++) make_contact(f, &random, i, row);
    return true;
}

void fibres_free(fibres *f)
{
    free(f->body_unknowns), free(f->body_inertia), free(f->body_velocity), free(f->mu);
    free(f->velocity), free(f->term_start), free(f->term_target), free(f->term_H);
    *f = (fibres){0};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "nu_problem.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"

static const double STRETCH = 100.0, BEND = 1.0; /* dt^2 k over the mass of a node */
static const double MU = 0.3;
static const double FALL = 1.0, STIR = 0.3, GAP = 0.02; /* m/s */
static const double ON_PLATE = 0.2;                     /* share of the contacts */

/* ---- rods ------------------------------------------------------------------------------------ */

typedef double chain[NU_NODES][NU_NODES];

typedef struct heap {
    double direction[NU_RODS][3];
    double v[NU_RODS][NU_NODES][3]; /* before contact */
    chain along, across;            /* A^-1, the same for all rods */
} heap;

/* Gauss and Jordan; A is positive definite and needs no pivots. */
static void chain_invert(chain A)
{
    for (int k = 0; k < NU_NODES; k++) {
        const double pivot = 1.0 / A[k][k];
        A[k][k] = 1.0;
        for (int j = 0; j < NU_NODES; j++) A[k][j] *= pivot;
        for (int i = 0; i < NU_NODES; i++) {
            if (i == k) continue;
            const double factor = A[i][k];
            A[i][k] = 0.0;
            for (int j = 0; j < NU_NODES; j++) A[i][j] -= factor * A[k][j];
        }
    }
}

/* (I + stiffness sum of d d^T)^-1 over all windows of the chain, d the difference in `stencil`. */
static void chain_make(chain A, const double *stencil, int width, double stiffness)
{
    for (int i = 0; i < NU_NODES; i++) {
        for (int j = 0; j < NU_NODES; j++) A[i][j] = i == j;
    }
    for (int k = 0; k + width <= NU_NODES; k++) {
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) A[k + i][k + j] += stiffness * stencil[i] * stencil[j];
        }
    }
    chain_invert(A);
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalize(double *a)
{
    const double length = sqrt(dot(a, a));
    for (int k = 0; k < 3; k++) a[k] /= length;
}

static void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

/* Rods lie almost flat, as in a heap; the plate is under them, with the normal z. */
static void heap_make(heap *h, uint64_t *state)
{
    static const double first[] = {1.0, -1.0}, second[] = {1.0, -2.0, 1.0};
    chain_make(h->along, first, 2, STRETCH);
    chain_make(h->across, second, 3, BEND);
    for (int rod = 0; rod < NU_RODS; rod++) {
        double *t = h->direction[rod];
        do {
            for (int k = 0; k < 3; k++) t[k] = draw_between(state, -1.0, 1.0);
        } while (dot(t, t) < 0.01 || dot(t, t) > 1.0);
        t[2] *= 0.3;
        normalize(t);
        for (int node = 0; node < NU_NODES; node++) {
            for (int k = 0; k < 3; k++) h->v[rod][node][k] = draw_between(state, -STIR, STIR);
            h->v[rod][node][2] -= FALL;
        }
    }
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* One side of a contact: a point of a rod between two nodes. */
typedef struct side {
    uint32_t rod; /* NU_RODS: the plate */
    double sign;
    double w[NU_NODES];
} side;

typedef struct touch {
    side sides[2];
    double frame[3][3]; /* N, T1, T2 */
} touch;

static side draw_side(uint64_t *state, uint32_t rod, double sign)
{
    side s = {.rod = rod, .sign = sign};
    const double place = draw(state) * (NU_NODES - 1);
    const int node = (int)place;
    s.w[node] = 1.0 - (place - node);
    s.w[node + 1] = place - node;
    return s;
}

static void add_velocity(const heap *h, const side *s, double *v)
{
    for (int node = 0; node < NU_NODES && s->rod < NU_RODS; node++) {
        for (int k = 0; k < 3; k++) v[k] += s->sign * s->w[node] * h->v[s->rod][node][k];
    }
}

/* The normal points to the first side's rod; the two approach each other. */
static void set_frame(const heap *h, touch *c, const double *v)
{
    static const double up[3] = {0.0, 0.0, 1.0};
    const side *a = &c->sides[0], *b = &c->sides[1];
    double *N = c->frame[0];
    if (b->rod < NU_RODS) {
        cross(h->direction[a->rod], h->direction[b->rod], N);
        normalize(N);
    } else {
        for (int k = 0; k < 3; k++) N[k] = up[k];
    }
    if (dot(N, v) > 0.0) {
        for (int k = 0; k < 3; k++) N[k] = -N[k];
    }
    cross(N, h->direction[a->rod], c->frame[1]);
    normalize(c->frame[1]);
    cross(N, c->frame[1], c->frame[2]);
}

static void draw_touch(const heap *h, uint64_t *state, touch *c, double *b)
{
    const uint32_t rod = draw_below(state, NU_RODS);
    const uint32_t other = (rod + 1 + draw_below(state, NU_RODS - 1)) % NU_RODS;
    double v[3] = {0.0};
    c->sides[0] = draw_side(state, rod, 1.0);
    c->sides[1] = draw_side(state, draw(state) < ON_PLATE ? NU_RODS : other, -1.0);
    for (int s = 0; s < 2; s++) add_velocity(h, &c->sides[s], v);
    set_frame(h, c, v);
    for (int k = 0; k < 3; k++) b[k] = dot(c->frame[k], v);
    b[0] += draw_between(state, 0.0, GAP);
}

/* ---- W --------------------------------------------------------------------------------------- */

static double respond(const chain G, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < NU_NODES; i++) {
        for (int j = 0; j < NU_NODES; j++) sum += a[i] * G[i][j] * b[j];
    }
    return sum;
}

static bool add_response(const heap *h, const touch *c, const side *a, const touch *d,
                         const side *b, double *block)
{
    if (a->rod != b->rod || a->rod == NU_RODS) return false;
    const double *t = h->direction[a->rod], sign = a->sign * b->sign;
    const double along = sign * respond(h->along, a->w, b->w);
    const double across = sign * respond(h->across, a->w, b->w);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            block[3 * i + j] += across * dot(c->frame[i], d->frame[j]) +
                                (along - across) * dot(c->frame[i], t) * dot(d->frame[j], t);
        }
    }
    return true;
}

static void fill_rows(const heap *h, const touch *touches, fclib_problem *out)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < out->contacts; i++) {
        for (uint32_t j = 0; j < out->contacts; j++) {
            bool shared = false;
            for (int s = 0; s < 4; s++) {
                shared |= add_response(h, &touches[i], &touches[i].sides[s / 2], &touches[j],
                                       &touches[j].sides[s % 2], out->blocks + 9 * (size_t)at);
            }
            if (shared) out->col[at++] = j;
        }
        out->row_start[i + 1] = at;
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

uint32_t nu_contacts(double nu)
{
    const double contacts = floor(nu * NU_UNKNOWNS / 3.0 + 0.5);
    return contacts > 1.0 ? (uint32_t)contacts : 1;
}

/* Room for a full W: it is nearly that. */
static bool allocate(uint32_t contacts, fclib_problem *out)
{
    const size_t n = contacts;
    *out = (fclib_problem){.contacts = contacts,
                           .row_start = calloc(n + 1, sizeof *out->row_start),
                           .col = calloc(n * n, sizeof *out->col),
                           .blocks = calloc(9 * n * n + 9, sizeof *out->blocks),
                           .b = calloc(3 * n, sizeof *out->b),
                           .mu = calloc(n, sizeof *out->mu)};
    return out->row_start && out->col && out->blocks && out->b && out->mu;
}

bool nu_problem_make(uint32_t contacts, uint32_t seed, fclib_problem *out)
{
    touch *touches = calloc(contacts, sizeof *touches);
    const bool room = allocate(contacts, out) && touches;
    if (room) {
        heap h;
        uint64_t state = (uint64_t)seed << 32 | contacts;
        heap_make(&h, &state);
        for (uint32_t i = 0; i < contacts; i++) {
            draw_touch(&h, &state, &touches[i], out->b + 3 * (size_t)i);
            out->mu[i] = MU;
        }
        fill_rows(&h, touches, out);
    } else {
        fclib_free(out);
    }
    free(touches);
    return room;
}

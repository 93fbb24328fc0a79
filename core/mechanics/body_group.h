/* SPDX-License-Identifier: Apache-2.0
 *
 * A group of equal bodies (rods of one model and element count, rigid bodies of one kind): the one
 * interface by which contacts and the scene see whatever has unknowns of its own.
 *
 * One implicit step of h seconds, for each body with unknowns q, velocities v and inertia A:
 *
 *     predict   A = M + h (damping) + h^2 (stiffness), factored;  A v_free = momentum + h forces
 *     contacts  a material point's velocity is u = H v + u_0 in its frame;  A v = A v_free + H^T r
 *     correct   q, v at t + h
 *
 * A group is const after its creation. A state is one flat block of count * state_count doubles, a
 * work one of count * work_count: predict and correct read one state and write another, and every
 * function takes ranges of bodies, so that a scene can split them over threads. A body's result
 * does not depend on the range it is computed in.
 *
 * Material coordinates X name a point of a body: (s, y, z) for a rod, the arc length and the offset
 * along the axes n1, n2 of the cross-section; (x, y, z) in its own frame for a rigid body.
 */
#ifndef MECHANICS_BODY_GROUP_H
#define MECHANICS_BODY_GROUP_H

#include "base/status.h"
#include "linalg/ldl.h"
#include "math/quat.h"

#include <stdint.h>

/* A force and a moment, in space, at a material point of a body. */
typedef struct body_load {
    uint32_t body;
    v3 at; /* X */
    v3 force, moment;
} body_load;

/* What acts during a step. Stations are the places of a body where the air and fields are sampled:
 * the joints of a rod from root to tip, the centre of a rigid body. */
typedef struct body_input {
    double h;               /* s */
    v3 gravity;             /* m/s^2 */
    const pose *root;       /* [count] of clamped bodies at t + h; NULL: they stay where they are */
    const double *air;      /* [count][stations][3] m/s; NULL: still */
    const double *field;    /* [count][stations][3] m/s^2, beside gravity; NULL: none */
    const body_load *loads; /* [load_count] sorted by body */
    size_t load_count;
    const double *brake; /* [count] of super-helices: resists every change of shape with so many
                            times the stiffness; NULL: nothing does */
} body_input;

typedef struct body_energy {
    double kinetic, elastic, gravity; /* J */
} body_energy;

/* Where a material point is, and how the material is turned there. */
typedef pose body_place;

typedef struct body_group body_group;

typedef struct body_group_ops {
    const char *name, *doc;
    void (*predict)(const body_group *g, const body_input *in, const double *state, double *work,
                    size_t begin, size_t end);
    void (*correct)(const body_group *g, const body_input *in, const double *state,
                    const double *work, const double *v, double *next, size_t begin, size_t end);
    body_place (*place)(const body_group *g, const double *state, uint32_t body, v3 X);
    void (*line)(const body_group *g, const double *state, uint32_t body, const double *s,
                 size_t count, double *x); /* NULL: by place */
    void (*jacobian)(const body_group *g, const double *work, uint32_t body, v3 X, double *linear,
                     double *angular, v3 *v_0, v3 *omega_0);
    body_energy (*energy)(const body_group *g, const body_input *in, const double *state,
                          uint32_t body);
    void (*gradient)(const body_group *g, const body_input *in, const double *state, uint32_t body,
                     double *out);
    void (*settle)(const body_group *g, double *state, uint32_t body); /* NULL: nothing to do */
    /* NULL: there is none */
    void (*relax)(const body_group *g, const body_input *in, double *state, uint32_t body,
                  double *work);
    void (*destroy)(body_group *g);
} body_group_ops;

struct body_group {
    const body_group_ops *ops;
    uint32_t count;    /* bodies */
    uint32_t unknowns; /* of each */
    uint32_t stations;
    ldl_shape shape;    /* of the factors in a body's work; empty: none, and no contacts */
    size_t state_count; /* doubles of a body's state: q [unknowns], v [unknowns], then its own */
    size_t work_count;  /* doubles of a body's work: factors [ldl_count(shape)], v_free [unknowns],
                           then its own */
};

static inline void body_group_destroy(body_group *g)
{
    if (g) g->ops->destroy(g);
}

static inline double *body_q(const body_group *g, double *state, size_t body)
{
    return state + body * g->state_count;
}

static inline double *body_v(const body_group *g, double *state, size_t body)
{
    return state + body * g->state_count + g->unknowns;
}

/* After q or v of a body have been written by hand: what else its state remembers follows. */
static inline void body_settle(const body_group *g, double *state, uint32_t body)
{
    if (g->ops->settle) g->ops->settle(g, state, body);
}

/* The first load of a body, or of one after it. */
static inline size_t body_first_load(const body_input *in, size_t body)
{
    size_t low = 0, high = in->load_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (in->loads[middle].body < body) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* By ldl_factor. */
static inline const double *body_factors(const body_group *g, const double *work, size_t body)
{
    return work + body * g->work_count;
}

static inline const double *body_v_free(const body_group *g, const double *work, size_t body)
{
    return work + body * g->work_count + ldl_count(&g->shape);
}

/* Fills the work of the bodies [begin, end) from their state at t. Everything that follows a work
 * is taken at t: places by it, Jacobians at it. */
static inline void body_predict(const body_group *g, const body_input *in, const double *state,
                                double *work, size_t begin, size_t end)
{
    g->ops->predict(g, in, state, work, begin, end);
}

/* The states at t + h of the bodies [begin, end) that moved with the velocities v
 * [count][unknowns]. */
static inline void body_correct(const body_group *g, const body_input *in, const double *state,
                                const double *work, const double *v, double *next, size_t begin,
                                size_t end)
{
    g->ops->correct(g, in, state, work, v, next, begin, end);
}

static inline body_place body_find_place(const body_group *g, const double *state, uint32_t body,
                                         v3 X)
{
    return g->ops->place(g, state, body, X);
}

/* Where the points (s, 0, 0) of a body are, x [count][3]; s must not fall. The bits are those of
 * body_find_place. */
static inline void body_find_line(const body_group *g, const double *state, uint32_t body,
                                  const double *s, size_t count, double *x)
{
    if (g->ops->line) {
        g->ops->line(g, state, body, s, count, x);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        v3_store(x + 3 * k, body_find_place(g, state, body, (v3){s[k], 0.0, 0.0}).position);
    }
}

/* The velocity of a material point, linear = H v + v_0, and of its material, angular = H' v +
 * omega_0, in space: 3 x unknowns each, row by row. v_0 and omega_0 are what a moving root adds.
 * angular may be NULL. */
static inline void body_jacobian(const body_group *g, const double *work, uint32_t body, v3 X,
                                 double *linear, double *angular, v3 *v_0, v3 *omega_0)
{
    g->ops->jacobian(g, work, body, X, linear, angular, v_0, omega_0);
}

static inline body_energy body_get_energy(const body_group *g, const body_input *in,
                                          const double *state, uint32_t body)
{
    return g->ops->energy(g, in, state, body);
}

/* The slope of the potential energy (elastic, gravity, field, loads as dead ones) over q: zero
 * where the body is in equilibrium. */
static inline void body_gradient(const body_group *g, const body_input *in, const double *state,
                                 uint32_t body, double *out)
{
    g->ops->gradient(g, in, state, body, out);
}

/* Brings one body nearer to rest, without raising its potential energy; roots stay where they are.
 * `work` [work_count] is scratch. */
static inline void body_relax(const body_group *g, const body_input *in, double *state,
                              uint32_t body, double *work)
{
    if (g->ops->relax) g->ops->relax(g, in, state, body, work);
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the super-helix share: the model, and where things are in a state and a work.
 */
#ifndef RODS_SUPER_HELIX_GROUP_H
#define RODS_SUPER_HELIX_GROUP_H

#include "rods/reduced_rod_state.h"
#include "rods/rod.h"

typedef struct super_helix super_helix;

/* Predicts `width` rods at once. */
typedef struct super_helix_batch {
    size_t width;
    void (*predict)(const super_helix *g, const body_input *in, const double *state, double *work,
                    size_t body);
} super_helix_batch;

struct super_helix {
    body_group base;
    const allocator *from;
    size_t size; /* of this block: the arrays follow the struct */
    uint32_t elements;
    uint32_t first;         /* unknown of the first curvature: 0, or 6 after those of a free root */
    double *lengths;        /* [rods][elements] */
    double *natural;        /* [rods][elements][3] */
    double *scale;          /* [rods][elements] on the stiffnesses */
    rod_material *material; /* [rods] */
    super_helix_batch batch;
};

static inline const super_helix *super_helix_of(const body_group *g)
{
    return (const super_helix *)g;
}

static inline reduced_rod_state super_helix_view(const super_helix *g, const double *state,
                                                 size_t body)
{
    return reduced_rod_split_state(state + body * g->base.state_count, g->elements, g->first);
}

/* A work: factors, v_free, then in doubles */
enum {
    SUPER_HELIX_ROOT = 9,    /* the root's position, velocity, angular velocity */
    SUPER_HELIX_JOINT = 33,  /* helix_joint of every element (super_helix_motion.h) */
    SUPER_HELIX_MEMORY = 21, /* helix_memory of every element, for rods taken one at a time */
};

static inline double *super_helix_work_root(const super_helix *g, const double *work, size_t body)
{
    return (double *)body_v_free(&g->base, work, body) + g->base.unknowns;
}

static inline double *super_helix_work_joints(const super_helix *g, const double *work, size_t body)
{
    return super_helix_work_root(g, work, body) + SUPER_HELIX_ROOT;
}

/* The motion of the root during the step; zero if it is free. */
reduced_rod_root super_helix_move_root(const super_helix *g, const body_input *in,
                                       const double *state, size_t body);

/* out += the generalised force of the loads on a body. */
void super_helix_add_loads(const super_helix *g, const body_input *in, const double *state,
                           size_t body, double *out);

/* One rod, or two or four side by side from `body` on, with the same bits. Several only up to so
 * many elements: their matrices are on the stack. */
enum { SUPER_HELIX_LANES_ELEMENTS = 16 };

void super_helix_predict_one(const super_helix *g, const body_input *in, const double *state,
                             double *work, size_t body);
void super_helix_predict_two(const super_helix *g, const body_input *in, const double *state,
                             double *work, size_t body);
void super_helix_predict_four(const super_helix *g, const body_input *in, const double *state,
                              double *work, size_t body);

/* The widest of these that this processor runs at full speed. */
super_helix_batch super_helix_widest_batch(void);

/* The functions of body_group.h. */
body_place super_helix_find_place(const body_group *g, const double *state, uint32_t body, v3 X);
void super_helix_find_line(const body_group *g, const double *state, uint32_t body, const double *s,
                           size_t count, double *x);
void super_helix_jacobian(const body_group *g, const double *work, uint32_t body, v3 X,
                          double *linear, double *angular, v3 *v_0, v3 *omega_0);
body_energy super_helix_energy(const body_group *g, const body_input *in, const double *state,
                               uint32_t body);
void super_helix_gradient(const body_group *g, const body_input *in, const double *state,
                          uint32_t body, double *out);

#endif

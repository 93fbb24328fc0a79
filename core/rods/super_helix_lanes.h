/* SPDX-License-Identifier: Apache-2.0
 *
 * REAL_LANES rods side by side: computed on the stack, then handed to their works.
 */
#ifndef RODS_SUPER_HELIX_LANES_H
#define RODS_SUPER_HELIX_LANES_H

#include "linalg/ldl_lanes.h"
#include "rods/super_helix_predict.h"

enum { HELIX_ELEMENTS = SUPER_HELIX_LANES_ELEMENTS, HELIX_UNKNOWNS = 6 + 3 * HELIX_ELEMENTS };

static inline void helix_scatter(double *to, size_t stride, const real *from, size_t count)
{
    for (size_t k = 0; k < REAL_LANES; k++) {
        for (size_t i = 0; i < count; i++) to[k * stride + i] = real_lane(&from[i], k);
    }
}

static inline void helix_gather_loads(const helix_step *step, real *rhs)
{
    const helix_batch *batch = &step->batch;
    const size_t n = batch->g->base.unknowns;
    for (size_t i = 0; i < n; i++) rhs[i] = (real){0};
    if (step->in->load_count == 0) return;
    for (size_t k = 0; k < REAL_LANES; k++) {
        double force[HELIX_UNKNOWNS] = {0};
        super_helix_add_loads(batch->g, step->in, batch->state, batch->body + k, force);
        for (size_t i = 0; i < n; i++) real_set_lane(&rhs[i], k, force[i] * step->in->h);
    }
}

static inline void helix_predict_lanes(const super_helix *g, const body_input *in,
                                       const double *state, double *work, size_t body)
{
    const size_t n = g->base.unknowns, stride = g->base.work_count;
    real A[HELIX_UNKNOWNS * HELIX_UNKNOWNS], v_free[HELIX_UNKNOWNS];
    helix_joint joints[HELIX_ELEMENTS];
    helix_memory memory[HELIX_ELEMENTS];
    helix_step step = helix_begin_step(g, in, state, body);
    helix_begin_root(&step, work);
    helix_find_joints(&step.batch, joints);
    helix_find_memory(&step.batch, joints, memory);
    helix_gather_loads(&step, v_free);
    helix_assemble(&step, joints, memory, A, v_free);
    ldl_lanes_factor(n, A);
    ldl_lanes_solve(n, A, v_free);
    double *first = work + body * stride;
    for (size_t i = 0; i < n; i++) helix_scatter(first + i * n, stride, A + i * n, i + 1);
    helix_scatter(first + ldl_count(&g->base.shape), stride, v_free, n);
    helix_scatter(super_helix_work_joints(g, work, body), stride, (const real *)joints,
                  g->elements * (size_t)SUPER_HELIX_JOINT);
}

#endif

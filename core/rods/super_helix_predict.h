/* SPDX-License-Identifier: Apache-2.0
 *
 * What predict does before and after assembly, over `real`.
 */
#ifndef RODS_SUPER_HELIX_PREDICT_H
#define RODS_SUPER_HELIX_PREDICT_H

#include "rods/super_helix_assembly.h"

/* Writes the root's place and motion to the works, and takes the motion into the step. */
static inline void helix_begin_root(helix_step *step, double *work)
{
    const helix_batch *batch = &step->batch;
    const size_t stride = batch->g->base.work_count;
    double *root = super_helix_work_root(batch->g, work, batch->body);
    for (size_t k = 0; k < REAL_LANES; k++) {
        const size_t body = batch->body + k;
        const reduced_rod_state s = super_helix_view(batch->g, batch->state, body);
        const reduced_rod_root moved =
            super_helix_move_root(batch->g, step->in, batch->state, body);
        v3_store(root + k * stride, s.root->position);
        v3_store(root + k * stride + 3, moved.velocity);
        v3_store(root + k * stride + 6, moved.spin);
    }
    step->root_v = real3_gather(root + 3, stride);
    step->root_w = real3_gather(root + 6, stride);
}

#endif

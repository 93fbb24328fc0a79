/* SPDX-License-Identifier: Apache-2.0
 *
 * One rod: everything is computed where it stays, in its work.
 */
#define REAL_LANES 1
#include "rods/super_helix_predict.h"

_Static_assert(sizeof(helix_joint) == SUPER_HELIX_JOINT * sizeof(double), "its place in a work");
_Static_assert(sizeof(helix_memory) == SUPER_HELIX_MEMORY * sizeof(double), "its place in a work");

void super_helix_predict_one(const super_helix *g, const body_input *in, const double *state,
                             double *work, size_t body)
{
    const size_t n = g->base.unknowns;
    double *A = work + body * g->base.work_count;
    double *v_free = A + ldl_count(&g->base.shape);
    helix_joint *joints = (helix_joint *)super_helix_work_joints(g, work, body);
    helix_memory *memory = (helix_memory *)(joints + g->elements);
    helix_step step = helix_begin_step(g, in, state, body);
    helix_begin_root(&step, work);
    helix_find_joints(&step.batch, joints);
    helix_find_memory(&step.batch, joints, memory);
    for (size_t i = 0; i < n; i++) v_free[i] = 0.0;
    super_helix_add_loads(g, in, state, body, v_free);
    for (size_t i = 0; i < n; i++) v_free[i] *= in->h;
    helix_assemble(&step, joints, memory, A, v_free);
    if (ldl_factor(&g->base.shape, A, NULL)) {
        ldl_solve(&g->base.shape, A, v_free);
    } else {
        for (size_t i = 0; i < n; i++) v_free[i] = NAN;
    }
}

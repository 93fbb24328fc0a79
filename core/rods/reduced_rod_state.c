/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/reduced_rod_state.h"

#include "math/so3.h"

#include <string.h>

void reduced_rod_rest(double *state, size_t triples, size_t first, const pose *root,
                      const double *kappa)
{
    const reduced_rod_state s = reduced_rod_split_state(state, triples, first);
    memset(state, 0, reduced_rod_state_count(triples, first) * sizeof(double));
    memcpy(s.q + first, kappa, 3 * sizeof(double) * triples);
    memcpy(s.last, kappa, 3 * sizeof(double) * triples);
    *s.root = *s.last_root = *root;
}

void reduced_rod_settle(const reduced_rod_state *s, size_t triples, size_t first)
{
    memcpy(s->last, s->q + first, 3 * sizeof(double) * triples);
}

reduced_rod_root reduced_rod_move_root(const pose *from, const pose *to, double h)
{
    const v3 zero = {0.0, 0.0, 0.0};
    if (!to) return (reduced_rod_root){zero, zero};
    const quat turn = quat_mul(to->rotation, quat_conjugate(from->rotation));
    return (reduced_rod_root){
        v3_scale(1.0 / h, v3_sub(to->position, from->position)),
        v3_scale(1.0 / h, so3_log(turn)),
    };
}

/* Where a free root is at t + h. */
static pose carry_root(const pose *now, const double *v, double h)
{
    const quat turn = so3_exp(v3_scale(h, v3_load(v + 3)));
    return (pose){v3_add_scaled(now->position, h, v3_load(v)),
                  quat_normalize(quat_mul(turn, now->rotation))};
}

void reduced_rod_advance(const reduced_rod_state *now, const reduced_rod_state *then,
                         size_t triples, size_t first, const reduced_rod_move *by)
{
    const size_t n = first + 3 * triples;
    const pose root = *now->root; /* next may be the state itself */
    memcpy(then->last, now->q + first, 3 * sizeof(double) * triples);
    for (size_t i = 0; i < first; i++) then->q[i] = 0.0;
    for (size_t i = first; i < n; i++) then->q[i] = now->q[i] + by->h * by->v[i];
    memcpy(then->v, by->v, n * sizeof(double));
    *then->last_root = root;
    if (first) {
        *then->root = carry_root(&root, by->v, by->h);
    } else {
        *then->root = by->root ? *by->root : root;
        memcpy(then->root_motion, by->root_motion, 6 * sizeof(double));
    }
}

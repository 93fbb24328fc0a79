/* SPDX-License-Identifier: Apache-2.0 */
#define REAL_LANES 1
#include "rods/helix_tree_parts.h"

static double elastic_energy(const helix_matter *m, double length, const double *q,
                             const double *natural)
{
    double sum = 0.0;
    for (size_t c = 0; c < 3; c++) {
        sum += m->stiffness[c] * (q[c] - natural[c]) * (q[c] - natural[c]);
    }
    return 0.5 * length * sum;
}

/* With the velocity of its beginning in the frame of then, as all else is. */
static helix_memory in_frame_of_then(const helix_memory *m)
{
    helix_memory own = *m;
    own.velocity = real33_tmul_real3(&m->Q, m->velocity);
    return own;
}

body_energy helix_tree_energy(const helix_tree *t, const body_input *in, const double *state,
                              double *work)
{
    const helix_tree_work w = helix_tree_split_work(t, work);
    const super_helix_state s = helix_tree_view(t, state);
    const v3 spin = t->first ? v3_load(s.root_motion + 3) : (v3){0.0, 0.0, 0.0};
    body_input weight = *in; /* alone, as an impulse of one second */
    weight.h = 1.0;
    weight.air = NULL;
    body_energy sum = {0};
    helix_tree_find_frames(t, state, &w);
    for (size_t e = 0; e < t->elements; e++) {
        const helix_branch *b = &w.branches[e];
        const helix_matter m = helix_gather_matter(&t->material[e], 1.0);
        const helix_memory then = in_frame_of_then(&b->memory);
        const helix_ends force = helix_tree_forces(t, &weight, &m, e);
        const double length = t->lengths[e];
        helix_joint joint = b->joint;
        joint.r = real3_add(w.stations[t->begin[e]].r, real3_gather(&s.root->position.x, 1));
        sum.kinetic += helix_kinetic_energy(&m, &then, length) +
                       0.25 * m.density * m.radius2 * length * v3_dot(spin, spin);
        sum.elastic += elastic_energy(&m, length, s.q + t->first + 3 * e, t->natural + 3 * e);
        sum.gravity += helix_potential_energy(&joint, length, force.begin, force.end);
    }
    return sum;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The energy of a tree of helices, and its slope: what acts beyond an element is a wrench at its
 * end, which meets the motions of its curvatures and goes on to its beginning.
 */
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

/* The forces of weight and fields, as impulses of one second. */
static body_input only_weight(const body_input *in)
{
    body_input weight = *in;
    weight.h = 1.0;
    weight.air = NULL;
    return weight;
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
    const reduced_rod_state s = helix_tree_view(t, state);
    const v3 spin = t->first ? v3_load(s.root_motion + 3) : (v3){0.0, 0.0, 0.0};
    const body_input weight = only_weight(in);
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

/* Weight and fields of element e, by the integrals of a step in which nothing moves. */
static helix_integrals weigh(const helix_tree *t, const body_input *weight, const helix_branch *b,
                             size_t e)
{
    const helix_matter m = helix_gather_matter(&t->material[e], 1.0);
    const helix_ends force = helix_tree_forces(t, weight, &m, e);
    const helix_memory still = {0};
    const helix_momentum wanted = {
        .constant = real33_tmul_real3(&b->joint.R, force.begin),
        .linear = real33_tmul_real3(&b->joint.R, real3_sub(force.end, force.begin)),
        .memory = &still,
    };
    return helix_integrate(b->joint.kappa, t->lengths[e], &wanted);
}

/* The slopes of element e; the wrench on all beyond goes on to its beginning, with its own. */
static void find_slopes(const helix_tree *t, const body_input *weight, const helix_tree_work *w,
                        const double *q, size_t e, double out[3])
{
    const helix_branch *b = &w->branches[e];
    const rod_material *m = &t->material[e];
    const double stiffness[3] = {m->twist, m->bend[0], m->bend[1]};
    const helix_integrals own = weigh(t, weight, b, e);
    const double DF[3] = {own.DF.x, own.DF.y, own.DF.z};
    const wrench beyond = wrench_move(w->stations[e + 1].force, b->end);
    for (size_t c = 0; c < 3; c++) {
        const double pull = wrench_power(beyond, helix_motion_of(&b->joint, c)) + DF[c];
        out[c] = stiffness[c] * t->lengths[e] * (q[c] - t->natural[3 * e + c]) - pull - b->pull[c];
    }
    const wrench weighed = {real33_mul_real3(&b->joint.R, own.F),
                            real33_mul_real3(&b->joint.R, own.xF)};
    wrench *begin = &w->stations[t->begin[e]].force;
    *begin = wrench_add_scaled(*begin, 1.0, beyond);
    *begin = wrench_add_scaled(*begin, 1.0, weighed);
    *begin = wrench_add_scaled(*begin, 1.0, b->load);
}

void helix_tree_gradient(const helix_tree *t, const body_input *in, const double *state,
                         double *work, double *out)
{
    const helix_tree_work w = helix_tree_split_work(t, work);
    const double *q = helix_tree_view(t, state).q + t->first;
    const body_input weight = only_weight(in);
    helix_tree_find_frames(t, state, &w);
    helix_tree_take_loads(t, in, &w);
    for (size_t e = t->elements; e-- > 0;) {
        find_slopes(t, &weight, &w, q + 3 * e, e, out + t->first + 3 * e);
    }
    if (t->first == 0) return;
    const wrench sum = w.stations[0].force;
    out[0] = -sum.force.x, out[1] = -sum.force.y, out[2] = -sum.force.z;
    out[3] = -sum.moment.x, out[4] = -sum.moment.y, out[5] = -sum.moment.z;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Forces and energies of one super-helix.
 *
 * Forces are collected from tip to root: the force and its moment about the root of all that acts
 * beyond an element meet the motions `turn` and `lift` of its curvatures; what acts within it meets
 * its slopes. Frames are carried from the tip back, so that nothing need be stored.
 */
#define REAL_LANES 1
#include "rods/reduced_rod.h"
#include "rods/super_helix_assembly.h"
#include "rods/super_helix_point.h"

static const real3 ZERO = {0.0, 0.0, 0.0};

/* The loads in element e: to its own curvatures and to the wrench. */
static wrench pull_by_loads(const super_helix *g, const body_input *in, size_t body, size_t e,
                            const helix_joint *joint, wrench sum, double own[3])
{
    const double *lengths = g->lengths + body * g->elements;
    for (size_t i = body_first_load(in, body); i < in->load_count && in->loads[i].body == body;
         i++) {
        const body_load *load = &in->loads[i];
        double s = load->at.x;
        if (reduced_rod_find_element(lengths, g->elements, &s) != e) continue;
        sum = helix_pull(joint, s, load, sum, own);
    }
    return sum;
}

/* Weight and fields of element e, by the integrals of the step with 1 for h and nothing moving. */
static wrench pull_by_weight(const helix_step *step, size_t e, const helix_joint *joint, wrench sum,
                             double own[3])
{
    const helix_memory still = {0};
    helix_momentum wanted = helix_wanted(step, e, joint, &still);
    const helix_integrals in =
        helix_integrate(joint->kappa, helix_length(&step->batch, e), &wanted);
    own[0] += in.DF.x, own[1] += in.DF.y, own[2] += in.DF.z;
    return wrench_add(sum, joint->r, real33_mul_real3(&joint->R, in.F),
                      real33_mul_real3(&joint->R, in.xF));
}

/* The frame and the place, from the root, of the tip. */
static void find_tip(const helix_batch *batch, const double *kappa, real33 *R, real3 *r)
{
    *R = helix_root_frame(batch, super_helix_view(batch->g, batch->state, batch->body).root);
    *r = ZERO;
    for (size_t e = 0; e < batch->g->elements; e++) {
        helix_pass_element(real3_gather(kappa + 3 * e, 1), helix_length(batch, e), R, r);
    }
}

/* Element e from its end at R, r, which go back to its beginning. */
static helix_joint pass_back(real3 kappa, real length, real33 *R, real3 *r)
{
    const helix back = helix_at(kappa, length);
    const real33 F = helix_frame(&back);
    const real33 inverse = spatial_transpose(&F);
    *R = real33_mul(R, &inverse);
    *r = real3_sub(*r, real33_mul_real3(R, helix_point(&back)));
    real33 end_R = *R;
    real3 end_r = *r;
    return helix_pass_element(kappa, length, &end_R, &end_r);
}

/* out += the generalised force of the loads, and of weight and fields if there is a step. */
static void add_forces(const helix_batch *batch, const body_input *in, const helix_step *step,
                       double *out)
{
    const super_helix *g = batch->g;
    const double *kappa = super_helix_view(g, batch->state, batch->body).q + g->first;
    wrench sum = {ZERO, ZERO};
    real33 R;
    real3 r;
    find_tip(batch, kappa, &R, &r);
    for (size_t e = g->elements; e-- > 0;) {
        const real3 k = real3_gather(kappa + 3 * e, 1);
        const helix_joint joint = pass_back(k, helix_length(batch, e), &R, &r);
        double *own = out + g->first + 3 * e;
        for (size_t c = 0; c < 3; c++) {
            own[c] += real3_dot(joint.turn.column[c], sum.moment) +
                      real3_dot(joint.lift.column[c], sum.force);
        }
        sum = pull_by_loads(g, in, batch->body, e, &joint, sum, own);
        if (step) sum = pull_by_weight(step, e, &joint, sum, own);
    }
    if (g->first == 0) return;
    out[0] += sum.force.x, out[1] += sum.force.y, out[2] += sum.force.z;
    out[3] += sum.moment.x, out[4] += sum.moment.y, out[5] += sum.moment.z;
}

void super_helix_add_loads(const super_helix *g, const body_input *in, const double *state,
                           size_t body, double *out)
{
    const size_t first = body_first_load(in, body);
    if (first == in->load_count || in->loads[first].body != body) return;
    const helix_batch batch = {g, state, body};
    add_forces(&batch, in, NULL, out);
}

/* The derivative of the elastic energy over curvature i. */
static double elastic_slope(const super_helix *g, const double *q, size_t body, size_t i)
{
    const rod_material *m = &g->material[body];
    const double stiffness[3] = {m->twist, m->bend[0], m->bend[1]};
    const size_t at = body * g->elements * 3 + i;
    return g->scale[at / 3] * stiffness[i % 3] * g->lengths[at / 3] *
           (q[g->first + i] - g->natural[at]);
}

/* The forces of weight and fields alone, as impulses of one second. */
static body_input only_weight(const body_input *in)
{
    body_input weight = *in;
    weight.h = 1.0;
    weight.air = NULL;
    return weight;
}

void super_helix_gradient(const body_group *base, const body_input *in, const double *state,
                          uint32_t body, double *out)
{
    const super_helix *g = super_helix_of(base);
    const double *q = super_helix_view(g, state, body).q;
    const body_input weight = only_weight(in);
    const helix_step step = helix_begin_step(g, &weight, state, body);
    for (size_t i = 0; i < base->unknowns; i++) out[i] = 0.0;
    add_forces(&step.batch, in, &step, out);
    for (size_t i = 0; i < base->unknowns; i++) out[i] = -out[i];
    for (size_t i = 0; i < 3 * (size_t)g->elements; i++) {
        out[g->first + i] += elastic_slope(g, q, body, i);
    }
}

static double kinetic_energy(const helix_step *step)
{
    const helix_batch *batch = &step->batch;
    const super_helix *g = batch->g;
    const helix_matter *m = &step->matter;
    helix_carriage at = helix_root_carriage(batch);
    const double spin2 = g->first ? real3_dot(at.spin, at.spin) : 0.0;
    double sum = 0.0;
    for (size_t e = 0; e < g->elements; e++) {
        const real33 R = at.R;
        const helix_memory memory = helix_recall(batch, e, &R, &at);
        const double length = helix_length(batch, e);
        sum += helix_kinetic_energy(m, &memory, length);
        sum += 0.25 * m->density * m->radius2 * length * spin2;
    }
    return sum;
}

static double weight_energy(const helix_step *step)
{
    const helix_batch *batch = &step->batch;
    const reduced_rod_state s = super_helix_view(batch->g, batch->state, batch->body);
    real33 R = helix_root_frame(batch, s.root);
    real3 r = real3_gather(&s.root->position.x, 1);
    double sum = 0.0;
    for (size_t e = 0; e < batch->g->elements; e++) {
        const double length = helix_length(batch, e);
        const real3 kappa = helix_state3(batch, s.q + batch->g->first + 3 * e);
        const helix_joint joint = helix_pass_element(kappa, length, &R, &r);
        sum += helix_potential_energy(&joint, length, helix_forcing(step, e),
                                      helix_forcing(step, e + 1));
    }
    return sum;
}

body_energy super_helix_energy(const body_group *base, const body_input *in, const double *state,
                               uint32_t body)
{
    const super_helix *g = super_helix_of(base);
    const double *q = super_helix_view(g, state, body).q;
    const double *natural = g->natural + (size_t)body * 3 * g->elements;
    const body_input weight = only_weight(in);
    const helix_step step = helix_begin_step(g, &weight, state, body);
    body_energy energy = {.kinetic = kinetic_energy(&step), .gravity = weight_energy(&step)};
    for (size_t i = 0; i < 3 * (size_t)g->elements; i++) {
        energy.elastic += 0.5 * elastic_slope(g, q, body, i) * (q[g->first + i] - natural[i]);
    }
    return energy;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Forces and energies of one super-clothoid.
 *
 * Forces are collected from tip to root: the force and its moment about the root of all that acts
 * beyond an element meet the screws of its ends; what acts within it meets their beginnings. Frames
 * are carried from the tip back, so that nothing need be stored.
 */
#include "rods/super_clothoid_integrals.h"

/* A force and its moment about the root. */
typedef struct wrench {
    v3 force, moment;
} wrench;

static const v3 ZERO = {0.0, 0.0, 0.0};

/* drag air + rho (gravity + field) at a station. */
static v3 force_at(const clothoid_rod *rod, const body_input *in, size_t station)
{
    const size_t at = 3 * (rod->body * rod->g->base.stations + station);
    v3 force = v3_scale(rod->material->density, in->gravity);
    if (in->field) force = v3_add_scaled(force, rod->material->density, v3_load(in->field + at));
    if (in->air) force = v3_add_scaled(force, rod->material->drag, v3_load(in->air + at));
    return force;
}

clothoid_forcing super_clothoid_forcing(const clothoid_rod *rod, const body_input *in, size_t e)
{
    return (clothoid_forcing){force_at(rod, in, e), force_at(rod, in, e + 1)};
}

static wrench wrench_add(wrench a, v3 r, v3 force, v3 moment)
{
    return (wrench){v3_add(a.force, force), v3_add(a.moment, v3_add(v3_cross(r, force), moment))};
}

/* own += what a wrench does with the screws of both ends. */
static void pull(const v3 turn[6], const v3 lift[6], wrench w, double own[6])
{
    for (size_t i = 0; i < 6; i++) own[i] += v3_dot(turn[i], w.moment) + v3_dot(lift[i], w.force);
}

/* The loads in element e: to its own ends and to the wrench. */
static wrench pull_by_loads(const clothoid_rod *rod, const body_input *in, size_t e,
                            const clothoid_element *element, wrench sum, double own[6])
{
    for (size_t i = body_first_load(in, rod->body);
         i < in->load_count && in->loads[i].body == rod->body; i++) {
        const body_load *load = &in->loads[i];
        const v3 X = load->at;
        double s = X.x;
        if (reduced_rod_find_element(rod->lengths, rod->g->elements, &s) != e) continue;
        const clothoid_point at = clothoid_at(&element->curve, s);
        const v3 x = v3_add(at.x, m3_mul_v3(&at.R, (v3){0.0, X.y, X.z}));
        const v3 r = v3_add(element->r, m3_mul_v3(&element->R, x));
        v3 turn[6], lift[6];
        super_clothoid_spread(&at, &element->R, element->r, turn, lift);
        pull(turn, lift, wrench_add((wrench){ZERO, ZERO}, r, load->force, load->moment), own);
        sum = wrench_add(sum, r, load->force, load->moment);
    }
    return sum;
}

/* Weight and fields of element e. */
static wrench pull_by_weight(const clothoid_rod *rod, const body_input *in, size_t e,
                             const clothoid_element *element, wrench sum, double own[6])
{
    const clothoid_forcing force = super_clothoid_forcing(rod, in, e);
    const clothoid_momentum wanted = {.begin = m3_tmul_v3(&element->R, force.begin),
                                      .end = m3_tmul_v3(&element->R, force.end)};
    clothoid_integrals within;
    super_clothoid_integrate(&element->curve, &wanted, &within);
    for (size_t i = 0; i < 6; i++) own[i] += within.DF[i];
    return wrench_add(sum, element->r, m3_mul_v3(&element->R, within.F),
                      m3_mul_v3(&element->R, within.xF));
}

/* The frame and the place, from the root, of the tip. */
static void find_tip(const clothoid_rod *rod, m3 *R, v3 *r)
{
    *R = quat_to_m3(rod->is.root->rotation);
    *r = ZERO;
    for (size_t e = 0; e < rod->g->elements; e++) {
        const clothoid curve = super_clothoid_curve(rod, rod->is.q + rod->g->first, e);
        super_clothoid_pass(&curve, R, r);
    }
}

void super_clothoid_add_forces(const clothoid_rod *rod, const body_input *in, bool weight,
                               double *out)
{
    const super_clothoid *g = rod->g;
    const size_t load = body_first_load(in, rod->body);
    const bool loaded = load < in->load_count && in->loads[load].body == rod->body;
    if (!loaded && !weight) return;
    wrench sum = {ZERO, ZERO};
    m3 R;
    v3 r;
    find_tip(rod, &R, &r);
    for (size_t e = g->elements; e-- > 0;) {
        const clothoid curve = super_clothoid_curve(rod, rod->is.q + g->first, e);
        const clothoid_element element = super_clothoid_pass_back(&curve, &R, &r);
        double *own = out + g->first + 3 * e;
        pull(element.turn, element.lift, sum, own);
        sum = pull_by_loads(rod, in, e, &element, sum, own);
        if (weight) sum = pull_by_weight(rod, in, e, &element, sum, own);
    }
    if (g->first == 0) return;
    out[0] += sum.force.x, out[1] += sum.force.y, out[2] += sum.force.z;
    out[3] += sum.moment.x, out[4] += sum.moment.y, out[5] += sum.moment.z;
}

/* What is not weight nor field. */
static body_input without_air(const body_input *in)
{
    body_input still = *in;
    still.air = NULL;
    return still;
}

/* The slopes of the elastic energy of element e over the curvature c at its ends; its energy. */
static double stretch_ends(const clothoid_rod *rod, size_t e, size_t c, double slope[2])
{
    const rod_material *m = rod->material;
    const double stiffness[3] = {m->twist, m->bend[0], m->bend[1]};
    const double *q = rod->is.q + rod->g->first + 3 * e + c, *natural = rod->natural + 3 * e + c;
    const double a = q[0] - natural[0], b = q[3] - natural[3];
    const double k = rod->lengths[e] * stiffness[c] / 6.0;
    slope[0] = k * (2.0 * a + b);
    slope[1] = k * (a + 2.0 * b);
    return 0.5 * (a * slope[0] + b * slope[1]);
}

void super_clothoid_gradient(const body_group *base, const body_input *in, const double *state,
                             uint32_t body, double *out)
{
    const super_clothoid *g = super_clothoid_of(base);
    const clothoid_rod rod = super_clothoid_rod(g, state, body);
    const body_input still = without_air(in);
    for (size_t i = 0; i < base->unknowns; i++) out[i] = 0.0;
    super_clothoid_add_forces(&rod, &still, true, out);
    for (size_t i = 0; i < base->unknowns; i++) out[i] = -out[i];
    for (size_t i = 0; i < 3 * (size_t)g->elements; i++) {
        double slope[2];
        stretch_ends(&rod, i / 3, i % 3, slope);
        out[g->first + i] += slope[0];
        out[g->first + i + 3] += slope[1];
    }
}

/* rho/2 int |V|^2 of one element in the last step. */
static double move_element(const clothoid_memory *m, double density)
{
    clothoid_samples it;
    double sum = 0.0;
    clothoid_samples_begin(&it, &m->curve, NULL);
    while (clothoid_samples_next(&it)) {
        const v3 moved = m3_mul_v3(&m->Q, super_clothoid_velocity(m, &it.now));
        const v3 V = v3_add(m->velocity, moved);
        sum += it.weight * v3_dot(V, V);
    }
    return 0.5 * density * sum;
}

/* int theta^2 / l^3 with the curvature rates a, b at the ends (super_clothoid_step.c). */
static double turn_section(double a, double b)
{
    return (8.0 * a * a + 9.0 * a * b + 3.0 * b * b) / 60.0;
}

static double find_kinetic(const clothoid_rod *rod)
{
    const rod_material *m = rod->material;
    const double thin = 0.5 * m->density * m->radius * m->radius;
    clothoid_carriage at = super_clothoid_carry_root(rod);
    const double spin2 = rod->g->first ? v3_dot(at.spin, at.spin) : 0.0;
    double sum = 0.0;
    for (size_t e = 0; e < rod->g->elements; e++) {
        const m3 R = at.R;
        const clothoid_memory memory = super_clothoid_recall(rod, e, &R, &at);
        const v3 a = memory.rate[0], b = memory.rate[1];
        const double l = rod->lengths[e];
        sum += move_element(&memory, m->density);
        sum += 0.5 * thin * (l * l * l) *
               (turn_section(a.x, b.x) + 0.5 * (turn_section(a.y, b.y) + turn_section(a.z, b.z)));
        sum += 0.5 * thin * l * spin2;
    }
    return sum;
}

/* -int f . r over an element. */
static double lift_element(const clothoid_element *element, clothoid_forcing force)
{
    clothoid_samples it;
    double sum = 0.0;
    clothoid_samples_begin(&it, &element->curve, NULL);
    while (clothoid_samples_next(&it)) {
        const v3 r = v3_add(element->r, m3_mul_v3(&element->R, it.now.x));
        sum -= it.weight * v3_dot(r, v3_lerp(force.begin, force.end, it.at));
    }
    return sum;
}

static double find_weight(const clothoid_rod *rod, const body_input *in)
{
    m3 R = quat_to_m3(rod->is.root->rotation);
    v3 r = rod->is.root->position;
    double sum = 0.0;
    for (size_t e = 0; e < rod->g->elements; e++) {
        const clothoid curve = super_clothoid_curve(rod, rod->is.q + rod->g->first, e);
        const clothoid_element element = super_clothoid_pass(&curve, &R, &r);
        sum += lift_element(&element, super_clothoid_forcing(rod, in, e));
    }
    return sum;
}

body_energy super_clothoid_energy(const body_group *base, const body_input *in, const double *state,
                                  uint32_t body)
{
    const super_clothoid *g = super_clothoid_of(base);
    const clothoid_rod rod = super_clothoid_rod(g, state, body);
    const body_input still = without_air(in);
    body_energy energy = {.kinetic = find_kinetic(&rod), .gravity = find_weight(&rod, &still)};
    for (size_t i = 0; i < 3 * (size_t)g->elements; i++) {
        double slope[2];
        energy.elastic += stretch_ends(&rod, i / 3, i % 3, slope);
    }
    return energy;
}

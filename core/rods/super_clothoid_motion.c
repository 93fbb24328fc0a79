/* SPDX-License-Identifier: Apache-2.0
 *
 * Along a super-clothoid: where its elements and material points are, and how they move.
 */
#include "rods/super_clothoid_group.h"

clothoid_rod super_clothoid_rod(const super_clothoid *g, const double *state, size_t body)
{
    const size_t elements = g->elements;
    return (clothoid_rod){
        .g = g,
        .state = state,
        .body = body,
        .material = &g->material[body],
        .lengths = g->lengths + body * elements,
        .natural = g->natural + body * 3 * (elements + 1),
        .is = super_clothoid_view(g, state, body),
    };
}

void super_clothoid_spread(const clothoid_point *at, const m3 *R, v3 r, v3 turn[6], v3 lift[6])
{
    for (size_t i = 0; i < 6; i++) {
        turn[i] = m3_mul_v3(R, at->turn[i]);
        lift[i] = v3_add(m3_mul_v3(R, at->lift[i]), v3_cross(r, turn[i]));
    }
}

clothoid_element super_clothoid_pass(const clothoid *curve, m3 *R, v3 *r)
{
    const clothoid_point end = clothoid_at(curve, curve->length);
    clothoid_element element = {.curve = *curve, .R = *R, .r = *r};
    super_clothoid_spread(&end, R, *r, element.turn, element.lift);
    *r = v3_add(*r, m3_mul_v3(R, end.x));
    *R = m3_mul(R, &end.R);
    return element;
}

clothoid_element super_clothoid_pass_back(const clothoid *curve, m3 *R, v3 *r)
{
    const clothoid_point end = clothoid_at(curve, curve->length);
    const m3 inverse = m3_transpose(&end.R);
    *R = m3_mul(R, &inverse);
    *r = v3_sub(*r, m3_mul_v3(R, end.x));
    clothoid_element element = {.curve = *curve, .R = *R, .r = *r};
    super_clothoid_spread(&end, R, *r, element.turn, element.lift);
    return element;
}

clothoid_carriage super_clothoid_carry_root(const clothoid_rod *rod)
{
    return (clothoid_carriage){quat_to_m3(rod->is.last_root->rotation),
                               v3_load(rod->is.root_motion), v3_load(rod->is.root_motion + 3)};
}

/* A screw of an element's ends times their rates. */
static v3 mix(const v3 columns[6], const v3 rate[2])
{
    v3 sum = {0.0, 0.0, 0.0};
    for (size_t b = 0; b < 2; b++) {
        sum = v3_add_scaled(sum, rate[b].x, columns[3 * b]);
        sum = v3_add_scaled(sum, rate[b].y, columns[3 * b + 1]);
        sum = v3_add_scaled(sum, rate[b].z, columns[3 * b + 2]);
    }
    return sum;
}

v3 super_clothoid_turning(const clothoid_memory *m, const clothoid_point *at)
{
    return mix(at->turn, m->rate);
}

v3 super_clothoid_velocity(const clothoid_memory *m, const clothoid_point *at)
{
    const v3 turning = v3_add(m->spin, super_clothoid_turning(m, at));
    return v3_add(mix(at->lift, m->rate), v3_cross(turning, at->x));
}

clothoid_memory super_clothoid_recall(const clothoid_rod *rod, size_t e, const m3 *R,
                                      clothoid_carriage *at)
{
    const m3 RT = m3_transpose(R);
    const double *rate = rod->is.v + rod->g->first + 3 * e;
    const clothoid_memory m = {
        .curve = super_clothoid_curve(rod, rod->is.last, e),
        .rate = {v3_load(rate), v3_load(rate + 3)},
        .Q = m3_mul(&RT, &at->R),
        .velocity = m3_tmul_v3(R, at->velocity),
        .spin = m3_tmul_v3(&at->R, at->spin),
    };
    const clothoid_point end = clothoid_at(&m.curve, m.curve.length);
    at->velocity = v3_add(at->velocity, m3_mul_v3(&at->R, super_clothoid_velocity(&m, &end)));
    at->spin = v3_add(at->spin, m3_mul_v3(&at->R, super_clothoid_turning(&m, &end)));
    at->R = m3_mul(&at->R, &end.R);
    return m;
}

body_place super_clothoid_find_place(const body_group *base, const double *state, uint32_t body,
                                     v3 X)
{
    const super_clothoid *g = super_clothoid_of(base);
    const clothoid_rod rod = super_clothoid_rod(g, state, body);
    const double *kappa = rod.is.q + g->first;
    m3 R = m3_identity();
    v3 r = {0.0, 0.0, 0.0};
    double s = X.x;
    const size_t own = reduced_rod_find_element(rod.lengths, g->elements, &s);
    for (size_t e = 0; e <= own; e++) {
        const clothoid curve = super_clothoid_curve(&rod, kappa, e);
        const clothoid_point at = clothoid_at(&curve, e == own ? s : curve.length);
        r = v3_add(r, m3_mul_v3(&R, at.x));
        R = m3_mul(&R, &at.R);
    }
    const v3 local = v3_add(r, m3_mul_v3(&R, (v3){0.0, X.y, X.z}));
    return (body_place){pose_apply(rod.is.root, local),
                        quat_normalize(quat_mul(rod.is.root->rotation, quat_from_m3(&R)))};
}

void super_clothoid_jacobian(const body_group *base, const double *work, uint32_t body, v3 X,
                             double *linear, double *angular, v3 *v_0, v3 *omega_0)
{
    const super_clothoid *g = super_clothoid_of(base);
    const size_t n = base->unknowns;
    const clothoid_element *elements = super_clothoid_work_elements(g, work, body);
    const double *root = super_clothoid_work_root(g, work, body);
    double s = X.x;
    const size_t own =
        reduced_rod_find_element(g->lengths + (size_t)body * g->elements, g->elements, &s);
    clothoid_element part = elements[own];
    const clothoid_point at = clothoid_at(&part.curve, s);
    super_clothoid_spread(&at, &part.R, part.r, part.turn, part.lift);
    const v3 offset = m3_mul_v3(&at.R, (v3){0.0, X.y, X.z});
    const v3 r = v3_add(part.r, m3_mul_v3(&part.R, v3_add(at.x, offset)));
    const v3 zero = {0.0, 0.0, 0.0};
    for (size_t j = 0; j <= g->elements; j++) {
        for (size_t c = 0; c < 3; c++) {
            v3 turn = zero, lift = zero;
            if (j > 0 && j - 1 <= own) {
                const clothoid_element *before = j - 1 < own ? &elements[j - 1] : &part;
                turn = before->turn[3 + c], lift = before->lift[3 + c];
            }
            if (j <= own) {
                const clothoid_element *after = j < own ? &elements[j] : &part;
                turn = v3_add(turn, after->turn[c]), lift = v3_add(lift, after->lift[c]);
            }
            const size_t column = g->first + 3 * j + c;
            reduced_rod_set_column(linear, n, column, v3_add(lift, v3_cross(turn, r)));
            reduced_rod_set_column(angular, n, column, turn);
        }
    }
    if (g->first) reduced_rod_set_root_columns(linear, angular, n, r);
    const v3 spin = v3_load(root + 6);
    *v_0 = v3_add(v3_load(root + 3), v3_cross(spin, r));
    if (omega_0) *omega_0 = spin;
}

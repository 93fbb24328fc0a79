/* SPDX-License-Identifier: Apache-2.0
 *
 * Material points (s, y, z) of a super-helix: where they are, and how they move.
 *
 * In its own element a point moves by the slope D and by the turn of its section; by the curvatures
 * before that element it moves as their `turn` and `lift` say; by those after it, not at all.
 */
#define REAL_LANES 1
#include "rods/super_helix_point.h"

#include "rods/reduced_rod.h"

static v3 to_v3(real3 a) { return (v3){a.x, a.y, a.z}; }
static real3 from_v3(v3 a) { return (real3){a.x, a.y, a.z}; }

/* A section of the rod, seen from the root. */
typedef struct section {
    v3 r;
    quat turn;
} section;

static section section_first(void) { return (section){{0.0, 0.0, 0.0}, quat_identity()}; }

/* The centre of the section that is `length` farther on. */
static v3 section_point(const section *at, const double *kappa, double length)
{
    const helix end = helix_at(from_v3(v3_load(kappa)), length);
    return v3_add(at->r, quat_rotate(at->turn, to_v3(helix_point(&end))));
}

static section section_after(const section *at, const double *kappa, double length)
{
    return (section){section_point(at, kappa, length),
                     quat_mul(at->turn, so3_exp(v3_scale(length, v3_load(kappa))))};
}

body_place super_helix_find_place(const body_group *base, const double *state, uint32_t body, v3 X)
{
    const super_helix *g = super_helix_of(base);
    const reduced_rod_state state_of = super_helix_view(g, state, body);
    const double *lengths = g->lengths + (size_t)body * g->elements;
    const double *kappa = state_of.q + g->first;
    double s = X.x;
    const size_t own = reduced_rod_find_element(lengths, g->elements, &s);
    section at = section_first();
    for (size_t e = 0; e < own; e++) at = section_after(&at, kappa + 3 * e, lengths[e]);
    at = section_after(&at, kappa + 3 * own, s);
    const v3 r = v3_add(at.r, quat_rotate(at.turn, (v3){0.0, X.y, X.z}));
    return (body_place){pose_apply(state_of.root, r),
                        quat_normalize(quat_mul(state_of.root->rotation, at.turn))};
}

/* The element of the last point is not left before a point is beyond it. */
void super_helix_find_line(const body_group *base, const double *state, uint32_t body,
                           const double *s, size_t count, double *x)
{
    const super_helix *g = super_helix_of(base);
    const reduced_rod_state state_of = super_helix_view(g, state, body);
    const double *lengths = g->lengths + (size_t)body * g->elements;
    const double *kappa = state_of.q + g->first;
    section begin = section_first();
    size_t e = 0;
    for (size_t k = 0; k < count; k++) {
        double rest = s[k];
        const size_t own = reduced_rod_find_element(lengths, g->elements, &rest);
        for (; e < own; e++) begin = section_after(&begin, kappa + 3 * e, lengths[e]);
        const v3 r = section_point(&begin, kappa + 3 * own, rest);
        v3_store(x + 3 * k, pose_apply(state_of.root, r));
    }
}

void super_helix_jacobian(const body_group *base, const double *work, uint32_t body, v3 X,
                          double *linear, double *angular, v3 *v_0, v3 *omega_0)
{
    const super_helix *g = super_helix_of(base);
    const size_t n = base->unknowns;
    const helix_joint *joints = (const helix_joint *)super_helix_work_joints(g, work, body);
    const double *root = super_helix_work_root(g, work, body);
    double s = X.x;
    const size_t own =
        reduced_rod_find_element(g->lengths + (size_t)body * g->elements, g->elements, &s);
    const helix_material p = helix_find_material(&joints[own], s, X);
    const real3 zero = {0.0, 0.0, 0.0};
    for (size_t e = 0; e < g->elements; e++) {
        for (size_t c = 0; c < 3; c++) {
            real3 turn = zero, move = zero;
            if (e < own) {
                turn = joints[e].turn.column[c];
                move = real3_add(joints[e].lift.column[c], real3_cross(turn, p.r));
            } else if (e == own) {
                turn = p.turn.column[c];
                move = real3_add(p.slope.column[c], real3_cross(turn, p.offset));
            }
            const size_t column = g->first + 3 * e + c;
            reduced_rod_set_column(linear, n, column, to_v3(move));
            reduced_rod_set_column(angular, n, column, to_v3(turn));
        }
    }
    if (g->first) reduced_rod_set_root_columns(linear, angular, n, to_v3(p.r));
    const v3 spin = v3_load(root + 6);
    *v_0 = v3_add(v3_load(root + 3), v3_cross(spin, to_v3(p.r)));
    if (omega_0) *omega_0 = spin;
}

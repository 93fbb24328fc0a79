/* SPDX-License-Identifier: Apache-2.0
 *
 * One element of a super-helix by itself, over `real`: its material, the forces on it, its energy.
 * Rods (super_helix_assembly.h) and trees (helix_tree.h) are made of these.
 */
#ifndef RODS_SUPER_HELIX_ELEMENT_H
#define RODS_SUPER_HELIX_ELEMENT_H

#include "rods/super_helix_integrals.h"

/* What a step makes of a material. */
typedef struct helix_matter {
    real density, drag, damping, radius2;
    real stiffness[3]; /* about n0, n1, n2 */
    real inertia;      /* rho + h drag */
} helix_matter;

/* Of REAL_LANES materials. */
static inline helix_matter helix_gather_matter(const rod_material *m, double h)
{
    enum { STRIDE = sizeof(rod_material) / sizeof(double) };
    const real radius = real_gather(&m->radius, STRIDE);
    helix_matter matter = {
        .density = real_gather(&m->density, STRIDE),
        .drag = real_gather(&m->drag, STRIDE),
        .damping = real_gather(&m->damping, STRIDE),
        .radius2 = radius * radius,
        .stiffness = {real_gather(&m->twist, STRIDE), real_gather(&m->bend[0], STRIDE),
                      real_gather(&m->bend[1], STRIDE)},
    };
    matter.inertia = matter.density + h * matter.drag;
    return matter;
}

/* h (drag air + rho (gravity + field)) at a station, which begins at number `at` of air and field.
 */
static inline real3 helix_force_at(const helix_matter *m, const body_input *in, size_t at,
                                   size_t stride)
{
    const real weight = in->h * m->density;
    const v3 g = in->gravity;
    real3 force = {weight * g.x, weight * g.y, weight * g.z};
    if (in->field) force = real3_add_scaled(force, weight, real3_gather(in->field + at, stride));
    if (in->air) {
        force = real3_add_scaled(force, in->h * m->drag, real3_gather(in->air + at, stride));
    }
    return force;
}

/* Stiffness (times `scale`), damping and the section's inertia of curvature c, which is `strain`
 * away from the natural one and has changed at `rate`. */
static inline void helix_add_elastic(const helix_matter *m, size_t c, double h, real length,
                                     real scale, real strain, real rate, real *diagonal, real *rhs)
{
    const real k = scale * (length * m->stiffness[c]);
    const real section =
        (c == 0 ? 1.0 / 6.0 : 1.0 / 12.0) * m->density * m->radius2 * (length * length * length);
    *diagonal += (h * m->damping + h * h) * k + section;
    *rhs += section * rate - h * k * strain;
}

/* In the last step: rho/2 int |V|^2, and what the section has. */
static inline real helix_kinetic_energy(const helix_matter *matter, const helix_memory *m,
                                        real length)
{
    const helix_rules rules = helix_choose_rules(m->kappa, m->kappa, length);
    const real3 rate = m->rate;
    const real section = matter->density * matter->radius2 * (length * length * length);
    real sum = {0};
    for (size_t i = 0; i < rules.count; i++) {
        real at, weight;
        helix_sample(&rules, i, &at, &weight);
        const helix p = helix_at(m->kappa, at * length);
        const real3 moved =
            real3_add(real3_cross(m->spin, helix_point(&p)), helix_slope_along(&p, m->rate));
        const real3 V = real3_add(m->velocity, moved);
        sum += weight * real3_dot(V, V);
    }
    return 0.5 * matter->density * length * sum +
           section * (rate.x * rate.x / 12.0 + (rate.y * rate.y + rate.z * rate.z) / 24.0);
}

/* -int f . r for a force that is linear along the element. */
static inline real helix_potential_energy(const helix_joint *joint, real length, real3 begin,
                                          real3 end)
{
    const helix_rules rules = helix_choose_rules(joint->kappa, joint->kappa, length);
    real sum = {0};
    for (size_t i = 0; i < rules.count; i++) {
        real at, weight;
        helix_sample(&rules, i, &at, &weight);
        const helix p = helix_at(joint->kappa, at * length);
        const real3 r = real3_add(joint->r, real33_mul_real3(&joint->R, helix_point(&p)));
        sum += weight * real3_dot(r, real3_add_scaled(begin, at, real3_sub(end, begin)));
    }
    return -length * sum;
}

#endif

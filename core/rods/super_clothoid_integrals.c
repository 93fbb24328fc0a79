/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/super_clothoid_integrals.h"

/* F where the sample is. */
static v3 find_momentum(const clothoid_momentum *m, const clothoid_samples *it)
{
    const v3 F = v3_add(v3_lerp(m->begin, m->end, it->at), v3_cross(m->spin, it->now.x));
    if (!m->memory) return F;
    const v3 V = super_clothoid_velocity(m->memory, &it->then);
    return v3_add_scaled(F, m->density, m3_mul_v3(&m->memory->Q, V));
}

static void add_square(sym3 *sum, double w, v3 x)
{
    sum->xx += w * x.x * x.x, sum->xy += w * x.x * x.y, sum->xz += w * x.x * x.z;
    sum->yy += w * x.y * x.y, sum->yz += w * x.y * x.z, sum->zz += w * x.z * x.z;
}

static void add_sample(clothoid_integrals *sum, double w, const clothoid_point *p, v3 F)
{
    const v3 wx = v3_scale(w, p->x), wF = v3_scale(w, F);
    v3 D[6];
    sum->length += w;
    sum->x = v3_add(sum->x, wx);
    add_square(&sum->xx, w, p->x);
    sum->F = v3_add(sum->F, wF);
    sum->xF = v3_add(sum->xF, v3_cross(p->x, wF));
    for (size_t i = 0; i < 6; i++) {
        D[i] = v3_add(p->lift[i], v3_cross(p->turn[i], p->x));
        const v3 wD = v3_scale(w, D[i]);
        sum->D[i] = v3_add(sum->D[i], wD);
        sum->xD[i] = v3_add(sum->xD[i], v3_cross(p->x, wD));
        sum->DF[i] += v3_dot(D[i], wF);
        for (size_t j = 0; j <= i; j++) sum->DD[i][j] += v3_dot(wD, D[j]);
    }
}

void super_clothoid_integrate(const clothoid *curve, const clothoid_momentum *m,
                              clothoid_integrals *sum)
{
    clothoid_samples it;
    *sum = (clothoid_integrals){0};
    clothoid_samples_begin(&it, curve, m->memory ? &m->memory->curve : NULL);
    while (clothoid_samples_next(&it)) add_sample(sum, it.weight, &it.now, find_momentum(m, &it));
}

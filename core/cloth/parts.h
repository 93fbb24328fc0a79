/* SPDX-License-Identifier: Apache-2.0
 *
 * For assemble.c: what each triangle and each hinge gives to a step (assemble.h), computed by
 * itself.
 */
#ifndef CLOTH_PARTS_H
#define CLOTH_PARTS_H

#include "cloth/assemble.h"

/* How much of each thing goes into the system: forces, what K v^k gives back, and K itself. */
typedef struct cloth_part_weights {
    double force;                       /* of stress and moments */
    double material_rate, tension_rate; /* of T e' and S+ F' */
    double bound_rate, moment_rate;     /* of bound theta' and Q theta' */
    double material, tension;           /* of K_0 and of the rest of K */
} cloth_part_weights;

typedef struct cloth_part_job {
    cloth_system *k;
    const double *x, *v; /* v may be NULL: 0 */
    cloth_part_weights weight;
} cloth_part_job;

/* Fills k->face and k->hinge. */
void cloth_parts_make(cloth_part_job *job, pool *threads);

static inline bool cloth_has_air(const cloth_forcing *f)
{
    return f->air.normal > 0.0 || f->air.tangential > 0.0;
}

static inline m3 cloth_outer(v3 a, v3 b)
{
    return (m3){{v3_scale(a.x, b), v3_scale(a.y, b), v3_scale(a.z, b)}};
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Cusick's drape test: a round specimen of 15 cm radius, held between discs of 9 cm, hangs over
 * their edge. The coefficient is how much of the ring in between still shows from above,
 *     (projected area - disc) / (specimen - disc):
 * near 1 for a board, near 0 for a wet rag.
 */
#ifndef BENCH_DRAPE_H
#define BENCH_DRAPE_H

#include "cloth/free_step.h"

typedef struct drape_result {
    double coefficient;
    double strain; /* the largest change of length of an edge, relative */
    double speed;  /* m/s, of the fastest node at the end */
    uint32_t steps;
} drape_result;

/* `rings` of triangles from the centre to the rim. Without contacts; folds of cloth this stiff do
 * not touch. */
status drape_run(const cloth_material *material, uint32_t rings, drape_result *result, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of its last move an iteration repeats (Nesterov), and when less will do.
 */
#ifndef CONTACT_MOMENTUM_H
#define CONTACT_MOMENTUM_H

#include "math/scalar.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOMENTUM_STALL = 4 }; /* looks without a point that is a tenth better */

typedef struct momentum {
    double limit; /* the largest share, now */
    uint32_t age; /* moves since it began */
    double last_move;
    double stall_best; /* when progress was seen last, and how many looks ago */
    uint32_t stall_looks;
} momentum;

static inline momentum momentum_start(double limit)
{
    return (momentum){.limit = limit, .last_move = INFINITY, .stall_best = INFINITY};
}

/* The share to repeat of a move of this size (squared); it starts over when moves grow. */
static inline double momentum_share(momentum *m, double move)
{
    if (move > 4.0 * m->last_move) m->age = 0;
    m->last_move = move;
    const double age = (double)m->age++;
    return scalar_min(m->limit, age / (age + 3.0));
}

/* Momentum can cycle for ever: then half of it must do. True when that has just been decided, and
 * the iteration should go back to its best point. */
static inline bool momentum_tame(momentum *m, double best)
{
    if (best < 0.9 * m->stall_best) {
        m->stall_best = best;
        m->stall_looks = 0;
        return false;
    }
    if (++m->stall_looks != MOMENTUM_STALL || !(m->limit > 0.0)) return false;
    m->stall_looks = 0;
    m->limit = m->limit > 0.2 ? 0.5 * m->limit : 0.0;
    m->age = 0;
    return true;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tower.h"

static bool is_body(tower_material m, uint32_t level)
{
    return m == TOWER_BODIES || (m == TOWER_BOTH && level % 2 == 0);
}

/* The number of bodies, or of nodes, below a level. */
static uint32_t count_below(tower_material m, uint32_t level, bool bodies)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < level; k++) count += is_body(m, k) == bodies;
    return count;
}

static void set_diagonal(double *A, double mass)
{
    for (int k = 0; k < 3; k++) A[4 * k] = mass;
}

static void add_mass(tower *t, tower_material m, uint32_t level, double mass, v3 v_free)
{
    const uint32_t i = count_below(m, level, is_body(m, level));
    if (is_body(m, level)) {
        t->unknowns[i] = 3;
        set_diagonal(t->inertia + 9 * i, mass);
        v3_store(t->v_free + 3 * i, v_free);
    } else {
        t->row_start[i + 1] = i + 1;
        t->col[i] = i;
        set_diagonal(t->blocks + 9 * i, mass);
        v3_store(t->force + 3 * i, v3_scale(mass, v_free));
    }
}

static void add_term(tower *t, tower_material m, uint32_t level, double sign)
{
    const uint32_t term = t->term_start[t->s.contacts]++,
                   i = count_below(m, level, is_body(m, level));
    t->target[term] = is_body(m, level) ? i : t->s.bodies + i;
    for (int k = 0; k < 3; k++) t->H[9 * term + 4 * (uint32_t)k] = sign;
}

void tower_build(tower *t, tower_material m, uint32_t levels, v3 fall, v3 top_fall, double top_mass)
{
    *t = (tower){.s = {.body_unknowns = t->unknowns,
                       .body_inertia = t->inertia,
                       .body_velocity = t->v_free,
                       .row_start = t->row_start,
                       .col = t->col,
                       .blocks = t->blocks,
                       .force = t->force,
                       .mu = t->mu,
                       .velocity = t->velocity,
                       .term_start = t->term_start,
                       .term_target = t->target,
                       .term_H = t->H}};
    t->s.bodies = count_below(m, levels, true);
    t->s.nodes = count_below(m, levels, false);
    for (uint32_t k = 0; k < levels; k++) {
        const bool top = k + 1 == levels;
        add_mass(t, m, k, top ? top_mass : TOWER_MASS, top ? top_fall : fall);
        t->s.contacts = k + 1;
        t->term_start[k + 1] = t->term_start[k];
        t->mu[k] = 0.5;
        add_term(t, m, k, 1.0);
        if (k > 0) add_term(t, m, k - 1, -1.0);
    }
}

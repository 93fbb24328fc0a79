/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/corners.h"

#include "contact/nodal_explicit.h"
#include "contact/proximal_newton.h"

#include <string.h>

/* The law's case that r and u are nearest to. */
static uint32_t corner_state(const nodal_contact *c, double w, v3 v)
{
    const v3 x = v3_sub(v3_scale(w, c->r), nodal_relative_velocity(c, v));
    if (x.x <= 0.0) return CONTACT_TAKEOFF;
    return coulomb_tangent_norm(x) <= c->mu * x.x ? CONTACT_STICK : CONTACT_SLIDE;
}

static status corner_solve(const nodal_problem *p, size_t node, arena *scratch, error *err)
{
    nodal_contact *c = &p->contacts[p->first[node]];
    const uint32_t count = p->first[node + 1] - p->first[node];
    const double w = p->w[node];
    const v3 v_free = nodal_add_impulses(c, count, w, -1.0, v3_load(&p->v[3 * node]));
    const allocator from = arena_allocator(scratch);
    nodal_explicit e;
    status st = nodal_explicit_make(&e, p, node, node + 1, scratch, err);
    if (st < 0) return st;
    const contact_source source = {count, e.row_start, e.col, e.blocks, e.b, e.mu};
    contact_problem problem;
    st = contact_problem_create(&problem, &from, &source, err);
    if (st < 0) return st;
    solver_report report = {0};
    const solver_options options = {.tolerance = 0.5 * p->tolerance / problem.scale,
                                    .max_iterations = p->max_iterations,
                                    .local = &local_table[0]};
    memset(e.r, 0, 3 * (size_t)count * sizeof *e.r); /* not from where the sweeps got stuck */
    st = proximal_newton_solve(&problem, &from, &options, e.r, &report, err);
    if (st < 0) return st;
    for (uint32_t k = 0; k < count; k++) c[k].r = v3_load(&e.r[3 * (size_t)k]);
    const v3 v = nodal_add_impulses(c, count, w, 1.0, v_free);
    for (uint32_t k = 0; k < count; k++) c[k].state = corner_state(&c[k], w, v);
    v3_store(&p->v[3 * node], v);
    return STATUS_OK;
}

status corners_solve(const nodal_problem *p, size_t begin, size_t end, arena *scratch, error *err)
{
    for (size_t i = begin; i < end; i++) {
        const nodal_contact *c = &p->contacts[p->first[i]];
        const size_t count = p->first[i + 1] - p->first[i];
        const v3 v = v3_load(&p->v[3 * i]);
        if (count < 2 || nodal_worst_residual(c, count, p->w[i], v) <= p->tolerance) continue;
        const arena_mark mark = arena_get_mark(scratch);
        const status st = corner_solve(p, i, scratch, err);
        arena_release(scratch, mark);
        if (st == STATUS_OUT_OF_MEMORY) return st; /* else: not finite, and stays as it is */
    }
    return STATUS_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/corners.h"

#include "contact/proximal_newton.h"

/* The node's contacts as a problem of their own, W_ij = w F_i F_j^T. */
static status corner_make(const nodal_contact *c, uint32_t count, double w, v3 v_free,
                          const allocator *from, contact_problem *out, error *err)
{
    const size_t n = count, doubles = 9 * n * n + 4 * n;
    double *blocks = memory_alloc(from, doubles * sizeof *blocks);
    uint32_t *row_start = memory_alloc(from, (n + 1 + n * n) * sizeof *row_start);
    if (!blocks || !row_start) return error_out_of_memory(err, "a corner");
    double *b = blocks + 9 * n * n, *mu = b + 3 * n;
    uint32_t *col = row_start + n + 1;
    for (uint32_t i = 0; i < count; i++) {
        row_start[i + 1] = (i + 1) * count;
        v3_store(&b[3 * i], nodal_relative_velocity(&c[i], v_free));
        mu[i] = c[i].mu;
        for (uint32_t j = 0; j < count; j++) {
            const m3 turned = m3_transpose(&c[j].F), W = m3_mul(&c[i].F, &turned);
            double *block = &blocks[9 * (size_t)(i * count + j)];
            for (int row = 0; row < 3; row++) v3_store(block + 3 * row, v3_scale(w, W.row[row]));
            col[i * count + j] = j;
        }
    }
    const contact_source source = {count, row_start, col, blocks, b, mu};
    return contact_problem_create(out, from, &source, err);
}

static v3 corner_velocity(const nodal_contact *c, size_t count, double w, v3 v, double sign)
{
    for (size_t k = 0; k < count; k++) {
        v = v3_add_scaled(v, sign * w, m3_tmul_v3(&c[k].F, c[k].r));
    }
    return v;
}

/* The law's case that r and u are nearest to. */
static uint32_t corner_state(const nodal_contact *c, double w, v3 v)
{
    const v3 x = v3_sub(v3_scale(w, c->r), nodal_relative_velocity(c, v));
    if (x.x <= 0.0) return CONTACT_TAKEOFF;
    return coulomb_tangent_norm(x) <= c->mu * x.x ? CONTACT_STICK : CONTACT_SLIDE;
}

static status corner_solve(const nodal_problem *p, size_t node, const allocator *from, error *err)
{
    nodal_contact *c = &p->contacts[p->first[node]];
    const uint32_t count = p->first[node + 1] - p->first[node];
    const double w = p->w[node];
    const v3 v_free = corner_velocity(c, count, w, v3_load(&p->v[3 * node]), -1.0);
    double *r = memory_alloc(from, 3 * (size_t)count * sizeof *r);
    contact_problem problem;
    status st = r ? corner_make(c, count, w, v_free, from, &problem, err)
                  : error_out_of_memory(err, "a corner");
    if (st < 0) return st;
    solver_report report = {0};
    const solver_options options = {.tolerance = 0.5 * p->tolerance / problem.scale,
                                    .max_iterations = p->max_iterations,
                                    .local = &local_table[0]};
    st = proximal_newton_solve(&problem, from, &options, r, &report, err);
    if (st < 0) return st;
    for (uint32_t k = 0; k < count; k++) c[k].r = v3_load(&r[3 * (size_t)k]);
    const v3 v = corner_velocity(c, count, w, v_free, 1.0);
    for (uint32_t k = 0; k < count; k++) c[k].state = corner_state(&c[k], w, v);
    v3_store(&p->v[3 * node], v);
    return STATUS_OK;
}

status corners_solve(const nodal_problem *p, size_t nodes, arena *scratch, error *err)
{
    for (size_t i = 0; i < nodes; i++) {
        const nodal_contact *c = &p->contacts[p->first[i]];
        const size_t count = p->first[i + 1] - p->first[i];
        const v3 v = v3_load(&p->v[3 * i]);
        if (count < 2 || nodal_worst_residual(c, count, p->w[i], v) <= p->tolerance) continue;
        const arena_mark mark = arena_get_mark(scratch);
        const allocator from = arena_allocator(scratch);
        const status st = corner_solve(p, i, &from, err);
        arena_release(scratch, mark);
        if (st == STATUS_OUT_OF_MEMORY) return st; /* else: not finite, and stays as it is */
    }
    return STATUS_OK;
}

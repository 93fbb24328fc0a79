/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/nodes_start.h"

#include "linalg/pcg_bsr3.h"
#include "math/scalar.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ITERATIONS = 10000 };
static const double FREE_TOLERANCE = 1e-10, START_TOLERANCE = 1e-3;

/* v <- A^-1 g from the v given. */
static status solve_dynamics(const nodes_problem *p, pool *threads, const double *g, double *v,
                             double tolerance, double *work, error *err)
{
    pcg_bsr3 pair = {&p->A, p->inverse, threads};
    const pcg_system system = pcg_bsr3_system(&pair);
    const pcg_report report = pcg_solve(&system, g, v, tolerance, MOST_ITERATIONS, work);
    switch (report.outcome) {
    case PCG_NOT_POSITIVE_DEFINITE:
        return error_set(err, STATUS_INVALID_ARGUMENT, "A is not positive definite");
    case PCG_NOT_FINITE:
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "velocities of nodes leave the range of numbers");
    default: return STATUS_OK;
    }
}

static double free_scale(const nodes_gs *s)
{
    double scale = 0.0;
    memset(s->now.w, 0, nodes_state_count(s->p) * sizeof *s->now.w);
    for (uint32_t k = 0; k < s->p->contacts; k++) {
        const nodes_record *c = &s->p->record[k];
        scale = scalar_max(scale, v3_norm(nodes_contact_velocity(s->p, c, s->now.v, s->now.w)));
    }
    return scale;
}

static status check_finite(const double *x, size_t count, const char *what, error *err)
{
    for (size_t k = 0; k < count; k++) {
        if (isfinite(x[k])) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "%s %zu: the start has a number that is not finite", what, k / 3);
    }
    return STATUS_OK;
}

/* First as if there were no contacts, then from the guess with the impulses given. */
static status start_with(nodes_gs *s, pool *threads, const double *r, const double *v, double *work,
                         error *err)
{
    const nodes_problem *p = s->p;
    const size_t numbers = 3 * (size_t)p->nodes;
    memset(s->now.v, 0, numbers * sizeof *s->now.v);
    status st = solve_dynamics(p, threads, p->f, s->now.v, FREE_TOLERANCE, work, err);
    if (st < 0) return st;
    s->scale = free_scale(s);
    if (v) memcpy(s->now.v, v, numbers * sizeof *v);
    memcpy(s->now.r, r, 3 * (size_t)p->contacts * sizeof *r);
    nodes_state(p, r, s->now.g, s->now.w);
    return solve_dynamics(p, threads, s->now.g, s->now.v, START_TOLERANCE, work, err);
}

status nodes_start(nodes_gs *s, pool *threads, const double *r, const double *v, error *err)
{
    const nodes_problem *p = s->p;
    status st = check_finite(r, 3 * (size_t)p->contacts, "contact", err);
    if (st >= 0 && v) st = check_finite(v, 3 * (size_t)p->nodes, "node", err);
    if (st < 0) return st;
    const size_t size = memory_size(pcg_work_count(3 * (size_t)p->nodes), sizeof(double));
    double *work = memory_alloc(p->from, size);
    st = work || !size ? start_with(s, threads, r, v, work, err)
                       : error_out_of_memory(err, "conjugate gradients");
    memory_free(p->from, work, size);
    return st;
}

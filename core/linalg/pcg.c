/* SPDX-License-Identifier: Apache-2.0
 *
 *     r = b - A x,  z = M r,  p = z
 *     repeat  alpha = (r . z) / (p . A p)
 *             x += alpha p,  r -= alpha A p
 *             z = M r,  beta = (r . z) / (r . z before),  p = z + beta p
 *
 * The r carried along drifts from b - A x. When it says "done", it is computed afresh; if that is
 * not small enough, the iteration starts again from the x it has.
 *
 * Sums are taken per chunk of POOL_CHUNK items, and the chunks' parts added in order.
 */
#include "linalg/pcg.h"

#include "linalg/lanes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct pcg_state {
    const pcg_system *system;
    const double *b;
    double *x;
    double *r, *z, *p, *q; /* q = A p */
    double *part;          /* a sum per chunk */
    double r_norm;
    double rz;
    bool fresh; /* r was computed from x, and there is no p yet */
    pcg_outcome outcome;
} pcg_state;

size_t pcg_work_count(size_t n) { return 4 * n + pool_chunks(n); }

typedef struct vector_job {
    const double *a, *b;
    double *y;
    double s;
} vector_job;

static void dot_chunk(void *user, size_t begin, size_t end, uint32_t chunk)
{
    const vector_job *job = user;
    job->y[chunk] = lanes_dot(job->a + begin, job->b + begin, end - begin);
}

static double dot(const pcg_state *state, const double *a, const double *b)
{
    const size_t n = state->system->n;
    vector_job job = {.a = a, .b = b, .y = state->part};
    pool_for(state->system->threads, n, dot_chunk, &job);
    double sum = 0.0;
    for (uint32_t chunk = 0; chunk < pool_chunks(n); chunk++) sum += state->part[chunk];
    return sum;
}

static void add_scaled_chunk(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const vector_job *job = user;
    lanes_add_scaled(job->y + begin, job->s, job->a + begin, end - begin);
}

/* y += s a */
static void add_scaled(const pcg_state *state, double *y, double s, const double *a)
{
    vector_job job = {.a = a, .y = y, .s = s};
    pool_for(state->system->threads, state->system->n, add_scaled_chunk, &job);
}

static void combine_chunk(void *user, size_t begin, size_t end, uint32_t chunk)
{
    (void)chunk;
    const vector_job *job = user;
    for (size_t i = begin; i < end; i++) job->y[i] = job->a[i] + job->s * job->b[i];
}

/* y = a + s b, where y may be a or b */
static void combine(const pcg_state *state, double *y, const double *a, double s, const double *b)
{
    vector_job job = {.a = a, .b = b, .y = y, .s = s};
    pool_for(state->system->threads, state->system->n, combine_chunk, &job);
}

static void apply(const pcg_operator *op, const double *x, double *y) { op->apply(op->user, x, y); }

/* r = b - A x */
static void refresh_residual(pcg_state *state)
{
    apply(&state->system->A, state->x, state->q);
    combine(state, state->r, state->b, -1.0, state->q);
    state->r_norm = sqrt(dot(state, state->r, state->r));
    state->fresh = true;
}

/* False, and an outcome, for a product that has to be positive and is not. */
static bool check_positive(pcg_state *state, double product)
{
    if (product > 0.0 && isfinite(product)) return true;
    state->outcome = isfinite(product) ? PCG_NOT_POSITIVE_DEFINITE : PCG_NOT_FINITE;
    return false;
}

/* The next direction p. */
static bool choose_direction(pcg_state *state)
{
    const double *z = state->r;
    if (state->system->M.apply) {
        apply(&state->system->M, state->r, state->z);
        z = state->z;
    }
    const double rz = dot(state, state->r, z);
    if (!check_positive(state, rz)) return false;
    if (state->fresh) {
        memcpy(state->p, z, state->system->n * sizeof *z);
    } else {
        combine(state, state->p, z, rz / state->rz, state->p);
    }
    state->rz = rz;
    return true;
}

/* The step along p; x stays as it was if the residual would not be finite. */
static bool advance(pcg_state *state)
{
    apply(&state->system->A, state->p, state->q);
    const double pq = dot(state, state->p, state->q);
    if (!check_positive(state, pq)) return false;
    const double alpha = state->rz / pq;
    add_scaled(state, state->r, -alpha, state->q);
    state->r_norm = sqrt(dot(state, state->r, state->r));
    state->fresh = false;
    if (isfinite(state->r_norm)) add_scaled(state, state->x, alpha, state->p);
    return true;
}

/* Iterates and counts until there is an outcome. */
static void iterate(pcg_state *state, double target, uint32_t max_iterations, uint32_t *count)
{
    refresh_residual(state);
    for (;;) {
        if (state->r_norm <= target && !state->fresh) refresh_residual(state);
        if (!isfinite(state->r_norm)) {
            state->outcome = PCG_NOT_FINITE;
            return;
        }
        if (state->r_norm <= target) {
            state->outcome = PCG_CONVERGED;
            return;
        }
        if (*count == max_iterations) {
            state->outcome = PCG_MAX_ITERATIONS;
            return;
        }
        if (!choose_direction(state) || !advance(state)) return;
        ++*count;
    }
}

pcg_report pcg_solve(const pcg_system *system, const double *b, double *x, double tolerance,
                     uint32_t max_iterations, double *work)
{
    const size_t n = system->n;
    if (n == 0) return (pcg_report){.outcome = PCG_CONVERGED};
    pcg_state state = {.system = system,
                       .b = b,
                       .x = x,
                       .r = work,
                       .z = work + n,
                       .p = work + 2 * n,
                       .q = work + 3 * n,
                       .part = work + 4 * n};
    pcg_report report = {.outcome = PCG_CONVERGED};
    const double b_norm = sqrt(dot(&state, b, b));
    if (b_norm == 0.0) {
        for (size_t i = 0; i < n; i++) x[i] = 0.0;
        return report;
    }
    if (isfinite(b_norm)) {
        iterate(&state, tolerance * b_norm, max_iterations, &report.iterations);
    } else {
        state.outcome = PCG_NOT_FINITE;
    }
    report.outcome = state.outcome;
    if (report.outcome != PCG_NOT_FINITE && !state.fresh) refresh_residual(&state);
    report.relative_residual = report.outcome == PCG_NOT_FINITE ? NAN : state.r_norm / b_norm;
    return report;
}

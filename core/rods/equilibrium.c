/* SPDX-License-Identifier: Apache-2.0 */
#include "rods/equilibrium.h"

#include "math/scalar.h"

#include <string.h>

typedef struct newton {
    const body_group *g;
    const body_input *in;
    double *state, *q;
    uint32_t body;
    size_t n;
    double unit;
    double lambda;                       /* damping of the next step, in the unit of the Hessian */
    double *slope, *next, *step, *start; /* [n] */
    double *hessian, *factors;           /* [n][n] */
} newton;

static void find_slope(const newton *N, double *out)
{
    body_gradient(N->g, N->in, N->state, N->body, out);
}

/* Column j by central differences, with the cube root of the rounding unit for a step. */
static void difference_column(const newton *N, size_t j)
{
    const double q = N->q[j], h = 6e-6 * scalar_max(N->unit, fabs(q));
    const double ahead = q + h, behind = q - h;
    N->q[j] = ahead;
    find_slope(N, N->next);
    N->q[j] = behind;
    find_slope(N, N->step);
    N->q[j] = q;
    for (size_t i = 0; i < N->n; i++) {
        N->hessian[i * N->n + j] = (N->next[i] - N->step[i]) / (ahead - behind);
    }
}

/* Its symmetric part: moments that are fixed in space have no energy. */
static void find_hessian(const newton *N)
{
    const size_t n = N->n;
    for (size_t j = 0; j < n; j++) difference_column(N, j);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double mean = 0.5 * (N->hessian[i * n + j] + N->hessian[j * n + i]);
            N->hessian[i * n + j] = N->hessian[j * n + i] = mean;
        }
    }
}

/* Factors H + shift I; false if it is not positive definite. */
static bool factor_shifted(const newton *N, double shift)
{
    const ldl_shape shape = ldl_dense(N->n);
    memcpy(N->factors, N->hessian, N->n * N->n * sizeof(double));
    for (size_t i = 0; i < N->n; i++) N->factors[i * N->n + i] += shift;
    return ldl_factor(&shape, N->factors, NULL);
}

static double largest(const double *x, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = scalar_max(fabs(x[i]), most);
    return most;
}

static double row_sum(const newton *N, size_t i)
{
    double sum = 0.0;
    for (size_t j = 0; j < N->n; j++) sum += fabs(N->hessian[i * N->n + j]);
    return sum;
}

/* A bound of all eigenvalues, by the largest row sum. */
static double eigenvalue_bound(const newton *N)
{
    double bound = 0.0;
    for (size_t i = 0; i < N->n; i++) bound = scalar_max(row_sum(N, i), bound);
    return bound;
}

/* By bisection: H - x I is positive definite exactly for x below the smallest eigenvalue. */
static double lowest_eigenvalue(const newton *N)
{
    double high = eigenvalue_bound(N), low = -high;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (factor_shifted(N, -middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* step = -(H + shift I)^-1 slope; false if that matrix is not positive definite. */
static bool solve_shifted(const newton *N, double shift)
{
    const ldl_shape shape = ldl_dense(N->n);
    if (!factor_shifted(N, shift)) return false;
    for (size_t i = 0; i < N->n; i++) N->step[i] = -N->slope[i];
    ldl_solve(&shape, N->factors, N->step);
    return true;
}

/* The damped step, with lambda raised as far as needed. */
static bool solve_damped(newton *N)
{
    const double bound = eigenvalue_bound(N);
    while (!solve_shifted(N, N->lambda)) {
        if (!(N->lambda <= bound)) return false;
        N->lambda = scalar_max(4.0 * N->lambda, 1e-9 * bound);
    }
    return true;
}

/* Moves by the step if that is downhill: by the mean slope of its ends times the step, at least a
 * tenth of what the slope at its start promises. */
static bool try_step(newton *N)
{
    double promised = 0.0, work = 0.0;
    memcpy(N->start, N->q, N->n * sizeof(double));
    for (size_t i = 0; i < N->n; i++) N->q[i] += N->step[i];
    find_slope(N, N->next);
    for (size_t i = 0; i < N->n; i++) {
        promised += N->slope[i] * N->step[i];
        work += 0.5 * (N->slope[i] + N->next[i]) * N->step[i];
    }
    if (work <= 0.1 * promised) return true;
    memcpy(N->q, N->start, N->n * sizeof(double));
    return false;
}

enum { MOVED, ARRIVED, STUCK };

/* One Newton step, damped as much as it needs. The unknowns are as near as wanted when Newton's own
 * step is small or, at a saddle, the damped one: slopes are then rounding errors and the step is
 * taken without asking what it promises. */
static int advance(newton *N, const equilibrium_options *options, equilibrium_result *result)
{
    const bool definite = solve_shifted(N, 0.0);
    if (!definite && !solve_damped(N)) return STUCK;
    result->step = largest(N->step, N->n) / N->unit;
    if (result->step <= options->tolerance) {
        for (size_t i = 0; i < N->n; i++) N->q[i] += N->step[i];
        return ARRIVED;
    }
    while (solve_damped(N)) {
        if (try_step(N)) return MOVED;
        N->lambda = scalar_max(4.0 * N->lambda, 1e-6 * eigenvalue_bound(N));
        if (!(N->lambda <= 1e12 * eigenvalue_bound(N))) break;
    }
    return STUCK;
}

static bool iterate(newton *N, const equilibrium_options *options, equilibrium_result *result)
{
    find_slope(N, N->slope);
    while (result->iterations < options->iterations) {
        result->iterations++;
        find_hessian(N);
        const int outcome = advance(N, options, result);
        if (outcome != MOVED) return outcome == ARRIVED;
        memcpy(N->slope, N->next, N->n * sizeof(double));
        N->lambda = N->lambda > 1e-8 * eigenvalue_bound(N) ? 0.1 * N->lambda : 0.0;
    }
    return false;
}

status equilibrium_find(const body_group *g, const body_input *in,
                        const equilibrium_options *options, const allocator *from, double *state,
                        uint32_t body, equilibrium_result *result, error *err)
{
    const size_t n = g->unknowns, size = memory_size(2 * n * n + 4 * n, sizeof(double));
    double *memory = memory_alloc(from, size);
    if (!memory) return error_out_of_memory(err, "an equilibrium");
    newton N = {.g = g, .in = in, .state = state, .body = body, .n = n, .unit = options->unit};
    N.q = body_q(g, state, body);
    N.slope = memory;
    N.next = N.slope + n;
    N.step = N.next + n;
    N.start = N.step + n;
    N.hessian = N.start + n;
    N.factors = N.hessian + n * n;
    memset(body_v(g, state, body), 0, n * sizeof(double));
    *result = (equilibrium_result){0};
    const bool found = iterate(&N, options, result);
    find_slope(&N, N.slope);
    find_hessian(&N);
    result->residual = largest(N.slope, n);
    result->lowest = lowest_eigenvalue(&N);
    memory_free(from, memory, size);
    return found ? STATUS_OK : STATUS_NOT_CONVERGED;
}

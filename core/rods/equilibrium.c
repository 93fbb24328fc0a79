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
    double bound;                        /* of the Hessian's eigenvalues */
    double *slope, *next, *step, *start; /* [n] */
    ldl_shape shape;                     /* of the Hessian: dense if the group has no factors */
    double *hessian, *factors;           /* of that shape */
    double *work;                        /* [g->work_count] */
} newton;

static void find_slope(const newton *N, double *out)
{
    body_gradient(N->g, N->in, N->state, N->body, out);
}

static double difference_step(const newton *N, size_t j)
{
    return 1e-5 * scalar_max(N->unit, fabs(N->start[j]));
}

/* Adds column j, from the differences in `next`, to the symmetric part: moments that are fixed in
 * space have no energy. */
static void add_column(const newton *N, size_t j)
{
    const ldl_shape *shape = &N->shape;
    const double per_step = 1.0 / (12.0 * difference_step(N, j));
    const size_t first = j > shape->width ? j - shape->width : 0;
    for (size_t i = first; i < N->n && i <= j + shape->width; i++) {
        const double slope = per_step * N->next[i];
        const size_t at = i > j ? ldl_index(shape, i, j) : ldl_index(shape, j, i);
        N->hessian[at] += i == j ? slope : 0.5 * slope;
    }
}

/* The columns first, first + period, ... at once: no slope depends on two of them. By central
 * differences of fourth order, as edges that hardly stretch have large third derivatives. */
static void difference_columns(const newton *N, size_t first, size_t period)
{
    static const double steps[4] = {1.0, -1.0, 2.0, -2.0}, weights[4] = {8.0, -8.0, -1.0, 1.0};
    memset(N->next, 0, N->n * sizeof *N->next);
    for (int k = 0; k < 4; k++) {
        for (size_t j = first; j < N->n; j += period) {
            N->q[j] = N->start[j] + steps[k] * difference_step(N, j);
        }
        find_slope(N, N->step);
        for (size_t i = 0; i < N->n; i++) N->next[i] += weights[k] * N->step[i];
    }
    for (size_t j = first; j < N->n; j += period) {
        N->q[j] = N->start[j];
        add_column(N, j);
    }
}

/* The largest row sum. */
static double bound_eigenvalues(const newton *N)
{
    const ldl_shape *shape = &N->shape;
    double *sum = N->next, bound = 0.0;
    memset(sum, 0, N->n * sizeof *sum);
    for (size_t i = 0; i < N->n; i++) {
        for (size_t j = i > shape->width ? i - shape->width : 0; j <= i; j++) {
            const double size = fabs(N->hessian[ldl_index(shape, i, j)]);
            sum[i] += size;
            if (j < i) sum[j] += size;
        }
    }
    for (size_t i = 0; i < N->n; i++) bound = scalar_max(sum[i], bound);
    return bound;
}

static void find_hessian(newton *N)
{
    const size_t reach = 2 * N->shape.width + 1, period = reach < N->n ? reach : N->n;
    memset(N->hessian, 0, ldl_count(&N->shape) * sizeof(double));
    memcpy(N->start, N->q, N->n * sizeof(double));
    for (size_t first = 0; first < period; first++) difference_columns(N, first, period);
    N->bound = bound_eigenvalues(N);
}

/* Factors H + shift I; false if it is not positive definite. */
static bool factor_shifted(const newton *N, double shift)
{
    const ldl_shape *shape = &N->shape;
    memcpy(N->factors, N->hessian, ldl_count(shape) * sizeof(double));
    for (size_t i = 0; i < N->n; i++) N->factors[ldl_index(shape, i, i)] += shift;
    return ldl_factor(shape, N->factors, NULL);
}

static double largest(const double *x, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = scalar_max(fabs(x[i]), most);
    return most;
}

/* By bisection: H - x I is positive definite exactly for x below the smallest eigenvalue. */
static double lowest_eigenvalue(const newton *N)
{
    double high = N->bound, low = -high;
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
    if (!factor_shifted(N, shift)) return false;
    for (size_t i = 0; i < N->n; i++) N->step[i] = -N->slope[i];
    ldl_solve(&N->shape, N->factors, N->step);
    return true;
}

/* The damped step, with lambda raised as far as needed. */
static bool solve_damped(newton *N)
{
    while (!solve_shifted(N, N->lambda)) {
        if (!(N->lambda <= N->bound)) return false;
        N->lambda = scalar_max(4.0 * N->lambda, 1e-9 * N->bound);
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

/* The body's own way downhill; false if that does not lead on. */
static bool relax(const newton *N)
{
    body_relax(N->g, N->in, N->state, N->body, N->work);
    find_slope(N, N->next);
    return memcmp(N->next, N->slope, N->n * sizeof *N->next) != 0;
}

enum { MOVED, ARRIVED, STUCK };

static int advance_damped(newton *N)
{
    while (solve_damped(N)) {
        if (try_step(N)) return MOVED;
        N->lambda = scalar_max(4.0 * N->lambda, 1e-6 * N->bound);
        if (!(N->lambda <= 1e12 * N->bound)) break;
    }
    return STUCK;
}

/* One Newton step, or one of the body's own where it has such and Newton's is refused, or a Newton
 * step that is damped as much as it needs. The unknowns are as near as wanted when Newton's own
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
    if (N->g->ops->relax) {
        if (definite && try_step(N)) return MOVED;
        if (relax(N)) return MOVED;
    }
    return advance_damped(N);
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
        N->lambda = N->lambda > 1e-8 * N->bound ? 0.1 * N->lambda : 0.0;
    }
    return false;
}

status equilibrium_find(const body_group *g, const body_input *in,
                        const equilibrium_options *options, const allocator *from, double *state,
                        uint32_t body, equilibrium_result *result, error *err)
{
    const size_t n = g->unknowns;
    const ldl_shape shape = g->shape.n ? g->shape : ldl_dense(n);
    const size_t entries = ldl_count(&shape);
    const size_t size = memory_size(2 * entries + 4 * n + g->work_count, sizeof(double));
    double *memory = memory_alloc(from, size);
    if (!memory) return error_out_of_memory(err, "an equilibrium");
    newton N = {.g = g, .in = in, .state = state, .body = body, .n = n, .unit = options->unit};
    N.shape = shape;
    N.q = body_q(g, state, body);
    N.slope = memory;
    N.next = N.slope + n;
    N.step = N.next + n;
    N.start = N.step + n;
    N.hessian = N.start + n;
    N.factors = N.hessian + entries;
    N.work = N.factors + entries;
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/bodies_gs.h"

#include "contact/momentum.h"
#include "math/scalar.h"

#include <inttypes.h>
#include <string.h>

const gs_settings bodies_gs_default = {.over_relaxation = 1.0, .momentum = 0.85, .skip = 0.1};

static size_t impulse_count(const bodies_problem *p) { return 3 * (size_t)p->contacts; }

status bodies_gs_create(bodies_gs *s, const bodies_problem *p, error *err)
{
    const size_t impulses = impulse_count(p), states = bodies_state_count(p);
    *s = (bodies_gs){.p = p, .count = 2 * impulses + 2 * states};
    s->memory = memory_alloc(p->from, memory_size(s->count, sizeof *s->memory));
    if (!s->memory) return error_out_of_memory(err, "Gauss-Seidel");
    s->w = s->memory;
    s->w0 = s->w + states;
    s->r0 = s->w0 + states;
    s->best_r = s->r0 + impulses;
    return STATUS_OK;
}

void bodies_gs_destroy(bodies_gs *s)
{
    memory_free(s->p->from, s->memory, s->count * sizeof *s->memory);
    *s = (bodies_gs){.p = s->p};
}

/* ---- a sweep ---- */

/* It does not touch, and this is exactly what the law says: no residual, nothing to solve. */
static bool stays_open(v3 u, v3 r) { return u.x >= 0.0 && r.x == 0.0 && r.y == 0.0 && r.z == 0.0; }

static v3 relax_contact(const bodies_record *c, const local_solver *local, double over_relaxation,
                        v3 u, v3 r, uint64_t *failures)
{
    const v3 b = v3_sub(u, sym3_mul_v3(&c->W, r));
    const local_answer answer = local->solve(&c->W, b, c->mu, r);
    *failures += answer.failed;
    if (over_relaxation == 1.0 || answer.state == CONTACT_TAKEOFF) return answer.r;
    return coulomb_project(v3_add_scaled(r, over_relaxation, v3_sub(answer.r, r)), c->mu);
}

enum { AHEAD = 3 }; /* contacts: about the latency of memory */

double bodies_gs_sweep(const bodies_problem *p, const local_solver *local, double over_relaxation,
                       double settled, double *r, double *w, uint64_t *failures)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const bodies_record *c = &p->record[i];
        if (i + AHEAD < p->contacts) bodies_prefetch(p, c + AHEAD);
        const v3 u = bodies_contact_velocity(p, c, w), ri = v3_load(r + 3 * i);
        if (stays_open(u, ri)) continue;
        const double residual = coulomb_residual(u, ri, c->mu, c->d);
        worst = scalar_max(residual, worst);
        if (residual <= settled) continue;
        const v3 next = relax_contact(c, local, over_relaxation, u, ri, failures);
        v3_store(r + 3 * i, next);
        bodies_push(p, c, v3_sub(next, ri), w);
    }
    return worst;
}

/* ---- the iteration ---- */

enum { REFRESH = 20 }; /* sweeps between fresh w; only then is the best r looked at */

typedef struct iteration {
    bodies_gs *s;
    double *r;
    double best;
    momentum momentum;
} iteration;

static void copy(double *to, const double *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

/* States computed afresh, for rounding adds up in those that were kept up to date; both, or the
 * difference would feed the momentum. */
static double refresh(iteration *it)
{
    bodies_gs *s = it->s;
    bodies_state(s->p, it->r, s->w);
    bodies_state(s->p, s->r0, s->w0);
    const double residual = bodies_residual(s->p, it->r, s->w);
    if (residual < it->best) {
        it->best = residual;
        copy(s->best_r, it->r, impulse_count(s->p));
    }
    return residual;
}

static void return_to_best(iteration *it)
{
    copy(it->r, it->s->best_r, impulse_count(it->s->p));
    copy(it->s->r0, it->s->best_r, impulse_count(it->s->p));
    refresh(it);
}

/* How far the last sweep went, as a velocity squared. */
static double move_size(const iteration *it)
{
    const bodies_problem *p = it->s->p;
    double sum = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const v3 dr = v3_sub(v3_load(it->r + 3 * i), v3_load(it->s->r0 + 3 * i));
        sum += p->record[i].d * p->record[i].d * v3_dot(dr, dr);
    }
    return sum;
}

/* x += beta (x - x0), x0 = x before that */
static void extrapolate(double *restrict x, double *restrict x0, double beta, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double now = x[k];
        x[k] += beta * (now - x0[k]);
        x0[k] = now;
    }
}

static void add_momentum(iteration *it)
{
    bodies_gs *s = it->s;
    const double beta = momentum_share(&it->momentum, move_size(it));
    extrapolate(it->r, s->r0, beta, impulse_count(s->p));
    extrapolate(s->w, s->w0, beta, bodies_state_count(s->p));
}

static status sweep_until_done(iteration *it, const solver_options *options,
                               const gs_settings *settings, double residual, solver_report *report)
{
    const double scale = it->s->p->scale, target = options->tolerance * scale;
    for (uint32_t sweep = 1; sweep <= options->max_iterations && it->best > target; sweep++) {
        const double settled = scalar_max(settings->skip * residual, 0.3 * target);
        residual = bodies_gs_sweep(it->s->p, options->local, settings->over_relaxation, settled,
                                   it->r, it->s->w, &report->local_failures);
        report->iterations++;
        const bool look =
            sweep % REFRESH == 0 || sweep == options->max_iterations || residual <= target;
        if (look) residual = refresh(it);
        if (options->trace &&
            options->trace(options->trace_user, report->iterations, residual / scale)) {
            return STATUS_CANCELLED;
        }
        if (look && momentum_tame(&it->momentum, it->best)) return_to_best(it);
        if (it->momentum.limit > 0.0) add_momentum(it);
    }
    return STATUS_OK;
}

static status check_start(const bodies_problem *p, const double *r, error *err)
{
    for (uint32_t i = 0; i < p->contacts; i++) {
        if (v3_is_finite(v3_load(&r[3 * (size_t)i]))) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %" PRIu32 ": its impulse to start from is not finite", i);
    }
    return STATUS_OK;
}

status bodies_gs_solve(bodies_gs *s, const solver_options *options, const gs_settings *settings,
                       double *r, solver_report *report, error *err)
{
    const size_t impulses = impulse_count(s->p);
    const status start = check_start(s->p, r, err);
    if (start < 0) return start;
    iteration it = {
        .s = s, .r = r, .best = INFINITY, .momentum = momentum_start(settings->momentum)};
    copy(s->r0, r, impulses);
    copy(s->best_r, r, impulses);
    const double residual = refresh(&it);
    const status st = sweep_until_done(&it, options, settings, residual, report);
    copy(r, s->best_r, impulses);
    bodies_state(s->p, r, s->w);
    report->residual = it.best;
    report->converged = it.best <= options->tolerance * s->p->scale;
    return st;
}

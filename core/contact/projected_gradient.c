/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/projected_gradient.h"

#include "math/scalar.h"

#include <string.h>

static size_t vector_count(const contact_problem *p) { return 3 * (size_t)p->contacts; }

static size_t vector_size(const contact_problem *p) { return vector_count(p) * sizeof(double); }

/* ---- shared by first-order methods ---- */

bool descent_look(descent *d, const double *r, const double *u)
{
    const solver_options *o = d->options;
    const double residual = contact_problem_residual(d->p, r, u);
    if (residual < d->best) {
        d->best = residual;
        memcpy(d->best_r, r, vector_size(d->p));
    }
    const uint32_t done = d->report->iterations;
    d->stopped = done > 0 && o->trace && o->trace(o->trace_user, done, residual / d->p->scale) != 0;
    return !d->stopped && d->best > o->tolerance * d->p->scale && done < o->max_iterations;
}

status descent_finish(const descent *d, double *r)
{
    memcpy(r, d->best_r, vector_size(d->p));
    d->report->residual = d->best;
    d->report->converged = d->best <= d->options->tolerance * d->p->scale;
    return d->stopped ? STATUS_CANCELLED : STATUS_OK;
}

double desaxce_follow(const contact_problem *p, const double *u, double follow, double *s)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const double change = p->mu[i] * coulomb_tangent_norm(v3_load(u + 3 * i)) - s[i];
        worst = scalar_max(worst, fabs(change));
        s[i] += follow * change;
    }
    return worst;
}

enum { PATIENCE = 300 }; /* steps without a point that is a tenth better */
static const double SLOWEST = 0.01;

pace pace_start(double best) { return (pace){.follow = 1.0, .mark = best}; }

void pace_look(pace *pc, double best)
{
    if (best < 0.9 * pc->mark) {
        pc->mark = best;
        pc->quiet = 0;
    } else if (++pc->quiet >= PATIENCE) {
        pc->follow = scalar_max(0.5 * pc->follow, SLOWEST);
        pc->quiet = 0;
    }
}

/* ---- curvature ---- */

enum { POWER_STEPS = 20 };

/* The largest sum of |W_ij| / sqrt(d_i d_j) over a row, with Frobenius's norm. */
static double curvature_bound(const contact_problem *p)
{
    double most = 0.0;
    for (uint32_t i = 0; i < p->contacts; i++) {
        double sum = 0.0;
        for (uint32_t slot = p->W.row_start[i]; slot < p->W.row_start[i + 1]; slot++) {
            const v3 *row = p->W.block[slot].row;
            const double square =
                v3_dot(row[0], row[0]) + v3_dot(row[1], row[1]) + v3_dot(row[2], row[2]);
            sum += sqrt(square / (p->d[i] * p->d[p->W.col[slot]]));
        }
        most = scalar_max(most, sum);
    }
    return most;
}

curvature curvature_of(const contact_problem *p, pool *threads, double *x, double *y)
{
    const size_t count = vector_count(p);
    double estimate = 0.0;
    for (size_t k = 0; k < count; k++) x[k] = (1.0 + (double)(k % 7)) / sqrt(p->d[k / 3]);
    for (int step = 0; step < POWER_STEPS; step++) {
        double xx = 0.0, yy = 0.0;
        bsr3_mul(&p->W, threads, x, y);
        for (size_t k = 0; k < count; k++) {
            xx += p->d[k / 3] * x[k] * x[k];
            yy += y[k] * y[k] / p->d[k / 3];
        }
        if (!(yy > 0.0)) break;
        estimate = sqrt(yy / xx);
        for (size_t k = 0; k < count; k++) x[k] = y[k] / (p->d[k / 3] * sqrt(yy));
    }
    /* tr(D^-1/2 W D^-1/2) = 3n, so that no eigenvalue below 1 can be the largest */
    const double bound = scalar_max(curvature_bound(p), 1.0);
    return (curvature){scalar_min(scalar_max(estimate, 1.0), bound), bound};
}

/* ---- the accelerated method ---- */

enum { VECTORS = 7 };

static size_t accelerated_size(const contact_problem *p)
{
    return memory_size(VECTORS * vector_count(p) + p->contacts, sizeof(double));
}

static void restart(accelerated *a)
{
    a->theta = 1.0;
    memcpy(a->y, a->r, vector_size(a->d.p));
    memcpy(a->u_y, a->u, vector_size(a->d.p));
}

status accelerated_create(accelerated *a, const allocator *from, const contact_problem *p,
                          const solver_options *options, solver_report *report, const double *r,
                          error *err)
{
    const size_t size = accelerated_size(p), count = vector_count(p);
    *a = (accelerated){.d = {.p = p, .options = options, .report = report, .best = INFINITY}};
    a->memory = memory_alloc(from, size);
    if (!a->memory) return error_out_of_memory(err, "the projected gradient");
    double **vector[VECTORS] = {&a->r, &a->u, &a->next, &a->u_next, &a->y, &a->u_y, &a->d.best_r};
    for (size_t k = 0; k < VECTORS; k++) *vector[k] = a->memory + k * count;
    a->s = a->memory + VECTORS * count;
    memset(a->s, 0, p->contacts * sizeof *a->s);
    const curvature c = curvature_of(p, options->threads, a->next, a->u_next);
    a->L = c.estimate;
    a->L_most = c.bound;
    memcpy(a->r, r, vector_size(p));
    memcpy(a->d.best_r, r, vector_size(p));
    contact_problem_velocity(p, options->threads, a->r, a->u);
    restart(a);
    return STATUS_OK;
}

void accelerated_destroy(accelerated *a, const allocator *from)
{
    memory_free(from, a->memory, accelerated_size(a->d.p));
    a->memory = NULL;
}

static void take_gradient_step(accelerated *a)
{
    const contact_problem *p = a->d.p;
    for (size_t i = 0; i < p->contacts; i++) {
        v3 u = v3_load(a->u_y + 3 * i);
        u.x += a->s[i];
        const v3 ahead = v3_add_scaled(v3_load(a->y + 3 * i), -1.0 / (a->L * p->d[i]), u);
        v3_store(a->next + 3 * i, coulomb_project(ahead, p->mu[i]));
    }
    contact_problem_velocity(p, a->d.options->threads, a->next, a->u_next);
}

/* What W says of the step from y, against L. Raises L when it was too small. */
static bool curvature_fits(accelerated *a)
{
    double bent = 0.0, size = 0.0;
    for (size_t k = 0; k < vector_count(a->d.p); k++) {
        const double step = a->next[k] - a->y[k];
        bent += step * (a->u_next[k] - a->u_y[k]);
        size += a->d.p->d[k / 3] * step * step;
    }
    if (bent <= a->L * size || a->L >= a->L_most) return true;
    a->L = scalar_min(scalar_max(1.05 * a->L, bent / size), a->L_most);
    return false;
}

/* Does the step from y go against the move from r? Then momentum carried too far. */
static bool momentum_is_uphill(const accelerated *a)
{
    double dot = 0.0;
    for (size_t k = 0; k < vector_count(a->d.p); k++) {
        dot += a->d.p->d[k / 3] * (a->y[k] - a->next[k]) * (a->next[k] - a->r[k]);
    }
    return dot > 0.0;
}

static void extrapolate(accelerated *a)
{
    const double theta = a->theta;
    a->theta = 0.5 * (sqrt(theta * theta + 4.0) - theta) * theta;
    const double beta = theta * (1.0 - theta) / (theta * theta + a->theta);
    for (size_t k = 0; k < vector_count(a->d.p); k++) {
        a->y[k] = a->r[k] + beta * (a->r[k] - a->next[k]);
        a->u_y[k] = a->u[k] + beta * (a->u[k] - a->u_next[k]);
    }
}

bool accelerated_step(accelerated *a)
{
    take_gradient_step(a);
    a->d.report->iterations++;
    if (curvature_fits(a)) {
        const bool uphill = momentum_is_uphill(a);
        descent_swap(&a->r, &a->next);
        descent_swap(&a->u, &a->u_next);
        if (uphill) {
            restart(a);
        } else {
            extrapolate(a);
        }
    }
    return descent_look(&a->d, a->r, a->u);
}

/* ---- projected-gradient ---- */

status projected_gradient_solve(const contact_problem *p, const allocator *from,
                                const solver_options *options, double *r, solver_report *report,
                                error *err)
{
    accelerated a;
    const status st = accelerated_create(&a, from, p, options, report, r, err);
    if (st < 0) return st;
    desaxce_follow(p, a.u, 1.0, a.s);
    bool going = descent_look(&a.d, a.r, a.u);
    for (pace pc = pace_start(a.d.best); going; pace_look(&pc, a.d.best)) {
        desaxce_follow(p, a.u_y, pc.follow, a.s);
        going = accelerated_step(&a);
    }
    const status done = descent_finish(&a.d, r);
    accelerated_destroy(&a, from);
    return done;
}

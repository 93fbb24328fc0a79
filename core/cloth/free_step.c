/* SPDX-License-Identifier: Apache-2.0 */
#include "cloth/free_step.h"

#include <string.h>

static size_t node_count(const cloth_solver *s) { return s->system.sheet->topology.nodes; }

static size_t work_size(const cloth_solver *s)
{
    return memory_size(pcg_work_count(3 * node_count(s)), sizeof *s->work);
}

status cloth_solver_create(cloth_solver *s, const allocator *from, const cloth_sheet *sheet,
                           error *err)
{
    *s = (cloth_solver){.from = from};
    const status st = cloth_system_create(&s->system, from, sheet, err);
    if (st < 0) return st;
    const size_t n = node_count(s);
    s->inverse = memory_alloc(from, n * sizeof *s->inverse);
    s->v_trial = memory_alloc(from, 3 * n * sizeof *s->v_trial);
    s->res = memory_alloc(from, 3 * n * sizeof *s->res);
    s->work = memory_alloc(from, work_size(s));
    if (s->inverse && s->v_trial && s->res && s->work) return STATUS_OK;
    cloth_solver_destroy(s);
    return error_out_of_memory(err, "the solver of a cloth");
}

void cloth_solver_destroy(cloth_solver *s)
{
    if (!s->system.sheet) return;
    const size_t n = node_count(s);
    memory_free(s->from, s->inverse, n * sizeof *s->inverse);
    memory_free(s->from, s->v_trial, 3 * n * sizeof *s->v_trial);
    memory_free(s->from, s->res, 3 * n * sizeof *s->res);
    memory_free(s->from, s->work, work_size(s));
    cloth_system_destroy(&s->system);
    *s = (cloth_solver){.from = s->from};
}

/* The worst node's |A v - b| over the mean of its diagonal block; infinite if not a number. */
static double find_residual(cloth_solver *s, const double *v, pool *threads)
{
    const cloth_system *k = &s->system;
    double worst = 0.0;
    bsr3_mul(&k->A, threads, v, s->res);
    for (uint32_t i = 0; i < k->A.rows; i++) {
        const m3 *d = bsr3_diagonal(&k->A, i);
        const double scale = (d->row[0].x + d->row[1].y + d->row[2].z) / 3.0;
        const v3 r = v3_sub(v3_load(s->res + 3 * (size_t)i), v3_load(k->b + 3 * (size_t)i));
        const double size = v3_norm(r) / scale;
        if (!(size <= worst)) worst = isfinite(size) ? size : INFINITY;
    }
    return worst;
}

static status solve_linear(cloth_solver *s, const cloth_step_options *o, pool *threads, double *v,
                           cloth_step_report *report, error *err)
{
    uint32_t bad = 0;
    if (!pcg_bsr3_invert_diagonal(&s->system.A, s->inverse, &bad)) {
        return error_set(err, STATUS_DIVERGED,
                         "the matrix of a cloth is not positive definite at node %u", bad);
    }
    pcg_bsr3 pair = {&s->system.A, s->inverse, threads};
    const pcg_system system = pcg_bsr3_system(&pair);
    const pcg_report r = pcg_solve(&system, s->system.b, v, o->linear, o->most_linear, s->work);
    report->linear += r.iterations;
    if (r.outcome == PCG_CONVERGED) return STATUS_OK;
    if (r.outcome == PCG_MAX_ITERATIONS) return STATUS_NOT_CONVERGED;
    return error_set(err, STATUS_DIVERGED,
                     "conjugate gradients of a cloth left the range of numbers");
}

status cloth_free_step(cloth_solver *s, const cloth_forcing *forcing,
                       const cloth_step_options *options, pool *threads, double *v,
                       cloth_step_report *report, error *err)
{
    const size_t n = node_count(s);
    status st = STATUS_OK;
    *report = (cloth_step_report){.residual = INFINITY};
    cloth_system_begin(&s->system, forcing, threads);
    cloth_system_assemble(&s->system, NULL, threads);
    while (st >= 0) {
        st = solve_linear(s, options, threads, v, report, err);
        report->newton++;
        if (st < 0 || options->newton == 1) break;
        memcpy(s->v_trial, v, 3 * n * sizeof *v);
        cloth_system_assemble(&s->system, s->v_trial, threads);
        report->residual = find_residual(s, v, threads);
        if (report->residual <= options->tolerance) return STATUS_OK;
        if (!isfinite(report->residual)) {
            return error_set(err, STATUS_DIVERGED, "Newton's method for a cloth diverged");
        }
        if (report->newton >= options->newton) return STATUS_NOT_CONVERGED;
    }
    return st;
}

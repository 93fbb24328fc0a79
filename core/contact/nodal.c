/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/nodal.h"

#include "contact/local_exact.h"
#include "math/scalar.h"

/* Solves contact c with the others held, and returns the node's new velocity. */
static v3 nodal_relax_contact(nodal_contact *c, double w, v3 v)
{
    const v3 b = v3_add_scaled(nodal_relative_velocity(c, v), -w, c->r);
    const local_answer answer = local_solve_isotropic(w, b, c->mu);
    c->state = answer.state;
    c->dr = v3_sub(answer.r, c->r);
    const v3 new_v = v3_add_scaled(v, w, m3_tmul_v3(&c->F, c->dr));
    c->r = answer.r;
    return new_v;
}

v3 nodal_add_impulses(const nodal_contact *c, size_t count, double w, double share, v3 v)
{
    for (size_t k = 0; k < count; k++) {
        v = v3_add_scaled(v, share * w, m3_tmul_v3(&c[k].F, c[k].r));
    }
    return v;
}

double nodal_worst_residual(const nodal_contact *c, size_t count, double w, v3 v)
{
    double worst = 0.0;
    for (size_t k = 0; k < count; k++) {
        worst = scalar_max(worst,
                           coulomb_residual(nodal_relative_velocity(&c[k], v), c[k].r, c[k].mu, w));
    }
    return worst;
}

/* One sweep over a node's contacts; *shrink is how much smaller its change is than the last
 * one's. */
static v3 nodal_sweep(nodal_contact *c, size_t count, double w, v3 v, double *shrink)
{
    double along = 0.0, last = 0.0;
    for (size_t k = 0; k < count; k++) {
        const v3 before = c[k].dr;
        v = nodal_relax_contact(&c[k], w, v);
        along += v3_dot(before, c[k].dr);
        last += v3_dot(before, before);
    }
    *shrink = last > 0.0 ? along / last : 0.0;
    return v;
}

static v3 nodal_extrapolate(nodal_contact *c, size_t count, double w, v3 v, double shrink)
{
    if (!(shrink > 0.0 && shrink < 1.0)) return v;
    const double scale = shrink / (1.0 - shrink);
    for (size_t k = 0; k < count; k++) {
        c[k].r = v3_add_scaled(c[k].r, scale, c[k].dr);
        v = v3_add_scaled(v, scale * w, m3_tmul_v3(&c[k].F, c[k].dr));
    }
    return v;
}

enum { MOST_SWEEPS = 60 }; /* nine corners out of ten need fewer than twenty */

/* Extrapolates every `pause` sweeps; the pause doubles when the last extrapolation did not pay, so
 * that plain Gauss-Seidel is what remains where extrapolation misleads. */
static uint32_t nodal_solve_corner(const nodal_problem *p, nodal_contact *c, size_t count, double w,
                                   v3 *v)
{
    const uint32_t most = p->max_iterations < MOST_SWEEPS ? p->max_iterations : MOST_SWEEPS;
    uint32_t sweep = 0, pause = 6, next = pause;
    double last = INFINITY;
    while (sweep < most) {
        double shrink;
        *v = nodal_sweep(c, count, w, *v, &shrink);
        sweep++;
        const double residual = nodal_worst_residual(c, count, w, *v);
        if (residual <= p->tolerance || sweep == most) break;
        if (sweep < next) continue;
        if (residual > 0.5 * last) pause *= 2;
        last = residual;
        next = sweep + pause;
        *v = nodal_extrapolate(c, count, w, *v, shrink);
    }
    return sweep;
}

static uint32_t nodal_solve_node(const nodal_problem *p, nodal_contact *c, size_t count, double w,
                                 v3 *v)
{
    if (count > 1) return nodal_solve_corner(p, c, count, w, v);
    *v = nodal_relax_contact(c, w, *v);
    return 1;
}

static void nodal_report_node(nodal_report *report, const nodal_problem *p, const nodal_contact *c,
                              size_t count, double w, v3 v)
{
    double worst = 0.0;
    for (size_t k = 0; k < count; k++) {
        const v3 u = nodal_relative_velocity(&c[k], v);
        const coulomb_errors e = coulomb_measure(u, c[k].r, c[k].mu, w);
        worst = scalar_max(worst, e.natural);
        report->worst.fischer_burmeister =
            scalar_max(report->worst.fischer_burmeister, e.fischer_burmeister);
        report->worst.alart_curnier = scalar_max(report->worst.alart_curnier, e.alart_curnier);
        report->takeoff += c[k].state == CONTACT_TAKEOFF;
        report->stick += c[k].state == CONTACT_STICK;
        report->slide += c[k].state == CONTACT_SLIDE;
    }
    report->worst.natural = scalar_max(report->worst.natural, worst);
    report->missed += !(worst <= p->tolerance);
}

nodal_report nodal_solve_range(const nodal_problem *p, size_t begin, size_t end)
{
    nodal_report report = {0};
    for (size_t i = begin; i < end; i++) {
        const size_t count = p->first[i + 1] - p->first[i];
        if (count == 0) continue;
        nodal_contact *c = &p->contacts[p->first[i]];
        v3 v = v3_load(&p->v[3 * i]);
        const uint32_t sweeps = nodal_solve_node(p, c, count, p->w[i], &v);
        v3_store(&p->v[3 * i], v);
        if (sweeps > report.iterations) report.iterations = sweeps;
        nodal_report_node(&report, p, c, count, p->w[i], v);
    }
    return report;
}

nodal_report nodal_measure_range(const nodal_problem *p, size_t begin, size_t end)
{
    nodal_report report = {0};
    for (size_t i = begin; i < end; i++) {
        const size_t count = p->first[i + 1] - p->first[i];
        const v3 v = v3_load(&p->v[3 * i]);
        nodal_report_node(&report, p, &p->contacts[p->first[i]], count, p->w[i], v);
    }
    return report;
}

void nodal_report_merge(nodal_report *into, const nodal_report *from)
{
    into->worst.natural = scalar_max(into->worst.natural, from->worst.natural);
    into->worst.fischer_burmeister =
        scalar_max(into->worst.fischer_burmeister, from->worst.fischer_burmeister);
    into->worst.alart_curnier = scalar_max(into->worst.alart_curnier, from->worst.alart_curnier);
    into->takeoff += from->takeoff;
    into->stick += from->stick;
    into->slide += from->slide;
    into->missed += from->missed;
    if (from->iterations > into->iterations) into->iterations = from->iterations;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/cadoux.h"

#include "contact/projected_gradient.h"
#include "math/scalar.h"

#include <string.h>

enum { MOST_INNER = 100 }; /* steps */
static const double INNER_SHARE = 0.5, LEAST_DAMPING = 1.0 / 64.0;

/* The outer loop's memory of how s moved. */
typedef struct outer {
    double *last; /* per contact, the last change of s */
    double size;  /* its square */
    double damping;
} outer;

/* The worst contact's distance from the convex problem's optimum, m/s. */
static double inner_residual(const accelerated *a)
{
    const contact_problem *p = a->d.p;
    double worst = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const v3 u = v3_load(a->u + 3 * i), dr = v3_scale(p->d[i], v3_load(a->r + 3 * i));
        const v3 ahead = {dr.x - u.x - a->s[i], dr.y - u.y, dr.z - u.z};
        const v3 off = v3_sub(dr, coulomb_project(ahead, p->mu[i]));
        worst = scalar_max(worst, v3_norm(off));
    }
    return worst;
}

/* The largest change of s that the point at hand asks for, m/s. */
static double outer_change(const accelerated *a) { return desaxce_follow(a->d.p, a->u, 0.0, a->s); }

/* Moves s; a change that turns around without shrinking much halves the damping. */
static void outer_step(outer *o, accelerated *a)
{
    const contact_problem *p = a->d.p;
    double dot = 0.0, size = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const double change = p->mu[i] * coulomb_tangent_norm(v3_load(a->u + 3 * i)) - a->s[i];
        dot += change * o->last[i];
        size += change * change;
        o->last[i] = change;
    }
    const bool turns = dot < -0.5 * size && size > 0.25 * o->size;
    o->damping =
        turns ? scalar_max(0.5 * o->damping, LEAST_DAMPING) : scalar_min(1.1 * o->damping, 1.0);
    o->size = size;
    desaxce_follow(p, a->u, o->damping, a->s);
}

static void iterate(outer *o, accelerated *a)
{
    const double target = a->d.options->tolerance * a->d.p->scale;
    desaxce_follow(a->d.p, a->u, 1.0, a->s);
    bool going = descent_look(&a->d, a->r, a->u);
    for (int inner = 1; going; inner++) {
        going = accelerated_step(a);
        const double enough = scalar_max(INNER_SHARE * outer_change(a), 0.3 * target);
        if (inner < MOST_INNER && inner_residual(a) > enough) continue;
        outer_step(o, a);
        inner = 0;
    }
}

status cadoux_solve(const contact_problem *p, const allocator *from, const solver_options *options,
                    double *r, solver_report *report, error *err)
{
    accelerated a;
    const size_t size = p->contacts * sizeof(double);
    outer o = {.last = memory_alloc(from, size), .damping = 1.0};
    if (!o.last) return error_out_of_memory(err, "Cadoux's fixed point");
    memset(o.last, 0, size);
    status st = accelerated_create(&a, from, p, options, report, r, err);
    if (st >= 0) {
        iterate(&o, &a);
        st = descent_finish(&a.d, r);
        accelerated_destroy(&a, from);
    }
    memory_free(from, o.last, size);
    return st;
}

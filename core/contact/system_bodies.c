/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems of bodies alone, whitened (bodies.h): sweeps, and the explicit form.
 */
#include "base/clock.h"
#include "contact/bodies_gs.h"
#include "contact/system_forms.h"

#include <inttypes.h>
#include <string.h>

bool system_bodies_fit(const contact_system *s)
{
    if (s->nodes > 0) return false;
    for (uint32_t i = 0; i < s->contacts; i++) {
        if (s->term_start[i + 1] - s->term_start[i] > 2) return false;
    }
    return true;
}

/* ---- the system as a source of bodies ---- */

typedef struct bodies_run {
    const system_run *run;
    bodies_body *body;
    bodies_contact *contact;
    double *factors;
    size_t factor_count;
    double *r;    /* [3 contacts] what is worked on */
    double *best; /* [3 contacts] and the best of it; the report has its residual */
    bodies_problem p;
    bodies_gs gs;
} bodies_run;

static void source_free(bodies_run *b)
{
    const contact_system *s = b->run->given;
    memory_free(b->run->from, b->body, s->bodies * sizeof *b->body);
    memory_free(b->run->from, b->contact, s->contacts * sizeof *b->contact);
    memory_free(b->run->from, b->factors, b->factor_count * sizeof *b->factors);
    memory_free(b->run->from, b->r, s->contacts * 6 * sizeof *b->r);
}

static bool source_allocate(bodies_run *b)
{
    const contact_system *s = b->run->given;
    for (uint32_t k = 0; k < s->bodies; k++) {
        b->factor_count += (size_t)s->body_unknowns[k] * s->body_unknowns[k];
    }
    b->body = memory_alloc(b->run->from, memory_size(s->bodies, sizeof *b->body));
    b->contact = memory_alloc(b->run->from, memory_size(s->contacts, sizeof *b->contact));
    b->factors = memory_alloc(b->run->from, memory_size(b->factor_count, sizeof *b->factors));
    b->r = memory_alloc(b->run->from, memory_size(s->contacts, 6 * sizeof *b->r));
    if (b->r) b->best = b->r + 3 * (size_t)s->contacts;
    return b->body && b->contact && b->factors && b->r;
}

static status factor_bodies(bodies_run *b, error *err)
{
    const contact_system *s = b->run->given;
    double *A = b->factors;
    const double *v = s->body_velocity;
    memcpy(A, s->body_inertia, b->factor_count * sizeof *A);
    for (uint32_t k = 0; k < s->bodies; k++) {
        const size_t n = s->body_unknowns[k];
        size_t bad;
        b->body[k] = (bodies_body){ldl_dense(n), A, v};
        if (!ldl_factor(&b->body[k].shape, A, &bad)) {
            return error_set(err, STATUS_INVALID_ARGUMENT,
                             "body %" PRIu32 ": its inertia is not positive definite, as row %zu "
                             "shows",
                             k, bad);
        }
        A += n * n;
        v += n;
    }
    return STATUS_OK;
}

static void list_contacts(bodies_run *b)
{
    const contact_system *s = b->run->given;
    const double *H = s->term_H;
    for (uint32_t i = 0; i < s->contacts; i++) {
        bodies_contact *c = &b->contact[i];
        c->side[1].body = BODIES_NONE;
        for (uint32_t k = s->term_start[i]; k < s->term_start[i + 1]; k++) {
            const uint32_t target = s->term_target[k];
            c->side[k - s->term_start[i]] = (bodies_side){target, H};
            H += 3 * contact_system_unknowns(s, target);
        }
        c->u_0 = v3_load(&s->velocity[3 * (size_t)i]);
        c->mu = s->mu[i];
    }
}

static status make_problem(bodies_run *b, error *err)
{
    const contact_system *s = b->run->given;
    const status st = factor_bodies(b, err);
    if (st < 0) return st;
    list_contacts(b);
    const bodies_source source = {s->bodies, s->contacts, b->body, b->contact,
                                  b->run->options->threads};
    return bodies_problem_create(&b->p, b->run->from, &source, err);
}

/* ---- solving ---- */

enum { SWEEPS_BEFORE_EXPLICIT = 500 };
static const uint64_t MOST_BLOCKS = 4000000; /* of W: some 300 MB */

/* Of W, counting a pair of contacts once for every body they share. */
static status check_explicit_fits(const bodies_run *b, error *err)
{
    const contact_system *s = b->run->given;
    uint64_t *sides = memory_alloc(b->run->from, memory_size(s->bodies, sizeof *sides));
    if (!sides) return error_out_of_memory(err, "an explicit operator");
    for (uint32_t k = 0; k < s->term_start[s->contacts]; k++) sides[s->term_target[k]]++;
    uint64_t blocks = 0;
    for (uint32_t k = 0; k < s->bodies; k++) blocks += sides[k] * sides[k];
    memory_free(b->run->from, sides, s->bodies * sizeof *sides);
    if (blocks <= MOST_BLOCKS) return STATUS_OK;
    return error_set(err, STATUS_UNSUPPORTED,
                     "the explicit operator would have %" PRIu64 " blocks, at most %" PRIu64
                     " are made",
                     blocks, MOST_BLOCKS);
}

static size_t impulse_size(const bodies_run *b) { return 3 * (size_t)b->p.contacts * sizeof *b->r; }

/* r becomes the best if it is better, and the best if it is not. */
static void keep_better(bodies_run *b)
{
    solver_report *report = &b->run->answer->report;
    bodies_state(&b->p, b->r, b->gs.w);
    const double residual = bodies_residual(&b->p, b->r, b->gs.w);
    if (residual < report->residual) {
        memcpy(b->best, b->r, impulse_size(b));
        report->residual = residual;
    } else {
        memcpy(b->r, b->best, impulse_size(b));
    }
    report->converged = report->residual <= b->run->options->tolerance * b->p.scale;
}

static status sweep(bodies_run *b, uint32_t most, error *err)
{
    solver_options options = *b->run->options;
    const uint32_t left = system_iterations_left(b->run);
    options.max_iterations = left < most ? left : most;
    solver_report done = {0}, *report = &b->run->answer->report;
    const double start = clock_now();
    const status st = bodies_gs_solve(&b->gs, &options, &bodies_gs_default, b->r, &done, err);
    done.seconds.sweeps = clock_now() - start;
    solver_report_add_work(report, &done);
    report->islands = 0;
    if (st >= 0) keep_better(b);
    return st;
}

static status solve_explicit(bodies_run *b, error *err)
{
    const system_run *run = b->run;
    contact_problem p;
    status st = check_explicit_fits(b, err);
    if (st >= 0) st = bodies_make_explicit(&b->p, run->from, &p, err);
    if (st < 0) return st;
    st = system_run_explicit(run, &p, run->options->tolerance, b->r, err);
    contact_problem_destroy(&p, run->from);
    keep_better(b);
    return st;
}

static status iterate(bodies_run *b, error *err)
{
    const system_solver *chosen = b->run->solver;
    const solver_report *report = &b->run->answer->report;
    const uint32_t first = chosen->explicit ? SWEEPS_BEFORE_EXPLICIT : UINT32_MAX;
    status st = chosen->sweeps ? sweep(b, first, err) : STATUS_OK;
    if (st != STATUS_OK || report->converged || !chosen->explicit) return st;
    if (system_iterations_left(b->run) == 0) return st;
    st = solve_explicit(b, err);
    const bool go_on = st == STATUS_UNSUPPORTED || (st == STATUS_OK && !report->converged);
    if (!chosen->sweeps || !go_on) return st;
    error_clear(err); /* that W does not fit is none here */
    return sweep(b, UINT32_MAX, err);
}

static void answer(const bodies_run *b)
{
    const system_run *run = b->run;
    const double *w = b->gs.w;
    contact_measure m = contact_measure_none();
    memcpy(run->r, b->best, impulse_size(b));
    bodies_state(&b->p, run->r, b->gs.w);
    for (uint32_t i = 0; i < b->p.contacts; i++) {
        const bodies_record *c = bodies_record_of(&b->p, i);
        const v3 u = bodies_contact_velocity(&b->p, c, w);
        contact_measure_add(&m, u, v3_load(run->r + 3 * (size_t)i), c->mu, c->d);
        if (run->u) v3_store(run->u + 3 * (size_t)i, u);
    }
    run->answer->measure = m;
    run->answer->scale = b->p.scale;
    double *v = run->v;
    for (uint32_t k = 0; v && k < b->p.bodies; k++) {
        bodies_body_velocity(&b->p, &b->body[k], k, w, v);
        v += b->body[k].shape.n;
    }
}

/* The starting point is the best so far. */
static status begin(bodies_run *b, error *err)
{
    const double *r = b->run->r;
    for (size_t k = 0; k < 3 * (size_t)b->p.contacts; k++) {
        if (isfinite(r[k])) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %zu: the start has a number that is not finite", k / 3);
    }
    memcpy(b->r, r, impulse_size(b));
    memcpy(b->best, r, impulse_size(b));
    b->run->answer->report.residual = INFINITY;
    keep_better(b);
    return STATUS_OK;
}

static status solve_with(bodies_run *b, error *err)
{
    status st = bodies_gs_create(&b->gs, &b->p, err);
    if (st < 0) return st;
    st = begin(b, err);
    if (st >= 0) st = iterate(b, err);
    if (st >= 0) answer(b);
    bodies_gs_destroy(&b->gs);
    return st;
}

status system_bodies_solve(const system_run *run, error *err)
{
    bodies_run b = {.run = run};
    status st = source_allocate(&b) ? make_problem(&b, err)
                                    : error_out_of_memory(err, "a problem of bodies");
    if (st >= 0) {
        st = solve_with(&b, err);
        bodies_problem_destroy(&b.p);
    }
    source_free(&b);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact extension: one problem in, one answer out.
 */
#include "ext_contact.h"

#include "base/clock.h"
#include "contact/islands.h"
#include "guard.h"
#include "structs.h"

#include <inttypes.h>

static const double DEFAULT_TOLERANCE = 1e-6;
static const uint32_t DEFAULT_ITERATIONS = 1000000;

static uint64_t ext_solver_count(void) { return solver_count; }

static uint64_t ext_local_count(void) { return local_count; }

stn_status ext_contact_give_info(const char *name, const char *doc, stn_solver_info *out)
{
    const stn_solver_info full = {.name = name, .doc = doc};
    return STRUCT_GIVE(out, &full, guard_thread_error());
}

stn_status ext_contact_refuse_index(uint64_t index, uint64_t count)
{
    return error_set(guard_thread_error(), STATUS_INVALID_ARGUMENT,
                     "solver %" PRIu64 " of %" PRIu64 "; expected a smaller index", index, count);
}

static stn_status ext_solver_info(uint64_t index, stn_solver_info *out)
{
    if (index >= solver_count) return ext_contact_refuse_index(index, solver_count);
    return ext_contact_give_info(solver_table[index].name, solver_table[index].doc, out);
}

static stn_status ext_local_info(uint64_t index, stn_solver_info *out)
{
    if (index >= local_count) return ext_contact_refuse_index(index, local_count);
    return ext_contact_give_info(local_table[index].name, local_table[index].doc, out);
}

static const char *ext_last_error(void) { return guard_thread_error()->text; }

/* ---- solve ---- */

status ext_contact_refuse_name(const char *kind, const char *name, const text_suggestion *near,
                               error *err)
{
    return error_set(err, STATUS_UNKNOWN_NAME, "there is no %s '%s'%s%s%s", kind, name,
                     near->best ? "; did you mean '" : "", near->best ? near->best : "",
                     near->best ? "'?" : "");
}

static status choose_solver(const char *name, const solver **out, error *err)
{
    *out = name ? solver_find(name) : &solver_table[0];
    if (*out) return STATUS_OK;
    text_suggestion near = {0};
    for (size_t i = 0; i < solver_count; i++) {
        text_suggestion_offer(&near, name, solver_table[i].name);
    }
    return ext_contact_refuse_name("solver", name, &near, err);
}

static status choose_local(const char *name, const local_solver **out, error *err)
{
    *out = name ? local_find(name) : &local_table[0];
    if (*out) return STATUS_OK;
    text_suggestion near = {0};
    for (size_t i = 0; i < local_count; i++) {
        text_suggestion_offer(&near, name, local_table[i].name);
    }
    return ext_contact_refuse_name("one-contact solver", name, &near, err);
}

status ext_contact_read_options(const stn_contact_options *given, stn_contact_options *out,
                                solver_options *options, error *err)
{
    status st = STRUCT_TAKE(given, out, err);
    if (st >= 0) st = struct_check_reserved(out->reserved, "options", err);
    if (st >= 0) st = choose_local(out->local, &options->local, err);
    if (st < 0) return st;
    if (!(out->tolerance >= 0.0 && out->tolerance < 1.0)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "the tolerance is %g, expected a number from 0 to 1", out->tolerance);
    }
    options->tolerance = out->tolerance > 0.0 ? out->tolerance : DEFAULT_TOLERANCE;
    options->max_iterations = out->max_iterations ? out->max_iterations : DEFAULT_ITERATIONS;
    options->trace = out->trace;
    options->trace_user = out->user;
    return STATUS_OK;
}

static status read_problem(const stn_contact_problem *given, contact_problem *p, error *err)
{
    stn_contact_problem full;
    status st = struct_take(given, &full, sizeof full, "problem", err);
    if (st >= 0) st = struct_require(full.row_start, "row_start", err);
    if (st >= 0) st = struct_require(full.col, "col", err);
    if (st >= 0) st = struct_require(full.blocks, "blocks", err);
    if (st >= 0) st = struct_require(full.b, "b", err);
    if (st >= 0) st = struct_require(full.mu, "mu", err);
    if (st < 0) return st;
    const contact_source source = {.contacts = full.contacts,
                                   .row_start = full.row_start,
                                   .col = full.col,
                                   .blocks = full.blocks,
                                   .b = full.b,
                                   .mu = full.mu};
    return contact_problem_create(p, &allocator_system, &source, err);
}

/* One call of solve. */
typedef struct occasion {
    contact_problem p;
    const solver *chosen;
    solver_options options;
    ext_contact_outcome outcome;
    double *r, *u;
} occasion;

static status check_start(const occasion *o, error *err)
{
    for (size_t k = 0; k < 3 * (size_t)o->p.contacts; k++) {
        if (isfinite(o->r[k])) continue;
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "contact %zu: the start r has a number that is not finite", k / 3);
    }
    return STATUS_OK;
}

/* 0 if there is no memory to count them: no reason to lose the answer. */
static uint32_t count_islands(const contact_problem *p)
{
    islands found;
    if (islands_find(&found, &allocator_system, p) < 0) return 0;
    const uint32_t count = found.count;
    islands_destroy(&found);
    return count;
}

static stn_contact_result describe_outcome(const ext_contact_outcome *o)
{
    const solver_report *report = &o->report;
    const contact_measure *m = &o->measure;
    const double relative = o->scale > 0.0 ? report->residual / o->scale : 0.0;
    return (stn_contact_result){.converged = report->converged,
                                .iterations = report->iterations,
                                .residual = report->residual,
                                .residual_relative = relative,
                                .fischer_burmeister = m->worst.fischer_burmeister,
                                .alart_curnier = m->worst.alart_curnier,
                                .cone_violation = m->cone_violation,
                                .min_normal_velocity = m->min_normal_velocity,
                                .stick = m->stick,
                                .slide = m->slide,
                                .takeoff = m->takeoff,
                                .local_failures = report->local.failures,
                                .islands = report->islands,
                                .seconds = o->done - o->ready,
                                .local_fallbacks = report->local.fallbacks,
                                .seconds_setup = o->ready - o->begun,
                                .seconds_sweeps = report->seconds.sweeps,
                                .seconds_newton = report->seconds.newton,
                                .seconds_linear = report->seconds.linear,
                                .seconds_measure = clock_now() - o->done,
                                .local_calls = report->local.calls,
                                .local_iterations = report->local.iterations};
}

status ext_contact_tell(status st, const ext_contact_outcome *o, stn_contact_result *result,
                        error *err)
{
    const stn_contact_result full = describe_outcome(o);
    if (result) {
        const status given = STRUCT_GIVE(result, &full, err);
        if (given < 0) return given;
    }
    if (st == STATUS_CANCELLED) return error_set(err, st, "stopped; r is the best so far");
    if (full.converged) return STATUS_OK;
    return error_set(err, STATUS_NOT_CONVERGED,
                     "%s stopped after %" PRIu64 " iterations with a relative residual of %g",
                     o->solver, full.iterations, full.residual_relative);
}

static void measure(occasion *o)
{
    ext_contact_outcome *out = &o->outcome;
    contact_problem_velocity(&o->p, NULL, o->r, o->u);
    out->solver = o->chosen->name;
    out->scale = o->p.scale;
    out->measure = contact_problem_measure(&o->p, o->r, o->u);
    out->report.residual = out->measure.worst.natural;
    if (out->report.islands == 0) out->report.islands = count_islands(&o->p);
}

static status solve_problem(occasion *o, stn_contact_result *result, error *err)
{
    o->outcome.ready = clock_now();
    const status st =
        o->chosen->solve(&o->p, &allocator_system, &o->options, o->r, &o->outcome.report, err);
    if (st < 0) return st;
    o->outcome.done = clock_now();
    measure(o);
    return ext_contact_tell(st, &o->outcome, result, err);
}

static status solve_in_pool(occasion *o, uint32_t threads, stn_contact_result *result, error *err)
{
    const size_t size = 3 * (size_t)o->p.contacts * sizeof *o->u;
    double *own_u = o->u ? NULL : memory_alloc(&allocator_system, size);
    if (own_u) o->u = own_u;
    o->options.threads = pool_create(&allocator_system, threads, NULL);
    status st =
        o->options.threads && o->u ? check_start(o, err) : error_out_of_memory(err, "a solver");
    if (st >= 0) st = solve_problem(o, result, err);
    pool_destroy(o->options.threads);
    memory_free(&allocator_system, own_u, size);
    return st;
}

static stn_status ext_solve(const stn_contact_problem *problem, const stn_contact_options *given,
                            double *r, double *u, stn_contact_result *result)
{
    error *err = guard_thread_error();
    stn_contact_options full;
    occasion o = {.r = r, .u = u, .outcome.begun = clock_now()};
    status st = struct_require(r, "r", err);
    if (st >= 0) st = ext_contact_read_options(given, &full, &o.options, err);
    if (st >= 0) st = choose_solver(full.solver, &o.chosen, err);
    if (st >= 0) st = read_problem(problem, &o.p, err);
    if (st < 0) return st;
    st = solve_in_pool(&o, full.threads, result, err);
    contact_problem_destroy(&o.p, &allocator_system);
    return st;
}

/* ---- one contact at a time ---- */

static bool all_finite(const double *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(numbers[k])) return false;
    }
    return true;
}

static status check_local(const stn_local_batch *all, uint64_t i, error *err)
{
    const double *W = all->W + 9 * i, mu = all->mu[i];
    const bool finite = all_finite(W, 9) && all_finite(all->b + 3 * i, 3) &&
                        (!all->guess || all_finite(all->guess + 3 * i, 3));
    if (!finite) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "problem %" PRIu64 ": W, b or guess has a number that is not finite", i);
    }
    if (!(W[0] + W[4] + W[8] > 0.0)) {
        return error_set(err, STATUS_INVALID_ARGUMENT,
                         "problem %" PRIu64 ": the trace of W is %g, expected more than 0", i,
                         W[0] + W[4] + W[8]);
    }
    if (mu >= 0.0 && isfinite(mu)) return STATUS_OK;
    return error_set(err, STATUS_INVALID_ARGUMENT,
                     "problem %" PRIu64 ": mu is %g, expected a number that is not negative", i,
                     mu);
}

static status read_batch(const stn_local_batch *given, stn_local_batch *all,
                         const local_solver **chosen, error *err)
{
    status st = struct_take(given, all, sizeof *all, "batch", err);
    if (st >= 0) st = struct_check_reserved(all->reserved, "batch", err);
    if (st >= 0) st = choose_local(all->local, chosen, err);
    if (st >= 0) st = struct_require(all->W, "W", err);
    if (st >= 0) st = struct_require(all->b, "b", err);
    if (st >= 0) st = struct_require(all->mu, "mu", err);
    for (uint64_t i = 0; st >= 0 && i < all->count; i++) st = check_local(all, i, err);
    return st;
}

static void solve_local(const local_solver *chosen, const stn_local_batch *all, uint64_t i,
                        local_tally *tally)
{
    const double *W = all->W + 9 * i;
    const sym3 S = {W[0], 0.5 * (W[1] + W[3]), 0.5 * (W[2] + W[6]),
                    W[4], 0.5 * (W[5] + W[7]), W[8]};
    const v3 guess = all->guess ? v3_load(all->guess + 3 * i) : (v3){0.0, 0.0, 0.0};
    const local_answer a = chosen->solve(&S, v3_load(all->b + 3 * i), all->mu[i], guess);
    local_tally_count(tally, &a);
    if (all->r) v3_store(all->r + 3 * i, a.r);
    if (all->iterations) all->iterations[i] = a.iterations;
    if (all->verdict) {
        all->verdict[i] =
            (a.failed ? STN_LOCAL_FAILED : 0u) | (a.fell_back ? STN_LOCAL_FELL_BACK : 0u);
    }
}

static stn_status ext_solve_locals(const stn_local_batch *batch, stn_local_result *result)
{
    error *err = guard_thread_error();
    stn_local_batch all;
    const local_solver *chosen;
    const status st = read_batch(batch, &all, &chosen, err);
    if (st < 0) return st;
    local_tally tally = {0};
    const double start = clock_now();
    for (uint64_t i = 0; i < all.count; i++) solve_local(chosen, &all, i, &tally);
    const stn_local_result full = {.failures = tally.failures,
                                   .fallbacks = tally.fallbacks,
                                   .iterations = tally.iterations,
                                   .seconds = clock_now() - start};
    return result ? STRUCT_GIVE(result, &full, err) : STN_OK;
}

const stn_ext_contact ext_contact_table = {
    .struct_size = sizeof(stn_ext_contact),
    .version = 1,
    .solver_count = ext_solver_count,
    .solver_info = ext_solver_info,
    .local_count = ext_local_count,
    .local_info = ext_local_info,
    .solve = ext_solve,
    .last_error = ext_last_error,
    .visit_problems = ext_visit_problems,
    .solve_locals = ext_solve_locals,
    .system_solver_count = ext_contact_system_solver_count,
    .system_solver_info = ext_contact_system_solver_info,
    .solve_system = ext_contact_solve_system,
};

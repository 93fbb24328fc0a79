/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact extension: systems of bodies, nodes and contacts.
 */
#include "base/clock.h"
#include "contact/system_solve.h"
#include "ext_contact.h"
#include "guard.h"
#include "structs.h"

uint64_t ext_contact_system_solver_count(void) { return system_solver_count(); }

stn_status ext_contact_system_solver_info(uint64_t index, stn_solver_info *out)
{
    const size_t count = system_solver_count();
    if (index >= count) return ext_contact_refuse_index(index, count);
    const system_solver s = system_solver_at((size_t)index);
    return ext_contact_give_info(s.name, s.doc, out);
}

static status choose_solver(const char *name, system_solver *out, error *err)
{
    *out = system_solver_at(0);
    if (!name || system_solver_find(name, out)) return STATUS_OK;
    text_suggestion near = {0};
    for (size_t i = 0; i < system_solver_count(); i++) {
        text_suggestion_offer(&near, name, system_solver_at(i).name);
    }
    return ext_contact_refuse_name("solver of systems", name, &near, err);
}

/* ---- reading ---- */

static status require_bodies(const stn_contact_system *s, error *err)
{
    if (s->bodies == 0) return STATUS_OK;
    status st = struct_require(s->body_unknowns, "body_unknowns", err);
    if (st >= 0) st = struct_require(s->body_inertia, "body_inertia", err);
    if (st >= 0) st = struct_require(s->body_velocity, "body_velocity", err);
    return st;
}

static status require_nodes(const stn_contact_system *s, error *err)
{
    if (s->nodes == 0) return STATUS_OK;
    status st = struct_require(s->row_start, "row_start", err);
    if (st >= 0) st = struct_require(s->col, "col", err);
    if (st >= 0) st = struct_require(s->blocks, "blocks", err);
    if (st >= 0) st = struct_require(s->force, "force", err);
    return st;
}

static status require_contacts(const stn_contact_system *s, error *err)
{
    status st = struct_require(s->mu, "mu", err);
    if (st >= 0) st = struct_require(s->velocity, "velocity", err);
    if (st >= 0) st = struct_require(s->term_start, "term_start", err);
    if (st >= 0) st = struct_require(s->term_target, "term_target", err);
    if (st >= 0) st = struct_require(s->term_H, "term_H", err);
    return st;
}

static status read_system(const stn_contact_system *given, contact_system *out, error *err)
{
    stn_contact_system s;
    status st = struct_take(given, &s, sizeof s, "system", err);
    if (st >= 0) st = require_bodies(&s, err);
    if (st >= 0) st = require_nodes(&s, err);
    if (st >= 0) st = require_contacts(&s, err);
    if (st < 0) return st;
    *out = (contact_system){.bodies = s.bodies,
                            .nodes = s.nodes,
                            .contacts = s.contacts,
                            .body_unknowns = s.body_unknowns,
                            .body_inertia = s.body_inertia,
                            .body_velocity = s.body_velocity,
                            .row_start = s.row_start,
                            .col = s.col,
                            .blocks = s.blocks,
                            .force = s.force,
                            .mu = s.mu,
                            .velocity = s.velocity,
                            .term_start = s.term_start,
                            .term_target = s.term_target,
                            .term_H = s.term_H};
    return STATUS_OK;
}

/* ---- solving ---- */

stn_status ext_contact_solve_system(const stn_contact_system *system,
                                    const stn_contact_options *given, double *r, double *u,
                                    double *v, stn_contact_result *result)
{
    error *err = guard_thread_error();
    const double begun = clock_now();
    stn_contact_options full;
    solver_options options = {0};
    system_solver chosen;
    contact_system s;
    const stn_contact_result nothing = {0};
    status st = struct_require(r, "r", err);
    if (st >= 0) st = ext_contact_read_options(given, &full, &options, err);
    if (st >= 0) st = choose_solver(full.solver, &chosen, err);
    if (st >= 0) st = read_system(system, &s, err);
    if (st >= 0 && result) st = STRUCT_GIVE(result, &nothing, err); /* before anything changes */
    if (st < 0) return st;
    options.threads = pool_create(&allocator_system, full.threads, NULL);
    if (!options.threads) return error_out_of_memory(err, "threads");
    system_answer answer;
    const double ready = clock_now();
    st = system_solve(&s, &allocator_system, &chosen, &options, r, u, v, &answer, err);
    pool_destroy(options.threads);
    if (st < 0) return st;
    const ext_contact_outcome o = {.solver = chosen.name,
                                   .report = answer.report,
                                   .measure = answer.measure,
                                   .scale = answer.scale,
                                   .begun = begun,
                                   .ready = ready,
                                   .done = clock_now()};
    return ext_contact_tell(st, &o, result, err);
}

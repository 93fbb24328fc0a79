/* SPDX-License-Identifier: Apache-2.0 */
#include "contact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../progress.h"
#include "../solve/catalogue.h"
#include "../solve/row.h"
#include "median.h"

/* The first of a goal's runs may be slow, and those of tiny problems are shorter than the clock's
 * noise. */
enum { REPETITIONS_LEAST = 3, REPETITIONS_MOST = 101 };
static const double SECONDS_ENOUGH = 0.2;

/* A run that takes longer has missed its tolerance. */
static const double SECONDS_MOST = 5.0;

/* ---- what is measured ------------------------------------------------------------------------ */

/* The default solver is also tried on tolerances that others are not expected to reach. */
static void set_goals(contact_bench *b)
{
    static const contact_goal all[CONTACT_GOALS] = {
        {"auto", 1e-5}, {"auto", 1e-6}, {"auto", 1e-8}, {"momentum", 1e-5}, {"gauss-seidel", 1e-5}};
    for (size_t i = 0; i < CONTACT_GOALS; i++) {
        if (b->solver && strcmp(b->solver, all[i].solver) != 0) continue;
        b->goals[b->goal_count++] = all[i];
    }
    if (b->goal_count == 0) b->goals[b->goal_count++] = (contact_goal){b->solver, 1e-5};
}

/* ---- one problem ----------------------------------------------------------------------------- */

static int32_t stop_late(void *user, uint32_t iteration, double residual)
{
    (void)iteration;
    (void)residual;
    const double *deadline = user;
    return progress_now() > *deadline;
}

static bool run_once(const contact_bench *b, const stn_contact_problem *problem,
                     const contact_goal *goal, double *r, stn_contact_result *result,
                     contact_row *row)
{
    double deadline = progress_now() + SECONDS_MOST;
    const stn_contact_options options = {.struct_size = sizeof options,
                                         .threads = b->threads,
                                         .solver = goal->solver,
                                         .tolerance = goal->tolerance,
                                         .user = &deadline,
                                         .trace = stop_late};
    *result = (stn_contact_result){.struct_size = sizeof *result};
    memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
    const stn_status status = b->contact->solve(problem, &options, r, NULL, result);
    if (status >= 0) return true;
    row->code = cli_exit_code(status);
    snprintf(row->error, sizeof row->error, "%s: %s", goal->solver, b->contact->last_error());
    return false;
}

/* A run that misses its tolerance is not repeated. */
static bool measure_goal(const contact_bench *b, const stn_contact_problem *problem,
                         const contact_goal *goal, double *r, contact_time *time, contact_row *row)
{
    double seconds[REPETITIONS_MOST], total = 0.0;
    uint32_t n = 0;
    stn_contact_result result;
    do {
        if (!run_once(b, problem, goal, r, &result, row)) return false;
        total += seconds[n++] = result.seconds;
    } while (result.converged && n < REPETITIONS_MOST &&
             (n < REPETITIONS_LEAST || total < SECONDS_ENOUGH));
    *time = (contact_time){.iterations = result.iterations,
                           .seconds = median_of(seconds, n),
                           .repetitions = n,
                           .residual = result.residual_relative,
                           .reached = result.converged != 0};
    return true;
}

static void measure_problem(const contact_bench *b, const fclib_problem *problem, contact_row *row)
{
    const stn_contact_problem view = fclib_view(problem);
    row->contacts = problem->contacts;
    row->blocks = problem->row_start[problem->contacts];
    double *r = malloc(3 * (size_t)problem->contacts * sizeof *r);
    if (!r) {
        row->code = CLI_SIMULATION;
        snprintf(row->error, sizeof row->error, "out of memory");
        return;
    }
    for (size_t i = 0; i < b->goal_count; i++) {
        if (!measure_goal(b, &view, &b->goals[i], r, &row->times[i], row)) break;
    }
    free(r);
}

static void measure_file(const contact_bench *b, const char *path, contact_row *row)
{
    *row = (contact_row){.problem = solve_name(path), .code = CLI_DONE};
    fclib_problem problem;
    fclib_error error;
    row->code = solve_read(path, &problem, &error);
    if (row->code == CLI_DONE) {
        measure_problem(b, &problem, row);
        fclib_free(&problem);
    } else {
        snprintf(row->error, sizeof row->error, "%s", error.text);
    }
}

/* ---- all problems ---------------------------------------------------------------------------- */

static int widest_name(const problem_folder *folder)
{
    size_t width = strlen("problem");
    for (size_t i = 0; i < folder->count; i++) {
        const size_t length = strlen(solve_name(folder->paths[i]).s);
        if (length > width) width = length;
    }
    return (int)width;
}

int contact_bench_open(contact_bench *b)
{
    if (b->threads == 0) b->threads = 1;
    if (b->solver) {
        const int known = catalogue_choose(b->c, catalogue_solvers(b->contact), &b->solver);
        if (known != CLI_GO_ON) return known;
    }
    set_goals(b);
    const char *path = b->problems ? b->problems : problem_folder_default();
    const int code = problem_folder_read(b->c, path, &b->folder);
    if (code != CLI_DONE) return code;
    b->rows = calloc(b->folder.count, sizeof *b->rows);
    if (b->rows) return CLI_DONE;
    problem_folder_free(&b->folder);
    return cli_fail(b->c, CLI_SIMULATION, "out of memory");
}

int contact_bench_run(contact_bench *b)
{
    const problem_folder *folder = &b->folder;
    const int width = widest_name(folder);
    int code = CLI_DONE;
    if (!b->c->json) contact_print_header(b, width);
    for (size_t i = 0; i < folder->count; i++) {
        contact_row *row = &b->rows[b->row_count++];
        measure_file(b, folder->paths[i], row);
        if (!b->c->json) contact_print_row(b, row, width);
        if (row->code == CLI_DONE) continue;
        cli_complain(b->c, "%s: %s", folder->paths[i], row->error);
        if (code == CLI_DONE) code = row->code;
    }
    if (!b->c->json) contact_print_legend();
    return code;
}

void contact_bench_free(contact_bench *b)
{
    problem_folder_free(&b->folder);
    free(b->rows);
    b->rows = NULL;
}

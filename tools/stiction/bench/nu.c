/* SPDX-License-Identifier: Apache-2.0 */
#include "nu.h"

#include <stdlib.h>
#include <string.h>

#include "../interrupt.h"
#include "../progress.h"
#include "../solve/catalogue.h"
#include "median.h"
#include "nu_problem.h"

const double NU_TOLERANCE = 1e-6;

static const double STEPS[NU_STEPS] = {0.2, 0.4,  0.6, 0.8, 1.0, 1.25,
                                       1.5, 1.75, 2.0, 2.5, 3.0, 4.0};
enum { SEEDS = 20, SEEDS_MOST = 10000 };

/* What the solvers needed for the problems of one nu that they solved. */
typedef struct sample {
    double *iterations, *seconds;
    uint32_t count, by_islands;
} sample;

int nu_bench_open(nu_bench *b)
{
    static const char *const compared[NU_SOLVERS] = {"newton-ac-pure", "newton-ac", "auto"};
    if (b->threads == 0) b->threads = 1;
    if (b->seeds == 0) b->seeds = SEEDS;
    if (b->seeds > SEEDS_MOST) {
        return cli_fail_usage(b->c, "--seeds %u: expected at most %d", b->seeds, SEEDS_MOST);
    }
    if (!b->solver) {
        b->solver_count = NU_SOLVERS;
        memcpy(b->solvers, compared, sizeof compared);
        return CLI_DONE;
    }
    const int code = catalogue_choose(b->c, catalogue_solvers(b->contact), &b->solver);
    b->solvers[b->solver_count++] = b->solver;
    return code == CLI_GO_ON ? CLI_DONE : code;
}

/* Newton's method has the paper's budget; a sweep or a step of `auto` is not comparable, so that it
 * has its own. */
static uint32_t budget(const char *solver) { return strcmp(solver, "auto") ? NU_ITERATIONS : 0; }

static int run_solver(const nu_bench *b, const stn_contact_problem *problem, const char *solver,
                      double *r, sample *solved)
{
    const stn_contact_options options = {.struct_size = sizeof options,
                                         .threads = b->threads,
                                         .solver = solver,
                                         .tolerance = NU_TOLERANCE,
                                         .max_iterations = budget(solver),
                                         .trace = interrupt_trace};
    stn_contact_result result = {.struct_size = sizeof result};
    memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
    const stn_status status = b->contact->solve(problem, &options, r, NULL, &result);
    if (status < 0) {
        return cli_fail(b->c, cli_exit_code(status), "%s: %s", solver, b->contact->last_error());
    }
    if (status == STN_CANCELLED) return CLI_INTERRUPTED;
    if (result.converged) {
        solved->iterations[solved->count] = (double)result.iterations;
        solved->seconds[solved->count++] = result.seconds;
        solved->by_islands += result.islands > 0;
    }
    return CLI_DONE;
}

/* All solvers on one problem. */
static int run_problem(const nu_bench *b, uint32_t contacts, uint32_t seed, sample *solved)
{
    fclib_problem problem;
    if (!nu_problem_make(contacts, seed, &problem)) {
        return cli_fail(b->c, CLI_SIMULATION, "out of memory");
    }
    const stn_contact_problem view = fclib_view(&problem);
    double *r = malloc(3 * (size_t)contacts * sizeof *r);
    int code = r ? CLI_DONE : cli_fail(b->c, CLI_SIMULATION, "out of memory");
    for (size_t i = 0; code == CLI_DONE && i < b->solver_count; i++) {
        code = run_solver(b, &view, b->solvers[i], r, &solved[i]);
    }
    free(r);
    fclib_free(&problem);
    return code;
}

static nu_cell sum_up(const sample *solved)
{
    if (solved->count == 0) return (nu_cell){0};
    return (nu_cell){.converged = solved->count,
                     .by_islands = solved->by_islands,
                     .iterations = median_of(solved->iterations, solved->count),
                     .seconds = median_of(solved->seconds, solved->count)};
}

/* A row that is not whole is not kept. */
static int run_row(nu_bench *b, double nu, double *memory, progress *bar)
{
    nu_row *row = &b->rows[b->row_count];
    sample solved[NU_SOLVERS];
    for (size_t i = 0; i < NU_SOLVERS; i++) {
        double *own = memory + 2 * i * b->seeds;
        solved[i] = (sample){.iterations = own, .seconds = own + b->seeds};
    }
    *row = (nu_row){.nu = nu, .contacts = nu_contacts(nu), .problems = b->seeds};
    for (uint32_t seed = 0; seed < b->seeds; seed++) {
        const int code = run_problem(b, row->contacts, seed, solved);
        if (code != CLI_DONE) return code;
        progress_update(bar, b->row_count * b->seeds + seed + 1, 0.0);
    }
    for (size_t i = 0; i < b->solver_count; i++) row->cells[i] = sum_up(&solved[i]);
    b->row_count++;
    return CLI_DONE;
}

int nu_bench_run(nu_bench *b)
{
    double *memory = calloc(2 * NU_SOLVERS * (size_t)b->seeds, sizeof *memory);
    if (!memory) return cli_fail(b->c, CLI_SIMULATION, "out of memory");
    progress bar;
    int code = CLI_DONE;
    progress_begin(&bar, !b->c->quiet && !b->c->json, "solving", "problem", 0,
                   NU_STEPS * (uint64_t)b->seeds);
    for (size_t k = 0; code == CLI_DONE && k < NU_STEPS; k++) {
        code = run_row(b, STEPS[k], memory, &bar);
    }
    progress_end(&bar);
    free(memory);
    return code;
}

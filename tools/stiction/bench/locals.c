/* SPDX-License-Identifier: Apache-2.0 */
#include "locals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../interrupt.h"
#include "../progress.h"
#include "../solve/catalogue.h"
#include "../solve/row.h"
#include "median.h"

const double LOCALS_TOLERANCE = 1e-5;

/* Runs of tiny problems are shorter than the clock's noise. */
enum { REPETITIONS_MOST = 31 };
static const double SECONDS_ENOUGH = 0.01;

/* ---- one file -------------------------------------------------------------------------------- */

static stn_status solve_whole(const locals_bench *b, const stn_contact_problem *problem,
                              const char *local, double *r, local_whole *whole)
{
    const stn_contact_options options = {.struct_size = sizeof options,
                                         .threads = b->threads,
                                         .solver = "gauss-seidel",
                                         .local = local,
                                         .tolerance = LOCALS_TOLERANCE,
                                         .max_iterations = LOCALS_SWEEPS,
                                         .trace = interrupt_trace};
    double seconds[REPETITIONS_MOST], total = 0.0;
    size_t n = 0;
    while (n < REPETITIONS_MOST && total < SECONDS_ENOUGH) {
        whole->result = (stn_contact_result){.struct_size = sizeof whole->result};
        memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
        const stn_status status = b->contact->solve(problem, &options, r, NULL, &whole->result);
        if (status < 0 || status == STN_CANCELLED) return status;
        total += seconds[n++] = whole->result.seconds;
    }
    whole->seconds = median_of(seconds, n);
    return STN_OK;
}

static stn_status measure(locals_bench *b, const stn_contact_problem *problem)
{
    double *r = malloc(3 * (size_t)problem->contacts * sizeof *r);
    stn_status status = r ? locals_meet(b, problem) : STN_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; status == STN_OK && i < b->row_count; i++) {
        local_row *row = &b->rows[i];
        status = solve_whole(b, problem, row->local.name, r, &row->whole[b->file_count]);
    }
    free(r);
    return status;
}

/* CLI_DONE: the file counts, measured or with its error. */
static int measure_file(locals_bench *b, const char *path)
{
    local_file *file = &b->files[b->file_count];
    *file = (local_file){.problem = solve_name(path)};
    fclib_problem problem;
    fclib_error error;
    file->code = solve_read(path, &problem, &error);
    if (file->code == CLI_DONE) {
        const stn_contact_problem view = fclib_view(&problem);
        file->contacts = problem.contacts;
        const stn_status status = measure(b, &view);
        fclib_free(&problem);
        if (status == STN_CANCELLED) return CLI_INTERRUPTED;
        if (status < 0) {
            file->code = cli_exit_code(status);
            snprintf(file->error, sizeof file->error, "%s", b->contact->last_error());
        }
    } else {
        snprintf(file->error, sizeof file->error, "%s", error.text);
    }
    b->file_count++;
    return CLI_DONE;
}

/* ---- all files ------------------------------------------------------------------------------- */

static bool allocate(locals_bench *b)
{
    const catalogue all = catalogue_locals(b->contact);
    const size_t count = (size_t)all.count();
    b->files = calloc(b->folder.count, sizeof *b->files);
    b->rows = calloc(count, sizeof *b->rows);
    if (!b->files || !b->rows) return false;
    for (; b->row_count < count; b->row_count++) {
        local_row *row = &b->rows[b->row_count];
        row->local = catalogue_at(&all, b->row_count);
        row->whole = calloc(b->folder.count, sizeof *row->whole);
        if (!row->whole) return false;
    }
    return true;
}

int locals_bench_open(locals_bench *b)
{
    if (b->threads == 0) b->threads = 1;
    const char *path = b->problems ? b->problems : problem_folder_default();
    const int code = problem_folder_read(b->c, path, &b->folder);
    if (code != CLI_DONE) return code;
    if (allocate(b)) return CLI_DONE;
    locals_bench_free(b);
    return cli_fail(b->c, CLI_SIMULATION, "out of memory");
}

int locals_bench_run(locals_bench *b)
{
    progress bar;
    int code = CLI_DONE;
    progress_begin(&bar, !b->c->quiet && !b->c->json, "solving", "file", 0, b->folder.count);
    for (size_t i = 0; code != CLI_INTERRUPTED && i < b->folder.count; i++) {
        if (measure_file(b, b->folder.paths[i]) == CLI_INTERRUPTED) {
            code = CLI_INTERRUPTED;
        } else if (b->files[i].code != CLI_DONE) {
            cli_complain(b->c, "%s: %s", b->folder.paths[i], b->files[i].error);
            if (code == CLI_DONE) code = b->files[i].code;
        }
        progress_update(&bar, i + 1, 0.0);
    }
    progress_end(&bar);
    return code;
}

void locals_bench_free(locals_bench *b)
{
    for (size_t i = 0; i < b->row_count; i++) free(b->rows[i].whole);
    free(b->rows);
    free(b->files);
    problem_folder_free(&b->folder);
    b->rows = NULL;
    b->files = NULL;
    b->row_count = b->file_count = 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction solve FILE...: one-step contact problems from files, solved by any of the library's
 * solvers, with the same residual for all of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "interrupt.h"
#include "save.h"
#include "solve/catalogue.h"
#include "solve/chart.h"
#include "solve/report.h"
#include "solve/row.h"
#include "term.h"
#include "text.h"

typedef struct solve {
    cli *c;
    solve_settings settings;
    const char **files;
    size_t file_count;
    solve_row *rows;
    size_t row_count; /* less than there are files if it was interrupted */
    const char *out, *plot, *trace, *write;
    bool list;
} solve;

/* ---- the solvers by name --------------------------------------------------------------------- */

static bool has_name(catalogue all, const char *name)
{
    for (uint64_t i = 0; i < all.count(); i++) {
        if (strcmp(catalogue_at(&all, i).name, name) == 0) return true;
    }
    return false;
}

/* Those of the catalogue that `others`, if it is one, does not have. */
static json_t *catalogue_json(catalogue all, catalogue others)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < all.count(); i++) {
        const stn_solver_info entry = catalogue_at(&all, i);
        if (others.count && has_name(others, entry.name)) continue;
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", entry.name, "doc", entry.doc));
    }
    return list;
}

static void print_catalogue(catalogue all, catalogue others, const char *heading)
{
    printf("%s%s%s\n", term_on(stdout, TERM_BOLD), heading, term_off(stdout));
    for (uint64_t i = 0; i < all.count(); i++) {
        const stn_solver_info entry = catalogue_at(&all, i);
        if (others.count && has_name(others, entry.name)) continue;
        printf("  %s%-18s%s %s%s\n", term_on(stdout, TERM_BLUE), entry.name, term_off(stdout),
               entry.doc, i == 0 ? " (the default)" : "");
    }
}

static int print_list(const cli *c, const stn_ext_contact *contact)
{
    const catalogue all = catalogue_solvers(contact), none = {0};
    if (c->json) {
        return cli_print_json(
            c, json_pack("{s:o, s:o, s:o}", "solvers", catalogue_json(all, none), "global_solvers",
                         catalogue_json(catalogue_system_solvers(contact), all), "locals",
                         catalogue_json(catalogue_locals(contact), none)));
    }
    print_catalogue(all, none, "Solvers");
    putchar('\n');
    print_catalogue(catalogue_system_solvers(contact), all,
                    "Solvers for files in global form only");
    putchar('\n');
    print_catalogue(catalogue_locals(contact), none, "One-contact solvers");
    return CLI_DONE;
}

/* ---- --write --------------------------------------------------------------------------------- */

typedef struct conversion {
    stn_contact_problem problem;
    text title;
    fclib_error error;
} conversion;

static const char *write_problem(const char *path, void *user)
{
    conversion *w = user;
    return fclib_write(path, &w->problem, w->title.s, &w->error) ? NULL : w->error.text;
}

static int write_back(const solve *s)
{
    fclib_problem problem;
    conversion w = {.title = solve_name(s->files[0])};
    const int code = solve_read(s->files[0], &problem, &w.error);
    if (code != CLI_DONE) return cli_fail(s->c, code, "%s: %s", s->files[0], w.error.text);
    w.problem = fclib_view(&problem);
    const int saved = save_file(s->c, s->write, write_problem, &w);
    fclib_free(&problem);
    return saved;
}

/* ---- all files ------------------------------------------------------------------------------- */

static int widest_name(const solve *s)
{
    size_t width = strlen("problem");
    for (size_t i = 0; i < s->file_count; i++) {
        const size_t length = strlen(solve_name(s->files[i]).s);
        if (length > width) width = length;
    }
    return (int)width;
}

static void solve_all(solve *s)
{
    const bool table = !s->c->json && !s->c->quiet;
    const int width = widest_name(s);
    if (table) solve_print_header(&s->settings, width);
    while (s->row_count < s->file_count && interrupt_count() == 0) {
        solve_row *row = &s->rows[s->row_count];
        solve_row_run(s->c, &s->settings, s->files[s->row_count++], row);
        if (table) solve_print_row(row, width);
        if (row->code != CLI_DONE) cli_complain(s->c, "%s: %s", row->file, row->error);
    }
    if (!table) return;
    if (s->file_count > 1) {
        solve_print_sum(s->rows, s->row_count);
    } else if (s->row_count == 1 && s->rows[0].code == CLI_DONE) {
        solve_print_details(&s->rows[0]);
    }
}

static int save_document(const cli *c, const char *path, json_t *document)
{
    const int code = save_json(c, path, document, 0);
    json_decref(document);
    return code;
}

static int save_results(const solve *s)
{
    const bool single = s->file_count == 1;
    int code = CLI_DONE;
    if (s->row_count == 0) return code; /* interrupted before the first one */
    if (s->out) {
        code = save_document(s->c, s->out, solve_json_solutions(s->rows, s->row_count, single));
    }
    if (s->trace && code == CLI_DONE) {
        code = save_document(s->c, s->trace,
                             solve_json_traces(&s->settings, s->rows, s->row_count, single));
    }
    if (s->plot && code == CLI_DONE) {
        code = solve_save_chart(s->c, s->plot, &s->settings, s->rows, s->row_count);
    }
    return code;
}

/* The user's wish first, then the first file that could not be solved, then a missed tolerance. */
static int outcome(const solve *s)
{
    if (interrupt_count() > 0) return CLI_INTERRUPTED;
    int code = CLI_DONE;
    for (size_t i = 0; i < s->row_count; i++) {
        if (s->rows[i].code != CLI_DONE) return s->rows[i].code;
        if (!s->rows[i].result.converged) code = CLI_FAILED;
    }
    return code;
}

static int solve_and_report(solve *s)
{
    if (s->write) {
        const int code = write_back(s);
        if (code != CLI_DONE) return code;
    }
    solve_all(s);
    int code = save_results(s);
    if (code == CLI_DONE && s->c->json) {
        code = cli_print_json(s->c,
                              solve_json(&s->settings, s->rows, s->row_count, s->file_count == 1));
    }
    return code == CLI_DONE ? outcome(s) : code;
}

/* ---- the command line ------------------------------------------------------------------------ */

static int check_settings(solve *s)
{
    solve_settings *set = &s->settings;
    int code = catalogue_choose(s->c, catalogue_system_solvers(set->contact), &set->solver);
    if (code == CLI_GO_ON)
        code = catalogue_choose(s->c, catalogue_locals(set->contact), &set->local);
    if (code != CLI_GO_ON) return code;
    if (!(set->tolerance > 0.0 && set->tolerance < 1.0)) {
        return cli_fail_usage(s->c, "--tol %g: expected a number between 0 and 1", set->tolerance);
    }
    if (s->file_count == 0) return cli_fail_usage(s->c, "FILE... is missing");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (set->threads == 0) set->threads = cores > 0 ? (uint32_t)cores : 1;
    set->keep_trace = s->trace || s->plot;
    set->uncondensed = !has_name(catalogue_solvers(set->contact), set->solver);
    return CLI_GO_ON;
}

static int solve_with(solve *s)
{
    const int code = check_settings(s);
    if (code != CLI_GO_ON) return code;
    s->rows = calloc(s->file_count, sizeof *s->rows);
    if (!s->rows) return cli_fail(s->c, CLI_SIMULATION, "out of memory");
    const char *notice = "stopping; the best found so far follows";
    interrupt_begin(s->c->api, s->c->quiet || s->c->json ? NULL : notice);
    const int done = solve_and_report(s);
    interrupt_end();
    for (size_t i = 0; i < s->row_count; i++) solve_row_free(&s->rows[i]);
    free(s->rows);
    return done;
}

static int parse(solve *s, int argc, char **argv)
{
    solve_settings *set = &s->settings;
    const cli_option options[] = {
        {"solver", 0, CLI_TEXT, &set->solver, "NAME", "one of --list"},
        {"local", 0, CLI_TEXT, &set->local, "NAME", "solver for one contact, one of --list"},
        {"tol", 0, CLI_REAL, &set->tolerance, "T",
         "residual over the largest free velocity; by default 1e-6"},
        {"max-iter", 0, CLI_COUNT, &set->max_iterations, "N", "0: the solver's choice"},
        {"threads", 0, CLI_THREADS, &set->threads, "K",
         "0: one per core; results do not depend on it"},
        {"out", 'o', CLI_TEXT, &s->out, "R.json", "write impulses r and velocities u"},
        {"trace", 0, CLI_TEXT, &s->trace, "T.json", "write the residual after each iteration"},
        {"plot", 0, CLI_TEXT, &s->plot, "P.svg", "draw the residual after each iteration"},
        {"write", 0, CLI_TEXT, &s->write, "P.hdf5", "write the first problem in local form"},
        {"list", 'l', CLI_FLAG, &s->list, NULL, "only the names of the solvers"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], s->files, 0,
                               (size_t)argc};
    return cli_parse(s->c, &syntax, argc, argv);
}

static int solve_run(cli *c, int argc, char **argv)
{
    solve s = {.c = c, .settings = {.tolerance = 1e-6}};
    s.files = calloc((size_t)argc + 1, sizeof *s.files);
    if (!s.files) return cli_fail(c, CLI_SIMULATION, "out of memory");
    int code = parse(&s, argc, argv);
    s.settings.contact = c->api->get_extension(STN_EXT_CONTACT);
    while (s.files[s.file_count]) s.file_count++;
    if (code == CLI_GO_ON && !s.settings.contact) {
        code = cli_fail(c, CLI_SIMULATION, "the library lacks " STN_EXT_CONTACT);
    }
    if (code == CLI_GO_ON) {
        code = s.list ? print_list(c, s.settings.contact) : solve_with(&s);
    }
    free(s.files);
    return code;
}

const cli_command cmd_solve = {
    .name = "solve",
    .arguments = "FILE...",
    .summary = "solve contact problems from files, with any of the solvers",
    .help =
        "Reads one-step frictional contact problems (FCLIB, HDF5, 3-D; local or global form),\n"
        "finds the impulses r with u = W r + b and Coulomb's law at every contact, and says how\n"
        "well the worst contact obeys it. All solvers are measured alike. Those that need no W\n"
        "take problems in global form only, as they are. Fails (exit code 1)\n"
        "if one problem misses the tolerance. A file that cannot be solved does not keep the\n"
        "others from being solved.\n"
        "\n"
        "Ctrl-C (or SIGTERM) stops and reports the best found so far.\n"
        "\n"
        "With --json: an object with file, contacts, bodies, solver, local, threads, iterations,\n"
        "converged, residual (m/s), residual_rel, fb_error, ac_error, max_cone_violation,\n"
        "min_normal_velocity, stick, slide, takeoff, seconds (of the solver), local_failures,\n"
        "islands, local_fallbacks, and the seconds of the parts, as far as the solver tells them\n"
        "apart: seconds_read, seconds_setup, seconds_sweeps, seconds_newton, seconds_linear\n"
        "(algebra), seconds_measure; or with file, error and exit_code. Several files give a list\n"
        "of such objects. --out holds\n"
        "{\"r\": [...], \"u\": [...]}, three numbers per contact with the normal one first; also "
        "a\n"
        "list for several files, and so is --trace.",
    .examples = "solve --list\n"
                "solve rock_pile.hdf5 --tol 1e-8 --out solution.json\n"
                "# compare two solvers\n"
                "solve problems/*.hdf5 --solver gauss-seidel --plot plain.svg\n"
                "solve problems/*.hdf5 --plot default.svg\n"
                "# from global to local form\n"
                "solve global.hdf5 --write local.hdf5",
    .run = solve_run,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction bench [NAME]: how long steps take on this machine, and in which stage; and how long the
 * contact solvers take.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/bench.h"
#include "bench/contact.h"
#include "bench/machine.h"
#include "commands.h"
#include "save.h"
#include "term.h"
#include "text.h"

static const bench_suite *const suites[] = {&bench_cloth_first};
enum { SUITES = sizeof suites / sizeof suites[0] };

/* Not a suite: it steps no scene, and runs only if it is named. */
static const char CONTACT[] = "contact";

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *row_json(const bench_row *row)
{
    json_t *shares = json_object();
    for (int i = 0; i < BENCH_STAGES; i++) {
        json_object_set_new(shares, bench_stage_names[i], cli_json_real(row->shares[i]));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o, s:o}", "name", row->name, "nodes",
                     (json_int_t)row->nodes, "contacts", (json_int_t)row->contacts, "threads",
                     (json_int_t)row->threads, "repetitions", (json_int_t)row->repetitions,
                     "nanoseconds_per_node_and_step", cli_json_real(row->nanoseconds), "shares",
                     shares);
}

/* Takes the rows. */
static json_t *document_json(const cli *c, const machine *m, json_t *rows)
{
    return json_pack("{s:s, s:{s:o, s:i, s:s}, s:o}", "version", c->api->library_version(),
                     "machine", "processor", cli_json_text(m->processor), "cores", m->cores,
                     "compiler", m->compiler, "rows", rows);
}

static json_t *bench_json(const cli *c, const bench *b, const machine *m)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < b->count; i++) json_array_append_new(rows, row_json(&b->rows[i]));
    return document_json(c, m, rows);
}

static int save(const cli *c, json_t *document, const machine *m, const char *folder,
                const char *suite)
{
    char name[160];
    snprintf(name, sizeof name, "%s-%.40s.json", m->slug, suite);
    char *path = cli_join_path(folder, name);
    if (!path) return cli_fail(c, CLI_SIMULATION, "out of memory");
    const int code = save_json(c, path, document, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    if (code == CLI_DONE && !c->quiet) fprintf(stderr, "saved %s\n", path);
    free(path);
    return code;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_machine(const cli *c, const machine *m)
{
    printf("%sstiction %s%s on %s, %s, %s\n\n", term_on(stdout, TERM_BOLD),
           c->api->library_version(), term_off(stdout), m->processor,
           text_plural((uint64_t)m->cores, "core").s, m->compiler);
}

static void print_table(const bench *b)
{
    const char *bold = term_on(stdout, TERM_BOLD), *off = term_off(stdout);
    printf("%s%-20s %9s %9s %8s %9s", bold, "name", "nodes", "contacts", "threads", "ns/node");
    for (int i = 0; i < BENCH_STAGES; i++) printf(" %8s", bench_stage_names[i]);
    printf("%s\n", off);
    for (size_t i = 0; i < b->count; i++) {
        const bench_row *row = &b->rows[i];
        printf("%-20s %9s %9s %8u %s%9.1f%s", row->name, text_count(row->nodes).s,
               text_count(row->contacts).s, row->threads, term_on(stdout, TERM_BLUE),
               row->nanoseconds, off);
        for (int k = 0; k < BENCH_STAGES; k++) printf(" %7.1f%%", 100.0 * row->shares[k]);
        putchar('\n');
    }
    printf("\nns/node: nanoseconds per node and step, median of %u repetitions; shares of the "
           "stages' time\n",
           b->count ? b->rows[0].repetitions : 0);
}

static int fail_unknown(const cli *c, const char *wanted)
{
    text_guess guess = text_guess_for(wanted);
    for (size_t i = 0; i < SUITES; i++) text_consider(&guess, suites[i]->name);
    text_consider(&guess, CONTACT);
    if (guess.name) {
        return cli_fail_usage(c, "there is no benchmark \"%s\"; did you mean \"%s\"?", wanted,
                              guess.name);
    }
    return cli_fail_usage(c, "there is no benchmark \"%s\"", wanted);
}

/* Each suite is saved to a file of its own. */
static int run_suites(cli *c, bench *b, const machine *m, const char *folder)
{
    for (size_t i = 0; i < SUITES; i++) {
        const size_t before = b->count;
        suites[i]->run(b);
        if (b->error[0]) return cli_fail(c, CLI_SIMULATION, "%s: %s", suites[i]->name, b->error);
        if (!folder || b->count == before) continue;
        bench part = *b;
        part.rows += before;
        part.count -= before;
        json_t *document = bench_json(c, &part, m);
        const int code = save(c, document, m, folder, suites[i]->name);
        json_decref(document);
        if (code != CLI_DONE) return code;
    }
    return b->count ? CLI_DONE : fail_unknown(c, b->wanted);
}

static int run_steps(cli *c, bench *b, const machine *m, const char *folder)
{
    int code = run_suites(c, b, m, folder);
    if (code == CLI_DONE && c->json) code = cli_print_json(c, bench_json(c, b, m));
    if (code == CLI_DONE && !c->json) {
        print_machine(c, m);
        print_table(b);
    }
    bench_free(b);
    return code;
}

/* A problem that could not be solved does not keep the others from being reported. */
static int run_contact(cli *c, contact_bench *b, const machine *m, const char *folder)
{
    int code = contact_bench_open(b);
    if (code != CLI_DONE) return code;
    if (!c->json) print_machine(c, m);
    const int outcome = contact_bench_run(b);
    json_t *document = document_json(c, m, contact_bench_json(b));
    if (folder) code = save(c, document, m, folder, CONTACT);
    if (code == CLI_DONE && c->json) code = cli_print_json(c, json_incref(document));
    json_decref(document);
    contact_bench_free(b);
    return code == CLI_DONE ? outcome : code;
}

static int bench_run(cli *c, int argc, char **argv)
{
    bench b = {.api = c->api, .wanted = ""};
    contact_bench contact = {.c = c};
    const char *folder = NULL;
    const cli_option options[] = {
        {"threads", 0, CLI_THREADS, &b.threads, "N",
         "only with N threads; by default with 1 and 2, contact with 1"},
        {"problems", 0, CLI_TEXT, &contact.problems, "DIR",
         "contact: the folder with problems (*.hdf5)"},
        {"solver", 0, CLI_TEXT, &contact.solver, "NAME",
         "contact: only this one of `solve --list`"},
        {"save", 0, CLI_TEXT, &folder, "DIR", "also write DIR/PROCESSOR-NAME.json"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], &b.wanted, 0, 1};
    const int code = cli_parse(c, &syntax, argc, argv);
    if (code != CLI_GO_ON) return code;
    const bool is_contact = strcmp(b.wanted, CONTACT) == 0;
    if (!is_contact && (contact.problems || contact.solver)) {
        return cli_fail_usage(c, "--%s is for the benchmark \"%s\"",
                              contact.problems ? "problems" : "solver", CONTACT);
    }
    if (folder && mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return cli_fail(c, CLI_FILES, "%s: %s", folder, strerror(errno));
    }
    const machine m = machine_read();
    contact.threads = b.threads;
    return is_contact ? run_contact(c, &contact, &m, folder) : run_steps(c, &b, &m, folder);
}

const cli_command cmd_bench = {
    .name = "bench",
    .arguments = "[NAME]",
    .summary = "measure how long steps take on this machine",
    .help =
        "Times steps of made-up scenes: nanoseconds per node and step as the median of\n"
        "repeated runs, and the share of each stage. NAME is a benchmark (cloth_first) or one\n"
        "of its cases (cloth_first/slide). Close other programs first.\n"
        "\n"
        "`bench contact` times the contact solvers on all problems of a folder instead, from a\n"
        "cold start: auto, momentum and gauss-seidel to 1e-5 of the largest free velocity, auto\n"
        "also to 1e-6 and 1e-8. After 5 seconds a run has missed. The folder is\n"
        "../shared/problems if that exists, else tests/data/problems. With --json: rows with\n"
        "problem, contacts, blocks, solver, tolerance, threads, repetitions, iterations,\n"
        "milliseconds, reached and residual_rel; or with problem, error and exit_code.",
    .examples = "bench\n"
                "bench cloth_first/slide --threads 1\n"
                "bench contact --problems problems --solver cadoux\n"
                "# keep the results of this machine\n"
                "bench --save bench/results",
    .run = bench_run,
};

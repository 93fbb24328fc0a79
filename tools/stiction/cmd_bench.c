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
#include "bench/fibres.h"
#include "bench/locals.h"
#include "bench/machine.h"
#include "bench/nu.h"
#include "bench/rods.h"
#include "commands.h"
#include "interrupt.h"
#include "save.h"
#include "term.h"
#include "text.h"

static const bench_suite *const suites[] = {&bench_cloth_first};
enum { SUITES = sizeof suites / sizeof suites[0] };

/* Not suites: they step no scene, and run only if they are named. */
static const char CONTACT[] = "contact", RODS[] = "rods";

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
    text_consider(&guess, RODS);
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

/* Takes the rows, saves and prints them where that is wanted. */
static int hand_over(const cli *c, const machine *m, json_t *rows, const char *folder,
                     const char *suite)
{
    json_t *document = document_json(c, m, rows);
    int code = folder ? save(c, document, m, folder, suite) : CLI_DONE;
    if (code == CLI_DONE && c->json) code = cli_print_json(c, json_incref(document));
    json_decref(document);
    return code;
}

/* A problem that could not be solved does not keep the others from being reported. */
static int run_contact(cli *c, contact_bench *b, const machine *m, const char *folder)
{
    int code = contact_bench_open(b);
    if (code != CLI_DONE) return code;
    if (!c->json) print_machine(c, m);
    const int outcome = contact_bench_run(b);
    code = hand_over(c, m, contact_bench_json(b), folder, CONTACT);
    contact_bench_free(b);
    return code == CLI_DONE ? outcome : code;
}

/* What has been measured is reported even if the user does not want to wait for the rest. */
static void begin_interruptible(const cli *c)
{
    interrupt_begin(c->api, c->quiet || c->json ? NULL : "stopping; what was measured follows");
}

static int run_locals(cli *c, locals_bench *b, const machine *m, const char *folder,
                      const char *chart)
{
    int code = locals_bench_open(b);
    if (code != CLI_DONE) return code;
    begin_interruptible(c);
    const int outcome = locals_bench_run(b);
    if (!c->json) {
        print_machine(c, m);
        locals_print(b);
    }
    code = hand_over(c, m, locals_json(b), folder, "contact_locals");
    if (code == CLI_DONE && chart) code = locals_save_chart(b, chart);
    interrupt_end();
    locals_bench_free(b);
    return code == CLI_DONE ? outcome : code;
}

static int run_nu(cli *c, nu_bench *b, const machine *m, const char *folder, const char *chart)
{
    int code = nu_bench_open(b);
    if (code != CLI_DONE) return code;
    begin_interruptible(c);
    const int outcome = nu_bench_run(b);
    if (outcome == CLI_DONE || outcome == CLI_INTERRUPTED) {
        if (!c->json) {
            print_machine(c, m);
            nu_print(b);
        }
        code = hand_over(c, m, nu_json(b), folder, "contact_nu");
        if (code == CLI_DONE && chart) code = nu_save_chart(b, chart);
    }
    interrupt_end();
    return code == CLI_DONE ? outcome : code;
}

static int run_fibres(cli *c, fibres_bench *b, const machine *m, const char *folder)
{
    int code = fibres_bench_open(b);
    if (code != CLI_DONE) return code;
    begin_interruptible(c);
    const int outcome = fibres_bench_run(b);
    if (outcome == CLI_DONE || outcome == CLI_INTERRUPTED) {
        if (!c->json) {
            print_machine(c, m);
            fibres_print(b);
        }
        code = hand_over(c, m, fibres_json(b), folder, "contact_fibres");
    }
    interrupt_end();
    return code == CLI_DONE ? outcome : code;
}

/* Rows that were measured before Ctrl-C are reported. */
static int run_rods(cli *c, rods_bench *b, const machine *m, const char *folder)
{
    if (!c->json) print_machine(c, m);
    const int outcome = rods_bench_run(b);
    if (outcome != CLI_DONE && outcome != CLI_INTERRUPTED) return outcome;
    int code = CLI_DONE;
    json_t *document = document_json(c, m, rods_bench_json(b));
    if (folder && outcome == CLI_DONE) code = save(c, document, m, folder, RODS);
    if (code == CLI_DONE && c->json) code = cli_print_json(c, json_incref(document));
    json_decref(document);
    return code == CLI_DONE ? outcome : code;
}

/* ---- the command line ------------------------------------------------------------------------ */

typedef struct wishes {
    bench steps;
    contact_bench contact;
    rods_bench rods;
    bool locals, nu, fibres;
    uint32_t seeds;
    const char *sizes;
    const char *folder, *chart;
} wishes;

/* Options that only some benchmarks have. */
static int check_wishes(const cli *c, const wishes *w)
{
    const bool is_contact = strcmp(w->steps.wanted, CONTACT) == 0;
    const bool is_rods = strcmp(w->steps.wanted, RODS) == 0;
    const struct {
        const char *name;
        bool given, fits;
        const char *where;
    } rules[] = {
        {"rods", w->rods.count, is_rods, "the benchmark \"rods\""},
        {"problems", w->contact.problems, is_contact, "the benchmark \"contact\""},
        {"solver", w->contact.solver, is_contact, "the benchmark \"contact\""},
        {"locals", w->locals, is_contact, "the benchmark \"contact\""},
        {"nu", w->nu, is_contact, "the benchmark \"contact\""},
        {"plot", w->chart, is_contact && (w->locals || w->nu), "contact --locals or --nu"},
        {"seeds", w->seeds, is_contact && w->nu, "contact --nu"},
        {"solver", w->contact.solver, !w->locals, "contact without --locals"},
        {"problems", w->contact.problems, !w->nu, "contact without --nu"},
        {"locals", w->locals, !w->nu, "contact without --nu"},
        {"fibres", w->fibres, is_contact, "the benchmark \"contact\""},
        {"fibres", w->fibres, !w->locals && !w->nu, "contact without --locals and --nu"},
        {"sizes", w->sizes, w->fibres, "contact --fibres"},
        {"solver", w->contact.solver, !w->fibres, "contact without --fibres"},
        {"problems", w->contact.problems, !w->fibres, "contact without --fibres"},
        {"threads", w->steps.threads, !w->fibres, "contact without --fibres"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (!rules[i].given || rules[i].fits) continue;
        return cli_fail_usage(c, "--%s is for %s", rules[i].name, rules[i].where);
    }
    return CLI_GO_ON;
}

static int run_wishes(cli *c, wishes *w)
{
    const machine m = machine_read();
    w->rods.threads = w->steps.threads;
    if (strcmp(w->steps.wanted, RODS) == 0) return run_rods(c, &w->rods, &m, w->folder);
    if (strcmp(w->steps.wanted, CONTACT) != 0) return run_steps(c, &w->steps, &m, w->folder);
    const stn_ext_contact *contact = c->api->get_extension(STN_EXT_CONTACT);
    if (!contact) return cli_fail(c, CLI_SIMULATION, "the library lacks " STN_EXT_CONTACT);
    const uint32_t threads = w->steps.threads;
    if (w->locals) {
        locals_bench b = {
            .c = c, .contact = contact, .problems = w->contact.problems, .threads = threads};
        return run_locals(c, &b, &m, w->folder, w->chart);
    }
    if (w->nu) {
        nu_bench b = {.c = c,
                      .contact = contact,
                      .solver = w->contact.solver,
                      .seeds = w->seeds,
                      .threads = threads};
        return run_nu(c, &b, &m, w->folder, w->chart);
    }
    if (w->fibres) {
        fibres_bench b = {.c = c, .contact = contact, .sizes = w->sizes};
        return run_fibres(c, &b, &m, w->folder);
    }
    w->contact.contact = contact;
    w->contact.threads = threads;
    return run_contact(c, &w->contact, &m, w->folder);
}

static int bench_run(cli *c, int argc, char **argv)
{
    wishes w = {.steps = {.api = c->api, .wanted = ""}, .contact = {.c = c}, .rods = {.c = c}};
    const cli_option options[] = {
        {"threads", 0, CLI_THREADS, &w.steps.threads, "N",
         "only with N threads; by default with 1 and 2, contact with 1"},
        {"problems", 0, CLI_TEXT, &w.contact.problems, "DIR",
         "contact: the folder with problems (*.hdf5)"},
        {"solver", 0, CLI_TEXT, &w.contact.solver, "NAME",
         "contact: only this one of `solve --list`"},
        {"locals", 0, CLI_FLAG, &w.locals, NULL, "contact: compare the one-contact solvers"},
        {"nu", 0, CLI_FLAG, &w.nu, NULL, "contact: Newton against equations per unknown"},
        {"seeds", 0, CLI_COUNT, &w.seeds, "N", "contact --nu: problems for each nu; by default 20"},
        {"fibres", 0, CLI_FLAG, &w.fibres, NULL, "contact: sweeps against the number of contacts"},
        {"sizes", 0, CLI_TEXT, &w.sizes, "N,N,...", "contact --fibres: contacts; at most 16 sizes"},
        {"plot", 0, CLI_TEXT, &w.chart, "P.svg", "contact --locals, --nu: draw it"},
        {"rods", 0, CLI_COUNT, &w.rods.count, "N", "rods: how many, instead of 1,920 and more"},
        {"save", 0, CLI_TEXT, &w.folder, "DIR", "also write DIR/PROCESSOR-NAME.json"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], &w.steps.wanted, 0, 1};
    int code = cli_parse(c, &syntax, argc, argv);
    if (code == CLI_GO_ON) code = check_wishes(c, &w);
    if (code != CLI_GO_ON) return code;
    if (w.folder && mkdir(w.folder, 0777) != 0 && errno != EEXIST) {
        return cli_fail(c, CLI_FILES, "%s: %s", w.folder, strerror(errno));
    }
    return run_wishes(c, &w);
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
        "milliseconds, reached and residual_rel; or with problem, error and exit_code.\n"
        "\n"
        "`bench rods` times free steps of hair: 1,920 strands of 5 elements for every rod model,\n"
        "10,000 and 100,000 of the first, and 64 strands of 5 to 100 elements; the fastest of 15\n"
        "steps counts. With --json: rows\n"
        "with model, rods, elements, threads, repetitions, milliseconds_per_step,\n"
        "microseconds_per_rod and bytes_per_rod.\n"
        "\n"
        "`bench contact --locals` compares the one-contact solvers on the same folder: on the\n"
        "one-contact problems that Gauss-Seidel meets, and in whole solves of Gauss-Seidel with\n"
        "each. --plot draws which share of the files each solves within how many times the\n"
        "fastest one's time. With --json: a row for each, with local, met and whole.\n"
        "\n"
        "`bench contact --nu` shows which share of made problems Newton's method solves as nu,\n"
        "the equations per unknown, grows, and what `auto` does there. With --json: rows with nu,\n"
        "contacts, solver, tolerance, problems, converged, by_islands (how many of them ended\n"
        "island by island; for auto: with Newton), iterations and milliseconds (null if none was\n"
        "solved).\n"
        "\n"
        "`bench contact --fibres` times sweeps over packed fibres of 16 unknowns each, with 1,000\n"
        "to 200,000 contacts, on one thread and on two in turns, and compares the bits. With\n"
        "--json: rows with contacts, bodies, repetitions, tolerance, sweeps (to the tolerance),\n"
        "reached, equal_bits, pressed (share of the contacts), bytes_per_contact (what the\n"
        "library allocates, as the C library counts it; null where it does not), and pairs for\n"
        "one and two threads: nanoseconds_per_contact_and_sweep (best of the repetitions) and\n"
        "..._median, milliseconds (of the sweeps to the tolerance) and milliseconds_setup.\n"
        "Ctrl-C ends rods and the last three with what was measured so far.",
    .examples = "bench\n"
                "bench cloth_first/slide --threads 1\n"
                "bench contact --problems problems --solver cadoux\n"
                "bench rods --threads 1\n"
                "bench contact --locals --plot locals.svg\n"
                "bench contact --fibres --sizes 1000,25000\n"
                "# keep the results of this machine\n"
                "bench --save bench/results",
    .run = bench_run,
};

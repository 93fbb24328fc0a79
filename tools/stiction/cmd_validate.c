/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction validate [NAME]: the library against closed forms, through its ABI. Each figure has a
 * value, what it should be, the error and the bound that mathematics gives it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "save.h"
#include "term.h"
#include "text.h"
#include "validate/cases.h"

static const lab_case *const cases[] = {
    &validate_incline,    &validate_stopping,    &validate_direction,   &validate_turning,
    &validate_drop,       &validate_corner,      &validate_one_contact, &validate_triangle,
    &validate_circle,     &validate_cantilever,  &validate_tip_load,    &validate_end_moment,
    &validate_column,     &validate_strip,       &validate_ring,        &validate_rod_length,
    &validate_rod_energy, &validate_rod_damping, &validate_rod_clamp};
enum { CASES = sizeof cases / sizeof cases[0] };

/* ---- names: "cloth", "cloth/incline", "cloth/incline/plane", ... ----------------------------- */

/* True if `name` is `path` or lies under it. */
static bool is_under(const char *name, const char *path)
{
    const size_t length = strlen(path);
    return strncmp(name, path, length) == 0 &&
           (name[length] == '\0' || name[length] == '/' || length == 0);
}

static bool case_is_wanted(const lab_case *c, const char *wanted)
{
    return is_under(c->name, wanted) || is_under(wanted, c->name);
}

static int fail_unknown(const cli *c, const char *wanted)
{
    text_guess guess = text_guess_for(wanted);
    for (size_t i = 0; i < CASES; i++) {
        text_consider(&guess, cases[i]->name);
        const char *slash = strchr(cases[i]->name, '/');
        if (slash && strcmp(slash + 1, wanted) == 0) {
            guess.name = cases[i]->name;
            guess.distance = 0;
        }
    }
    text_consider(&guess, "cloth");
    text_consider(&guess, "contact");
    text_consider(&guess, "rods");
    if (guess.name) {
        return cli_fail_usage(c, "there is no check \"%s\"; did you mean \"%s\"?", wanted,
                              guess.name);
    }
    return cli_fail_usage(c, "there is no check \"%s\"; see --list", wanted);
}

/* Keeps the figures that were asked for. */
static void keep_wanted(lab *l, const char *wanted)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (is_under(l->figures[i].name, wanted)) l->figures[kept++] = l->figures[i];
    }
    l->count = kept;
}

/* ---- output ---------------------------------------------------------------------------------- */

static int print_list(const cli *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < CASES; i++) {
        if (c->json) {
            json_array_append_new(list, json_pack("{s:s, s:s}", "name", cases[i]->name, "summary",
                                                  cases[i]->summary));
        } else {
            printf("%-18s %s\n", cases[i]->name, cases[i]->summary);
        }
    }
    if (c->json) return cli_print_json(c, list);
    json_decref(list);
    return CLI_DONE;
}

static int print_json(const cli *c, const lab *l)
{
    json_t *list = json_array();
    for (size_t i = 0; i < l->count; i++) {
        const figure *f = &l->figures[i];
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o, s:o, s:b}", "name", f->name,
                                              "value", cli_json_real(f->value), "expected",
                                              cli_json_real(f->expected), "error",
                                              cli_json_real(f->error), "bound",
                                              cli_json_real(f->bound), "pass", f->pass));
    }
    return cli_print_json(c, list);
}

static void print_row(const figure *f, int width)
{
    printf("%-*s %13.8g %13.8g %9.2g %9.2g  %s%s%s\n", width, f->name, f->value, f->expected,
           f->error, f->bound, term_on(stdout, f->pass ? TERM_GREEN : TERM_RED),
           f->pass ? "ok" : "FAILED", term_off(stdout));
}

static size_t count_failed(const lab *l)
{
    size_t failed = 0;
    for (size_t i = 0; i < l->count; i++) failed += !l->figures[i].pass;
    return failed;
}

static void print_table(const cli *c, const lab *l)
{
    int width = 4;
    for (size_t i = 0; i < l->count; i++) {
        const int length = (int)strlen(l->figures[i].name);
        if (length > width) width = length;
    }
    const size_t failed = count_failed(l);
    if (c->quiet && failed == 0) return;
    printf("%s%-*s %13s %13s %9s %9s%s\n", term_on(stdout, TERM_BOLD), width, "name", "value",
           "closed form", "error", "bound", term_off(stdout));
    for (size_t i = 0; i < l->count; i++) {
        if (!c->quiet || !l->figures[i].pass) print_row(&l->figures[i], width);
    }
    if (c->quiet) return;
    printf("%s%s, %s failed%s\n", term_on(stdout, failed ? TERM_RED : TERM_GREEN),
           text_plural(l->count, "figure").s, text_count(failed).s, term_off(stdout));
}

/* ---- the picture ----------------------------------------------------------------------------- */

static const char *write_picture(const char *path, void *user)
{
    FILE *out = fopen(path, "w");
    if (!out) return strerror(errno);
    const bool good = paths_write(out, user);
    return fclose(out) == 0 && good ? NULL : "cannot be written";
}

static const char *write_chart(const char *path, void *user)
{
    const lab_chart *chart = user;
    const plot p = {.title = "Tips of rods under the load 10, and their distance from theory",
                    .x_label = "elements",
                    .y_label = "error / length",
                    .log_x = true,
                    .target = 1e-3,
                    .floor = 1e-11, /* tips are not known better: rods settle to 1e-10 */
                    .target_label = "a thousandth",
                    .series = chart->series,
                    .count = chart->count};
    FILE *out = fopen(path, "w");
    if (!out) return strerror(errno);
    const bool good = plot_write(out, &p);
    return fclose(out) == 0 && good ? NULL : "cannot be written";
}

/* Only these draw, and only one picture fits into a file. */
static const lab_case *const drawing[] = {&validate_triangle, &validate_circle,
                                          &validate_cantilever, &validate_tip_load};

static bool can_draw(const char *wanted)
{
    for (size_t i = 0; i < sizeof drawing / sizeof drawing[0]; i++) {
        if (strcmp(wanted, drawing[i]->name) == 0) return true;
    }
    return false;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int report(const cli *c, const lab *l, const char *wanted)
{
    if (l->out_of_memory) return cli_fail(c, CLI_SIMULATION, "out of memory");
    if (l->count == 0) return fail_unknown(c, wanted);
    if (c->json) return print_json(c, l);
    print_table(c, l);
    return CLI_DONE;
}

static int validate_run(cli *c, int argc, char **argv)
{
    const char *wanted = "", *plot_path = NULL;
    bool list = false;
    const cli_option options[] = {
        {"list", 'l', CLI_FLAG, &list, NULL, "only the names of the checks"},
        {"plot", 'p', CLI_TEXT, &plot_path, "FILE.svg",
         "draw contact/triangle, contact/circle, rods/cantilever or rods/tip-load"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], &wanted, 0, 1};
    const int parsed = cli_parse(c, &syntax, argc, argv);
    if (parsed != CLI_GO_ON) return parsed;
    if (list) return print_list(c);

    if (plot_path && !can_draw(wanted)) {
        return cli_fail_usage(c, "--plot needs %s, %s, %s or %s as NAME", drawing[0]->name,
                              drawing[1]->name, drawing[2]->name, drawing[3]->name);
    }

    paths_picture picture = {0};
    lab_chart chart = {.count = 0};
    lab l = {
        .api = c->api, .picture = plot_path ? &picture : NULL, .chart = plot_path ? &chart : NULL};
    for (size_t i = 0; i < CASES; i++) {
        if (case_is_wanted(cases[i], wanted)) lab_run(&l, cases[i]);
    }
    keep_wanted(&l, wanted);
    int code = report(c, &l, wanted);
    if (code == CLI_DONE && picture.count > 0)
        code = save_file(c, plot_path, write_picture, &picture);
    if (code == CLI_DONE && chart.count > 0) code = save_file(c, plot_path, write_chart, &chart);
    if (code == CLI_DONE && count_failed(&l) > 0) code = CLI_FAILED;
    paths_free(&picture);
    lab_free(&l);
    return code;
}

const cli_command cmd_validate = {
    .name = "validate",
    .arguments = "[NAME]",
    .summary = "check the simulation against closed forms",
    .help = "Builds small scenes, simulates them and compares with what mechanics says. Each\n"
            "figure has its closed form, the error and a bound that comes from mathematics: the\n"
            "integrator's error where it has one, rounding where it has none. NAME is an area\n"
            "(cloth, contact, rods), a check (cloth/incline) or the beginning of a figure's name.\n"
            "Fails (exit code 1) if one figure is out of bounds.\n"
            "\n"
            "With --json: a list of objects with name, value, expected, error, bound and pass.\n"
            "With --quiet: only the figures that failed.",
    .examples = "validate\n"
                "validate --list\n"
                "validate cloth/incline\n"
                "validate cloth --json\n"
                "validate contact/triangle --plot triangle.svg\n"
                "validate rods/cantilever --plot cantilever.svg",
    .run = validate_run,
};

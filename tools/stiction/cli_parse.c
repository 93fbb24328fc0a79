/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line against a table of options, and the help that the table gives.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "term.h"
#include "text.h"

/* ---- the table: the command's own options, then these ---------------------------------------- */

enum { COMMON_OPTIONS = 3 };

typedef struct parser {
    cli *c;
    const cli_syntax *syntax;
    cli_option common[COMMON_OPTIONS];
    bool help;
    size_t arguments;
} parser;

static void parser_init(parser *p, cli *c, const cli_syntax *syntax)
{
    *p = (parser){.c = c, .syntax = syntax};
    p->common[0] = (cli_option){
        "json", 0, CLI_FLAG, &c->json, NULL, "one JSON document on stdout and nothing else there"};
    p->common[1] = (cli_option){"quiet",   'q',  CLI_FLAG,
                                &c->quiet, NULL, "no progress, no warnings, no report at the end"};
    p->common[2] = (cli_option){"help", 'h', CLI_FLAG, &p->help, NULL, "this text"};
}

static size_t option_count(const parser *p) { return p->syntax->option_count + COMMON_OPTIONS; }

static const cli_option *option_at(const parser *p, size_t i)
{
    return i < p->syntax->option_count ? &p->syntax->options[i]
                                       : &p->common[i - p->syntax->option_count];
}

static const cli_option *find_long(const parser *p, const char *name, size_t length)
{
    for (size_t i = 0; i < option_count(p); i++) {
        const char *candidate = option_at(p, i)->name;
        if (strlen(candidate) == length && strncmp(candidate, name, length) == 0) {
            return option_at(p, i);
        }
    }
    return NULL;
}

static const cli_option *find_short(const parser *p, char letter)
{
    for (size_t i = 0; i < option_count(p); i++) {
        if (option_at(p, i)->letter == letter) return option_at(p, i);
    }
    return NULL;
}

static int fail_unknown(const parser *p, const char *typed, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), typed);
    text_guess guess = text_guess_for(name);
    for (size_t i = 0; i < option_count(p); i++) text_consider(&guess, option_at(p, i)->name);
    if (guess.name) {
        return cli_fail_usage(p->c, "there is no option --%s; did you mean --%s?", name,
                              guess.name);
    }
    return cli_fail_usage(p->c, "there is no option --%s", name);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The whole text must be digits: strtoul alone would take blanks and a minus sign. */
static bool read_count(const char *value, char end, const char **rest, uint32_t *out)
{
    if (value[0] < '0' || value[0] > '9') return false;
    char *stop;
    errno = 0;
    const unsigned long long number = strtoull(value, &stop, 10);
    if (errno != 0 || number > UINT32_MAX || *stop != end) return false;
    *rest = end ? stop + 1 : stop;
    *out = (uint32_t)number;
    return true;
}

static bool read_threads(const char *value, uint32_t *out)
{
    enum { MOST = 1024 };
    return read_count(value, '\0', &value, out) && *out <= MOST;
}

static bool read_real(const char *value, double *out)
{
    char *stop;
    const double number = strtod(value, &stop);
    if (stop == value || *stop || !isfinite(number)) return false;
    *out = number;
    return true;
}

static bool read_size(const char *value, cli_size *out)
{
    return read_count(value, 'x', &value, &out->width) &&
           read_count(value, '\0', &value, &out->height) && out->width > 0 && out->height > 0;
}

static bool read_range(const char *value, cli_range *out)
{
    return read_count(value, '-', &value, &out->first) &&
           read_count(value, '\0', &value, &out->last) && out->first > 0 && out->first <= out->last;
}

static int set_value(const parser *p, const cli_option *option, const char *value)
{
    static const char *const expected[] = {[CLI_TEXT] = "a text that is not empty",
                                           [CLI_COUNT] = "a whole number from 0 to 4294967295",
                                           [CLI_THREADS] = "a whole number from 0 to 1024",
                                           [CLI_REAL] = "a number",
                                           [CLI_SIZE] = "two whole numbers, as in 1280x720",
                                           [CLI_RANGE] = "two numbers from 1 on, as in 100-200"};
    const char *rest;
    bool good = true;
    switch (option->type) {
    case CLI_FLAG: break; /* has none */
    case CLI_TEXT:
        *(const char **)option->value = value;
        good = value[0] != '\0';
        break;
    case CLI_COUNT: good = read_count(value, '\0', &rest, option->value); break;
    case CLI_THREADS: good = read_threads(value, option->value); break;
    case CLI_REAL: good = read_real(value, option->value); break;
    case CLI_SIZE: good = read_size(value, option->value); break;
    case CLI_RANGE: good = read_range(value, option->value); break;
    }
    if (good) return CLI_GO_ON;
    return cli_fail_usage(p->c, "--%s %s: expected %s", option->name, value[0] ? value : "\"\"",
                          expected[option->type]);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* `value` is what stood behind "=" or a short option's letter, or NULL. */
static int take_option(const parser *p, const cli_option *option, const char *value, int argc,
                       char **argv, int *at)
{
    if (option->type == CLI_FLAG) {
        if (value) return cli_fail_usage(p->c, "--%s takes no value", option->name);
        *(bool *)option->value = true;
        return CLI_GO_ON;
    }
    if (!value && *at + 1 < argc) value = argv[++*at];
    if (!value) {
        return cli_fail_usage(p->c, "--%s needs a value: --%s %s", option->name, option->name,
                              option->argument);
    }
    return set_value(p, option, value);
}

static int take_long(const parser *p, int argc, char **argv, int *at)
{
    const char *name = argv[*at] + 2;
    const char *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const cli_option *option = find_long(p, name, length);
    if (!option) return fail_unknown(p, name, length);
    return take_option(p, option, equals ? equals + 1 : NULL, argc, argv, at);
}

static int take_short(const parser *p, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    const cli_option *option = find_short(p, word[1]);
    if (!option) return cli_fail_usage(p->c, "there is no option -%c", word[1]);
    if (option->type == CLI_FLAG && word[2]) {
        return cli_fail_usage(p->c, "%s: write short options apart, as in -%c -%c", word, word[1],
                              word[2]);
    }
    return take_option(p, option, word[2] ? word + 2 : NULL, argc, argv, at);
}

static int take_argument(parser *p, const char *word)
{
    if (p->arguments == p->syntax->most) {
        return cli_fail_usage(p->c, "\"%s\" is one argument too many", word);
    }
    if (!word[0]) return cli_fail_usage(p->c, "%s is empty", p->c->command->arguments);
    p->syntax->arguments[p->arguments++] = word;
    return CLI_GO_ON;
}

/* ---- help ------------------------------------------------------------------------------------ */

static void print_examples(const cli *c)
{
    printf("%sExamples%s\n", term_on(stdout, TERM_BOLD), term_off(stdout));
    for (const char *line = c->command->examples; *line;) {
        const size_t length = strcspn(line, "\n");
        const bool comment = line[0] == '#';
        printf("  %s%s%.*s%s\n", comment ? term_on(stdout, TERM_DIM) : c->program,
               comment ? "" : " ", (int)length, line, comment ? term_off(stdout) : "");
        line += length + (line[length] == '\n');
    }
}

static void print_option(const cli_option *option)
{
    char left[48];
    char letter[8] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    printf("  %-24s  %s\n", left, option->help);
}

static int print_help(const parser *p)
{
    const cli_command *command = p->c->command;
    printf("%sstiction %s%s - %s\n\n", term_on(stdout, TERM_BOLD), command->name, term_off(stdout),
           command->summary);
    printf("usage: %s %s%s%s [OPTION...]\n\n%s\n\n", p->c->program, command->name,
           command->arguments[0] ? " " : "", command->arguments, command->help);
    printf("%sOptions%s\n", term_on(stdout, TERM_BOLD), term_off(stdout));
    for (size_t i = 0; i < option_count(p); i++) print_option(option_at(p, i));
    putchar('\n');
    print_examples(p->c);
    putchar('\n');
    cli_print_exit_codes();
    return CLI_DONE;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Errors of the parser itself must know that JSON is wanted, wherever the option stands. */
static bool asks_for_json(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--json") == 0) return true;
    }
    return false;
}

int cli_parse(cli *c, const cli_syntax *syntax, int argc, char **argv)
{
    parser p;
    parser_init(&p, c, syntax);
    c->json = asks_for_json(argc, argv);
    bool only_arguments = false;
    for (int i = 0; i < argc; i++) {
        int code = CLI_GO_ON;
        if (only_arguments || argv[i][0] != '-' || argv[i][1] == '\0') {
            code = take_argument(&p, argv[i]);
        } else if (strcmp(argv[i], "--") == 0) {
            only_arguments = true;
        } else if (argv[i][1] == '-') {
            code = take_long(&p, argc, argv, &i);
        } else {
            code = take_short(&p, argc, argv, &i);
        }
        if (p.help) return print_help(&p);
        if (code != CLI_GO_ON) return code;
    }
    if (p.arguments < syntax->least) {
        return cli_fail_usage(c, "%s is missing", c->command->arguments);
    }
    return CLI_GO_ON;
}

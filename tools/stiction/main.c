/* SPDX-License-Identifier: Apache-2.0
 *
 * The stiction command: finds the command in the table and runs it. Everything it does goes through
 * the library's ABI.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "term.h"
#include "text.h"

static const cli_command *const commands[] = {&cmd_run,      &cmd_preview, &cmd_info,   &cmd_verify,
                                              &cmd_convert,  &cmd_params,  &cmd_fit,    &cmd_solve,
                                              &cmd_validate, &cmd_bench,   &cmd_version};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int print_overview(const cli *c)
{
    const char *bold = term_on(stdout, TERM_BOLD), *off = term_off(stdout);
    printf("%sstiction%s %s - cloth with exact Coulomb friction\n\n", bold, off,
           c->api->library_version());
    printf("usage: %s COMMAND [ARGUMENT...] [OPTION...]\n\n%sCommands%s\n", c->program, bold, off);
    for (size_t i = 0; i < COMMANDS; i++) {
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    printf("  %-10s %s\n\n", "help", "what a command does, with examples: help run");
    printf("All commands take --json, --quiet and --help.\n\n%sExamples%s\n", bold, off);
    printf("  %s run scenes/default.json\n", c->program);
    printf("  %s params cloth\n", c->program);
    printf("  %s validate\n\n", c->program);
    cli_print_exit_codes();
    return CLI_DONE;
}

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    }
    return NULL;
}

static int fail_unknown(const cli *c, const char *name)
{
    text_guess guess = text_guess_for(name);
    for (size_t i = 0; i < COMMANDS; i++) text_consider(&guess, commands[i]->name);
    text_consider(&guess, "help");
    if (guess.name) {
        return cli_fail_usage(c, "there is no command \"%s\"; did you mean \"%s\"?", name,
                              guess.name);
    }
    return cli_fail_usage(c, "there is no command \"%s\"", name);
}

static int run_command(cli *c, const char *name, int argc, char **argv)
{
    c->command = find_command(name);
    return c->command ? c->command->run(c, argc, argv) : fail_unknown(c, name);
}

static bool is_any(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int run_words(cli *c, int argc, char **argv)
{
    if (argc < 2) return print_overview(c);
    if (is_any(argv[1], "--version", "-V")) return run_command(c, "version", argc - 2, argv + 2);
    if (is_any(argv[1], "--help", "-h")) return print_overview(c);
    if (strcmp(argv[1], "help") != 0) return run_command(c, argv[1], argc - 2, argv + 2);
    if (argc == 2) return print_overview(c);
    char *only_help[] = {"--help", NULL};
    return run_command(c, argv[2], 1, only_help);
}

/* A file that is opened must not take the place of a closed stdout and get what is printed. */
static void fill_closed_streams(void)
{
    int handle;
    do {
        handle = open("/dev/null", O_RDONLY);
    } while (handle >= 0 && handle <= STDERR_FILENO);
    if (handle >= 0) close(handle);
}

int main(int argc, char **argv)
{
    fill_closed_streams();
    cli c = {.program = argc > 0 ? argv[0] : "stiction", .api = stn_get_api(STN_ABI_VERSION)};
    if (!c.api) {
        return cli_fail(&c, CLI_SIMULATION, "the library does not have ABI version %u",
                        STN_ABI_VERSION);
    }
    c.shots = c.api->get_extension(STN_EXT_SHOT);
    if (!c.shots) return cli_fail(&c, CLI_SIMULATION, "the library lacks " STN_EXT_SHOT);

    return cli_finish(&c, run_words(&c, argc, argv));
}

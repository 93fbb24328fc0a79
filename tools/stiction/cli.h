/* SPDX-License-Identifier: Apache-2.0
 *
 * What all commands share: options from a table, help that is made of the same table, errors that
 * go to stderr (and to stdout as JSON if JSON was asked for), exit codes.
 *
 * A command's options are an array of cli_option that point at its variables. cli_parse fills them
 * in and answers --help, so that `stiction help run` is `stiction run --help`.
 */
#ifndef STICTION_CLI_H
#define STICTION_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stiction/ext_shot.h>
#include <stiction/stiction.h>

/* Exit codes; cli_print_exit_codes documents them. They never change their meaning. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INPUT = 3,
    CLI_FILES = 4,
    CLI_SIMULATION = 5,
    CLI_INTERRUPTED = 130,
    CLI_GO_ON = -1 /* of cli_parse: not an exit code, the command may start */
};

typedef struct cli_command cli_command;

/* The running command. */
typedef struct cli {
    const char *program; /* as the user called it, for texts that can be pasted */
    const cli_command *command;
    const stn_api *api;
    const stn_ext_shot *shots;
    bool json;
    bool quiet;
} cli;

struct cli_command {
    const char *name;
    const char *arguments; /* "SCENE", "[KIND]", "" */
    const char *summary;   /* one line */
    const char *help;      /* paragraphs that teach */
    const char *examples;  /* lines that begin with the command's name, without the program's */
    int (*run)(cli *c, int argc, char **argv); /* argv[0] is the first argument */
};

typedef enum cli_type {
    CLI_FLAG,    /* bool */
    CLI_TEXT,    /* const char *, not empty */
    CLI_COUNT,   /* uint32_t */
    CLI_THREADS, /* uint32_t up to 1024, as in scene files */
    CLI_REAL,    /* double, finite */
    CLI_SIZE,    /* cli_size, as WIDTHxHEIGHT */
    CLI_RANGE    /* cli_range, as FIRST-LAST */
} cli_type;

typedef struct cli_size {
    uint32_t width, height;
} cli_size;

typedef struct cli_range {
    uint32_t first, last; /* 1 <= first <= last */
} cli_range;

typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    cli_type type;
    void *value;
    const char *argument; /* what the help calls the value */
    const char *help;
} cli_option;

/* Options and places for arguments; `most` arguments are allowed and `least` required. */
typedef struct cli_syntax {
    const cli_option *options;
    size_t option_count;
    const char **arguments; /* those not given stay as they are */
    size_t least, most;
} cli_syntax;

/* CLI_GO_ON, or the exit code to leave with. */
int cli_parse(cli *c, const cli_syntax *syntax, int argc, char **argv);

/* Prints the text on stderr and, with --json, {"error": text, "exit_code": code} on stdout; returns
 * code. */
int cli_fail(const cli *c, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for a mistake in the command line, with the way to the help. */
int cli_fail_usage(const cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For a failed call of the library. */
int cli_fail_status(const cli *c, stn_status status, const char *text);

/* Only the line on stderr, for an error that stands among results. */
void cli_complain(const cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The exit code that a failed call of the library means. */
int cli_exit_code(stn_status status);

/* A line on stderr that is no error; silent with --quiet. */
void cli_warn(const cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Closes stdout; `code`, but CLI_FILES instead of CLI_DONE if something that was printed is
 * lost. */
int cli_finish(const cli *c, int code);

/* Prints one document on stdout and gives it back; CLI_DONE, or CLI_SIMULATION without memory. */
int cli_print_json(const cli *c, json_t *document);

/* A number, or null for what JSON has no number for. */
json_t *cli_json_real(double number);

/* A string; bytes that are not UTF-8 (a path may have them) become '?'. NULL becomes null. */
json_t *cli_json_text(const char *string);

/* Path of `name` in `folder`; to be freed. NULL: out of memory. */
char *cli_join_path(const char *folder, const char *name);

void cli_print_exit_codes(void);

#endif

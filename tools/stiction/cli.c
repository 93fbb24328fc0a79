/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "term.h"

static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *message = length < 0 ? NULL : malloc((size_t)length + 1);
    if (message) vsnprintf(message, (size_t)length + 1, format, arguments);
    return message;
}

static void print_line(const cli *c, term_style style, const char *label, const char *message)
{
    fprintf(stderr, "stiction%s%s: %s%s:%s %s\n", c->command ? " " : "",
            c->command ? c->command->name : "", term_on(stderr, style), label, term_off(stderr),
            message ? message : "out of memory");
}

static void report_failure(const cli *c, int code, const char *message)
{
    print_line(c, TERM_RED, "error", message);
    if (!c->json) return;
    cli_print_json(c, json_pack("{s:o, s:i}", "error", cli_json_text(message), "exit_code", code));
}

int cli_fail(const cli *c, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = format_text(format, arguments);
    va_end(arguments);
    report_failure(c, code, message);
    free(message);
    return code;
}

int cli_fail_usage(const cli *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = format_text(format, arguments);
    va_end(arguments);
    report_failure(c, CLI_USAGE, message);
    free(message);
    fprintf(stderr, "See: %s%s%s --help\n", c->program, c->command ? " " : "",
            c->command ? c->command->name : "");
    return CLI_USAGE;
}

int cli_exit_code(stn_status status)
{
    switch (status) {
    case STN_ERROR_IO: return CLI_FILES;
    case STN_ERROR_DIVERGED:
    case STN_ERROR_OUT_OF_MEMORY:
    case STN_ERROR_BUSY: return CLI_SIMULATION;
    default: return CLI_INPUT;
    }
}

int cli_fail_status(const cli *c, stn_status status, const char *message)
{
    if (!message || !message[0]) message = c->api->status_name(status);
    return cli_fail(c, cli_exit_code(status), "%s", message);
}

void cli_complain(const cli *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = format_text(format, arguments);
    va_end(arguments);
    print_line(c, TERM_RED, "error", message);
    free(message);
}

void cli_warn(const cli *c, const char *format, ...)
{
    if (c->quiet) return;
    va_list arguments;
    va_start(arguments, format);
    char *message = format_text(format, arguments);
    va_end(arguments);
    print_line(c, TERM_YELLOW, "warning", message);
    free(message);
}

int cli_print_json(const cli *c, json_t *document)
{
    const bool made = document && json_dumpf(document, stdout, JSON_INDENT(2)) == 0;
    putchar('\n');
    json_decref(document);
    if (made || ferror(stdout)) return CLI_DONE; /* cli_finish looks at stdout */
    print_line(c, TERM_RED, "error", "out of memory");
    return CLI_SIMULATION;
}

int cli_finish(const cli *c, int code)
{
    errno = 0;
    const bool lost = ferror(stdout) != 0;
    if (fclose(stdout) == 0 && !lost) return code;
    cli_complain(c, "standard output: %s", errno ? strerror(errno) : "cannot be written");
    return code == CLI_DONE ? CLI_FILES : code;
}

json_t *cli_json_real(double number) { return isfinite(number) ? json_real(number) : json_null(); }

json_t *cli_json_text(const char *string)
{
    if (!string) return json_null();
    json_t *plain = json_string(string);
    if (plain) return plain;
    char *copy = strdup(string);
    if (!copy) return NULL;
    for (char *at = copy; *at; at++) {
        if ((unsigned char)*at >= 0x80) *at = '?';
    }
    json_t *cleaned = json_string(copy);
    free(copy);
    return cleaned;
}

char *cli_join_path(const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    const size_t size = length + strlen(slash) + strlen(name) + 1;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s%s%s", folder, slash, name);
    return path;
}

void cli_print_exit_codes(void)
{
    fputs("Exit codes\n"
          "  0    done\n"
          "  1    a check failed: validate with a figure out of bounds, run --strict with a step\n"
          "       or solve with a problem that missed its tolerance\n"
          "  2    the command line is wrong\n"
          "  3    an input file is wrong: the text has file, line, key and what was expected\n"
          "  4    a file cannot be read or written\n"
          "  5    the simulation stopped: it diverged or ran out of memory\n"
          "  130  interrupted by Ctrl-C or SIGTERM; what was written is whole\n",
          stdout);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction info FILE: what a scene, checkpoint, cache or OBJ file holds. The library answers with
 * JSON; people get the same as indented lines.
 */
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "term.h"
#include "text.h"

/* The text is as long as it is: the buffer grows until it fits. */
static stn_status read_info(const cli *c, const char *path, char **out)
{
    enum { FIRST = 1 << 14, LARGEST = 1 << 28 };
    stn_status status = STN_ERROR_BUFFER_TOO_SMALL;
    char *buffer = NULL;
    for (size_t size = FIRST; status == STN_ERROR_BUFFER_TOO_SMALL && size <= LARGEST; size *= 4) {
        free(buffer);
        buffer = malloc(size);
        if (!buffer) return STN_ERROR_OUT_OF_MEMORY;
        status = c->shots->file_info(path, buffer, size);
    }
    *out = buffer;
    return status;
}

static void print_value(const json_t *value, int indent);

/* Numbers in a row (a vector, a list of sizes) stay on their line. */
static bool is_flat(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (json_is_array(item) || json_is_object(item)) return false;
    }
    return true;
}

static void print_list(const json_t *list, int indent)
{
    const bool flat = is_flat(list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (flat) {
            if (i) putchar(','); /* values begin with a blank */
        } else {
            printf("\n%*s-", indent, "");
        }
        print_value(json_array_get(list, i), indent + 2);
    }
}

static void print_object(const json_t *object, int indent)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        printf("\n%*s%s%s%s:", indent, "", term_on(stdout, TERM_BLUE), key, term_off(stdout));
        print_value(value, indent + 2);
    }
}

static void print_value(const json_t *value, int indent)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: print_object(value, indent); break;
    case JSON_ARRAY: print_list(value, indent); break;
    case JSON_STRING: printf(" %s", json_string_value(value)); break;
    case JSON_INTEGER: printf(" %" JSON_INTEGER_FORMAT, json_integer_value(value)); break;
    case JSON_REAL: printf(" %s", text_exact(json_real_value(value)).s); break;
    case JSON_TRUE: fputs(" yes", stdout); break;
    case JSON_FALSE: fputs(" no", stdout); break;
    case JSON_NULL: fputs(" -", stdout); break;
    }
}

static int info_run(cli *c, int argc, char **argv)
{
    const char *path = NULL;
    const cli_syntax syntax = {.arguments = &path, .least = 1, .most = 1};
    const int code = cli_parse(c, &syntax, argc, argv);
    if (code != CLI_GO_ON) return code;

    char *buffer = NULL;
    const stn_status status = read_info(c, path, &buffer);
    json_t *document = status < 0 ? NULL : json_loads(buffer, JSON_REJECT_DUPLICATES, NULL);
    free(buffer);
    if (status < 0) return cli_fail_status(c, status, c->shots->last_error(NULL));
    if (!document) return cli_fail(c, CLI_SIMULATION, "%s: the library's answer is no JSON", path);
    if (c->json) return cli_print_json(c, document);
    printf("%s%s%s", term_on(stdout, TERM_BOLD), path, term_off(stdout));
    print_value(document, 2);
    putchar('\n');
    json_decref(document);
    return CLI_DONE;
}

const cli_command cmd_info = {
    .name = "info",
    .arguments = "FILE",
    .summary = "what a scene, checkpoint, cache or OBJ file holds",
    .help = "Reads the file, checks it as far as that goes without simulating, and lists what is\n"
            "in it. A damaged or unknown file is an error that says where and why (exit code 3).",
    .examples = "info scenes/default.json\n"
                "# how many frames are there already?\n"
                "info out/slope/plain.pc2 --json",
    .run = info_run,
};

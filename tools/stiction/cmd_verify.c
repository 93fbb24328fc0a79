/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction verify FILE...: reads files to their end and says which of them are whole.
 */
#include <stdio.h>

#include "commands.h"
#include "term.h"
#include "text.h"

enum { MOST_FILES = 4096, ANSWER_SIZE = 1 << 16 };

typedef struct verify {
    cli *c;
    json_t *results;
    size_t bad;
} verify;

static json_t *ask(const verify *v, const char *path, stn_status *status)
{
    static char answer[ANSWER_SIZE];
    *status = v->c->shots->file_verify(path, answer, sizeof answer);
    if (*status == STN_ERROR_BUFFER_TOO_SMALL) { /* it was read, and only its text is long */
        *status = STN_OK;
        return json_pack("{s:b}", "whole", 1);
    }
    if (*status >= 0) return json_loads(answer, JSON_REJECT_DUPLICATES, NULL);
    return json_pack("{s:b, s:o}", "whole", 0, "problem",
                     cli_json_text(v->c->shots->last_error(NULL)));
}

static void print_line(const char *path, const json_t *result)
{
    const bool whole = json_is_true(json_object_get(result, "whole"));
    const json_t *frames = json_object_get(result, "frames");
    const char *problem = json_string_value(json_object_get(result, "problem"));
    printf("%s%s%s ", term_on(stdout, whole ? TERM_GREEN : TERM_RED), whole ? "whole" : "broken",
           term_off(stdout));
    if (!problem) {
        printf("%s", path);
    } else if (frames) {
        printf("%s: %s", path, problem);
    } else {
        printf("%s", problem); /* an error names its file */
    }
    if (frames) printf(", %s", text_plural((uint64_t)json_integer_value(frames), "frame").s);
    putchar('\n');
}

static void check_file(verify *v, const char *path)
{
    stn_status status = STN_OK;
    json_t *result = ask(v, path, &status);
    if (!json_is_true(json_object_get(result, "whole"))) v->bad++;
    if (!v->c->json && !v->c->quiet) print_line(path, result);
    json_object_set_new(result, "file", cli_json_text(path));
    json_array_append_new(v->results, result);
}

static int verify_run(cli *c, int argc, char **argv)
{
    static const char *paths[MOST_FILES];
    const cli_syntax syntax = {.arguments = paths, .least = 1, .most = MOST_FILES};
    const int code = cli_parse(c, &syntax, argc, argv);
    if (code != CLI_GO_ON) return code;
    verify v = {.c = c, .results = json_array()};
    for (size_t i = 0; i < MOST_FILES && paths[i]; i++) check_file(&v, paths[i]);
    if (!c->json) {
        json_decref(v.results);
        return v.bad ? CLI_FAILED : CLI_DONE;
    }
    const int printed =
        cli_print_json(c, json_pack("{s:b, s:o}", "whole", v.bad == 0, "files", v.results));
    return printed == CLI_DONE && v.bad ? CLI_FAILED : printed;
}

const cli_command cmd_verify = {
    .name = "verify",
    .arguments = "FILE...",
    .summary = "read files to their end and say which are whole",
    .help = "Reads every frame of a cache, compares checksums where the format has them, and\n"
            "looks for numbers that are none. Scenes, meshes and checkpoints are read as well.\n"
            "A cache that a run did not finish is not whole, and the line says how many of its\n"
            "frames are. Exit code 1 if any file is not whole.",
    .examples = "verify out/default/plain.pc2\n"
                "verify out/default/*.stn --json",
    .run = verify_run,
};

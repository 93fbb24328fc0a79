/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction convert IN OUT: from one cache format to another, frame by frame.
 */
#include <stdio.h>

#include "commands.h"
#include "paste.h"

static int convert_run(cli *c, int argc, char **argv)
{
    const char *paths[2] = {NULL, NULL}, *format = NULL, *mesh = NULL;
    const cli_option options[] = {
        {"format", 'f', CLI_TEXT, &format, "NAME", "of OUT, if its suffix does not say it"},
        {"mesh", 0, CLI_TEXT, &mesh, "OBJ", "triangles for points from PC2, MDD or nCache"},
    };
    const cli_syntax syntax = {options, sizeof options / sizeof options[0], paths, 2, 2};
    const int code = cli_parse(c, &syntax, argc, argv);
    if (code != CLI_GO_ON) return code;
    const stn_status status = c->shots->file_convert(paths[0], paths[1], format, mesh);
    if (status < 0) return cli_fail_status(c, status, c->shots->last_error(NULL));
    if (c->json) {
        return cli_print_json(c, json_pack("{s:o, s:o}", "from", cli_json_text(paths[0]), "to",
                                           cli_json_text(paths[1])));
    }
    if (c->quiet) return CLI_DONE;
    fputs("wrote ", stdout);
    paste_path(paths[1]);
    putchar('\n');
    return CLI_DONE;
}

const cli_command cmd_convert = {
    .name = "convert",
    .arguments = "IN OUT",
    .summary = "write the frames of a cache in another format",
    .help = "Reads the whole frames of IN, which may be unfinished, and writes them as OUT. The\n"
            "format of OUT follows from its suffix: .pc2, .mdd, .stn, .usda, .xml (Maya's\n"
            "nCache; --format mcx for large ones). Formats that hold meshes need triangles:\n"
            "a .stn file has them, for a PC2 or MDD file give the OBJ file of the same run.",
    .examples = "convert out/default/plain.stn plain.usda\n"
                "convert out/default/plain.pc2 plain.stn --mesh out/default/plain.obj",
    .run = convert_run,
};

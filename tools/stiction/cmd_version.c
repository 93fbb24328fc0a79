/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction version: which library, which ABI.
 */
#include <stdio.h>

#include "commands.h"

static int version_run(cli *c, int argc, char **argv)
{
    const cli_syntax syntax = {0};
    const int code = cli_parse(c, &syntax, argc, argv);
    if (code != CLI_GO_ON) return code;
    const unsigned abi = c->api->version, entries = c->api->struct_size;
    if (c->json) {
        return cli_print_json(c, json_pack("{s:s, s:i, s:i, s:[s]}", "version",
                                           c->api->library_version(), "abi", (int)abi, "abi_bytes",
                                           (int)entries, "extensions", STN_EXT_SHOT));
    }
    printf("stiction %s, ABI version %u\n", c->api->library_version(), abi);
    return CLI_DONE;
}

const cli_command cmd_version = {
    .name = "version",
    .arguments = "",
    .summary = "version of the library and of its ABI",
    .help = "Programs that were built for an ABI version work with every library that has it.",
    .examples = "version\n"
                "version --json",
    .run = version_run,
};

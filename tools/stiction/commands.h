/* SPDX-License-Identifier: Apache-2.0
 *
 * All commands; main.c lists them in its table.
 */
#ifndef STICTION_COMMANDS_H
#define STICTION_COMMANDS_H

#include "cli.h"

extern const cli_command cmd_run;
extern const cli_command cmd_preview;
extern const cli_command cmd_info;
extern const cli_command cmd_verify;
extern const cli_command cmd_convert;
extern const cli_command cmd_params;
extern const cli_command cmd_fit;
extern const cli_command cmd_solve;
extern const cli_command cmd_validate;
extern const cli_command cmd_bench;
extern const cli_command cmd_version;

#endif

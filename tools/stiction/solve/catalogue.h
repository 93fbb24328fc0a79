/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's solvers by name, and the name that was probably meant.
 */
#ifndef STICTION_SOLVE_CATALOGUE_H
#define STICTION_SOLVE_CATALOGUE_H

#include <stiction/ext_contact.h>

#include "../cli.h"

/* The global ones or those for one contact. */
typedef struct catalogue {
    const char *noun;
    uint64_t (*count)(void);
    stn_status (*info)(uint64_t index, stn_solver_info *out);
} catalogue;

catalogue catalogue_solvers(const stn_ext_contact *contact);
catalogue catalogue_system_solvers(const stn_ext_contact *contact); /* of uncondensed ones */
catalogue catalogue_locals(const stn_ext_contact *contact);

stn_solver_info catalogue_at(const catalogue *all, uint64_t i);

/* Puts the library's own text for the name there, the default for NULL. CLI_GO_ON, or an exit code
 * with the error reported. */
int catalogue_choose(const cli *c, catalogue all, const char **name);

#endif

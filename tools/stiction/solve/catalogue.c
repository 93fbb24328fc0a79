/* SPDX-License-Identifier: Apache-2.0 */
#include "catalogue.h"

#include <string.h>

#include "../text.h"

catalogue catalogue_solvers(const stn_ext_contact *contact)
{
    return (catalogue){"solver", contact->solver_count, contact->solver_info};
}

catalogue catalogue_system_solvers(const stn_ext_contact *contact)
{
    return (catalogue){"solver", contact->system_solver_count, contact->system_solver_info};
}

catalogue catalogue_locals(const stn_ext_contact *contact)
{
    return (catalogue){"one-contact solver", contact->local_count, contact->local_info};
}

stn_solver_info catalogue_at(const catalogue *all, uint64_t i)
{
    stn_solver_info entry = {.struct_size = sizeof entry};
    all->info(i, &entry);
    return entry;
}

int catalogue_choose(const cli *c, catalogue all, const char **name)
{
    text_guess guess = text_guess_for(*name ? *name : "");
    for (uint64_t i = 0; i < all.count(); i++) {
        const stn_solver_info entry = catalogue_at(&all, i);
        if (!*name || strcmp(*name, entry.name) == 0) {
            *name = entry.name;
            return CLI_GO_ON;
        }
        text_consider(&guess, entry.name);
    }
    if (guess.name) {
        return cli_fail_usage(c, "there is no %s \"%s\"; did you mean \"%s\"?", all.noun, *name,
                              guess.name);
    }
    return cli_fail_usage(c, "there is no %s \"%s\"; see solve --list", all.noun, *name);
}

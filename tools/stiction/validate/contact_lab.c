/* SPDX-License-Identifier: Apache-2.0 */
#include "contact_lab.h"

#include <stdio.h>
#include <string.h>

static bool is_exact(const char *solver) { return strncmp(solver, "facets-", 7) != 0; }

bool contact_lab_open(contact_lab *c, lab *l, double tolerance)
{
    *c = (contact_lab){.l = l, .tolerance = tolerance};
    l->tolerance = tolerance;
    c->contact = l->api->get_extension(STN_EXT_CONTACT);
    if (!c->contact) {
        snprintf(l->error, sizeof l->error, "the library lacks " STN_EXT_CONTACT);
        return false;
    }
    for (uint64_t i = 0; i < c->contact->solver_count(); i++) {
        stn_solver_info info = {.struct_size = sizeof info};
        if (c->contact->solver_info(i, &info) < 0 || !is_exact(info.name)) continue;
        if (c->exact_count < CONTACT_LAB_SOLVERS) c->exact[c->exact_count++] = info.name;
    }
    return true;
}

bool contact_lab_solve(const contact_lab *c, const char *solver, const stn_contact_problem *problem,
                       double *r, double *u)
{
    lab *l = c->l;
    if (l->error[0]) return false;
    const stn_contact_options options = {.struct_size = sizeof options,
                                         .threads = 1,
                                         .solver = solver,
                                         .tolerance = c->tolerance,
                                         .max_iterations = 100000};
    stn_contact_result result = {.struct_size = sizeof result};
    memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
    if (c->contact->solve(problem, &options, r, u, &result) < 0) {
        snprintf(l->error, sizeof l->error, "%s: %s", solver, c->contact->last_error());
        return false;
    }
    if (is_exact(solver)) l->residual = lab_worst(l->residual, result.residual_relative);
    return true;
}

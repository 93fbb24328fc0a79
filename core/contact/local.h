/* SPDX-License-Identifier: Apache-2.0
 *
 * The one-contact solvers by name: find r with u = W r + b and Coulomb's law.
 */
#ifndef CONTACT_LOCAL_H
#define CONTACT_LOCAL_H

#include "contact/local_exact.h"

#include <stddef.h>

/* `guess` is the last r of this contact; methods that iterate start there. */
typedef local_answer (*local_function)(const sym3 *W, v3 b, double mu, v3 guess);

typedef struct local_solver {
    const char *name, *doc;
    local_function solve;
} local_solver;

extern const local_solver local_table[];
extern const size_t local_count;

/* NULL if there is none; the first of the table is the default. */
const local_solver *local_find(const char *name);

#endif

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

/* What many one-contact problems took. */
typedef struct local_tally {
    uint64_t calls, failures, fallbacks, iterations;
} local_tally;

static inline void local_tally_count(local_tally *t, const local_answer *answer)
{
    t->calls++;
    t->failures += answer->failed;
    t->fallbacks += answer->fell_back;
    t->iterations += answer->iterations;
}

static inline void local_tally_add(local_tally *t, const local_tally *more)
{
    t->calls += more->calls;
    t->failures += more->failures;
    t->fallbacks += more->fallbacks;
    t->iterations += more->iterations;
}

typedef struct local_solver {
    const char *name, *doc;
    local_function solve;
} local_solver;

extern const local_solver local_table[];
extern const size_t local_count;

/* NULL if there is none; the first of the table is the default. */
const local_solver *local_find(const char *name);

#endif

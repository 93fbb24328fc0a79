/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/local.h"

#include "contact/local_judge.h"
#include "contact/local_methods.h"

#include <string.h>

static local_answer solve_exact(const sym3 *W, v3 b, double mu, v3 guess)
{
    (void)guess;
    double error;
    const local_answer a = local_solve_exact_bounded(W, b, mu, &error);
    if (error <= local_allowance(b)) return a;
    return local_judge(W, b, mu, a.r, a.iterations);
}

const local_solver local_table[] = {
    {"ladder", "take-off, stick, Newton on the sliding multiplier, enumeration, flagged best point",
     local_solve_ladder},
    {"exact", "the ladder without enumeration", solve_exact},
    {"enum", "all roots of the quartic in the sliding multiplier", local_solve_enum},
    {"mfb", "Newton on the Fischer-Burmeister function", local_solve_mfb},
    {"pac", "Newton on the Alart-Curnier function", local_solve_pac},
    {"dac", "the same with a Goldstein-Price line search", local_solve_dac},
    {"duriez06", "normal, then tangent, once", local_solve_duriez06},
    {"duriez08", "normal, then tangent, until it stands still", local_solve_duriez08},
    {"pyramid", "a cone with four sides instead of Coulomb's", local_solve_pyramid},
    {"mfb+enum", "mfb, enumeration where it misses (the hybrid of paper 001)",
     local_solve_mfb_enum},
    {"pac+enum", "pac, enumeration where it misses", local_solve_pac_enum},
    {"dac+enum", "dac, enumeration where it misses", local_solve_dac_enum},
    {"duriez08+enum", "duriez08, enumeration where it misses", local_solve_duriez08_enum},
    {"pyramid+enum", "pyramid, enumeration where it misses", local_solve_pyramid_enum},
};

const size_t local_count = sizeof local_table / sizeof *local_table;

const local_solver *local_find(const char *name)
{
    for (size_t i = 0; i < local_count; i++) {
        if (strcmp(local_table[i].name, name) == 0) return &local_table[i];
    }
    return NULL;
}

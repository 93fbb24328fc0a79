/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/solver.h"

#include "contact/auto.h"
#include "contact/cadoux.h"
#include "contact/conjugate_projected_gradient.h"
#include "contact/damped_newton.h"
#include "contact/facets.h"
#include "contact/gauss_seidel.h"
#include "contact/projected_gradient.h"
#include "contact/proximal_newton.h"

#include <string.h>

const solver solver_table[] = {
    {"auto", "momentum Gauss-Seidel, then the proximal Newton method on islands that stall",
     auto_solve},
    {"momentum", "Gauss-Seidel that repeats a share of its last move (Nesterov)",
     gs_solve_momentum},
    {"gauss-seidel", "plain Gauss-Seidel over exact one-contact answers (paper 001)",
     gs_solve_plain},
    {"relaxed", "Gauss-Seidel, over-relaxed by 1.4, settled contacts left alone (paper 001)",
     gs_solve_relaxed},
    {"proximal-newton", "proximal point iteration with Newton's method on Alart and Curnier's map",
     proximal_newton_solve},
    {"newton-ac", "Newton on Alart and Curnier's function, sweeps where it is stuck (paper 000)",
     damped_newton_solve_alart_curnier},
    {"newton-mfb", "Newton on Fischer and Burmeister's function, sweeps where stuck (paper 001)",
     damped_newton_solve_fischer_burmeister},
    {"projected-gradient", "accelerated projected gradient on De Saxce's form (paper 003)",
     projected_gradient_solve},
    {"conjugate-gradient", "conjugate projected gradient with the cones' curvature (paper 002)",
     conjugate_projected_gradient_solve},
    {"newton-ac-pure", "newton-ac without sweeps; misses where it is stuck (paper 000)",
     damped_newton_solve_alart_curnier_alone},
    {"cadoux", "Cadoux's fixed point over convex problems (paper 003)", cadoux_solve},
    {"facets-4",
     "Lemke on a four-sided cone: not Coulomb's law, misses it when sliding (paper 002)",
     facets_solve_4},
    {"facets-8", "Lemke on an eight-sided cone: not Coulomb's law, to show by how much",
     facets_solve_8},
    {"facets-16", "Lemke on a sixteen-sided cone: not Coulomb's law, to show by how much",
     facets_solve_16},
};

const size_t solver_count = sizeof solver_table / sizeof *solver_table;

const solver *solver_find(const char *name)
{
    for (size_t i = 0; i < solver_count; i++) {
        if (strcmp(solver_table[i].name, name) == 0) return &solver_table[i];
    }
    return NULL;
}

void solver_report_add_work(solver_report *into, const solver_report *part)
{
    into->iterations += part->iterations;
    local_tally_add(&into->local, &part->local);
    into->seconds.sweeps += part->seconds.sweeps;
    into->seconds.newton += part->seconds.newton;
    into->seconds.linear += part->seconds.linear;
}

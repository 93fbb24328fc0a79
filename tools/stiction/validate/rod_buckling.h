/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads at which rods buckle: where the smallest eigenvalue of their energy's Hessian changes its
 * sign. The load is closed in from both sides.
 */
#ifndef STICTION_VALIDATE_ROD_BUCKLING_H
#define STICTION_VALIDATE_ROD_BUCKLING_H

#include "rod_lab.h"

typedef struct buckling {
    const char *what;
    double expected;  /* critical load of theory */
    double slack;     /* share of it by which theory simplifies */
    double reach;     /* share of it within which models buckle */
    uint32_t coarse;  /* elements; the finer rod has twice as many */
    bool needs_twist; /* models without are left out */
    /* The smallest eigenvalue at the equilibrium under this load; NAN: there is none. */
    double (*lowest)(rod_lab *r, const rod_model *model, uint32_t elements, double load);
} buckling;

/* The critical load of every model, with its order. */
void buckling_check(rod_lab *r, const buckling *b);

/* As rod_lab_material, but with a stretch small enough for differences of slopes. */
stn_rod_material buckling_material(void);

#endif

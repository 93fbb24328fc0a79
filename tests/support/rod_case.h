/* SPDX-License-Identifier: Apache-2.0
 *
 * A few equal rods with their buffers, and the shortest ways to move them.
 */
#ifndef SUPPORT_ROD_CASE_H
#define SUPPORT_ROD_CASE_H

#include "rods/rod.h"

typedef struct rod_case {
    const rod_model *model;
    body_group *g;
    double *state, *next, *work, *v;
    double *gradient; /* [unknowns] of one rod */
} rod_case;

typedef struct rod_setup {
    uint32_t rods, elements;
    double length; /* of a whole rod; its elements are alike */
    bool free_root;
    v3 natural; /* of every element */
    rod_material material;
} rod_setup;

/* In the natural shape with the roots at the identity; fails the running test if it cannot. */
rod_case rod_case_make(const rod_model *model, const rod_setup *setup);
void rod_case_end(rod_case *c);

/* One step with the free velocities. */
void rod_case_step(rod_case *c, const body_input *in);

/* Steps of in->h that begin at rest, each a Newton step of statics for a long h, until no slope
 * of the potential is larger than `tolerance`. Returns how many it took, 0 if more than `most`. */
int rod_case_settle(rod_case *c, const body_input *in, double tolerance, int most);

/* The largest absolute slope of the potential of rod 0. */
double rod_case_slope(rod_case *c, const body_input *in);

#endif

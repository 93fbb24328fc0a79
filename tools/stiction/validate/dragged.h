/* SPDX-License-Identifier: Apache-2.0
 *
 * What is checked of everything that is dragged: exact solvers against the differential equation
 * and against one another, facets against projections onto the polygon.
 */
#ifndef STICTION_VALIDATE_DRAGGED_H
#define STICTION_VALIDATE_DRAGGED_H

#include "drag.h"

/* Of the exact solvers, and how near they must come to the differential equation, m. */
static const double DRAGGED_TOLERANCE = 1e-12, DRAGGED_BOUND = 1e-6;

/* Lemke's method and projections solve the same steps: what is left is rounding, 1e-12 of what
 * moves in a step, summed up over at most a thousand times as many. m or degrees. */
static const double DRAGGED_FACET_BOUND = 1e-9;

enum { DRAGGED_FACETS = 3 };
static const int DRAGGED_FACET_COUNTS[DRAGGED_FACETS] = {4, 8, 16};

/* The solution of the differential equation, and a figure: what half the step changes. */
void dragged_reference(lab *l, const drag *d, const char *what, size_t substeps, drag_path *path);

/* Every exact solver's path, extrapolated, into paths[CONTACT_LAB_SOLVERS], with its distance from
 * the reference; and the largest distance between two of them. */
void dragged_check_exact(const contact_lab *c, const drag *d, const char *what,
                         const drag_path *reference, drag_path *paths);

/* What Coulomb's law and facets make of the same steps. */
typedef struct dragged_paths {
    drag_path exact;
    drag_path faceted[DRAGGED_FACETS];   /* by Lemke's method */
    drag_path projected[DRAGGED_FACETS]; /* what they should be, by projections onto the polygon */
} dragged_paths;

/* Fills in the paths, exact.samples long, and adds how far those with facets are from the exact
 * one. */
void dragged_check_facets(const contact_lab *c, const drag *d, const char *what, size_t substeps,
                          dragged_paths *paths);

/* Leaves the paths for --plot, if that was asked for. */
void dragged_draw(lab *l, const char *title, const dragged_paths *paths);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Edges whose frames follow their direction without spinning, and the curvature between two edges.
 *
 * The frame of the last step, with the axis a, is turned the short way onto the edge's direction t
 * now, then by the edge's angle theta about t. So it is a function of q alone; its spin about t is
 *     theta' + sigma . t',     sigma = (t x a) / (1 + a . t),
 * the area that a, t and t + dt enclose on the sphere.
 */
#ifndef RODS_TRANSPORTED_FRAME_H
#define RODS_TRANSPORTED_FRAME_H

#include "rods/nodal_rod.h"

/* The short way from one unit vector to another. */
quat transported_short_way(v3 from, v3 to);

/* nodal_model.find_edge with an angle theta, which is 0 for models without turns. */
void transported_find_edge(const nodal_view *at, size_t edge, double theta, nodal_edge *out);

/* 2 t_a x t_b / (1 + t_a . t_b): along the axis of the turn from a to b, as long as twice the
 * tangent of half its angle. Turns beyond 177 degrees are measured as if 1 + t_a . t_b did not
 * shrink any more, so that folded rods stay finite. */
typedef struct curvature_binormal {
    v3 b;
    double chi; /* 1 + t_a . t_b, or its smallest value */
    bool folded;
} curvature_binormal;

curvature_binormal transported_curvature(const nodal_edge *a, const nodal_edge *b);

/* Adds to a row the slope of d . curvature for a fixed d; the joint lies before `edge`. */
void transported_pull_curvature(const nodal_view *at, nodal_row *row, size_t edge,
                                const nodal_edge *a, const nodal_edge *b,
                                const curvature_binormal *k, v3 d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "dragged.h"

#include <stdio.h>

void dragged_reference(lab *l, const drag *d, const char *what, size_t substeps, drag_path *path)
{
    drag coarse = *d, fine = *d;
    drag_path other = {.samples = path->samples};
    drag_integrate(&coarse, substeps, &other);
    drag_integrate(&fine, 2 * substeps, path);
    const double change = drag_distance(path, &other);
    lab_add(l, change, 0.0, change, 0.01 * DRAGGED_BOUND, "%s/reference/half-the-step", what);
}

void dragged_check_exact(const contact_lab *c, const drag *d, const char *what,
                         const drag_path *reference, drag_path *paths)
{
    double spread = 0.0;
    for (size_t i = 0; i < c->exact_count; i++) {
        const drag_law law = {.solvers = c, .solver = c->exact[i]};
        paths[i].samples = reference->samples;
        drag_extrapolate(d, &law, &paths[i]);
        const double off = drag_distance(&paths[i], reference);
        lab_add(c->l, off, 0.0, off, DRAGGED_BOUND, "%s/%s/off-the-ode", what, law.solver);
        for (size_t k = 0; k < i; k++) {
            spread = lab_worst(spread, drag_distance(&paths[i], &paths[k]));
        }
    }
    lab_add(c->l, spread, 0.0, spread, DRAGGED_BOUND, "%s/exact/apart", what);
}

void dragged_check_facets(const contact_lab *c, const drag *d, const char *what, size_t substeps,
                          dragged_paths *paths)
{
    const drag_law disc = {0};
    int right = 0;
    drag_run(d, &disc, substeps, &paths->exact);
    for (size_t i = 0; i < DRAGGED_FACETS; i++) {
        char name[16];
        snprintf(name, sizeof name, "facets-%d", DRAGGED_FACET_COUNTS[i]);
        const drag_law lemke = {.solvers = c, .solver = name};
        const drag_law projections = {.facets = DRAGGED_FACET_COUNTS[i]};
        drag_path *faceted = &paths->faceted[i], *projected = &paths->projected[i];
        faceted->samples = projected->samples = paths->exact.samples;
        drag_run(d, &lemke, substeps, faceted);
        drag_run(d, &projections, substeps, projected);
        const double off = drag_distance(faceted, &paths->exact);
        const double known = drag_distance(projected, &paths->exact);
        lab_add(c->l, off, known, fabs(off - known), DRAGGED_FACET_BOUND,
                "%s/%s/off-the-exact-path", what, name);
        right += off <= DRAGGED_BOUND;
    }
    lab_add(c->l, right, 0.0, right, 0.0, "%s/facets/right-to-1e-6", what);
}

void dragged_draw(lab *l, const char *title, const dragged_paths *paths)
{
    if (!l->picture) return;
    const drag_path *exact = &paths->exact;
    l->picture->title = title;
    bool good = paths_add(l->picture, "exact", &exact->x[0].x, 3, exact->samples + 1);
    for (size_t i = 0; i < DRAGGED_FACETS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d facets", DRAGGED_FACET_COUNTS[i]);
        good =
            good && paths_add(l->picture, name, &paths->faceted[i].x[0].x, 3, exact->samples + 1);
    }
    if (!good) l->out_of_memory = true;
}

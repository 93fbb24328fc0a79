/* SPDX-License-Identifier: Apache-2.0
 *
 * A step's contact problem for those who want to see it. It is written out before the step is
 * taken, so that a step whose problem memory has no room for is not taken, and shown after it: what
 * is shown has happened.
 */
#include "contact/nodal_explicit.h"
#include "scene/work.h"

/* Nodes that act on one another have another problem than the one shown here. */
static bool has_elastic(const scene *s)
{
    for (size_t i = 0; i < s->objects.count; i++) {
        if (scene_object(s, i)->elastic) return true;
    }
    return false;
}

status problem_write_out(work *k, error *err)
{
    if (!k->s->visit_problem || k->first[k->s->nodes] == 0 || has_elastic(k->s)) return STATUS_OK;
    nodal_explicit e;
    const status st = nodal_explicit_make(&e, &k->problem, 0, k->s->nodes, &k->s->scratch, err);
    if (st < 0) return st;
    k->shown = (scene_problem){.contacts = e.contacts,
                               .row_start = e.row_start,
                               .col = e.col,
                               .blocks = e.blocks,
                               .b = e.b,
                               .mu = e.mu,
                               .r = e.r,
                               .u = e.u,
                               .residual = k->residual,
                               .tolerance = k->problem.tolerance};
    return STATUS_OK;
}

void problem_show(const work *k)
{
    scene *s = k->s;
    if (k->shown.contacts == 0) return;
    scene_problem problem = k->shown;
    problem.at = scene_get_time(s);
    if (s->visit_problem(s->visit_user, &problem) != 0) scene_cancel(s);
}

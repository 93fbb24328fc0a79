/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact extension: a scene's problems, step by step, shown to the host.
 */
#include "ext_contact.h"
#include "guard.h"
#include "structs.h"

/* The core's problem as the host knows problems. */
static int32_t show(void *user, const scene_problem *p)
{
    const stn_problem_visitor *visitor = user;
    const stn_contact_problem problem = {.struct_size = sizeof problem,
                                         .contacts = p->contacts,
                                         .row_start = p->row_start,
                                         .col = p->col,
                                         .blocks = p->blocks,
                                         .b = p->b,
                                         .mu = p->mu};
    const stn_step_problem step = {.struct_size = sizeof step,
                                   .step = p->at.steps,
                                   .frame = p->at.frame,
                                   .seconds = p->at.seconds,
                                   .problem = &problem,
                                   .r = p->r,
                                   .u = p->u,
                                   .residual = p->residual,
                                   .tolerance = p->tolerance};
    return visitor->visit(visitor->user, &step);
}

stn_status ext_visit_problems(stn_scene *s, const stn_problem_visitor *given)
{
    status st = guard_enter(s);
    if (st < 0) return st;
    stn_problem_visitor visitor;
    st = struct_take(given, &visitor, sizeof visitor, "visitor", &s->err);
    if (st >= 0) st = struct_check_reserved(visitor.reserved, "visitor", &s->err);
    if (st >= 0) {
        s->problems = visitor;
        scene_visit_problems(s->core, visitor.visit ? show : NULL, &s->problems);
    }
    return guard_leave(s, st);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "fclib.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool fclib_fail(fclib_error *error, fclib_reason reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->reason = reason;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool fclib_fail_memory(fclib_error *error)
{
    return fclib_fail(error, FCLIB_OUT_OF_MEMORY, "out of memory");
}

void fclib_free(fclib_problem *problem)
{
    free(problem->row_start);
    free(problem->col);
    free(problem->blocks);
    free(problem->b);
    free(problem->mu);
    *problem = (fclib_problem){0};
}

stn_contact_problem fclib_view(const fclib_problem *problem)
{
    return (stn_contact_problem){.struct_size = sizeof(stn_contact_problem),
                                 .contacts = problem->contacts,
                                 .row_start = problem->row_start,
                                 .col = problem->col,
                                 .blocks = problem->blocks,
                                 .b = problem->b,
                                 .mu = problem->mu};
}

void fclib_free_system(fclib_system *s)
{
    void *const arrays[] = {
        s->body_unknowns, s->row_start, s->col, s->term_start,    s->term_target, s->body_inertia,
        s->blocks,        s->force,     s->mu,  s->body_velocity, s->term_H,      s->velocity};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
    *s = (fclib_system){0};
}

stn_contact_system fclib_view_system(const fclib_system *s)
{
    return (stn_contact_system){.struct_size = sizeof(stn_contact_system),
                                .bodies = s->bodies,
                                .nodes = s->nodes,
                                .contacts = s->contacts,
                                .body_unknowns = s->body_unknowns,
                                .body_inertia = s->body_inertia,
                                .body_velocity = s->body_velocity,
                                .row_start = s->row_start,
                                .col = s->col,
                                .blocks = s->blocks,
                                .force = s->force,
                                .mu = s->mu,
                                .velocity = s->velocity,
                                .term_start = s->term_start,
                                .term_target = s->term_target,
                                .term_H = s->term_H};
}

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

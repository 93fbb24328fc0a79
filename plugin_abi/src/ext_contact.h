/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact extension, and what solving a problem and solving a system have in common.
 */
#ifndef ABI_EXT_CONTACT_H
#define ABI_EXT_CONTACT_H

#include "base/text.h"
#include "contact/solver.h"

#include <stiction/ext_contact.h>

extern const stn_ext_contact ext_contact_table;

/* ext_contact_visit.c */
stn_status ext_visit_problems(stn_scene *s, const stn_problem_visitor *visitor);

/* ext_contact_system.c */
uint64_t ext_contact_system_solver_count(void);
stn_status ext_contact_system_solver_info(uint64_t index, stn_solver_info *out);
stn_status ext_contact_solve_system(const stn_contact_system *system,
                                    const stn_contact_options *given, double *r, double *u,
                                    double *v, stn_contact_result *result);

/* Everything but the solver, whose name is in `out`, and the threads. */
status ext_contact_read_options(const stn_contact_options *given, stn_contact_options *out,
                                solver_options *options, error *err);

status ext_contact_refuse_name(const char *kind, const char *name, const text_suggestion *near,
                               error *err);
stn_status ext_contact_refuse_index(uint64_t index, uint64_t count);
stn_status ext_contact_give_info(const char *name, const char *doc, stn_solver_info *out);

typedef struct ext_contact_outcome {
    const char *solver;
    solver_report report;
    contact_measure measure;
    double scale;              /* m/s: what the tolerance is relative to */
    double begun, ready, done; /* the clock at the call, before and after the solver */
} ext_contact_outcome;

/* What a solver that returned `st`, no error, has to say. */
status ext_contact_tell(status st, const ext_contact_outcome *o, stn_contact_result *result,
                        error *err);

#endif

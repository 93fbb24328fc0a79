/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ABI_EXT_CONTACT_H
#define ABI_EXT_CONTACT_H

#include <stiction/ext_contact.h>

extern const stn_ext_contact ext_contact_table;

/* ext_contact_visit.c */
stn_status ext_visit_problems(stn_scene *s, const stn_problem_visitor *visitor);

#endif

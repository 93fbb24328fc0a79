/* SPDX-License-Identifier: Apache-2.0
 *
 * The solvers of the contact extension as things to be checked.
 */
#ifndef STICTION_VALIDATE_CONTACT_LAB_H
#define STICTION_VALIDATE_CONTACT_LAB_H

#include <stiction/ext_contact.h>

#include "lab.h"

enum { CONTACT_LAB_SOLVERS = 32 };

typedef struct contact_lab {
    lab *l;
    const stn_ext_contact *contact;
    const char *exact[CONTACT_LAB_SOLVERS]; /* those of the table that have the round cone */
    size_t exact_count;
    double tolerance; /* relative, for the exact ones */
} contact_lab;

/* False, with the error in the lab, if the library lacks the extension. */
bool contact_lab_open(contact_lab *c, lab *l, double tolerance);

/* From r = 0. False after a failure, this one or an earlier one of the case. The relative residual
 * of an exact solver counts for the lab; one with facets has another law. */
bool contact_lab_solve(const contact_lab *c, const char *solver, const stn_contact_problem *problem,
                       double *r, double *u);

#endif

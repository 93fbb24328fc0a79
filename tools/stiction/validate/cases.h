/* SPDX-License-Identifier: Apache-2.0
 *
 * All families of checks; cmd_validate.c lists them in its table.
 */
#ifndef STICTION_VALIDATE_CASES_H
#define STICTION_VALIDATE_CASES_H

#include "lab.h"

extern const lab_case validate_incline;
extern const lab_case validate_stopping;
extern const lab_case validate_direction;
extern const lab_case validate_turning;
extern const lab_case validate_drop;
extern const lab_case validate_corner;
extern const lab_case validate_one_contact;
extern const lab_case validate_triangle;
extern const lab_case validate_circle;
extern const lab_case validate_cantilever;
extern const lab_case validate_tip_load;
extern const lab_case validate_end_moment;
extern const lab_case validate_column;
extern const lab_case validate_strip;
extern const lab_case validate_ring;
extern const lab_case validate_rod_length;
extern const lab_case validate_rod_energy;
extern const lab_case validate_rod_damping;
extern const lab_case validate_rod_clamp;

#endif

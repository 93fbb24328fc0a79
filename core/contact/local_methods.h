/* SPDX-License-Identifier: Apache-2.0
 *
 * The methods behind the table of local.h, each in its own file, with the mathematics there.
 */
#ifndef CONTACT_LOCAL_METHODS_H
#define CONTACT_LOCAL_METHODS_H

#include "contact/local.h"

/* Exact, whatever W, b and mu: what `failed` means is in local_ladder.c. */
local_answer local_solve_ladder(const sym3 *W, v3 b, double mu, v3 guess);

/* All solutions: sticking if it can, else the least impulse of those that slide. Not sought if
 * `first` is one; else `fell_back`. */
local_answer local_enumerate(const sym3 *W, v3 b, double mu, v3 first);
local_answer local_solve_enum(const sym3 *W, v3 b, double mu, v3 guess);

/* Newton's method on functions whose zeros are the solutions. */
local_answer local_solve_mfb(const sym3 *W, v3 b, double mu, v3 guess);
local_answer local_solve_pac(const sym3 *W, v3 b, double mu, v3 guess);
local_answer local_solve_dac(const sym3 *W, v3 b, double mu, v3 guess);

/* Normal, then tangent: once, or until it stands still. */
local_answer local_solve_duriez06(const sym3 *W, v3 b, double mu, v3 guess);
local_answer local_solve_duriez08(const sym3 *W, v3 b, double mu, v3 guess);

/* The methods above and below with the enumeration where they miss. */
local_answer local_solve_mfb_enum(const sym3 *W, v3 b, double mu, v3 guess);
local_answer local_solve_pac_enum(const sym3 *W, v3 b, double mu, v3 guess);
local_answer local_solve_dac_enum(const sym3 *W, v3 b, double mu, v3 guess);
local_answer local_solve_duriez08_enum(const sym3 *W, v3 b, double mu, v3 guess);
local_answer local_solve_pyramid_enum(const sym3 *W, v3 b, double mu, v3 guess);

/* Exact for a cone with four sides, that is, for another law. */
local_answer local_solve_pyramid(const sym3 *W, v3 b, double mu, v3 guess);

#endif

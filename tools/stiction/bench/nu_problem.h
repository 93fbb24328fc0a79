/* SPDX-License-Identifier: Apache-2.0
 *
 * Contact problems with a given number of equations per unknown, nu = 3 n / m (paper 000, sections
 * 4.4 and 5.2): n contacts in a heap of rods that falls on a plate. Above nu = 1 W is singular.
 *
 * A rod is a straight chain of equal nodes with springs against stretching and bending, as in the
 * paper. With D1 and D2 the first and second differences along the chain, and the mass of a node as
 * unit, A = M + dt^2 K is
 *     I + dt^2 k_stretch D1^T D1   along the rod's direction t,
 *     I + dt^2 k_bend    D2^T D2   across it,
 * so that the response of one point of a rod to an impulse on another is
 *     (w_i . A_along^-1 w_j) t t^T + (w_i . A_across^-1 w_j) (I - t t^T),
 * w the weights of a point's two nodes. W sums this over shared rods, in the contacts' frames.
 *
 * Contacts are between random points of two rods that approach each other, or of one and the plate;
 * the normal is perpendicular to both rods. Each gap is still open, so that v = 0 separates all
 * rods: every problem has a solution, and a solver that misses has itself to blame.
 */
#ifndef STICTION_BENCH_NU_PROBLEM_H
#define STICTION_BENCH_NU_PROBLEM_H

#include "../fclib/fclib.h"

enum { NU_RODS = 12, NU_NODES = 4, NU_UNKNOWNS = 3 * NU_RODS * NU_NODES };

/* Contacts that come nearest to nu. */
uint32_t nu_contacts(double nu);

/* The same seed gives the same problem. To be freed with fclib_free; false: out of memory. */
bool nu_problem_make(uint32_t contacts, uint32_t seed, fclib_problem *out);

#endif

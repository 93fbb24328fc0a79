/* SPDX-License-Identifier: Apache-2.0
 *
 * Contacts of nodes that do not act on one another: each node has a mass of its own, so each node
 * with its contacts is a problem of its own.
 *
 * Node i moves with v = v_free + w sum_k F_k^T r_k, w = 1/m. Contact k sees the velocity relative
 * to its surface in its own frame,
 *     u_k = F_k (v - s_k) + g_k e_N,
 * s_k the surface's velocity and g_k >= 0 the gap left over dt. One contact is solved in closed
 * form; more at one node (a corner) by Gauss-Seidel over the exact one-contact answers.
 * Gauss-Seidel converges linearly, slowly where two normals are almost parallel: every few sweeps
 * the change of r, which shrinks by a factor lambda per sweep, is summed up to its limit (Aitken),
 * r += lambda / (1 - lambda) dr. Corners that are left over then are for corners.h.
 */
#ifndef CONTACT_NODAL_H
#define CONTACT_NODAL_H

#include "contact/coulomb.h"
#include "math/m3.h"

#include <stddef.h>
#include <stdint.h>

typedef struct nodal_contact {
    m3 F;     /* rows N, T1, T2 */
    v3 s;     /* the surface's velocity, m/s */
    double g; /* gap over dt, m/s */
    double mu;
    double depth;     /* m that the node starts inside the surface; the solver leaves it alone */
    v3 r;             /* out: impulse in the contact's frame, N s */
    v3 dr;            /* the solver's own: what the last sweep added to r */
    uint32_t surface; /* who the other side is */
    uint32_t state;   /* out: contact_state */
} nodal_contact;

static inline v3 nodal_relative_velocity(const nodal_contact *c, v3 v)
{
    v3 u = m3_mul_v3(&c->F, v3_sub(v, c->s));
    u.x += c->g;
    return u;
}

/* A node's velocity v with `share` of its contacts' impulses added; -1 takes them away. */
v3 nodal_add_impulses(const nodal_contact *c, size_t count, double w, double share, v3 v);

/* Of one node's contacts. */
double nodal_worst_residual(const nodal_contact *c, size_t count, double w, v3 v);

typedef struct nodal_problem {
    const double *w;       /* per node: inverse mass, 1/kg */
    double *v;             /* per node, 3 numbers: free velocity in, velocity out */
    const uint32_t *first; /* node i has the contacts [first[i], first[i + 1]) */
    nodal_contact *contacts;
    double tolerance;        /* m/s */
    uint32_t max_iterations; /* sweeps over the contacts of one node */
} nodal_problem;

/* Of a range of nodes. Reports merge in any order to the same result. */
typedef struct nodal_report {
    coulomb_errors worst;
    uint64_t takeoff, stick, slide;
    uint64_t missed;     /* nodes that did not reach the tolerance */
    uint32_t iterations; /* most for any node */
} nodal_report;

nodal_report nodal_solve_range(const nodal_problem *p, size_t begin, size_t end);

/* The same without solving. */
nodal_report nodal_measure_range(const nodal_problem *p, size_t begin, size_t end);
void nodal_report_merge(nodal_report *into, const nodal_report *from);

#endif

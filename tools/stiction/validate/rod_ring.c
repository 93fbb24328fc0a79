/* SPDX-License-Identifier: Apache-2.0
 *
 * Michell's ring: a straight rod, as stiff in every direction, bent to a closed circle with a total
 * twist T. It leaves its plane where T reaches 2 pi sqrt(3) B/C.
 *
 * The second clamp is a constraint: position and frame of the tip are given, and loads at the tip
 * are its multipliers. The slope of the energy under these dead loads is then the slope of the
 * Lagrangian, its differences are the Hessian, and what counts is that Hessian on the motions which
 * leave the tip where it is. A ring that is as stiff in every direction may turn about its tangent
 * for nothing; a seventh constraint at half its length takes that motion away.
 *
 * Only for models that cannot stretch: a twisted polygon between clamps is no flat ring, and what
 * is not flat to begin with has no load at which it buckles, but bends out more and more.
 */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "rod_buckling.h"
#include "rod_dense.h"

enum { CONSTRAINTS = 7, NEWTON_MOST = 30 };
static const double TWIST_STIFFNESS = 4.0; /* C; B is 1 */

typedef struct ring {
    const rod *a;
    double twist;
    double lambda[CONSTRAINTS]; /* force and moment at the end, force at half the length */
    double *J, *H, *kkt, *g,
        *q; /* [CONSTRAINTS][n], [n][n], [N][N], [N], [n]; N = n + CONSTRAINTS */
} ring;

/* The curvature 2 pi about z, seen from frames that turn about the tangent. */
static rod open_circle(rod_lab *r, const rod_model *model, uint32_t elements, double twist)
{
    double kappa[3 * ROD_MOST_ELEMENTS], lengths[ROD_MOST_ELEMENTS];
    stn_rod_material material = buckling_material();
    material.twist = TWIST_STIFFNESS;
    for (uint32_t e = 0; e < elements; e++) {
        lengths[e] = 1.0 / elements;
        const double angle = twist * (e + 0.5) / elements;
        kappa[3 * e] = twist;
        kappa[3 * e + 1] = SPACE_TURN * sin(angle);
        kappa[3 * e + 2] = SPACE_TURN * cos(angle);
    }
    return rod_open_bent(r, model, elements, &material, lengths, kappa);
}

/* How far the constraints are off. */
static void find_gaps(const ring *c, double out[CONSTRAINTS])
{
    turn frame;
    rod_place(c->a, 1.0, NULL, &frame);
    const turn off = turn_mul(frame, turn_about((vec){1.0, 0.0, 0.0}, -c->twist));
    const vec tip = rod_point(c->a, 1.0);
    const double twice = off.w < 0.0 ? -2.0 : 2.0;
    const double gaps[CONSTRAINTS] = {
        tip.x, tip.y, tip.z, twice * off.x, twice * off.y, twice * off.z, rod_point(c->a, 0.5).z};
    memcpy(out, gaps, sizeof gaps);
}

static void find_constraints(const ring *c)
{
    const size_t n = c->a->n;
    double *scratch = c->kkt; /* has room for 6 n */
    rod_jacobian(c->a, 1.0, c->J);
    rod_jacobian(c->a, 0.5, scratch);
    memcpy(c->J + 6 * n, scratch + 2 * n, n * sizeof *scratch);
}

/* The slope of the Lagrangian. */
static void find_slope(const ring *c, double *out)
{
    const double *f = c->lambda;
    stn_rod_load loads[2] = {
        rod_tip_load((vec){f[0], f[1], f[2]}, (vec){f[3], f[4], f[5]}),
        rod_tip_load((vec){0.0, 0.0, f[6]}, (vec){0.0, 0.0, 0.0}),
    };
    loads[1].s = 0.5;
    stn_rods_input input = rod_no_input();
    input.loads = loads;
    input.load_count = 2;
    rod_gradient(c->a, &input, out);
}

/* Central differences; its symmetric part. */
static void find_hessian(const ring *c)
{
    static const double STEP = 1e-5;
    const size_t n = c->a->n;
    double *ahead = c->kkt, *behind = c->kkt + n;
    rod_get_state(c->a, c->q, NULL);
    for (size_t j = 0; j < n; j++) {
        const double q = c->q[j];
        c->q[j] = q + STEP;
        rod_set_state(c->a, c->q, NULL);
        find_slope(c, ahead);
        c->q[j] = q - STEP;
        rod_set_state(c->a, c->q, NULL);
        find_slope(c, behind);
        c->q[j] = q;
        for (size_t i = 0; i < n; i++) c->H[i * n + j] = (ahead[i] - behind[i]) / (2.0 * STEP);
    }
    rod_set_state(c->a, c->q, NULL);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            c->H[i * n + j] = c->H[j * n + i] = 0.5 * (c->H[i * n + j] + c->H[j * n + i]);
        }
    }
}

/* Multipliers that leave the least slope, to begin with: J J^T lambda = J slope. */
static void guess_multipliers(ring *c)
{
    const size_t n = c->a->n;
    double JJ[CONSTRAINTS * CONSTRAINTS];
    memset(c->lambda, 0, sizeof c->lambda);
    find_constraints(c);
    find_slope(c, c->g);
    for (size_t i = 0; i < CONSTRAINTS; i++) {
        for (size_t j = 0; j < CONSTRAINTS; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++) sum += c->J[i * n + k] * c->J[j * n + k];
            JJ[i * CONSTRAINTS + j] = sum;
        }
        for (size_t k = 0; k < n; k++) c->lambda[i] += c->J[i * n + k] * c->g[k];
    }
    dense_solve(CONSTRAINTS, JJ, c->lambda);
}

/* [H -J^T; J 0] (dq, dlambda) = -(slope, gaps); returns the largest entry of what was off. Near
 * the critical twist the matrix is nearly singular, and the step itself says little. */
static double newton_step(ring *c)
{
    const size_t n = c->a->n, N = n + CONSTRAINTS;
    find_constraints(c);
    find_hessian(c);
    find_slope(c, c->g);
    find_gaps(c, c->g + n);
    memset(c->kkt, 0, N * N * sizeof *c->kkt);
    for (size_t i = 0; i < n; i++) {
        memcpy(c->kkt + i * N, c->H + i * n, n * sizeof *c->H);
        for (size_t k = 0; k < CONSTRAINTS; k++) {
            c->kkt[i * N + n + k] = -c->J[k * n + i];
            c->kkt[(n + k) * N + i] = c->J[k * n + i];
        }
    }
    double most = 0.0;
    for (size_t i = 0; i < N; i++) {
        most = lab_worst(most, fabs(c->g[i]));
        c->g[i] = -c->g[i];
    }
    if (!dense_solve(N, c->kkt, c->g)) return NAN;
    for (size_t i = 0; i < n; i++) c->q[i] += c->g[i];
    for (size_t k = 0; k < CONSTRAINTS; k++) c->lambda[k] += c->g[n + k];
    rod_set_state(c->a, c->q, NULL);
    return most;
}

static double lowest_on_constraints(const ring *c)
{
    const size_t n = c->a->n;
    double largest = 0.0;
    find_constraints(c);
    find_hessian(c);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, c->H[i * n + i]);
    dense_orthonormalize(CONSTRAINTS, n, c->J);
    dense_project(n, c->H, CONSTRAINTS, c->J, largest);
    return dense_lowest(n, c->H, c->kkt);
}

static double settle_and_judge(ring *c)
{
    double off = INFINITY;
    guess_multipliers(c);
    for (int i = 0; i < NEWTON_MOST && off > 1e-8; i++) off = newton_step(c);
    c->a->lab->l->residual = lab_worst(c->a->lab->l->residual, off);
    return lowest_on_constraints(c);
}

static double twist_ring(rod_lab *r, const rod_model *model, uint32_t elements, double twist)
{
    double lowest = NAN;
    rod a = open_circle(r, model, elements, twist);
    const size_t n = a.n, N = n + CONSTRAINTS;
    double *memory = calloc(CONSTRAINTS * n + n * n + N * N + N + n, sizeof *memory);
    if (memory && rod_usable(&a)) {
        ring c = {.a = &a, .twist = twist, .J = memory};
        c.H = c.J + CONSTRAINTS * n;
        c.kkt = c.H + n * n;
        c.g = c.kkt + N * N;
        c.q = c.g + N;
        lowest = settle_and_judge(&c);
    }
    free(memory);
    rod_close(&a);
    return lowest;
}

static void ring_run(lab *l)
{
    rod_lab r;
    if (!rod_lab_open(&r, l, 1e-8)) return;
    const buckling michell = {.what = "twist",
                              .expected = SPACE_TURN * sqrt(3.0) / TWIST_STIFFNESS,
                              .reach = 0.08,
                              .coarse = 12,
                              .needs_twist = true,
                              .no_stretch = true,
                              .lowest = twist_ring};
    buckling_check(&r, &michell);
}

const lab_case validate_ring = {
    "rods/ring", "Michell's ring leaves its plane at the twist 2 pi sqrt(3) B/C", ring_run};

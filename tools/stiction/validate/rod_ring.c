/* SPDX-License-Identifier: Apache-2.0
 *
 * Michell's ring: a straight rod, as stiff in every direction, bent to a closed circle with a total
 * twist T. It leaves its plane where T reaches 2 pi sqrt(3) B/C.
 *
 * The second clamp is a constraint: position and frame of the tip are given, and loads at the tip
 * are its multipliers. In the flat ring, with the curvature kappa = 2 pi about z and the tangent x at
 * its ends, these are the force C T kappa z and the moment B kappa z + C T x. The slope of the
 * energy under such dead loads is the slope of the Lagrangian, its differences are the Hessian, and
 * what counts is that Hessian on the motions which leave the tip where it is. A ring that is as
 * stiff in every direction may turn about its tangent for nothing; a seventh constraint at half its
 * length takes that motion away.
 *
 * The Hessian is taken in the flat ring of theory, from which the equilibrium of n elements is an
 * error of second order away: twisted elements are not quite flat, and what is not flat to begin
 * with has no load at which it buckles, but bends out more and more.
 *
 * Rods of nodes have straight edges, which would be pressed together as chords of the circle. Their
 * ring is the regular polygon of edges at rest: the circle's, larger by an edge over its chord. The
 * twist is given to the rod at rest, the other way, so that frames in the ring need none. The clamp
 * at the root lies half an edge before the middle of the first edge, but what is held at the tip is
 * all of the last edge: its length is 1/n^2, an error of the order of the others.
 */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "rod_buckling.h"
#include "rod_dense.h"

enum { CONSTRAINTS = 7 };
static const double TWIST_STIFFNESS = 4.0; /* C; B is 1 */

typedef struct ring {
    const rod *a;
    double twist;
    double *J, *H, *q, *work; /* [CONSTRAINTS][n], [n][n], [n], [6 + n][n] */
} ring;

static stn_rod_material ring_material(void)
{
    stn_rod_material material = buckling_material();
    material.twist = TWIST_STIFFNESS;
    return material;
}

/* The curvature 2 pi about z, seen from frames that turn about the tangent. */
static rod open_circle(rod_lab *r, const rod_model *model, uint32_t elements, double twist)
{
    double kappa[3 * ROD_MOST_ELEMENTS], lengths[ROD_MOST_ELEMENTS];
    const stn_rod_material material = ring_material();
    for (uint32_t e = 0; e < elements; e++) {
        lengths[e] = 1.0 / elements;
        const double angle = twist * (e + 0.5) / elements;
        kappa[3 * e] = twist;
        kappa[3 * e + 1] = SPACE_TURN * sin(angle);
        kappa[3 * e + 2] = SPACE_TURN * cos(angle);
    }
    return rod_open_bent(r, model, elements, &material, lengths, NULL, kappa);
}

/* Edges that shear carry the force C T kappa z as one over E A: their frames are turned so far
 * away from them, towards -z. What turns a frame alone does so in every shape, and a straight rod
 * says at once what. */
static void shear_edges(const rod *a, const double *lengths, double twist, double *J, double *q)
{
    const stn_rod_material material = ring_material();
    const double shear = TWIST_STIFFNESS * twist * SPACE_TURN / material.stretch;
    const size_t n = a->n;
    rod straight = rod_open_bent(a->lab, a->model, a->elements, &material, lengths, NULL, NULL);
    double end = 0.0;
    for (uint32_t e = 0; e < a->elements; e++) {
        const double s = end + 0.5 * lengths[e];
        const vec t = {cos(SPACE_TURN * s), sin(SPACE_TURN * s), 0.0};
        const vec phi = vec_cross(t, (vec){0.0, 0.0, -shear});
        rod_jacobian(&straight, s, J);
        for (size_t j = 0; j < n; j++) {
            q[j] += J[3 * n + j] * phi.x + J[4 * n + j] * phi.y + J[5 * n + j] * phi.z;
        }
        end += lengths[e];
    }
    rod_close(&straight);
}

/* The root is the origin and turns are zero, so that a larger ring is a multiple of all unknowns. */
static void make_polygon(const rod *a, const double *lengths, double twist)
{
    const double half = 0.5 * SPACE_TURN * lengths[0];
    double *q = calloc(7 * a->n + 1, sizeof *q);
    if (!q) return;
    rod_get_state(a, q, NULL);
    for (size_t i = 0; i < a->n; i++) q[i] *= half / sin(half);
    if (a->model->shears) shear_edges(a, lengths, twist, q + a->n, q);
    rod_set_state(a, q, NULL);
    free(q);
}

static rod open_polygon(rod_lab *r, const rod_model *model, uint32_t elements, double twist)
{
    double natural[3 * ROD_MOST_ELEMENTS] = {0.0}, kappa[3 * ROD_MOST_ELEMENTS] = {0.0};
    double lengths[ROD_MOST_ELEMENTS];
    const stn_rod_material material = ring_material();
    const double last = 1.0 / ((double)elements * elements), edge = (1.0 - last) / (elements - 1);
    for (uint32_t e = 0; e < elements; e++) {
        lengths[e] = e + 1 < elements ? edge : last;
        natural[3 * e] = -twist;
        kappa[3 * e + 2] = SPACE_TURN;
    }
    rod a = rod_open_bent(r, model, elements, &material, lengths, natural, kappa);
    make_polygon(&a, lengths, twist);
    return a;
}

static void find_constraints(const ring *c)
{
    const size_t n = c->a->n;
    rod_jacobian(c->a, 1.0, c->J);
    rod_jacobian(c->a, 0.5, c->work);
    memcpy(c->J + 6 * n, c->work + 2 * n, n * sizeof *c->J);
}

/* The slope of the Lagrangian. */
static void find_slope(const ring *c, double *out)
{
    const double Ct = TWIST_STIFFNESS * c->twist;
    const stn_rod_load load =
        rod_tip_load((vec){0.0, 0.0, SPACE_TURN * Ct}, (vec){Ct, 0.0, SPACE_TURN});
    stn_rods_input input = rod_no_input();
    input.loads = &load;
    input.load_count = 1;
    rod_gradient(c->a, &input, out);
}

/* Central differences; its symmetric part. */
static void find_hessian(const ring *c)
{
    static const double STEP = 1e-5;
    const size_t n = c->a->n;
    double *ahead = c->work, *behind = c->work + n;
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

static double lowest_on_constraints(const ring *c)
{
    const size_t n = c->a->n;
    double largest = 0.0;
    find_constraints(c);
    find_hessian(c);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, c->H[i * n + i]);
    dense_orthonormalize(CONSTRAINTS, n, c->J);
    dense_project(n, c->H, CONSTRAINTS, c->J, largest);
    return dense_lowest(n, c->H, c->work);
}

static double twist_ring(rod_lab *r, const rod_model *model, uint32_t elements, double twist)
{
    double lowest = NAN;
    rod a = (model->stretches ? open_polygon : open_circle)(r, model, elements, twist);
    const size_t n = a.n;
    double *memory = calloc((CONSTRAINTS + n + 1 + 6 + n) * n + 1, sizeof *memory);
    if (memory && rod_usable(&a)) {
        ring c = {.a = &a, .twist = twist, .J = memory};
        c.H = c.J + CONSTRAINTS * n;
        c.q = c.H + n * n;
        c.work = c.q + n;
        lowest = lowest_on_constraints(&c);
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
                              .coarse = 24,
                              .needs_twist = true,
                              .lowest = twist_ring};
    buckling_check(&r, &michell);
}

const lab_case validate_ring = {
    "rods/ring", "Michell's ring leaves its plane at the twist 2 pi sqrt(3) B/C", ring_run};

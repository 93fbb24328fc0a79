/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch that keeps a step of nodal rods from gaining energy. U is the velocity of the rod as
 * its root carries it (a free rod: its mean velocity), so that E(q + h U) = E(q). With
 *
 *     P(v)   = 1/2 h |v - air|^2_drag + 1/2 h |v|^2_viscosity - h forces . v
 *     Phi(v) = 1/2 |v - v_t|^2_M + P(v) + E(q + h v)
 *
 * a motion is good if Phi(v) <= Phi(U). Then
 *
 *     E(q + h v) <= budget = E(q) + 1/2 |v_t - U|^2_M + P(U) - P(v).
 *
 * The free motion is made good: where the step's linear rounds have missed, descent with the same
 * equations starts again from U, and each round is shortened until Phi falls. A minimum of Phi may
 * still have more energy than there was, since E is not convex. So v goes to the next step as
 * U + s (v - U), with the largest s <= 1 for which
 *
 *     1/2 |s (v - U)|^2_M + E(q + h v) <= budget;
 *
 * a good motion has such an s, and places do not change. Without forcing the budget is the energy
 * before, seen from the root. Contacts add their work (v - v_free) . A (v - U) to it; that they
 * leave a motion good is not certain, and where they do not, s is 0.
 */
#include "math/scalar.h"
#include "rods/nodal_step.h"

#include <string.h>

enum { DESCENT_ROUNDS = 40, DESCENT_HALVINGS = 30 };
static const double DESCENT_ENOUGH = 1e-9; /* a round's share of what was won before it */

/* ---- U --------------------------------------------------------------------------------------- */

/* As a rigid body with the frame of the root. */
static void carry_by_root(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    const nodal_rods *g = at->g;
    const pose *root = &in->root[at->rod];
    const quat turn = quat_mul(root->rotation, quat_conjugate(nodal_frame(at, 0)));
    const v3 hinge = nodal_position(at, 1);
    double *to = w->next; /* as scratch */
    for (size_t node = 2; node <= g->edges; node++) {
        const v3 arm = v3_sub(nodal_position(at, node), hinge);
        v3_store(to + node * g->stride, v3_add(root->position, quat_rotate(turn, arm)));
    }
    for (size_t edge = 1; edge < g->edges && g->model->turns_to; edge++) {
        nodal_edge now;
        g->model->find_edge(at, edge, &now);
        g->model->turns_to(at, edge, quat_mul(turn, now.frame), to + edge * g->stride + 3);
    }
    for (size_t i = g->fixed; i < g->fixed + g->base.unknowns; i++) {
        w->carried[i] = (to[i] - at->q[i - g->fixed]) / in->h;
    }
    memcpy(w->carried, w->v_fixed, g->fixed * sizeof *w->carried);
}

/* A free rod has its mean velocity for a root. */
static void carry_by_momentum(const nodal_view *at, const nodal_work *w)
{
    const nodal_rods *g = at->g;
    const double *mass = nodal_masses(g, at->rod), *v = w->state + g->base.unknowns;
    double whole = 0.0;
    v3 sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i <= g->edges * g->stride; i += g->stride) {
        sum = v3_add_scaled(sum, mass[i], v3_load(v + i));
        whole += mass[i];
    }
    for (size_t i = 0; i <= g->edges * g->stride; i += g->stride) {
        v3_store(w->carried + i, v3_scale(1.0 / whole, sum));
    }
}

static void find_carried(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    memset(w->carried, 0, (at->g->fixed + at->g->base.unknowns) * sizeof *w->carried);
    if (!at->g->given) carry_by_momentum(at, w);
    if (at->g->given && in->root) carry_by_root(at, in, w);
}

/* ---- Phi ------------------------------------------------------------------------------------- */

typedef struct shape_cost {
    const double *v; /* [all] that led to the shape */
    double h;
    double elastic, viscous;
} shape_cost;

static void add_cost(void *target, const nodal_row *row)
{
    shape_cost *to = target;
    double rate = 0.0;
    to->elastic += 0.5 * row->stiffness * row->strain * row->strain;
    if (row->viscosity <= 0.0) return;
    for (size_t k = 0; k < row->count; k++) rate += row->slope[k] * to->v[row->first + k];
    to->viscous += 0.5 * to->h * row->viscosity * rate * rate;
}

/* Viscosity alone needs slopes, and takes longer. */
static double find_cost(const nodal_view *moved, const body_input *in, const double *v)
{
    if (nodal_material(moved)->damping <= 0.0) return nodal_elastic_energy(moved);
    shape_cost cost = {.v = v, .h = in->h};
    nodal_visit_rows(moved, add_cost, &cost);
    return cost.elastic + cost.viscous;
}

/* P(v) - P(U) but for viscosity; by factors v - U, as there is little left of sums that are
 * subtracted. */
static double find_work(const nodal_view *at, const body_input *in, const nodal_work *w,
                        const double *v)
{
    const nodal_rods *g = at->g;
    const double *U = w->carried + g->fixed;
    double sum = 0.0;
    for (size_t i = 0; i < g->base.unknowns; i++) sum -= w->push[i] * (v[i] - U[i]);
    for (size_t node = 2 * (size_t)g->given; node <= g->edges; node++) {
        const size_t i = node * g->stride - g->fixed;
        const v3 new = v3_load(v + i), old = v3_load(U + i);
        const v3 wind = v3_sub(v3_lerp(old, new, 0.5), nodal_air(g, in, at->rod, node));
        sum += nodal_drag(g, in, at->rod, node) * v3_dot(wind, v3_sub(new, old));
    }
    return sum;
}

/* 1/2 |v - v_t|^2_M - 1/2 |U - v_t|^2_M */
static double find_inertia(const nodal_view *at, const nodal_work *w, const double *v)
{
    const nodal_rods *g = at->g;
    const double *mass = nodal_masses(g, at->rod) + g->fixed;
    const double *U = w->carried + g->fixed, *v_t = w->state + g->base.unknowns;
    double sum = 0.0;
    for (size_t i = 0; i < g->base.unknowns; i++) {
        sum += 0.5 * mass[i] * (v[i] - U[i]) * ((v[i] - v_t[i]) + (U[i] - v_t[i]));
    }
    return sum;
}

/* 1/2 |v - U|^2_M */
static double find_kinetic(const nodal_view *at, const nodal_work *w, const double *v)
{
    const nodal_rods *g = at->g;
    const double *mass = nodal_masses(g, at->rod) + g->fixed, *U = w->carried + g->fixed;
    double sum = 0.0;
    for (size_t i = 0; i < g->base.unknowns; i++) {
        sum += 0.5 * mass[i] * (v[i] - U[i]) * (v[i] - U[i]);
    }
    return sum;
}

/* Phi - Phi(U) of `next`. */
static double find_rise(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    const nodal_rods *g = at->g;
    const double *v = w->v_next + g->fixed;
    nodal_view moved = *at;
    moved.fixed = w->next;
    moved.q = w->next + g->fixed;
    return find_inertia(at, w, v) + find_work(at, in, w, v) +
           (find_cost(&moved, in, w->v_next) - *w->elastic);
}

static void find_push(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    const nodal_rods *g = at->g;
    const double *mass = nodal_masses(g, at->rod);
    memset(w->push, 0, g->base.unknowns * sizeof *w->push);
    for (size_t node = 2 * (size_t)g->given; node <= g->edges; node++) {
        const v3 a = nodal_acceleration(g, in, at->rod, node);
        v3_store(w->push + (node * g->stride - g->fixed),
                 v3_scale(in->h * mass[node * g->stride], a));
    }
    nodal_add_loads(at, in, in->h, w->push);
}

void nodal_watch_begin(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    find_carried(at, in, w);
    find_push(at, in, w);
}

/* ---- the free motion ------------------------------------------------------------------------- */

/* A share of the way from the trial's velocities to the solution of its equations. */
static void blend(const nodal_rods *g, const nodal_work *w, double share, double *v)
{
    for (size_t i = 0; i < g->base.unknowns; i++) {
        const double from = w->v_trial[g->fixed + i];
        v[i] = from + share * (w->v_free[i] - from);
    }
}

static void start_from_carried(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    const nodal_rods *g = at->g;
    const size_t all = g->fixed + g->base.unknowns;
    memcpy(w->v_trial, w->carried, all * sizeof *w->v_trial);
    for (size_t i = 0; i < all; i++) {
        w->trial[i] = *nodal_coordinate(at, i) + in->h * w->carried[i];
    }
    memcpy(w->trial_tension, at->tension, g->edges * sizeof *w->trial_tension);
}

/* From the trial to one where Phi is less. `rise` is Phi - Phi(U) there, before and after. */
static void descend(const nodal_view *at, const body_input *in, const nodal_work *w, double *rise)
{
    double share = 1.0, *v = w->v_next + at->g->fixed;
    nodal_solve_trial(at, in, w);
    for (int k = 0; k < DESCENT_HALVINGS; k++, share *= 0.5) {
        blend(at->g, w, share, v);
        nodal_follow(at, in, w, v);
        const double next = find_rise(at, in, w);
        if (!(next < *rise)) continue;
        nodal_take_next(at->g, w);
        *rise = next;
        return;
    }
}

/* To rounding. */
static bool is_good(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    const nodal_rods *g = at->g;
    memcpy(w->v_next, w->v_fixed, g->fixed * sizeof *w->v_next);
    memcpy(w->v_next + g->fixed, w->v_free, g->base.unknowns * sizeof *w->v_next);
    for (size_t i = 0; i < g->fixed + g->base.unknowns; i++) {
        w->next[i] = *nodal_coordinate(at, i) + in->h * w->v_next[i];
    }
    return find_rise(at, in, w) <= 1e-14 * *w->elastic;
}

void nodal_watch_free_motion(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    if (is_good(at, in, w)) return;
    double rise = 0.0;
    start_from_carried(at, in, w);
    for (int k = 0; k < DESCENT_ROUNDS; k++) {
        const double last = rise;
        descend(at, in, w, &rise);
        if (last - rise <= -DESCENT_ENOUGH * last) break;
    }
    memcpy(w->v_free, w->v_trial + at->g->fixed, at->g->base.unknowns * sizeof *w->v_free);
}

/* ---- velocities ------------------------------------------------------------------------------ */

/* (x - y) . A (x - z), by A = L D L^T. */
static double inner_product(const ldl_shape *shape, const double *LD, const double *x,
                            const double *y, const double *z)
{
    double sum = 0.0;
    for (size_t j = 0; j < shape->n; j++) {
        double a = x[j] - y[j], b = x[j] - z[j];
        for (size_t i = j + 1; i < shape->n && i <= j + shape->width; i++) {
            const double l = LD[ldl_index(shape, i, j)];
            a += l * (x[i] - y[i]);
            b += l * (x[i] - z[i]);
        }
        sum += LD[ldl_index(shape, j, j)] * a * b;
    }
    return sum;
}

void nodal_watch_velocities(const nodal_view *at, const nodal_view *moved, const body_input *in,
                            const nodal_work *w, const double *v, double *kept)
{
    const nodal_rods *g = at->g;
    const double *U = w->carried + g->fixed;
    const double contacts = inner_product(&g->base.shape, w->A, v, w->v_free, U);
    const double elastic = nodal_elastic_energy(moved);
    const double kinetic = find_kinetic(at, w, v);
    const double before = find_kinetic(at, w, w->state + g->base.unknowns);
    const double left =
        scalar_max(0.0, before - find_work(at, in, w, v) + contacts + (*w->elastic - elastic));
    const double s = kinetic > left ? sqrt(left / kinetic) : 1.0;
    for (size_t i = 0; i < g->base.unknowns; i++) kept[i] = U[i] + s * (v[i] - U[i]);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The implicit step of nodal rods. With the velocity v of the end of the step, and strains taken as
 * linear around a trial shape q^k = q + h v^k,
 *
 *     (M + h drag + sum (h^2 stiffness + h viscosity) s s^T) v
 *         = M v_t + h (weight + drag air + loads) - h sum s stiffness (strain^k - h s . v^k),
 *
 * first around the shape at t (v^0 = 0), then around the one this gives: once is stable, but lets
 * edges grow by the square of their turn in the step. STEP_TRIALS rounds take nearly all of that
 * away, each around a shape whose edges have their new directions but not that growth. Given
 * coordinates have known velocities, whose share goes to the right.
 */
#include "rods/nodal_step.h"
#include "math/scalar.h"

#include <string.h>

enum { STEP_TRIALS = 3 };

static size_t count_all(const nodal_rods *g) { return g->fixed + g->base.unknowns; }

size_t nodal_work_count(const nodal_rods *g)
{
    return ldl_count(&g->base.shape) + 2 * (size_t)g->base.unknowns + g->base.state_count +
           g->fixed + 5 * count_all(g) + 2 * (size_t)g->edges + 2;
}

nodal_work nodal_work_at(const nodal_rods *g, double *begin)
{
    const size_t all = count_all(g);
    nodal_work w = {.A = begin};
    w.v_free = w.A + ldl_count(&g->base.shape);
    w.state = w.v_free + g->base.unknowns;
    w.v_fixed = w.state + g->base.state_count;
    w.trial = w.v_fixed + g->fixed;
    w.v_trial = w.trial + all;
    w.trial_tension = w.v_trial + all;
    w.next = w.trial_tension + g->edges;
    w.v_next = w.next + all;
    w.next_tension = w.v_next + all;
    w.carried = w.next_tension + g->edges;
    w.push = w.carried + all;
    w.elastic = w.push + g->base.unknowns;
    w.trial_elastic = w.elastic + 1;
    return w;
}

nodal_view nodal_view_trial(const nodal_view *at, const nodal_work *w)
{
    nodal_view trial = *at;
    trial.fixed = w->trial;
    trial.q = w->trial + at->g->fixed;
    trial.tension = w->trial_tension;
    return trial;
}

typedef struct system_target {
    const nodal_rods *g;
    const nodal_work *w;
    double h;
} system_target;

static void add_row_to_matrix(const nodal_rods *g, double *A, const nodal_row *row, double c)
{
    const size_t skip = row->first < g->fixed ? g->fixed - row->first : 0;
    for (size_t a = skip; a < row->count; a++) {
        const double s = c * row->slope[a];
        double *line =
            A + ldl_index(&g->base.shape, row->first + a - g->fixed, row->first + skip - g->fixed);
        for (size_t b = skip; b <= a; b++) line[b - skip] += s * row->slope[b];
    }
}

/* s . v over the first `count` coordinates. */
static double rate_of(const nodal_row *row, const double *v, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < row->count && row->first + k < count; k++) {
        sum += row->slope[k] * v[row->first + k];
    }
    return sum;
}

static void add_system(void *target, const nodal_row *row)
{
    const system_target *to = target;
    const double h = to->h, c = h * h * row->stiffness + h * row->viscosity;
    const double given = rate_of(row, to->w->v_fixed, to->g->fixed);
    const double trial = rate_of(row, to->w->v_trial, to->g->fixed + to->g->base.unknowns);
    const double rhs = h * row->stiffness * (h * trial - row->strain) - c * given;
    const nodal_slope_target b = {to->g, to->w->v_free};
    *to->w->trial_elastic += 0.5 * row->stiffness * row->strain * row->strain;
    add_row_to_matrix(to->g, to->w->A, row, c);
    nodal_add_slope(&b, row, rhs);
}

double nodal_drag(const nodal_rods *g, const body_input *in, size_t rod, size_t node)
{
    return in->h * g->material[rod].drag * g->share[rod * (g->edges + (size_t)1) + node];
}

v3 nodal_air(const nodal_rods *g, const body_input *in, size_t rod, size_t node)
{
    const size_t station = rod * g->base.stations + (node - g->given);
    return in->air ? v3_load(in->air + 3 * station) : (v3){0.0, 0.0, 0.0};
}

/* Inertia, weight and the air, which do not depend on the shape. */
static void begin_system(const nodal_rods *g, const body_input *in, size_t rod, const nodal_work *w)
{
    const size_t n = g->base.unknowns;
    const double *mass = nodal_masses(g, rod) + g->fixed, *v = w->state + n;
    memset(w->A, 0, ldl_count(&g->base.shape) * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        w->A[ldl_index(&g->base.shape, i, i)] = mass[i];
        w->v_free[i] = mass[i] * v[i];
    }
    for (size_t node = 2 * (size_t)g->given; node <= g->edges; node++) {
        const size_t i = node * g->stride - g->fixed;
        const double drag = nodal_drag(g, in, rod, node);
        const v3 push =
            v3_add_scaled(v3_scale(in->h * mass[i], nodal_acceleration(g, in, rod, node)), drag,
                          nodal_air(g, in, rod, node));
        v3_store(w->v_free + i, v3_add(v3_load(w->v_free + i), push));
        for (size_t k = i; k < i + 3; k++) w->A[ldl_index(&g->base.shape, k, k)] += drag;
    }
}

static void assemble(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    system_target to = {at->g, w, in->h};
    begin_system(at->g, in, at->rod, w);
    *w->trial_elastic = 0.0;
    nodal_visit_rows(at, add_system, &to);
    nodal_add_loads(at, in, in->h, w->v_free);
}

/* The sum of the equations of all nodes of a free rod has no stiffness in it. What rounding beside
 * large stiffnesses has taken from that sum is given back to all nodes alike. */
static void balance_momentum(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    const nodal_rods *g = at->g;
    const double *mass = nodal_masses(g, at->rod), *v_t = w->state + g->base.unknowns;
    double whole = 0.0;
    v3 missing = {0.0, 0.0, 0.0};
    for (size_t node = 0; node <= g->edges; node++) {
        const size_t i = node * g->stride;
        const double drag = nodal_drag(g, in, at->rod, node);
        const v3 v = v3_load(w->v_free + i), wind = v3_sub(nodal_air(g, in, at->rod, node), v);
        missing = v3_add(missing, v3_load(w->push + i));
        missing = v3_add_scaled(missing, mass[i], v3_sub(v3_load(v_t + i), v));
        missing = v3_add_scaled(missing, drag, wind);
        whole += mass[i] + drag;
    }
    for (size_t i = 0; i <= g->edges * g->stride; i += g->stride) {
        v3_store(w->v_free + i, v3_add_scaled(v3_load(w->v_free + i), 1.0 / whole, missing));
    }
}

/* Where stiffness is so large that the mass is lost beside it in double, rounding may spoil a
 * pivot. Then the diagonal grows by a small part of itself until there are factors: the rod is a
 * little more sluggish, as if that part were mass. */
void nodal_solve_trial(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    const nodal_view trial = nodal_view_trial(at, w);
    const ldl_shape *shape = &at->g->base.shape;
    assemble(&trial, in, w);
    bool good = ldl_factor(shape, w->A, NULL);
    for (double more = 1e-14; !good && more < 1e2; more *= 10.0) {
        assemble(&trial, in, w);
        for (size_t i = 0; i < shape->n; i++) w->A[ldl_index(shape, i, i)] *= 1.0 + more;
        good = ldl_factor(shape, w->A, NULL);
    }
    ldl_solve(shape, w->A, w->v_free);
    if (!at->g->given) balance_momentum(at, in, w);
}

/* The velocities of the given coordinates that lead to the root at t + h. */
static void lead_root(const nodal_view *at, const body_input *in, const nodal_work *w)
{
    const nodal_rods *g = at->g;
    memset(w->v_fixed, 0, g->fixed * sizeof *w->v_fixed);
    if (!in->root || g->given == 0) return;
    const pose *root = &in->root[at->rod];
    const v3 n0 = quat_rotate(root->rotation, (v3){1.0, 0.0, 0.0});
    double *to = w->trial; /* as scratch */
    v3_store(to, v3_add_scaled(root->position, -nodal_chord(at, 0), n0));
    v3_store(to + g->stride, root->position);
    if (g->model->turns_to) g->model->turns_to(at, 0, root->rotation, to + 3);
    for (size_t k = 0; k < g->fixed; k++) w->v_fixed[k] = (to[k] - at->fixed[k]) / in->h;
}

/* q + h v */
static void move(double *to, const double *q, double h, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = q[i] + h * v[i];
}

/* E A / l (|e| - l) at the end of the step, as the equations have it: linear around the trial. */
static void find_tension(const nodal_view *at, const body_input *in, const nodal_work *w,
                         const double *v, double *tension)
{
    const nodal_rods *g = at->g;
    const nodal_view trial = nodal_view_trial(at, w);
    for (size_t edge = g->given; edge < g->edges; edge++) {
        nodal_edge now;
        double more = 0.0, direction[3];
        nodal_direct_edge(&trial, edge, &now);
        v3_store(direction, now.t);
        for (size_t k = 0; k < 3; k++) {
            const size_t i = edge * g->stride + k, j = i + g->stride;
            const double near = i < g->fixed ? w->v_fixed[i] : v[i - g->fixed];
            more += direction[k] * ((v[j - g->fixed] - w->v_trial[j]) - (near - w->v_trial[i]));
        }
        const double rest = nodal_chord(at, edge);
        tension[edge] = nodal_material(at)->stretch / rest * (now.length - rest + in->h * more);
    }
}

/* Moves all nodes so that those of a free rod keep their centre of mass. */
static void keep_middle(const nodal_view *at, v3 sum, double *coordinates)
{
    const nodal_rods *g = at->g;
    const double *mass = nodal_masses(g, at->rod);
    double whole = 0.0;
    for (size_t node = 0; node <= g->edges; node++) whole += mass[node * g->stride];
    for (size_t node = 0; node <= g->edges; node++) {
        double *x = coordinates + node * g->stride;
        v3_store(x, v3_add_scaled(v3_load(x), -1.0 / whole, sum));
    }
}

/* Gives edges, in the directions they have, the lengths that belong to their tension: nodes move on
 * from the root by what edges have grown. A free rod keeps its middle. */
static void take_up_slack(const nodal_view *at, const double *tension, double *coordinates)
{
    const nodal_rods *g = at->g;
    const double EA = nodal_material(at)->stretch, *mass = nodal_masses(g, at->rod);
    v3 shift = {0.0, 0.0, 0.0}, sum = shift;
    v3 near = v3_load(coordinates + g->given * g->stride);
    for (size_t edge = g->given; edge < g->edges; edge++) {
        double *far = coordinates + (edge + 1) * g->stride;
        const v3 x = v3_load(far), e = v3_sub(x, near);
        const double grown = scalar_max(0.5, scalar_min(2.0, 1.0 + tension[edge] / EA));
        const double length = v3_norm(e), wanted = nodal_chord(at, edge) * grown;
        if (length > 0.0) shift = v3_add_scaled(shift, wanted / length - 1.0, e);
        v3_store(far, v3_add(x, shift));
        sum = v3_add_scaled(sum, mass[(edge + 1) * g->stride], shift);
        near = x;
    }
    if (!g->given) keep_middle(at, sum, coordinates);
}

void nodal_follow(const nodal_view *at, const body_input *in, const nodal_work *w, const double *v)
{
    const nodal_rods *g = at->g;
    const double per_second = 1.0 / in->h;
    find_tension(at, in, w, v, w->next_tension);
    move(w->next, at->fixed, in->h, w->v_fixed, g->fixed);
    move(w->next + g->fixed, at->q, in->h, v, g->base.unknowns);
    take_up_slack(at, w->next_tension, w->next);
    memcpy(w->v_next, w->v_fixed, g->fixed * sizeof *w->v_next);
    for (size_t i = 0; i < g->base.unknowns; i++) {
        w->v_next[g->fixed + i] = per_second * (w->next[g->fixed + i] - at->q[i]);
    }
}

void nodal_take_next(const nodal_rods *g, const nodal_work *w)
{
    memcpy(w->trial, w->next, count_all(g) * sizeof *w->trial);
    memcpy(w->v_trial, w->v_next, count_all(g) * sizeof *w->v_trial);
    memcpy(w->trial_tension, w->next_tension, g->edges * sizeof *w->trial_tension);
}

static void predict_rod(const nodal_rods *g, const body_input *in, const double *state,
                        const nodal_work *w, size_t rod)
{
    memcpy(w->state, state, g->base.state_count * sizeof *state);
    const nodal_view at = nodal_view_at(g, rod, w->state);
    lead_root(&at, in, w);
    nodal_watch_begin(&at, in, w);
    memcpy(w->trial, at.fixed, g->fixed * sizeof *w->trial);
    memcpy(w->trial + g->fixed, at.q, g->base.unknowns * sizeof *w->trial);
    memcpy(w->trial_tension, at.tension, g->edges * sizeof *w->trial_tension);
    memset(w->v_trial, 0, count_all(g) * sizeof *w->v_trial);
    nodal_solve_trial(&at, in, w);
    *w->elastic = *w->trial_elastic;
    for (int k = 1; k < STEP_TRIALS; k++) {
        nodal_follow(&at, in, w, w->v_free);
        nodal_take_next(g, w);
        nodal_solve_trial(&at, in, w);
    }
    nodal_watch_free_motion(&at, in, w);
}

void nodal_rod_predict(const body_group *base, const body_input *in, const double *state,
                       double *work, size_t begin, size_t end)
{
    const nodal_rods *g = (const nodal_rods *)base;
    for (size_t rod = begin; rod < end; rod++) {
        const nodal_work w = nodal_work_at(g, work + rod * base->work_count);
        predict_rod(g, in, state + rod * base->state_count, &w, rod);
    }
}

/* The frames of the new shape become those that turns start from. */
static void renew_frames(const nodal_view *moved, const nodal_state *next)
{
    const nodal_rods *g = moved->g;
    nodal_edge edges[2];
    for (size_t edge = 0; edge < g->edges; edge++) {
        double strain[NODAL_ROWS];
        nodal_edge *now = &edges[edge % 2];
        g->model->find_edge(moved, edge, now);
        if (edge > 0) {
            g->model->measure_joint(moved, edge, &edges[(edge + 1) % 2], now, strain);
            next->twists[edge] = strain[0];
        }
        nodal_store_frame(next, edge, now->frame);
    }
    for (size_t edge = 0; edge < g->edges; edge++) {
        const size_t i = edge * g->stride + 3;
        double *turns = i < g->fixed ? next->fixed + i : next->q + (i - g->fixed);
        memset(turns, 0, g->model->turns * sizeof *turns);
    }
}

/* The root is where it was asked to be, not where rounding has led it; q and -q are one turn, and
 * the nearer of the two goes on. */
static void set_root(const nodal_rods *g, size_t rod, const pose *root, const nodal_view *before,
                     const nodal_state *next)
{
    const quat p = root->rotation;
    const bool other = g->given && quat_dot(nodal_frame(before, 0), p) < 0.0;
    const pose nearer = {root->position, other ? (quat){-p.w, -p.x, -p.y, -p.z} : p};
    nodal_place_root(g, rod, &nearer, next);
}

static void correct_rod(const nodal_rods *g, const body_input *in, const nodal_work *w,
                        const double *v, const nodal_state *next, size_t rod)
{
    const size_t n = g->base.unknowns;
    const nodal_view before = nodal_view_at(g, rod, w->state);
    find_tension(&before, in, w, v, next->tension);
    memcpy(next->v_fixed, w->v_fixed, g->fixed * sizeof *v);
    move(next->q, before.q, in->h, v, n);
    move(next->fixed, before.fixed, in->h, w->v_fixed, g->fixed);
    nodal_view moved = before;
    moved.q = next->q;
    moved.fixed = next->fixed;
    nodal_watch_velocities(&before, &moved, in, w, v, next->v);
    renew_frames(&moved, next);
    if (in->root) set_root(g, rod, &in->root[rod], &before, next);
}

void nodal_rod_correct(const body_group *base, const body_input *in, const double *state,
                       const double *work, const double *v, double *next, size_t begin, size_t end)
{
    const nodal_rods *g = (const nodal_rods *)base;
    (void)state; /* the work has a copy */
    for (size_t rod = begin; rod < end; rod++) {
        const nodal_work w =
            nodal_work_at(g, (double *)work + rod * base->work_count); /* only read */
        const nodal_state to = nodal_state_at(g, body_q(base, next, rod));
        correct_rod(g, in, &w, v + rod * base->unknowns, &to, rod);
    }
}

/* The time in which a rod bends, many times: in a step as long inertia is nothing. */
static double long_step(const nodal_rods *g, size_t rod)
{
    const rod_material *m = &g->material[rod];
    double length = 0.0;
    for (size_t e = 0; e < g->elements; e++) length += g->lengths[rod * g->elements + e];
    const double bend = 0.5 * (m->bend[0] + m->bend[1]);
    return 100.0 * length * length * sqrt(m->density / bend);
}

/* One long step from rest in still air. */
void nodal_rod_relax(const body_group *base, const body_input *in, double *state, uint32_t body,
                     double *work)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const nodal_work w = nodal_work_at(g, work);
    const nodal_state to = nodal_state_at(g, body_q(base, state, body));
    body_input rest = *in;
    rest.h = long_step(g, body);
    rest.root = NULL;
    rest.air = NULL;
    memset(to.v, 0, base->unknowns * sizeof *to.v);
    memset(to.v_fixed, 0, g->fixed * sizeof *to.v_fixed);
    predict_rod(g, &rest, to.q, &w, body);
    correct_rod(g, &rest, &w, w.v_free, &to, body);
    memset(to.v, 0, base->unknowns * sizeof *to.v);
}

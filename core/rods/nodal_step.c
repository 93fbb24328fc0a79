/* SPDX-License-Identifier: Apache-2.0
 *
 * The implicit step of nodal rods. With the velocity v of the end of the step, and strains taken as
 * linear around a trial shape q^k = q + h v^k,
 *
 *     (M + h drag + sum (h^2 stiffness + h viscosity) s s^T) v
 *         = M v_t + h (weight + drag air + loads) - h sum s stiffness (strain^k - h s . v^k),
 *
 * first around the shape at t (v^0 = 0), then around the one this gives: once is stable, but lets
 * edges grow by the square of their turn in the step; with STEP_TRIALS rounds that is gone. Given
 * coordinates have known velocities, whose share goes to the right.
 */
#include "rods/nodal_rod.h"

#include <string.h>

enum { STEP_TRIALS = 2 };

/* Walking over the strains */

typedef void (*visit_row)(void *to, const nodal_row *row);

static void visit_stretch(const nodal_view *at, size_t edge, const nodal_edge *now, visit_row visit,
                          void *to)
{
    const double rest = nodal_chord(at, edge);
    const nodal_row like = nodal_begin_row(at, edge * at->g->stride, at->g->stride + 3, 0.0, 0.0);
    nodal_row rows[3];
    v3 along[3];
    const size_t n = nodal_norm_rows(at, v3_scale(now->length, now->t), rest,
                                     nodal_material(at)->stretch / rest, like, rows, along);
    for (size_t k = 0; k < n; k++) {
        nodal_pull_edge(at, &rows[k], edge, along[k]);
        visit(to, &rows[k]);
    }
}

static void visit_rows(const nodal_view *at, visit_row visit, void *to)
{
    const nodal_model *model = at->g->model;
    nodal_edge edges[2];
    nodal_row rows[NODAL_ROWS];
    for (size_t edge = 0; edge < at->g->edges; edge++) {
        nodal_edge *now = &edges[edge % 2];
        const nodal_edge *before = &edges[(edge + 1) % 2];
        model->find_edge(at, edge, now);
        if (edge >= at->g->given) visit_stretch(at, edge, now, visit, to);
        size_t n = 0;
        if (edge >= at->g->given && model->edge_rows) n = model->edge_rows(at, edge, now, rows);
        for (size_t k = 0; k < n; k++) visit(to, &rows[k]);
        n = edge > 0 ? model->joint_rows(at, edge, before, now, rows) : 0;
        for (size_t k = 0; k < n; k++) visit(to, &rows[k]);
    }
}

/* Material points */

typedef struct material_point {
    size_t edge;
    double share; /* of the edge's far node */
    nodal_edge now;
    v3 offset; /* from the centreline, in space */
} material_point;

static material_point find_point(const nodal_view *at, v3 X)
{
    const nodal_rods *g = at->g;
    const double *length = g->lengths + at->rod * g->elements;
    double s = X.x;
    size_t e = 0;
    while (e + 1 < g->elements && s > length[e]) s -= length[e++];
    material_point p = {.edge = e + g->given};
    p.share = s <= 0.0 ? 0.0 : s >= length[e] ? 1.0 : s / length[e];
    g->model->find_edge(at, p.edge, &p.now);
    p.offset = v3_add(v3_scale(X.y, p.now.n[1]), v3_scale(X.z, p.now.n[2]));
    return p;
}

/* The slope of force . (place of the point) + moment . (turn of its material): a row without
 * strain. */
static nodal_row pull_point(const nodal_view *at, const material_point *p, v3 force, v3 moment)
{
    const size_t stride = at->g->stride;
    nodal_row row = nodal_begin_row(at, p->edge * stride, stride + 3, 0.0, 0.0);
    const v3 near = v3_scale(1.0 - p->share, force), far = v3_scale(p->share, force);
    v3_store(row.slope, near);
    v3_store(row.slope + stride, far);
    nodal_pull_spin(at, &row, p->edge, &p->now, v3_add(moment, v3_cross(p->offset, force)));
    return row;
}

body_place nodal_rod_find_place(const body_group *base, const double *state, uint32_t body, v3 X)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const nodal_view at = nodal_view_at(g, body, state + body * base->state_count);
    const material_point p = find_point(&at, X);
    const v3 centre =
        v3_lerp(nodal_position(&at, p.edge), nodal_position(&at, p.edge + 1), p.share);
    return (body_place){v3_add(centre, p.offset), p.now.frame};
}

/* Energy and its slope */

static void add_energy(void *to, const nodal_row *row)
{
    *(double *)to += 0.5 * row->stiffness * row->strain * row->strain;
}

typedef struct slope_target {
    const nodal_rods *g;
    double *out; /* [unknowns] */
} slope_target;

static void add_slope(const slope_target *to, const nodal_row *row, double factor)
{
    for (size_t k = 0; k < row->count; k++) {
        const size_t i = row->first + k;
        if (i >= to->g->fixed) to->out[i - to->g->fixed] += factor * row->slope[k];
    }
}

static void add_force(void *to, const nodal_row *row)
{
    if (row->strain != 0.0) add_slope(to, row, row->stiffness * row->strain);
}

static const double *masses_of(const nodal_rods *g, size_t rod)
{
    return g->mass + rod * (g->edges * g->stride + 3);
}

/* What the field and gravity do at a node. */
static v3 acceleration_at(const nodal_rods *g, const body_input *in, size_t rod, size_t node)
{
    if (!in->field) return in->gravity;
    const size_t station = rod * g->base.stations + (node - g->given);
    return v3_add(in->gravity, v3_load(in->field + 3 * station));
}

/* Adds the loads on one rod, times `factor`, to what follows its unknowns. */
static void add_loads(const nodal_view *at, const body_input *in, double factor, double *out)
{
    const slope_target to = {at->g, out};
    for (size_t k = 0; k < in->load_count; k++) {
        const body_load *load = &in->loads[k];
        if (load->body < at->rod) continue;
        if (load->body > at->rod) break;
        const material_point p = find_point(at, load->at);
        const nodal_row row = pull_point(at, &p, load->force, load->moment);
        add_slope(&to, &row, factor);
    }
}

body_energy nodal_rod_energy(const body_group *base, const body_input *in, const double *state,
                             uint32_t body)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const double *begin = state + body * base->state_count, *mass = masses_of(g, body);
    const double *v = begin + base->unknowns, *v_fixed = v + base->unknowns + g->fixed;
    const nodal_view at = nodal_view_at(g, body, begin);
    body_energy sum = {0.0, 0.0, 0.0};
    visit_rows(&at, add_energy, &sum.elastic);
    for (size_t i = 0; i < base->unknowns + g->fixed; i++) {
        const double rate = i < g->fixed ? v_fixed[i] : v[i - g->fixed];
        sum.kinetic += 0.5 * mass[i] * rate * rate;
    }
    for (size_t node = g->given; node <= g->edges; node++) {
        sum.gravity -= mass[node * g->stride] * v3_dot(in->gravity, nodal_position(&at, node));
    }
    return sum;
}

void nodal_rod_gradient(const body_group *base, const body_input *in, const double *state,
                        uint32_t body, double *out)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const nodal_view at = nodal_view_at(g, body, state + body * base->state_count);
    slope_target to = {g, out};
    memset(out, 0, base->unknowns * sizeof *out);
    visit_rows(&at, add_force, &to);
    add_loads(&at, in, -1.0, out);
    for (size_t node = 2 * (size_t)g->given; node <= g->edges; node++) {
        const v3 a = acceleration_at(g, in, body, node);
        double *slope = out + (node * g->stride - g->fixed);
        const double m = masses_of(g, body)[node * g->stride];
        v3_store(slope, v3_add_scaled(v3_load(slope), -m, a));
    }
}

/* The step */

/* A rod's part of the work, after the factors and v_free. */
typedef struct step_work {
    double *A, *v_free;
    double *state;   /* [state_count] at t */
    double *v_fixed; /* of the given coordinates during the step */
    double *trial_fixed, *trial_q, *v_trial;
} step_work;

static step_work work_at(const nodal_rods *g, double *begin)
{
    const size_t n = g->base.unknowns;
    step_work w = {.A = begin};
    w.v_free = w.A + ldl_count(&g->base.shape);
    w.state = w.v_free + n;
    w.v_fixed = w.state + g->base.state_count;
    w.trial_fixed = w.v_fixed + g->fixed;
    w.trial_q = w.trial_fixed + g->fixed;
    w.v_trial = w.trial_q + n;
    return w;
}

static const double *work_state(const nodal_rods *g, const double *begin)
{
    return begin + ldl_count(&g->base.shape) + g->base.unknowns;
}

typedef struct system_target {
    const nodal_rods *g;
    const step_work *w;
    double h;
    bool moved; /* the trial shape is not the one at t */
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

/* s . v over the given coordinates, or over the others. */
static double rate_of_given(const system_target *to, const nodal_row *row)
{
    double sum = 0.0;
    for (size_t k = 0; k < row->count && row->first + k < to->g->fixed; k++) {
        sum += row->slope[k] * to->w->v_fixed[row->first + k];
    }
    return sum;
}

static double rate_of_trial(const system_target *to, const nodal_row *row)
{
    const size_t fixed = to->g->fixed;
    double sum = 0.0;
    for (size_t k = 0; k < row->count; k++) {
        const size_t i = row->first + k;
        if (i >= fixed) sum += row->slope[k] * to->w->v_trial[i - fixed];
    }
    return sum;
}

static void add_system(void *target, const nodal_row *row)
{
    const system_target *to = target;
    const double h = to->h, c = h * h * row->stiffness + h * row->viscosity;
    const double given = rate_of_given(to, row);
    double rhs = -h * row->stiffness * row->strain - c * given;
    if (to->moved) rhs += h * h * row->stiffness * (rate_of_trial(to, row) + given);
    const slope_target b = {to->g, to->w->v_free};
    add_row_to_matrix(to->g, to->w->A, row, c);
    add_slope(&b, row, rhs);
}

/* Inertia, weight and the air, which do not depend on the shape. */
static void begin_system(const nodal_rods *g, const body_input *in, size_t rod, const step_work *w)
{
    const size_t n = g->base.unknowns;
    const double *mass = masses_of(g, rod) + g->fixed, *v = w->state + n;
    const double *share = g->share + rod * (g->edges + (size_t)1);
    memset(w->A, 0, ldl_count(&g->base.shape) * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        w->A[ldl_index(&g->base.shape, i, i)] = mass[i];
        w->v_free[i] = mass[i] * v[i];
    }
    for (size_t node = 2 * (size_t)g->given; node <= g->edges; node++) {
        const size_t i = node * g->stride - g->fixed;
        const size_t station = rod * g->base.stations + (node - g->given);
        const v3 air = in->air ? v3_load(in->air + 3 * station) : (v3){0.0, 0.0, 0.0};
        const double drag = in->h * g->material[rod].drag * share[node];
        const v3 push =
            v3_add_scaled(v3_scale(in->h * mass[i], acceleration_at(g, in, rod, node)), drag, air);
        v3_store(w->v_free + i, v3_add(v3_load(w->v_free + i), push));
        for (size_t k = i; k < i + 3; k++) w->A[ldl_index(&g->base.shape, k, k)] += drag;
    }
}

static void assemble(const nodal_view *at, const body_input *in, const step_work *w, bool moved)
{
    system_target to = {at->g, w, in->h, moved};
    begin_system(at->g, in, at->rod, w);
    visit_rows(at, add_system, &to);
    add_loads(at, in, in->h, w->v_free);
}

/* Where stiffness is so large that the mass is lost beside it in double, rounding may spoil a
 * pivot. Then the diagonal grows by a small part of itself until there are factors: the rod is a
 * little more sluggish, as if that part were mass. */
static void solve(const nodal_view *at, const body_input *in, const step_work *w, bool moved)
{
    const ldl_shape *shape = &at->g->base.shape;
    assemble(at, in, w, moved);
    bool good = ldl_factor(shape, w->A, NULL);
    for (double more = 1e-14; !good && more < 1e2; more *= 10.0) {
        assemble(at, in, w, moved);
        for (size_t i = 0; i < shape->n; i++) w->A[ldl_index(shape, i, i)] *= 1.0 + more;
        good = ldl_factor(shape, w->A, NULL);
    }
    ldl_solve(shape, w->A, w->v_free);
}

/* The velocities of the given coordinates that lead to the root at t + h. */
static void lead_root(const nodal_view *at, const body_input *in, const step_work *w)
{
    const nodal_rods *g = at->g;
    memset(w->v_fixed, 0, g->fixed * sizeof *w->v_fixed);
    if (!in->root || g->given == 0) return;
    const pose *root = &in->root[at->rod];
    const v3 n0 = quat_rotate(root->rotation, (v3){1.0, 0.0, 0.0});
    double *to = w->trial_fixed;
    v3_store(to, v3_add_scaled(root->position, -nodal_chord(at, 0), n0));
    v3_store(to + g->stride, root->position);
    if (g->model->turns_to) g->model->turns_to(at, root->rotation, to + 3);
    for (size_t k = 0; k < g->fixed; k++) w->v_fixed[k] = (to[k] - at->fixed[k]) / in->h;
}

/* q + h v */
static void move(double *to, const double *q, double h, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = q[i] + h * v[i];
}

static void predict_rod(const nodal_rods *g, const body_input *in, const double *state,
                        const step_work *w, size_t rod)
{
    const size_t n = g->base.unknowns;
    memcpy(w->state, state, g->base.state_count * sizeof *state);
    const nodal_view at = nodal_view_at(g, rod, w->state);
    lead_root(&at, in, w);
    solve(&at, in, w, false);
    nodal_view trial = at;
    trial.q = w->trial_q;
    trial.fixed = w->trial_fixed;
    move(w->trial_fixed, at.fixed, in->h, w->v_fixed, g->fixed);
    for (int k = 1; k < STEP_TRIALS; k++) {
        memcpy(w->v_trial, w->v_free, n * sizeof *w->v_trial);
        move(w->trial_q, at.q, in->h, w->v_trial, n);
        solve(&trial, in, w, true);
    }
}

void nodal_rod_predict(const body_group *base, const body_input *in, const double *state,
                       double *work, size_t begin, size_t end)
{
    const nodal_rods *g = (const nodal_rods *)base;
    for (size_t rod = begin; rod < end; rod++) {
        const step_work w = work_at(g, work + rod * base->work_count);
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

void nodal_rod_correct(const body_group *base, const body_input *in, const double *state,
                       const double *work, const double *v, double *next, size_t begin, size_t end)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const size_t n = base->unknowns;
    for (size_t rod = begin; rod < end; rod++) {
        const double *v_fixed = work_state(g, work + rod * base->work_count) + base->state_count;
        const nodal_view before = nodal_view_at(g, rod, state + rod * base->state_count);
        const nodal_state to = nodal_state_at(g, body_q(base, next, rod));
        memcpy(to.v, v + rod * n, n * sizeof *v);
        memcpy(to.v_fixed, v_fixed, g->fixed * sizeof *v);
        move(to.q, before.q, in->h, to.v, n);
        move(to.fixed, before.fixed, in->h, to.v_fixed, g->fixed);
        nodal_view moved = before;
        moved.q = to.q;
        moved.fixed = to.fixed;
        renew_frames(&moved, &to);
        if (in->root) set_root(g, rod, &in->root[rod], &before, &to);
    }
}

/* Row k of a Jacobian from the slope of the k-th component; returns the share of the given. */
static double store_slope(const nodal_rods *g, const nodal_row *row, const double *v_fixed,
                          double *out)
{
    double given = 0.0;
    memset(out, 0, g->base.unknowns * sizeof *out);
    for (size_t k = 0; k < row->count; k++) {
        const size_t i = row->first + k;
        if (i < g->fixed) given += row->slope[k] * v_fixed[i];
        if (i >= g->fixed) out[i - g->fixed] = row->slope[k];
    }
    return given;
}

void nodal_rod_jacobian(const body_group *base, const double *work, uint32_t body, v3 X,
                        double *linear, double *angular, v3 *v_0, v3 *omega_0)
{
    const nodal_rods *g = (const nodal_rods *)base;
    const double *state = work_state(g, work + body * base->work_count);
    const double *v_fixed = state + base->state_count;
    const nodal_view at = nodal_view_at(g, body, state);
    const material_point p = find_point(&at, X);
    const v3 zero = {0.0, 0.0, 0.0};
    double given[3], spin[3];
    for (size_t k = 0; k < 3; k++) {
        const v3 axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        const nodal_row row = pull_point(&at, &p, axis, zero);
        given[k] = store_slope(g, &row, v_fixed, linear + k * base->unknowns);
        if (!angular) continue;
        const nodal_row turn = pull_point(&at, &p, zero, axis);
        spin[k] = store_slope(g, &turn, v_fixed, angular + k * base->unknowns);
    }
    *v_0 = v3_load(given);
    if (angular) *omega_0 = v3_load(spin);
}

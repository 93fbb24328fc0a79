/* SPDX-License-Identifier: Apache-2.0 */
#include "drag.h"

#include <string.h>

static vec middle_of(const vec *x, size_t count)
{
    vec sum = {0};
    for (size_t i = 0; i < count; i++) sum = vec_add(sum, x[i]);
    return vec_scale(1.0 / (double)count, sum);
}

/* F - K x at one node. */
static vec force_at(const drag *d, const vec *x, double t, double middle, size_t i)
{
    vec sum = d->pull(d->user, t, middle, i);
    for (size_t j = 0; j < d->nodes; j++) sum = vec_sub(sum, vec_scale(d->K[i][j], x[j]));
    return sum;
}

/* ---- one implicit step ----------------------------------------------------------------------- */

typedef struct step {
    const drag *d;
    double h, W[DRAG_NODES][DRAG_NODES];
    vec x[DRAG_NODES], v[DRAG_NODES];
    vec b[DRAG_NODES]; /* velocities without friction */
    vec r[DRAG_NODES]; /* friction */
} step;

/* W = (m + h^2 K)^-1 by Gauss and Jordan; the matrix is positive definite. */
static void step_invert(step *s)
{
    const size_t n = s->d->nodes;
    double A[DRAG_NODES][DRAG_NODES];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            A[i][j] = s->h * s->h * s->d->K[i][j] + (i == j ? s->d->mass : 0.0);
            s->W[i][j] = i == j ? 1.0 : 0.0;
        }
    }
    for (size_t k = 0; k < n; k++) {
        const double pivot = A[k][k];
        for (size_t j = 0; j < n; j++) {
            A[k][j] /= pivot;
            s->W[k][j] /= pivot;
        }
        for (size_t i = 0; i < n; i++) {
            const double f = i == k ? 0.0 : A[i][k];
            for (size_t j = 0; j < n; j++) {
                A[i][j] -= f * A[k][j];
                s->W[i][j] -= f * s->W[k][j];
            }
        }
    }
}

static void step_predict(step *s, double t)
{
    const size_t n = s->d->nodes;
    const double middle = t + 0.5 * s->h;
    vec impulse[DRAG_NODES];
    for (size_t i = 0; i < n; i++) {
        impulse[i] = vec_add(vec_scale(s->d->mass, s->v[i]),
                             vec_scale(s->h, force_at(s->d, s->x, middle, middle, i)));
    }
    for (size_t i = 0; i < n; i++) {
        s->b[i] = (vec){0};
        for (size_t j = 0; j < n; j++) {
            s->b[i] = vec_add(s->b[i], vec_scale(s->W[i][j], impulse[j]));
        }
    }
}

/* b + W r */
static vec step_velocity(const step *s, size_t i)
{
    vec sum = s->b[i];
    for (size_t j = 0; j < s->d->nodes; j++) sum = vec_add(sum, vec_scale(s->W[i][j], s->r[j]));
    return sum;
}

/* ---- friction by a solver of the library ----------------------------------------------------- */

static void solve_by_library(step *s, const drag_law *law)
{
    const uint32_t n = (uint32_t)s->d->nodes;
    uint32_t row_start[DRAG_NODES + 1] = {0}, col[DRAG_NODES * DRAG_NODES];
    double blocks[9 * DRAG_NODES * DRAG_NODES] = {0}, mu[DRAG_NODES];
    double b[3 * DRAG_NODES], r[3 * DRAG_NODES], u[3 * DRAG_NODES];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            double *block = blocks + 9 * (size_t)(i * n + j);
            block[0] = i == j ? 1.0 / s->d->mass : 0.0;
            block[4] = block[8] = s->W[i][j];
            col[i * n + j] = j;
        }
        row_start[i + 1] = (i + 1) * n;
        mu[i] = s->d->mu;
        const double velocity[3] = {-s->h * LAB_GRAVITY, s->b[i].x, s->b[i].y};
        memcpy(b + 3 * (size_t)i, velocity, sizeof velocity);
    }
    const stn_contact_problem problem = {.struct_size = sizeof problem,
                                         .contacts = n,
                                         .row_start = row_start,
                                         .col = col,
                                         .blocks = blocks,
                                         .b = b,
                                         .mu = mu};
    if (!contact_lab_solve(law->solvers, law->solver, &problem, r, u)) return;
    for (size_t i = 0; i < n; i++) s->r[i] = (vec){r[3 * i + 1], r[3 * i + 2], 0.0};
}

/* ---- friction by projections ----------------------------------------------------------------- */

static vec nearest_on_segment(vec a, vec b, vec p)
{
    const vec along = vec_sub(b, a);
    const double share = vec_dot(vec_sub(p, a), along) / vec_dot(along, along);
    return vec_add(a, vec_scale(fmin(fmax(share, 0.0), 1.0), along));
}

static vec corner(int facets, double radius, int j)
{
    const double angle = SPACE_TURN * j / facets;
    return (vec){radius * cos(angle), radius * sin(angle), 0.0};
}

/* Onto the polygon with its first corner on the x axis. */
static vec project_on_polygon(vec p, int facets, double radius)
{
    bool inside = true;
    vec best = {0};
    double least = INFINITY;
    for (int j = 0; j < facets; j++) {
        const vec a = corner(facets, radius, j), b = corner(facets, radius, j + 1);
        inside = inside && vec_cross(vec_sub(b, a), vec_sub(p, a)).z >= 0.0;
        const vec near = nearest_on_segment(a, b, p);
        if (vec_distance(near, p) >= least) continue;
        least = vec_distance(near, p);
        best = near;
    }
    return inside ? p : best;
}

static vec project(vec p, int facets, double radius)
{
    if (facets > 0) return project_on_polygon(p, facets, radius);
    const double length = vec_norm(p);
    return length <= radius ? p : vec_scale(radius / length, p);
}

/* Node by node until nothing moves: a convex problem, so it converges. */
static void solve_by_projections(step *s, int facets)
{
    const double most = s->d->mu * s->d->mass * LAB_GRAVITY * s->h;
    double change = INFINITY;
    for (int sweep = 0; sweep < 10000 && change > 1e-15 * most; sweep++) {
        change = 0.0;
        for (size_t i = 0; i < s->d->nodes; i++) {
            const vec old = s->r[i];
            const vec free = vec_sub(old, vec_scale(1.0 / s->W[i][i], step_velocity(s, i)));
            s->r[i] = project(free, facets, most);
            change = lab_worst(change, vec_distance(s->r[i], old));
        }
    }
}

/* ---- paths ----------------------------------------------------------------------------------- */

static void step_go(step *s, const drag_law *law, double t)
{
    step_predict(s, t);
    if (law->solvers) {
        solve_by_library(s, law);
    } else {
        solve_by_projections(s, law->facets);
    }
    for (size_t i = 0; i < s->d->nodes; i++) s->v[i] = step_velocity(s, i);
    for (size_t i = 0; i < s->d->nodes; i++) {
        s->x[i] = vec_add(s->x[i], vec_scale(s->h, s->v[i]));
    }
}

void drag_run(const drag *d, const drag_law *law, size_t substeps, drag_path *path)
{
    step s = {.d = d, .h = d->duration / (double)(path->samples * substeps)};
    memcpy(s.x, d->x, sizeof s.x);
    memcpy(s.v, d->v, sizeof s.v);
    step_invert(&s);
    path->x[0] = middle_of(s.x, d->nodes);
    for (size_t i = 0; i < path->samples * substeps; i++) {
        step_go(&s, law, (double)i * s.h);
        if ((i + 1) % substeps == 0) path->x[(i + 1) / substeps] = middle_of(s.x, d->nodes);
    }
}

void drag_extrapolate(const drag *d, const drag_law *law, drag_path *path)
{
    enum { LEVELS = 5 };
    drag_path runs[LEVELS];
    for (size_t k = 0; k < LEVELS; k++) {
        runs[k].samples = path->samples;
        drag_run(d, law, (size_t)1 << k, &runs[k]);
    }
    for (size_t order = 1; order < LEVELS; order++) {
        const double share = 1.0 / (double)((1 << order) - 1);
        for (size_t k = 0; k + order < LEVELS; k++) {
            for (size_t i = 0; i <= path->samples; i++) {
                const vec coarse = runs[k].x[i], fine = runs[k + 1].x[i];
                runs[k].x[i] = vec_add(fine, vec_scale(share, vec_sub(fine, coarse)));
            }
        }
    }
    *path = runs[0];
}

double drag_distance(const drag_path *a, const drag_path *b)
{
    double worst = 0.0;
    for (size_t i = 0; i <= a->samples; i++) {
        worst = lab_worst(worst, vec_distance(a->x[i], b->x[i]));
    }
    return worst;
}

/* ---- the differential equation --------------------------------------------------------------- */

typedef struct motion {
    vec x[DRAG_NODES], v[DRAG_NODES];
} motion;

/* What rests begins to slide the way it is pulled. */
static vec slip_direction(vec v, vec force)
{
    const vec way = vec_norm(v) > 0.0 ? v : force;
    return vec_scale(1.0 / vec_norm(way), way);
}

static motion rate_of(const drag *d, const motion *at, double t, double middle)
{
    motion rate = {0};
    for (size_t i = 0; i < d->nodes; i++) {
        const vec force = force_at(d, at->x, t, middle, i);
        const vec brake = vec_scale(d->mu * LAB_GRAVITY, slip_direction(at->v[i], force));
        rate.x[i] = at->v[i];
        rate.v[i] = vec_sub(vec_scale(1.0 / d->mass, force), brake);
    }
    return rate;
}

static motion ahead(const motion *from, double h, const motion *rate, size_t nodes)
{
    motion to = *from;
    for (size_t i = 0; i < nodes; i++) {
        to.x[i] = vec_add(from->x[i], vec_scale(h, rate->x[i]));
        to.v[i] = vec_add(from->v[i], vec_scale(h, rate->v[i]));
    }
    return to;
}

static motion runge_kutta(const drag *d, const motion *at, double t, double h)
{
    const double middle = t + 0.5 * h;
    const motion k1 = rate_of(d, at, t, middle);
    const motion a = ahead(at, 0.5 * h, &k1, d->nodes), k2 = rate_of(d, &a, middle, middle);
    const motion b = ahead(at, 0.5 * h, &k2, d->nodes), k3 = rate_of(d, &b, middle, middle);
    const motion c = ahead(at, h, &k3, d->nodes), k4 = rate_of(d, &c, t + h, middle);
    motion to = ahead(at, h / 6.0, &k1, d->nodes);
    to = ahead(&to, h / 3.0, &k2, d->nodes);
    to = ahead(&to, h / 3.0, &k3, d->nodes);
    return ahead(&to, h / 6.0, &k4, d->nodes);
}

void drag_integrate(drag *d, size_t substeps, drag_path *path)
{
    const double h = d->duration / (double)(path->samples * substeps);
    motion at;
    memcpy(at.x, d->x, sizeof at.x);
    memcpy(at.v, d->v, sizeof at.v);
    path->x[0] = middle_of(at.x, d->nodes);
    for (size_t i = 0; i < path->samples * substeps; i++) {
        at = runge_kutta(d, &at, (double)i * h, h);
        if ((i + 1) % substeps == 0) path->x[(i + 1) / substeps] = middle_of(at.x, d->nodes);
    }
    memcpy(d->x, at.x, sizeof at.x);
    memcpy(d->v, at.v, sizeof at.v);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "contact/conjugate_projected_gradient.h"

#include "contact/projected_gradient.h"
#include "math/scalar.h"

#include <string.h>

typedef enum face_kind { FACE_INSIDE, FACE_SURFACE, FACE_RAY, FACE_APEX } face_kind;

typedef struct face {
    face_kind kind;
    v3 axis;     /* surface: outward normal; ray: its direction */
    v3 sideways; /* surface: the curved direction */
    double bend; /* surface: the curvature's share of H along it */
} face;

typedef struct cpg {
    descent d;
    double *memory;
    double *r, *u;   /* now */
    double *w;       /* -v on the tangent cones */
    double *dir, *H; /* p of the paper, and H p */
    double *next, *u_next;
    double *s; /* per contact */
    face *faces;
    double L, L_most;
} cpg;

enum { VECTORS = 8 };

static size_t vector_count(const contact_problem *p) { return 3 * (size_t)p->contacts; }

static size_t vector_size(const contact_problem *p) { return vector_count(p) * sizeof(double); }

static size_t cpg_size(const contact_problem *p)
{
    return memory_size(VECTORS * vector_count(p) + p->contacts, sizeof(double));
}

/* ---- faces ---- */

static face face_ray(v3 along)
{
    const double length = v3_norm(along);
    if (!(length > 0.0)) return (face){.kind = FACE_APEX};
    return (face){.kind = FACE_RAY, .axis = v3_scale(1.0 / length, along)};
}

/* Where r is on the cone, seen by the force `push` = -v on it. */
static face face_at(v3 r, v3 push, double mu)
{
    static const double ON_SURFACE = 1.0 - 1e-10; /* projections end there up to rounding */
    const double t = coulomb_tangent_norm(r);
    if (!(r.x > 0.0)) {
        const v3 pulled = coulomb_project(push, mu);
        const bool inside = coulomb_tangent_norm(pulled) < mu * pulled.x * ON_SURFACE;
        return inside ? (face){.kind = FACE_INSIDE} : face_ray(pulled);
    }
    if (!(mu * r.x > 0.0)) return face_ray((v3){1.0, 0.0, 0.0});
    if (t < mu * r.x * ON_SURFACE) return (face){.kind = FACE_INSIDE};
    const double width = sqrt(1.0 + mu * mu);
    const v3 normal = {-mu / width, r.y / (t * width), r.z / (t * width)};
    const double lambda = v3_dot(normal, push);
    if (!(lambda > 0.0)) return (face){.kind = FACE_INSIDE};
    return (face){FACE_SURFACE, normal, {0.0, -r.z / t, r.y / t}, lambda / (t * width)};
}

/* The part of a that the face leaves free. */
static v3 face_project(const face *f, v3 a)
{
    if (f->kind == FACE_INSIDE) return a;
    if (f->kind == FACE_APEX) return (v3){0.0, 0.0, 0.0};
    const double along = v3_dot(f->axis, a);
    return f->kind == FACE_RAY ? v3_scale(along, f->axis) : v3_add_scaled(a, -along, f->axis);
}

/* a / d, less where the cone is bent. */
static v3 face_precondition(const face *f, v3 a, double d)
{
    const double side = v3_dot(f->sideways, a) * (1.0 / (d + f->bend) - 1.0 / d);
    return v3_add_scaled(v3_scale(1.0 / d, a), side, f->sideways);
}

/* ---- one iteration ---- */

static v3 gradient(const cpg *c, size_t i)
{
    v3 v = v3_load(c->u + 3 * i);
    v.x += c->s[i];
    return v;
}

/* Sets w and the faces; what is left of the last direction stays in dir. */
static void project_on_faces(cpg *c)
{
    for (size_t i = 0; i < c->d.p->contacts; i++) {
        const v3 push = v3_neg(gradient(c, i));
        const face_kind last = c->faces[i].kind;
        const face f = face_at(v3_load(c->r + 3 * i), push, c->d.p->mu[i]);
        c->faces[i] = f;
        v3_store(c->w + 3 * i, face_project(&f, push));
        const v3 z = face_project(&f, v3_load(c->dir + 3 * i));
        v3_store(c->dir + 3 * i, f.kind == last ? z : (v3){0.0, 0.0, 0.0});
    }
}

/* dir = M w + beta dir, conjugate to the last direction (its H p is still there). */
static void conjugate(cpg *c)
{
    const contact_problem *p = c->d.p;
    double across = 0.0, along = 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const v3 H = v3_load(c->H + 3 * i);
        const v3 m = face_precondition(&c->faces[i], v3_load(c->w + 3 * i), p->d[i]);
        across += v3_dot(m, H);
        along += v3_dot(v3_load(c->dir + 3 * i), H);
    }
    const double beta = along > 0.0 ? scalar_max(-across / along, 0.0) : 0.0;
    for (size_t i = 0; i < p->contacts; i++) {
        const v3 m = face_precondition(&c->faces[i], v3_load(c->w + 3 * i), p->d[i]);
        v3_store(c->dir + 3 * i, v3_add_scaled(m, beta, v3_load(c->dir + 3 * i)));
    }
}

/* The step length w.p / p.Hp, 0 if there is none. */
static double step_length(cpg *c)
{
    const contact_problem *p = c->d.p;
    double slope = 0.0, bent = 0.0;
    bsr3_mul(&p->W, c->d.options->threads, c->dir, c->H);
    for (size_t i = 0; i < p->contacts; i++) {
        const v3 dir = v3_load(c->dir + 3 * i);
        const face *f = &c->faces[i];
        const double side = f->bend * v3_dot(f->sideways, dir);
        const v3 H = v3_add_scaled(v3_load(c->H + 3 * i), side, f->sideways);
        v3_store(c->H + 3 * i, H);
        slope += v3_dot(v3_load(c->w + 3 * i), dir);
        bent += v3_dot(dir, H);
    }
    return slope > 0.0 && bent > 0.0 ? slope / bent : 0.0;
}

static void move_along(cpg *c, double step)
{
    for (size_t i = 0; i < c->d.p->contacts; i++) {
        const v3 ahead = v3_add_scaled(v3_load(c->r + 3 * i), step, v3_load(c->dir + 3 * i));
        v3_store(c->next + 3 * i, coulomb_project(ahead, c->d.p->mu[i]));
    }
    contact_problem_velocity(c->d.p, c->d.options->threads, c->next, c->u_next);
}

/* By how much the quadratic with s held changes from r to next. */
static double change_of_energy(const cpg *c)
{
    double sum = 0.0;
    for (size_t i = 0; i < c->d.p->contacts; i++) {
        const v3 dr = v3_sub(v3_load(c->next + 3 * i), v3_load(c->r + 3 * i));
        const v3 du = v3_sub(v3_load(c->u_next + 3 * i), v3_load(c->u + 3 * i));
        sum += v3_dot(dr, v3_add_scaled(gradient(c, i), 0.5, du));
    }
    return sum;
}

/* The plain projected gradient; conjugation starts over after it. */
static void take_plain_step(cpg *c)
{
    const contact_problem *p = c->d.p;
    for (;;) {
        for (size_t i = 0; i < p->contacts; i++) {
            v3_store(c->dir + 3 * i, v3_scale(-1.0 / (c->L * p->d[i]), gradient(c, i)));
        }
        move_along(c, 1.0);
        if (change_of_energy(c) <= 0.0 || c->L >= c->L_most) break;
        c->L = scalar_min(1.5 * c->L, c->L_most);
    }
    memset(c->dir, 0, vector_size(p));
}

static bool cpg_step(cpg *c)
{
    project_on_faces(c);
    conjugate(c);
    const double step = step_length(c);
    if (step > 0.0) move_along(c, step);
    if (!(step > 0.0 && change_of_energy(c) < 0.0)) take_plain_step(c);
    descent_swap(&c->r, &c->next);
    descent_swap(&c->u, &c->u_next);
    c->d.report->iterations++;
    return descent_look(&c->d, c->r, c->u);
}

/* ---- the whole ---- */

static void cpg_iterate(cpg *c, const double *r)
{
    const contact_problem *p = c->d.p;
    const curvature most = curvature_of(p, c->d.options->threads, c->next, c->u_next);
    c->L = most.estimate;
    c->L_most = most.bound;
    memcpy(c->r, r, vector_size(p));
    memcpy(c->d.best_r, r, vector_size(p));
    contact_problem_velocity(p, c->d.options->threads, c->r, c->u);
    desaxce_follow(p, c->u, 1.0, c->s);
    bool going = descent_look(&c->d, c->r, c->u);
    for (pace pc = pace_start(c->d.best); going; pace_look(&pc, c->d.best)) {
        going = cpg_step(c);
        desaxce_follow(p, c->u, pc.follow, c->s);
    }
}

status conjugate_projected_gradient_solve(const contact_problem *p, const allocator *from,
                                          const solver_options *options, double *r,
                                          solver_report *report, error *err)
{
    cpg c = {.d = {.p = p, .options = options, .report = report, .best = INFINITY}};
    const size_t size = cpg_size(p), faces = memory_size(p->contacts, sizeof *c.faces);
    status st = STATUS_OUT_OF_MEMORY;
    c.memory = memory_alloc(from, size);
    c.faces = memory_alloc(from, faces);
    if (c.memory && c.faces) {
        double **vector[VECTORS] = {&c.r, &c.u,    &c.w,      &c.dir,
                                    &c.H, &c.next, &c.u_next, &c.d.best_r};
        for (size_t k = 0; k < VECTORS; k++) *vector[k] = c.memory + k * vector_count(p);
        c.s = c.memory + VECTORS * vector_count(p);
        memset(c.memory, 0, size);
        memset(c.faces, 0, faces);
        cpg_iterate(&c, r);
        st = descent_finish(&c.d, r);
    }
    memory_free(from, c.faces, faces);
    memory_free(from, c.memory, size);
    return st == STATUS_OUT_OF_MEMORY ? error_out_of_memory(err, "the conjugate gradient") : st;
}

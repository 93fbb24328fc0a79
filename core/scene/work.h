/* SPDX-License-Identifier: Apache-2.0
 *
 * The working set of one step, all of it scratch. The stages run over nodes in chunks; what a chunk
 * finds is merged in chunk order. Every stage reads the motion block `now` and writes `next`, which
 * becomes `now` when the step is taken.
 */
#ifndef SCENE_WORK_H
#define SCENE_WORK_H

#include "scene/internal.h"
#include "scene/step.h"

typedef struct surface {
    collide_shape shape;
    const collide_mesh *mesh; /* NULL: it is none */
    pose end;                 /* where it is at the end of the step */
    collide_motion motion;
    double friction;
} surface;

/* Depths below a micrometre are rounding, not news. */
#define DEPTH_REPORTED 1e-6

typedef struct chunk_report {
    nodal_report contacts;
    double penetration;  /* m, at the end of the step */
    double start_depth;  /* m, at its beginning */
    size_t start_inside; /* contacts that started deeper than DEPTH_REPORTED */
    size_t not_finite;   /* 1 + the first node that left the finite numbers */
} chunk_report;

typedef struct work {
    scene *s;
    const step_plan *plan;
    double *now, *next;
    const object *o; /* the cloth that a per-cloth stage is at, */
    size_t number;   /* and its number among the objects */
    surface *surfaces;
    size_t surface_count;
    double *v, *w;   /* per node: velocity and inverse mass */
    uint32_t *first; /* per node and one more: its contacts, see nodal_problem */
    chunk_report *chunk;
    nodal_problem problem;
    scene_problem shown; /* the same written out, if somebody wants to see it */
    double residual;     /* m/s, of the worst contact */
    double penetration;  /* m, the deepest of any node at the end of the step */
    bool missed;         /* a contact missed the tolerance */
    bool violent;        /* too much happens for the length of the step */
    const object *lost;  /* a cloth whose node left the finite numbers, NULL if none */
    size_t lost_node;
    struct hair_work *hair; /* NULL: there is none */
    struct force_now *forces;
    size_t force_count;
} work;

/* step.c: what a piece needs, its stages, and the swap of the blocks: from there on it has
 * happened. */
status work_init(work *k, scene *s, const step_plan *plan, error *err);
status work_run(work *k, error *err);
void work_take(const work *k);

/* detect.c: how deep x is in the surface at the end of the step, 0 or less if it is not. */
double detect_depth(const surface *f, v3 x, double thickness);

/* detect.c; the ranges are of nodes of k->o. */
void detect_import_surfaces(work *k);

/* A point's free way, and how far any contact may push it off that way. */
typedef struct node_way {
    v3 x0, x1;
    double thickness, margin, friction;
} node_way;

/* Of a point of `o` at x with the velocity v. */
node_way detect_make_way(const work *k, const object *o, v3 x, v3 v);
void detect_meet_surface(const node_way *way, const surface *f, mesh_contacts *out);
/* With surface number j, where detect_meet_surface found it. */
nodal_contact detect_make_contact(const work *k, const node_way *way, size_t j, v3 v,
                                  const collide_contact *found);

/* How many contacts node i has goes to first[i + 1]. */
void detect_count_range(void *user, size_t begin, size_t end, uint32_t chunk);
void detect_assemble_range(void *user, size_t begin, size_t end, uint32_t chunk);

/* forces.c: where forces go in the step, and what they do to free motion: the velocities and
 * inverse masses of cloth's nodes, and of a hair what acts on its rods. */
struct hair_group;
status forces_import(work *k, error *err);
status forces_act_on_cloth(work *k, error *err);
status forces_act_on_hair(work *k, struct hair_group *g, error *err);

/* The stages of cloth with a fabric: elastic_step.c. They do nothing without such. */
status elastic_step_predict(work *k, error *err);
status elastic_step_solve(work *k, error *err); /* STATUS_CANCELLED: on request */

/* step.c: tells the host how far the step is, at the stage that it has come to, and asks whether to
 * go on. */
enum { STEP_SOLVE = 3, STEP_STAGES = 5 };
bool step_is_cancelled(const work *k, int stage, const char *name);

/* The stages of hair: hair_step.c, hair_detect.c, hair_solve.c. They do nothing without hair. */
status hair_step_begin(work *k, error *err);
status hair_step_predict(work *k, error *err);
status hair_step_collide(work *k, error *err);
status hair_step_assemble(work *k, error *err);
status hair_step_solve(work *k, error *err); /* STATUS_CANCELLED: on request */
status hair_step_correct(work *k, error *err);

/* problem.c: writes the solved problem out, if somebody wants to see it and it has a contact; and
 * shows it when the step has been taken. */
status problem_write_out(work *k, error *err);
void problem_show(const work *k);

#endif

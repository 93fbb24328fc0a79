/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene: objects, parameters, time and state, and the step that moves them.
 *
 * What an object is (the model) does not change after its creation; what a step changes (the state)
 * lies in one flat block, twice: a step reads one copy, writes the other, and is taken by swapping
 * them. So a cancelled step costs nothing and leaves the last whole one, and save, load and hash
 * are one copy.
 *
 * One call at a time; the ABI sees to that. Errors leave the scene as it was.
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "base/log.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/status.h"
#include "base/view.h"
#include "math/quat.h"

typedef struct scene scene;

/* Kinds of objects, as bits. */
enum {
    KIND_SCENE = 1,
    KIND_CLOTH = 2,
    KIND_HAIR = 4,
    KIND_COLLIDER = 8,
    KIND_FORCE = 16,
    KIND_RIGID = 32
};

enum { FORCE_WIND = 1, FORCE_TURBULENCE = 2, FORCE_VORTEX = 3, FORCE_POINT = 4, FORCE_CUSTOM = 5 };

/* What a custom field gives its forces per: kg makes them accelerations, kg/s of drag velocities of
 * the air. */
enum { FIELD_PER_MASS = 0, FIELD_PER_DRAG = 1 };

enum { SHAPE_PLANE = 1, SHAPE_SPHERE = 2, SHAPE_CAPSULE = 3, SHAPE_BOX = 4, SHAPE_MESH = 5 };

typedef struct scene_config {
    allocator memory;
    log_sink log;
    pool_host parallel;
    void *progress_user;
    int32_t (*progress)(void *user, double fraction, const char *stage); /* not 0: cancel */
    uint32_t threads;
    double start_frame;
} scene_config;

status scene_create(const scene_config *config, scene **out, error *err);
void scene_destroy(scene *s);

/* ---- objects ---- */

typedef struct cloth_source {
    const char *name;
    view positions;
    view triangles;
    view velocities;
    view masses;
    view rest_positions;
} cloth_source;

typedef struct collider_source {
    const char *name;
    uint32_t shape;
    pose at;
    double size[3];
    view positions, triangles; /* of a mesh, in its own coordinates */
} collider_source;

typedef struct hair_source {
    const char *name;
    view points;                            /* strand by strand, root first */
    view strand_sizes;                      /* points in each */
    view rest_points;                       /* the natural shape; without it the points are */
    view root_rotations;                    /* per strand */
    uint64_t surface;                       /* the collider that the roots ride on; 0: none */
    view root_triangles, root_barycentrics; /* of a mesh: per strand; without them the nearest */
    view guides; /* the strands to simulate, the others follow; without it all are simulated */
} hair_source;

/* A custom field: `count` samples at once, 3 numbers each; `forces` comes zeroed. Called on the
 * thread that steps, once for every object that can feel it. */
typedef void (*scene_field)(void *user, double seconds, uint64_t count, const double *positions,
                            const double *velocities, double *forces);

typedef struct force_source {
    const char *name;
    uint32_t type;
    pose at;
    /* FORCE_CUSTOM */
    scene_field field;
    void *field_user;
    void (*drop)(void *field_user); /* may be NULL; called when the force goes, if it ever came */
    uint32_t per;
} force_source;

typedef struct object_info {
    uint64_t id;
    uint32_t kind;
    const char *name;
    size_t nodes, triangles, strands;
    uint32_t shape; /* of forces the type */
    double size[3];
} object_info;

status scene_add_cloth(scene *s, const cloth_source *source, uint64_t *id, error *err);
status scene_add_hair(scene *s, const hair_source *source, uint64_t *id, error *err);
status scene_add_collider(scene *s, const collider_source *source, uint64_t *id, error *err);
status scene_add_force(scene *s, const force_source *source, uint64_t *id, error *err);
status scene_remove_object(scene *s, uint64_t id, error *err);
size_t scene_object_count(const scene *s);
uint64_t scene_object_id(const scene *s, size_t i); /* in the order of creation */
status scene_find_object(const scene *s, const char *name, uint64_t *id, error *err);
status scene_get_object_info(const scene *s, uint64_t id, object_info *out, error *err);

/* ---- parameters, arrays, poses ---- */

status scene_set_parameter(scene *s, uint64_t id, const char *name, const double *values,
                           size_t count, error *err);
status scene_get_parameter(const scene *s, uint64_t id, const char *name, double *values,
                           size_t count, error *err);

status scene_set_array(scene *s, uint64_t id, const char *name, const view *values, error *err);
status scene_set_array_at(scene *s, uint64_t id, const char *name, const view *indices,
                          const view *values, error *err);
status scene_get_array(const scene *s, uint64_t id, const char *name, const mut_view *out,
                       error *err);

status scene_set_pose(scene *s, uint64_t id, const pose *p, bool jump, error *err);
status scene_get_pose(const scene *s, uint64_t id, pose *out, error *err);

/* ---- time ---- */

typedef struct scene_time {
    double frame, seconds;
    uint64_t steps;
} scene_time;

typedef struct scene_statistics {
    uint64_t steps, steps_not_converged;
    uint64_t pieces; /* that the steps were taken in: more than steps in violent phases */
    uint64_t nodes, contacts, stick, slide, takeoff;
    uint64_t local_failures, iterations;
    double residual, fischer_burmeister, alart_curnier, penetration;
    double seconds_import, seconds_predict, seconds_collide, seconds_assemble, seconds_solve,
        seconds_correct, seconds_total;
} scene_statistics;

status scene_step(scene *s, double dt, error *err);
status scene_advance_to_frame(scene *s, double frame, error *err);
scene_time scene_get_time(const scene *s);
void scene_cancel(scene *s); /* from any thread */
scene_statistics scene_get_statistics(const scene *s);

/* ---- contact problems ---- */

/* What the contacts of one step asked for, u = W r + b and Coulomb's law (W as in contact_source),
 * and what the step answered. */
typedef struct scene_problem {
    scene_time at; /* the end of the step */
    uint32_t contacts;
    const uint32_t *row_start, *col;
    const double *blocks, *b, *mu;
    const double *r, *u;
    double residual, tolerance; /* m/s */
} scene_problem;

/* Sees the problem of every whole step whose cloth has a contact, after the step (of one that was
 * taken in pieces that of the last); not 0 keeps the call that takes the steps from beginning
 * another. Contacts of hair are not
 * shown, nor those of a scene that has cloth with a fabric. What it is shown is gone when it returns. */
typedef int32_t (*scene_problem_visitor)(void *user, const scene_problem *problem);

/* NULL, as at the beginning: nobody; steps then do nothing for it. */
void scene_visit_problems(scene *s, scene_problem_visitor visit, void *user);

/* ---- state ---- */

size_t scene_state_size(const scene *s);
status scene_save_state(const scene *s, void *buffer, size_t capacity, size_t *written, error *err);
status scene_load_state(scene *s, const void *buffer, size_t size, error *err);
uint64_t scene_hash_state(const scene *s);

#endif

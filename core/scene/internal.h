/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of core/scene share: the scene's parts and the layout of its state.
 *
 *     motion  what a step computes, held twice (now, next):
 *             clock | per cloth: x 3n, v 3n, force 3n, contact state n | per collider: pose 7,
 *             and of a mesh x 3n in its own coordinates | per force: pose 7 | per hair: see
 *             scene/hair.h
 *     input   what the host sets, held once:
 *             per cloth: pin n, target 3n | per collider: pose 7, and of a mesh target 3n, at the
 *             end of the frame | per force: pose 7, the same | hair
 *
 * All doubles, in the order of the objects' creation. The contact forces of hair, whose number
 * changes from step to step, are held beside the motion, also twice.
 */
#ifndef SCENE_INTERNAL_H
#define SCENE_INTERNAL_H

#include "base/arena.h"
#include "base/array.h"
#include "base/handles.h"
#include "cloth/cloth.h"
#include "collide/mesh.h"
#include "contact/nodal.h"
#include "scene/parameters.h"
#include "scene/scene.h"

#include <stdatomic.h>

/* The clock at the head of a motion block. Whole numbers are exact in doubles up to 2^53. */
enum {
    CLOCK_FRAME,
    CLOCK_SECONDS,
    CLOCK_STEPS,
    CLOCK_PLAN_FRAME, /* an advance call that is under way: where to, ... */
    CLOCK_PLAN_LEFT,  /* ... how many steps are left (0: none is under way), ... */
    CLOCK_PLAN_DT,    /* ... and how long each is */
    CLOCK_LEVEL,      /* the last step had pieces of 2^-level of it */
    CLOCK_SIZE
};

enum { POSE_SIZE = 7 };
enum { NAME_SIZE = 64 };

#define SCENE_FARTHEST 1e9 /* m; sizes and places beyond are mistakes, and squares stay finite */

/* What a custom force calls; see force_source. */
typedef struct force_custom {
    scene_field field;
    void *user;
    void (*drop)(void *user);
    uint32_t per;
} force_custom;

typedef struct object {
    uint64_t id;
    uint32_t kind;
    char name[NAME_SIZE];
    parameter_values parameters;
    size_t motion, input;  /* offsets of its parts in the blocks */
    size_t motion_size;    /* of its part as it is laid out */
    size_t node;           /* number of its first node among all */
    uint32_t public_shape; /* of forces the type */
    double size[3];
    cloth cloth;             /* KIND_CLOTH */
    collide_shape shape;     /* KIND_COLLIDER */
    collide_mesh mesh;       /* of COLLIDE_MESH */
    struct elastic *elastic; /* of cloth with a fabric, else NULL */
    struct hair *hair;       /* KIND_HAIR */
    force_custom custom;     /* of FORCE_CUSTOM */
    bool told_inside;        /* the log knows that its nodes started inside something */
} object;

typedef struct state_blocks {
    double *motion[2]; /* [0] is now */
    double *input;
    size_t motion_size, input_size; /* in doubles */
} state_blocks;

/* What a contact of hair is called from step to step: a vertex and a surface, or two segments and
 * what of them touches. */
typedef struct hair_key {
    uint64_t first, second;
} hair_key;

/* The force of a contact of hair in the last step, in space: the next one starts from it. */
typedef struct hair_force {
    hair_key key;
    double f[3]; /* N */
} hair_force;

struct scene {
    scene_config config;
    pool *threads;
    arena scratch;
    array contacts; /* nodal_contact */
    handles ids;
    array objects; /* object *, in the order of creation */
    parameter_values parameters;
    state_blocks state;
    array forces[2]; /* hair_force, sorted by key; beside the motion blocks: [0] is now */
    size_t nodes;
    scene_statistics statistics;
    bool told_deep_hair; /* the log knows that hair is too deep in something */
    atomic_bool cancel;
    scene_problem_visitor visit_problem; /* NULL: nobody wants to see them */
    void *visit_user;
};

static inline object *scene_object(const scene *s, size_t i)
{
    return ((object **)s->objects.data)[i];
}

/* Parts of a cloth's state in a motion and an input block. */
typedef struct cloth_state {
    double *x, *v, *force, *contact;
} cloth_state;

typedef struct cloth_input {
    double *pin, *target;
} cloth_input;

static inline cloth_state cloth_state_in(const object *o, double *motion)
{
    double *at = motion + o->motion;
    const size_t n = o->cloth.nodes;
    return (cloth_state){at, at + 3 * n, at + 6 * n, at + 9 * n};
}

static inline cloth_input cloth_input_in(const object *o, double *input)
{
    return (cloth_input){input + o->input, input + o->input + o->cloth.nodes};
}

static inline pose pose_load(const double *a)
{
    return (pose){{a[0], a[1], a[2]}, {a[3], a[4], a[5], a[6]}};
}

static inline void pose_store(double *a, const pose *p)
{
    v3_store(a, p->position);
    a[3] = p->rotation.w;
    a[4] = p->rotation.x;
    a[5] = p->rotation.y;
    a[6] = p->rotation.z;
}

/* The vertices of a mesh collider, in its own coordinates. */
static inline double *mesh_positions_in(const object *o, double *motion)
{
    return motion + o->motion + POSE_SIZE;
}

static inline double *mesh_targets_in(const object *o, double *input)
{
    return input + o->input + POSE_SIZE;
}

/* How many doubles an object has in each block. */
size_t object_motion_size(const object *o);
size_t object_input_size(const object *o);

/* state.c: lays the blocks out for the objects of the scene as they are now, with `extra` (may be
 * NULL) at the end and without `gone` (may be NULL). On failure nothing has changed. What of an
 * object's motion has another size than before is for the caller to fill. */
status state_relayout(scene *s, object *extra, const object *gone, error *err);
void state_free(scene *s);

/* objects.c: NULL, with an error, if the id names no object, or none of `kinds`. */
object *scene_require(const scene *s, uint64_t id, uint32_t kinds, const char *what, error *err);
void scene_remove_all(scene *s);

/* colliders.c: reads shape and size into o, and of a mesh the triangles; its positions go to
 * *positions, scratch of the scene. */
status collider_read_shape(scene *s, object *o, const collider_source *source, double **positions,
                           error *err);

/* colliders.c: no vertex lies farther out than anything may. `what` begins the error. */
status collider_check_positions(const char *what, const double *x, size_t vertices, error *err);

/* objects.c: the steps of a creation. A name must be new; without one it gets "cloth1", ... */
object *object_new(const scene *s, uint32_t kind, error *err);
status object_set_name(const scene *s, object *o, const char *kind, const char *name, error *err);
status object_join(scene *s, object *o, error *err); /* the last step */
void object_free(const scene *s, object *o);

/* elastic.c: makes the sheet fit the parameters; on an error it is as it was. */
status elastic_change_parameters(const scene *s, object *o, error *err);
void elastic_free(const scene *s, object *o);

/* hair.c: what hair has of everything, and what it does when things change. */
size_t hair_motion_size(const object *o);
size_t hair_input_size(const object *o);
size_t hair_point_count(const object *o);
size_t hair_strand_count(const object *o);
const uint32_t *hair_strand_sizes(const object *o);
uint64_t hair_hash(const object *o, uint64_t seed); /* of what its state fits */
void hair_free(const scene *s, object *o);
status hair_check_surface_is_free(const scene *s, const object *surface, error *err);
status hair_change_parameter(scene *s, object *o, int row, error *err);
double *hair_array_data(const scene *s, const object *o, int row);
status hair_check_array(const scene *s, const object *o, int row, bool write, error *err);
status hair_check_rotations(double *q, size_t count, const char *what, error *err);
status hair_set_map(scene *s, object *o, int row, const double *values, size_t count,
                    const char *what, error *err);

/* hair_hold.c: hair jumps with the surface that it sits on, which will be at `at` (NULL: where it
 * is), with its vertices at x (NULL: where they are). */
status hair_jump_with(scene *s, const object *surface, const pose *at, const double *x, error *err);

/* hair_teleport.c: before the first step of a call. *before is the motion block as it was, scratch,
 * for a step that is not taken; NULL: nothing has changed. */
status hair_teleport(scene *s, double **before, error *err);

/* objects.c: a finite position and a unit quaternion, which comes out normalised. */
status pose_check(const pose *p, const char *name, pose *checked, error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Hair as a scene sees it: strands of the host's points, and the rods that stand for them.
 *
 * A strand hangs on a hold: the pose of the collider that its root sits on, or a pose of its own
 * that the host sets. The strands as given are kept in the coordinates of their holds, so that the
 * rods can be made anew wherever the holds are by then.
 *
 *     motion  rods' state | points x 3n, v 3n | collision vertices 3m | holds 7 per strand
 *     input   holds at the end of the frame: positions 3 per strand, rotations 4 per strand
 */
#ifndef SCENE_HAIR_H
#define SCENE_HAIR_H

#include "rods/rod.h"
#include "scene/internal.h"

/* The strands as rods. Made anew when their number of elements or their hold on the root change. */
typedef struct hair_rods {
    body_group *group;
    uint32_t elements;
    uint32_t vertices; /* collision vertices of each strand, from root to tip */
    bool attached;
    double *memory; /* [count] all the following */
    size_t count;
    double *lengths;  /* [strands][elements] */
    double *natural;  /* [strands][elements][3] */
    double *start;    /* [strands][elements][3] curvatures of the strands as given */
    double *point_s;  /* [points] arc length of each point on its rod */
    double *vertex_s; /* [strands][vertices] */
    double *root;     /* [strands] poses of the roots on their holds */
} hair_rods;

typedef struct hair {
    uint32_t strands;
    size_t points;
    uint64_t surface; /* collider that holds the roots; 0: none */
    uint32_t *size;   /* [strands] points of each strand */
    uint32_t *first;  /* [strands + 1] first point of each strand */
    double *given;    /* [points][3] on the holds */
    double *rest;     /* [points][3] on the holds; NULL: the same */
    double *wanted;   /* [strands][4] root frames on the holds; NULL: any will do */
    hair_rods rods;
} hair;

/* Parts of a hair's state in a motion and an input block. */
typedef struct hair_state {
    double *rods, *x, *v, *vertex, *hold;
} hair_state;

static inline size_t hair_vertex_count(const hair *h)
{
    return (size_t)h->strands * h->rods.vertices;
}

static inline size_t hair_rods_state_count(const hair *h)
{
    return h->strands * h->rods.group->state_count;
}

static inline hair_state hair_state_in(const object *o, double *motion)
{
    const hair *h = o->hair;
    double *rods = motion + o->motion, *x = rods + hair_rods_state_count(h);
    double *v = x + 3 * h->points, *vertex = v + 3 * h->points;
    return (hair_state){rods, x, v, vertex, vertex + 3 * hair_vertex_count(h)};
}

/* The hold of strand i as the host wants it at the end of the frame. */
static inline pose hair_hold_target(const object *o, const double *input, size_t i)
{
    const double *p = input + o->input + 3 * i;
    const double *q = input + o->input + 3 * (size_t)o->hair->strands + 4 * i;
    return (pose){v3_load(p), {q[0], q[1], q[2], q[3]}};
}

/* The pose b, seen from a. */
static inline pose hair_pose_on(const pose *a, const pose *b)
{
    return (pose){pose_apply(a, b->position), quat_normalize(quat_mul(a->rotation, b->rotation))};
}

/* hair_rods.c: fits the strands and makes the rods; on failure *out is empty. `parameters` has the
 * elements, the material and whether roots are held. */
status hair_rods_create(hair_rods *out, const hair *h, const parameter_values *parameters,
                        const char *name, scene *s, error *err);
void hair_rods_destroy(hair_rods *r, const allocator *from);

/* The same rods of another material. */
status hair_rods_set_material(hair_rods *r, const hair *h, const parameter_values *parameters,
                              const char *name, const allocator *from, error *err);

/* Where points and collision vertices of the strands [begin, end) are. */
void hair_find_points(const hair *h, const hair_state *state, size_t begin, size_t end);
void hair_find_vertices(const hair *h, const hair_state *state, size_t begin, size_t end);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The working set of hair in one step, all of it scratch. Strands, collision vertices and the
 * segments between them are numbered through all hair objects; stages run over strands, vertices or
 * pairs in chunks that depend on the work alone.
 */
#ifndef SCENE_HAIR_WORK_H
#define SCENE_HAIR_WORK_H

#include "contact/bodies.h"
#include "scene/hair.h"
#include "scene/work.h"

/* One hair object in this step. */
typedef struct hair_group {
    const object *o;
    const hair *h;
    hair_state now, next;
    body_input in;
    pose *root;   /* [strands] at the end of the step */
    double *work; /* of the rods */
    double *J;    /* [strands][vertices][3][unknowns] d(velocity of a vertex) / d(unknowns) */
    double *v;    /* [strands][unknowns] at the end of the step */
    uint32_t strand, vertex, segment; /* the first of its own */
    uint32_t own_surface;             /* number of the surface that holds its roots, if any */
} hair_group;

typedef struct hair_strand {
    hair_group *group;
    uint32_t local; /* its number in the group */
} hair_strand;

typedef struct hair_segment {
    uint32_t strand, vertex; /* from this vertex to the next */
} hair_segment;

/* The point at `share` of the way from a vertex to the next one touches a surface (the second
 * strand is BODIES_NONE), or another such point. u = F (velocity - s) + g e_N. */
typedef struct hair_contact {
    uint32_t strand[2], vertex[2];
    double share[2];
    m3 F;
    v3 s;
    double g, mu;
    double depth, distance; /* m, at the beginning of the step; how far apart they should be */
} hair_contact;

/* What a chunk of strands finds. */
typedef struct hair_chunk {
    double penetration; /* m, of its vertices in surfaces at the end of the step */
    size_t not_finite;  /* 1 + the first strand that left the finite numbers */
} hair_chunk;

typedef struct hair_work {
    work *k;
    allocator from; /* the scratch */
    hair_group *group;
    size_t groups;
    hair_strand *strand;
    hair_segment *segment;
    uint32_t strands, vertices, segments;
    double *x;       /* [vertices][3] at the beginning of the step, */
    double *free;    /* [vertices][3] their velocity without contacts, */
    double *base;    /* [vertices][3] and of that what the roots' motion gives */
    uint32_t *first; /* [vertices + 1] contacts with surfaces */
    hair_contact *contact;
    uint32_t surface_contacts, contacts;
    v3 drift; /* mean free velocity */
    bodies_problem problem;
    hair_chunk *chunk;  /* [chunks of strands] */
    double penetration; /* m, at the end of the step */
} hair_work;

/* Rods are predicted and corrected in chunks of so many. */
enum { HAIR_CHUNK = 16 };

static inline uint32_t hair_chunks(uint32_t strands)
{
    return (strands + HAIR_CHUNK - 1) / HAIR_CHUNK;
}

/* hair_hold.c: where the hold of the host's strand `number`, which is at `now`, is at the end of
 * the step. */
pose hair_next_hold(const work *k, const object *o, uint32_t own_surface, size_t number,
                    const pose *now);

/* hair_follow.c: followers go with what the step has made of their guides. */
status hair_step_follow(work *k, const hair_group *g, error *err);

/* hair_teleport.c: says which strand runs away. */
void hair_watch(const work *k, const hair_group *g);

/* hair_detect.c */
/* How deep vertex i of a group, at x, is in a surface at the end of the step, and the deepest of
 * the pairs. */
double hair_vertex_depth(const hair_work *w, const hair_group *g, size_t i, v3 x);
double hair_pair_depth(const hair_work *w);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The working set of hair in one step, all of it scratch. Strands, collision vertices and the
 * segments between them are numbered through all hair objects; stages run over strands, vertices or
 * pairs in chunks that depend on the work alone.
 *
 * One question is asked again and again in a step (hair_detect.c): what do the vertices meet that
 * go straight from x to `end`? It is asked of the free motion, of the solved velocities, and of
 * where the strands really end.
 */
#ifndef SCENE_HAIR_WORK_H
#define SCENE_HAIR_WORK_H

#include "collide/bvh.h"
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
    double *way;  /* [strands][unknowns] v, and what moves strands apart without becoming speed */
    uint32_t strand, vertex, segment; /* the first of its own */
    uint32_t own_surface;             /* number of the surface that holds its roots, if any */
} hair_group;

typedef struct hair_strand {
    hair_group *group;
    uint32_t local; /* its number in the group */
    double thickness, friction;
} hair_strand;

typedef struct hair_segment {
    uint32_t strand, vertex; /* from this vertex to the next */
} hair_segment;

/* The point at `share` of the way from a vertex to the next one touches a surface (the second
 * strand is BODIES_NONE), or another such point. u = F (velocity - s) + (gap / dt) e_N. */
typedef struct hair_contact {
    hair_key key;
    uint32_t strand[2], vertex[2];
    double share[2];
    m3 F;
    v3 s;
    double mu;
    double gap[2];  /* m, along the normal: at the beginning and at the end of the way */
    double began;   /* m, the true gap at the beginning, whichever the normal was then */
    double measure; /* m, the thickness of the thinner one: what depths are measured by */
    v3 r;           /* impulse in its frame */
} hair_contact;

/* Sorted by key; a key comes once. */
typedef struct hair_contacts {
    hair_contact *at;
    uint32_t count;
} hair_contacts;

/* What a chunk of strands finds. */
typedef struct hair_chunk {
    size_t not_finite; /* 1 + the first strand that left the finite numbers */
} hair_chunk;

/* Pairs of segments that may meet, as long as all ways end near where they did in the search. */
typedef struct hair_near {
    bvh_box *box; /* [segments] */
    double *end;  /* [vertices][3] of the ways, */
    double slack; /* and thicknesses that they were to come near, in the search */
    bvh_pairs pairs;
    v3 drift; /* m, the mean way: boxes are seen going along with it */
    bool known;
} hair_near;

typedef struct hair_work {
    work *k;
    allocator from; /* the scratch */
    hair_group *group;
    size_t groups;
    hair_strand *strand;
    hair_segment *segment;
    uint32_t strands, vertices, segments;
    double *x;      /* [vertices][3] at the beginning of the step, */
    double *end;    /* [vertices][3] where some motion takes them, */
    double *base;   /* [vertices][3] and the velocity that the roots' motion alone gives */
    uint8_t *moved; /* [strands] since the rods were last corrected */
    hair_near near;
    hair_contacts contacts; /* of the velocities */
    bodies_problem problem;
    hair_chunk *chunk; /* [chunks of strands] */
    double depth;      /* m, of the deepest at the end of the step, */
    double share;      /* and in thicknesses */
} hair_work;

/* Rods are predicted and corrected in chunks of so many. */
enum { HAIR_CHUNK = 16 };

static inline uint32_t hair_chunks(uint32_t strands)
{
    return (strands + HAIR_CHUNK - 1) / HAIR_CHUNK;
}

/* Deeper than this share of the thickness is too deep; the position stage goes for half of it. For
 * what is thinner than HAIR_LEAST_THICKNESS, that is taken. */
#define HAIR_DEPTH_ALLOWED 0.01
#define HAIR_LEAST_THICKNESS 1e-4 /* m */

/* Thicknesses along a held strand from its root on that may be too near to what is near the root. */
#define HAIR_ROOT_FREE 4.0

static inline double hair_thickness_of(const hair_work *w, uint32_t strand)
{
    return w->strand[strand].thickness;
}

/* hair_hold.c: where the hold of the host's strand `number`, which is at `now`, is at the end of
 * the step. */
pose hair_next_hold(const work *k, const object *o, uint32_t own_surface, size_t number,
                    const pose *now);

/* hair_follow.c: followers go with what the step has made of their guides. */
status hair_step_follow(work *k, const hair_group *g, error *err);

/* hair_teleport.c: says which strand runs away. */
void hair_watch(const work *k, const hair_group *g);

/* hair_pull.c: what the host pulls with becomes loads of the group; false: out of memory. */
bool hair_pull(hair_group *g, scene *s);

/* hair_near.c: what may meet on ways that come `slack` thicknesses near, in w->near. */
status hair_near_find(hair_work *w, double slack, error *err);

/* What is looked for. */
typedef struct hair_look {
    double slack; /* thicknesses: the widest gap at the end */
    bool at_end;  /* the ways have been gone: where did they end? If not: where do they lead? */
} hair_look;

/* hair_pair.c: a pair of segments that comes near on its way. */
typedef struct hair_touch {
    uint32_t a, b; /* segments */
    uint32_t kind;
    double share[2];
    double gap[2], began;
    v3 N; /* from b to a */
} hair_touch;

enum { HAIR_MOST_TOUCHES = 6 }; /* of a pair */
size_t hair_pair_meet(const hair_work *w, uint32_t a, uint32_t b, const hair_look *look,
                      hair_touch *out);

/* hair_detect.c: all contacts of the ways from w->x to w->end. */
status hair_detect(hair_work *w, const hair_look *look, hair_contacts *out, error *err);

/* hair_contacts.c */
/* Those of `found` that are not in `known` and deeper than `share` of the thickness join them. */
status hair_contacts_add(hair_work *w, const hair_contacts *found, double share,
                         hair_contacts *known, uint32_t *added, error *err);
/* The deepest gap at the end, as a share of the thickness; *depth in metres. */
double hair_contacts_depth(const hair_contacts *list, double *depth);
/* Impulses of the last step by key; and the other way. */
void hair_contacts_recall(const hair_work *w, hair_contacts *list);
status hair_contacts_remember(hair_work *w, error *err);

/* hair_solve.c: the contacts as a problem. The bodies' free velocities are those of the step, or
 * nothing where gaps at the end are to be opened. */
status hair_make_problem(hair_work *w, const hair_contacts *list, bool open_gaps,
                         bodies_problem *out, error *err);
/* For solver_options.trace, with the hair_work: tells the host that the solve goes on, and asks. */
int hair_watch_solve(void *user, uint32_t iteration, double residual);
/* u of all vertices: w->end = x + dt (J v + base), v in the groups' `way`. */
void hair_move_ends(hair_work *w);

/* hair_place.c: moves strands apart that ended too near. */
status hair_place_apart(hair_work *w, error *err);

/* hair_step.c: the rods, and w->end, as the groups' `way` moves them; only strands that are marked
 * as moved. */
status hair_move_rods(hair_work *w, error *err);

#endif

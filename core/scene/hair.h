/* SPDX-License-Identifier: Apache-2.0
 *
 * Hair as a scene sees it: strands of the host's points, and the rods that stand for them.
 *
 * Some of the host's strands are simulated, or all of them; the others follow (hair_follow.c). A
 * simulated strand has two numbers: its own, by which rods, points and steps know it, and the
 * host's, by which maps, root arrays and messages do.
 *
 * A strand hangs on a hold: the pose of the collider that its root sits on, the frame of a triangle
 * of a mesh, or a pose of its own that the host sets (hair_hold.c). The strands as given are kept
 * in the coordinates of their holds, so that the rods can be made anew wherever the holds are by
 * then.
 *
 *     motion  rods' state | points x 3n, v 3n | collision vertices 3m | holds 7 per strand |
 *             if strands follow: the host's points x 3n, v 3n | holds 7 per follower
 *     input   holds at the end of the frame: positions 3, then rotations 4 per strand of the host |
 *             pulls: forces at roots 3, forces at tips 3, moments at tips 3 per strand of the host
 */
#ifndef SCENE_HAIR_H
#define SCENE_HAIR_H

#include "rods/rod.h"
#include "scene/hair_maps.h"
#include "scene/internal.h"

/* The strands as rods. Made anew when their number of elements or their hold on the root change. */
typedef struct hair_rods {
    body_group *group;
    uint32_t elements;
    uint32_t vertices; /* collision vertices of each strand, from root to tip */
    bool attached;
    double *memory; /* [count] all the following */
    size_t count;
    double *lengths;   /* [strands][elements] */
    double *natural;   /* [strands][elements][3] */
    double *start;     /* [strands][elements][3] curvatures of the strands as given */
    double *point_s;   /* [points] arc length of each point on its rod */
    double *vertex_s;  /* [strands][vertices] */
    double *root;      /* [strands] poses of the roots on their holds */
    pose *reference;   /* [strands][stations] frames of guides as given, on their holds */
    uint32_t stations; /* of each guide; 0: nobody follows */
} hair_rods;

/* All strands of the host, in its order. */
typedef struct hair_host {
    uint32_t strands;
    size_t points;
    uint32_t *size;     /* [strands] points of each */
    uint32_t *first;    /* [strands + 1] first point of each */
    uint32_t *triangle; /* [strands] of the surface, under the root; NULL: it is no mesh */
    double *share;      /* [strands][3] of the triangle's corners in the root's place */
} hair_host;

/* A guide of a follower. */
typedef struct hair_link {
    uint32_t guide;
    double weight;
    pose on_guide; /* the follower's hold, seen from the guide's, at the creation */
} hair_link;

enum { HAIR_LINKS = 4 }; /* guides of a follower */

typedef struct hair_followers {
    uint32_t strands; /* 0: none follows */
    size_t points;
    uint32_t *number; /* [strands] the host's */
    uint32_t *first;  /* [strands + 1] first point of each */
    double *given;    /* [points][3] on the holds */
    double *wanted;   /* [strands][4] root rotations given, in the world; NULL: none */
    double *share;    /* [points] of the way from root to tip */
    hair_link *link;  /* [strands][HAIR_LINKS] */
} hair_followers;

typedef struct hair {
    uint32_t strands;
    size_t points;
    uint64_t surface; /* collider that holds the roots; 0: none */
    uint32_t *number; /* [strands] the host's */
    uint32_t *first;  /* [strands + 1] first point of each strand */
    double *given;    /* [points][3] on the holds */
    double *rest;     /* [points][3] on the holds; NULL: the same */
    double *wanted;   /* [strands][4] root frames on the holds; NULL: any will do */
    hair_rods rods;
    hair_host host;
    hair_followers followers;
    hair_maps maps;
} hair;

/* Parts of a hair's state in a motion and an input block. Without followers `all` is x, v. */
typedef struct hair_state {
    double *rods, *x, *v, *vertex, *hold;
    double *all_x, *all_v, *follower_hold;
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
    const bool follows = h->followers.strands > 0;
    const size_t all_count = follows ? 3 * h->host.points : 0;
    double *rods = motion + o->motion, *x = rods + hair_rods_state_count(h);
    double *v = x + 3 * h->points, *vertex = v + 3 * h->points;
    double *hold = vertex + 3 * hair_vertex_count(h);
    double *all = hold + POSE_SIZE * (size_t)h->strands, *all_v = all + all_count;
    return (hair_state){.rods = rods,
                        .x = x,
                        .v = v,
                        .vertex = vertex,
                        .hold = hold,
                        .all_x = follows ? all : x,
                        .all_v = follows ? all_v : v,
                        .follower_hold = all_v + all_count};
}

/* The hold of the host's strand `number` as the host wants it at the end of the frame. */
static inline pose hair_hold_target(const object *o, const double *input, size_t number)
{
    const double *p = input + o->input + 3 * number;
    const double *q = input + o->input + 3 * (size_t)o->hair->host.strands + 4 * number;
    return (pose){v3_load(p), {q[0], q[1], q[2], q[3]}};
}

/* What pulls: forces at the roots, then forces and moments at the tips, [strands of the host][3]. */
enum { PULL_ROOT_FORCE, PULL_TIP_FORCE, PULL_TIP_MOMENT, PULLS };

static inline double *hair_pull_in(const object *o, double *input, int pull)
{
    return input + o->input + (POSE_SIZE + 3 * (size_t)pull) * (size_t)o->hair->host.strands;
}

/* The pose b, seen from a. */
static inline pose hair_pose_on(const pose *a, const pose *b)
{
    return (pose){pose_apply(a, b->position), quat_normalize(quat_mul(a->rotation, b->rotation))};
}

/* What a strand's maps make of its object's parameters. */
static inline double hair_strand_thickness(const object *o, size_t strand)
{
    const double *map = o->hair->maps.value[MAP_THICKNESS];
    return o->parameters.value[P_THICKNESS][0] * map[o->hair->number[strand]];
}

static inline double hair_strand_friction(const object *o, size_t strand)
{
    const double *map = o->hair->maps.value[MAP_FRICTION];
    return o->parameters.value[P_FRICTION][0] * map[o->hair->number[strand]];
}

/* hair_rods.c: fits the strands and makes the rods; on failure *out is empty. `parameters` has the
 * elements, the material and whether roots are held. */
status hair_rods_create(hair_rods *out, const hair *h, const parameter_values *parameters,
                        const char *name, scene *s, error *err);
void hair_rods_destroy(hair_rods *r, const allocator *from);

/* The same rods of another material, or with other maps. */
status hair_rods_set_material(hair_rods *r, const hair *h, const parameter_values *parameters,
                              const char *name, const allocator *from, error *err);

/* Where points and collision vertices of the strands [begin, end) are. */
void hair_find_points(const hair *h, const hair_state *state, size_t begin, size_t end);
void hair_find_vertices(const hair *h, const hair_state *state, size_t begin, size_t end);

/* hair_groom.c: reads and checks what the host gives, and splits it into strands that are simulated
 * and strands that follow. Points are still in the world. */
status hair_read_groom(scene *s, object *o, const hair_source *source, error *err);

/* hair_hold.c: a surface as it is, or as it will be. */
typedef struct hair_ground {
    const object *surface; /* NULL: none */
    pose at;
    const double *x; /* of a mesh: its vertices, in its own coordinates */
} hair_ground;

/* How a part of a guide has moved on its hold: x goes to R x + d. */
typedef struct hair_move {
    m3 R;
    v3 d;
} hair_move;

/* Scratch that a hair needs while it is placed. */
typedef struct hair_room {
    double *hold;          /* [strands] poses */
    double *follower_hold; /* [followers] poses */
    pose *roots;           /* [strands] */
    hair_move *moves; /* [strands][stations] of guides, for the elements that parameters ask for */
} hair_room;

status hair_take_room(hair_room *room, scene *s, const object *o, error *err);

hair_ground hair_ground_now(const scene *s, const object *surface);

/* The hold of the host's strand `number`, which was at `before`. */
pose hair_hold_on(const hair *h, const hair_ground *ground, size_t number, const pose *before);

/* Strands and wanted frames go from the world onto their holds, which room gets. */
void hair_move_onto_holds(const hair *h, const hair_ground *ground, const hair_room *room);

/* The rods stand still with the curvatures as given on the holds of `room`, and followers too. */
void hair_start_on_holds(scene *s, const object *o, const hair_room *room);

/* Strand i is on this hold at once, with its shape and the velocities in it. */
void hair_carry_strand(const hair *h, const hair_state *state, size_t i, const pose *hold);

/* Where roots sit on a mesh, if the host has not said it: at the nearest point of the surface. */
status hair_find_triangles(const hair *h, const hair_ground *ground, const double *points,
                           error *err);

/* hair_follow.c */
/* Chooses the guides of every follower; holds as in hair_room, points and roots on their holds. */
void hair_choose_guides(scene *s, const hair *h, const hair_room *room);

/* How many stations guides have for so many elements. */
static inline uint32_t hair_station_count(const hair *h, uint32_t elements)
{
    return h->followers.strands ? 2 * elements + 1 : 0;
}

/* The frames of guides in the shape as given. */
status hair_find_reference(scene *s, const hair *h, const hair_rods *r, error *err);

/* Moves followers with their guides, and writes all points of the host. */
void hair_place_followers(scene *s, const hair *h, const hair_state *state, hair_move *moves);

#endif

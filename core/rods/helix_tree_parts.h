/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the tree share: the model, and what a work is made of. For one lane.
 */
#ifndef RODS_HELIX_TREE_PARTS_H
#define RODS_HELIX_TREE_PARTS_H

#include "rods/helix_tree.h"
#include "rods/super_helix_assembly.h"

struct helix_tree {
    const allocator *from;
    size_t size; /* of this block: the arrays follow the struct */
    size_t elements;
    size_t first;           /* unknown of the first curvature: 0, or 6 after those of a free root */
    rod_material *material; /* [elements] */
    quat *offset;           /* [elements] */
    double *lengths;        /* [elements] */
    double *natural;        /* [elements][3] */
    double *start;          /* [elements + 1] the arc length where an element begins */
    uint32_t *begin;        /* [elements] the station where an element begins */
};

/* A place where elements meet, in space. */
typedef struct helix_station {
    real33 R;
    real3 r;                 /* from the root */
    helix_carriage then;     /* R, and its motion in the last step */
    spatial_inertia inertia; /* articulated: of all beyond, which bends as it likes */
    wrench force;            /* the impulse on it of all beyond */
    twist motion;            /* in this step */
} helix_station;

/* An element, about its beginning. */
typedef struct helix_branch {
    helix_joint joint; /* its r is 0: `lift` is about the beginning, too */
    real3 end;
    helix_memory memory;
    /* D L^T rates = b - Z . (motion of its beginning) */
    double LD[9], b[3];
    wrench Z[3];
    wrench load; /* the loads on it, and what they do to its curvatures */
    double pull[3];
} helix_branch;

typedef struct helix_tree_work {
    double *v_free;
    helix_station *stations; /* [elements + 1] */
    helix_branch *branches;  /* [elements] */
} helix_tree_work;

static inline helix_tree_work helix_tree_split_work(const helix_tree *t, double *work)
{
    helix_station *stations = (helix_station *)(work + t->first + 3 * t->elements);
    return (helix_tree_work){work, stations, (helix_branch *)(stations + t->elements + 1)};
}

static inline reduced_rod_state helix_tree_view(const helix_tree *t, const double *state)
{
    return reduced_rod_split_state(state, t->elements, t->first);
}

/* Fills the frames, joints and memories from root to tips. */
void helix_tree_find_frames(const helix_tree *t, const double *state, const helix_tree_work *w);

/* Gives every element the loads on it, once the frames are found. */
void helix_tree_take_loads(const helix_tree *t, const body_input *in, const helix_tree_work *w);

/* What curvature c of an element does to all beyond its end. */
static inline twist helix_motion_of(const helix_joint *joint, size_t c)
{
    return (twist){joint->turn.column[c], joint->lift.column[c]};
}

/* h (drag air + rho (gravity + field)) at both ends of an element. */
typedef struct helix_ends {
    real3 begin, end;
} helix_ends;

static inline helix_ends helix_tree_forces(const helix_tree *t, const body_input *in,
                                           const helix_matter *m, size_t e)
{
    return (helix_ends){helix_force_at(m, in, 3 * (size_t)t->begin[e], 0),
                        helix_force_at(m, in, 3 * (e + 1), 0)};
}

/* The motion of a clamped root, now at `from`, during the step; zero if the root is free. */
reduced_rod_root helix_tree_move_root(const helix_tree *t, const body_input *in, const pose *from);

#endif

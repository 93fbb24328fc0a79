/* SPDX-License-Identifier: Apache-2.0
 *
 * Extension "stiction.rods/1": thin elastic rods on their own, without contacts.
 *
 *     const stn_ext_rods *rods = api->get_extension(STN_EXT_RODS);
 *
 * For validation, benchmarks and people who want the mechanics alone; hair in a scene stands on the
 * same models. Whichever of create, tree_create and rigid_create made a stn_rods, the other entries
 * take it; of a tree or a rigid body "rod" is its number. A rod leaves its root along the root
 * frame's x axis; its twist and curvatures are those of the material frame. Not part of the frozen
 * table: it may still change, under a new name.
 */
#ifndef STICTION_EXT_RODS_H
#define STICTION_EXT_RODS_H

#include <stiction/stiction.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STN_EXT_RODS "stiction.rods/1"

typedef struct stn_rods stn_rods; /* opaque; the caller's from create to destroy */

typedef struct stn_rod_material {
    uint32_t struct_size;
    uint32_t reserved;
    double density; /* kg/m */
    double bend[2]; /* N m^2: E I about the section's axes n1 and n2 */
    double twist;   /* N m^2: G J */
    double stretch; /* N: E A; only models with nodes stretch */
    double radius;  /* m */
    double damping; /* s: the moment of a curvature rate is damping * stiffness * rate */
    double drag;    /* kg/(m s): the air's force per length is drag * (air - velocity) */
} stn_rod_material;

/* Materials with physical values; texts live for ever. */
typedef struct stn_rod_preset {
    uint32_t struct_size;
    uint32_t reserved;
    const char *name;
    const char *doc; /* with the source of the values */
} stn_rod_preset;

typedef struct stn_rod_model_info {
    uint32_t struct_size;
    uint32_t reserved;
    const char *name;
    const char *doc;
} stn_rod_model_info;

/* Rods of one model, element count and material. Arrays are copied. */
typedef struct stn_rods_desc {
    uint32_t struct_size;
    uint32_t rods;
    uint32_t elements;
    uint32_t free_root; /* not 0: nothing holds the root */
    const char *model;  /* NULL: the first */
    const stn_rod_material *material;
    const double *lengths;    /* [rods][elements] m */
    const double *natural;    /* [rods][elements][3] twist and curvatures at rest; NULL: straight */
    const double *curvatures; /* [rods][elements][3] to start with; NULL: the natural ones */
    const double *roots;      /* [rods][7] position, quaternion w x y z; NULL: the identity */
    uint32_t threads;         /* 0: one per core. Results do not depend on it. */
    uint32_t reserved;
} stn_rods_desc;

/* Trees of super-helix elements, as many in each, in time linear in them. The state and the energy
 * are those of a whole tree: `rod` is its number. Arc length runs through the elements in their
 * order: element e has s from the sum of the lengths before it to that sum with its own. Its end
 * belongs to it; its beginning is the end of its parent. Arrays are copied. */
typedef struct stn_rod_trees_desc {
    uint32_t struct_size;
    uint32_t trees;
    uint32_t elements;
    uint32_t free_root;
    const int32_t *parents;   /* [trees][elements] an element before it; -1: the root */
    const double *offsets;    /* [trees][elements][4] quaternion w x y z that turns the frame where
                                 an element begins; NULL: none turns */
    const double *lengths;    /* [trees][elements] m */
    const double *natural;    /* [trees][elements][3]; NULL: straight */
    const double *curvatures; /* [trees][elements][3]; NULL: the natural ones */
    const double *roots;      /* [trees][7]; NULL: the identity */
    const stn_rod_material *materials; /* [material_count], all of one struct_size */
    uint64_t material_count;           /* 1; `elements`, as in every tree; or trees * elements */
    uint32_t threads;
    uint32_t reserved;
} stn_rod_trees_desc;

/* A homogeneous shape by its density or its mass; or shape 0: a mass and an inertia. The air pulls
 * at a shape's skin by skin_drag * (air - velocity) per area. */
typedef struct stn_rods_rigid_body {
    uint32_t struct_size;
    uint32_t shape;    /* STN_SHAPE_SPHERE, _CAPSULE or _BOX, about its centre; or 0 */
    double size[3];    /* as colliders have it (stn_collider_desc) */
    double density;    /* kg/m^3; 0: by its mass */
    double mass;       /* kg; 0: by its density */
    double inertia[6]; /* kg m^2: xx yy zz xy xz yz about the centre of mass; of shape 0 */
    double skin_drag;  /* kg/(m^2 s); of shapes */
} stn_rods_rigid_body;

/* Rigid bodies: six unknowns each, the velocity of the centre of mass and the angular velocity, in
 * space; q is 0. s is the place on the x axis from the centre of mass (of loads 0 or more), and the
 * one joint, for air and field, is the centre. Arrays are copied. */
typedef struct stn_rods_rigid_desc {
    uint32_t struct_size;
    uint32_t bodies;
    const stn_rods_rigid_body *body; /* [bodies], all of one struct_size */
    const double *poses;             /* [bodies][7] of the centres of mass; NULL: the identity */
    const double *velocities;        /* [bodies][6]; NULL: at rest */
    uint32_t threads;
    uint32_t reserved;
} stn_rods_rigid_desc;

/* A force (N) and a moment (N m) in space that act at arc length s. */
typedef struct stn_rod_load {
    uint32_t struct_size; /* the same in every load of an array */
    uint32_t rod;
    double s;
    double force[3];
    double moment[3];
} stn_rod_load;

typedef struct stn_rods_input {
    uint32_t struct_size;
    uint32_t reserved;
    double gravity[3];   /* m/s^2 */
    const double *roots; /* [rods][7] of clamped rods at the end of the step; NULL: they stay */
    const double *air;   /* [rods][elements + 1][3] m/s at the joints; NULL: still */
    const double *field; /* [rods][elements + 1][3] m/s^2, beside gravity; NULL: none */
    const stn_rod_load *loads; /* sorted by rod */
    uint64_t load_count;
} stn_rods_input;

typedef struct stn_rod_energy {
    uint32_t struct_size;
    uint32_t reserved;
    double kinetic; /* J */
    double elastic;
    double gravity; /* of the field too, not of loads */
} stn_rod_energy;

typedef struct stn_rod_equilibrium {
    uint32_t struct_size;
    uint32_t converged;
    uint64_t iterations;
    double step;     /* the last Newton step, over 1/length: how far off the curvatures are */
    double residual; /* largest slope of the energy that is left */
    double lowest;   /* smallest eigenvalue of the energy's Hessian: stable if it is positive */
} stn_rod_equilibrium;

/* A rod that was fitted to points. */
typedef struct stn_rod_fit {
    uint32_t struct_size;
    uint32_t merged;    /* points that lay on the one before and were left out */
    uint32_t unmatched; /* elements that no helix fits, left straight */
    uint32_t reserved;
    double root[7]; /* position, quaternion w x y z */
    double length;  /* m */
    double error;   /* m, largest distance of a point from the rod at its share of the length */
} stn_rod_fit;

/* Entries return STN_ERROR_... with a text in last_error; 0 or more is success. Arrays that a caller
 * gives must have the size that is written beside them. */
typedef struct stn_ext_rods {
    uint32_t struct_size;
    uint32_t version;
    /* [any] The first model is the default. */
    uint64_t (*model_count)(void);
    stn_status (*model_info)(uint64_t index, stn_rod_model_info *out);
    uint64_t (*preset_count)(void);
    stn_status (*preset_info)(uint64_t index, stn_rod_preset *out, stn_rod_material *material);
    /* [any] *out is NULL on failure. destroy takes NULL. */
    stn_status (*create)(const stn_rods_desc *desc, stn_rods **out);
    stn_status (*destroy)(stn_rods *rods);
    /* [object] How many unknowns each rod has. */
    stn_status (*unknowns)(stn_rods *rods, uint64_t *out);
    /* [object] One free step of dt seconds. A step that would not be finite is not taken:
     * STN_ERROR_DIVERGED names the rod. */
    stn_status (*step)(stn_rods *rods, const stn_rods_input *input, double dt);
    /* [object] q and v of one rod [unknowns]; NULL: not wanted, or left as it is. */
    stn_status (*get_state)(stn_rods *rods, uint64_t rod, double *q, double *v);
    stn_status (*set_state)(stn_rods *rods, uint64_t rod, const double *q, const double *v);
    /* [object] Position and quaternion [count][7] at the arc lengths s [count]. */
    stn_status (*places)(stn_rods *rods, uint64_t rod, uint64_t count, const double *s,
                         double *out);
    /* [object] How v moves and turns the rod at s: [3][unknowns] each, row by row. */
    stn_status (*jacobian)(stn_rods *rods, uint64_t rod, double s, double *linear, double *angular);
    stn_status (*energy)(stn_rods *rods, const stn_rods_input *input, uint64_t rod,
                         stn_rod_energy *out);
    /* [object] The slope of the potential energy over q [unknowns], loads as dead ones. */
    stn_status (*gradient)(stn_rods *rods, const stn_rods_input *input, uint64_t rod, double *out);
    /* [object] Brings one clamped rod or tree to rest under the input; what nothing holds is
     * refused. STN_NOT_CONVERGED: the best found. result may be NULL. */
    stn_status (*equilibrium)(stn_rods *rods, const stn_rods_input *input, uint64_t rod,
                              stn_rod_equilibrium *result);
    /* [any] This thread's last failed call. */
    const char *(*last_error)(void);
    /* [any] The piecewise helix with continuous tangents nearest to a strand of points [count][3],
     * root first: lengths [elements], curvatures [elements][3] and the root, as create takes them.
     * root_rotation: quaternion w x y z of the material frame that is wanted there, turned as
     * little as its x axis needs to be the tangent; NULL: any. */
    stn_status (*fit)(const double *points, uint64_t count, uint32_t elements,
                      const double *root_rotation, double *lengths, double *curvatures,
                      stn_rod_fit *out);
    /* [any] As create. Errors name the tree and its element, or the body. */
    stn_status (*tree_create)(const stn_rod_trees_desc *desc, stn_rods **out);
    stn_status (*rigid_create)(const stn_rods_rigid_desc *desc, stn_rods **out);
} stn_ext_rods;

#ifdef __cplusplus
}
#endif

#endif

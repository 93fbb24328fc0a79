/* SPDX-License-Identifier: Apache-2.0
 *
 * stiction.h - hair and cloth with exact Coulomb friction: the C ABI, version 1.
 *
 * One symbol is exported: stn_get_api(). It returns a table of functions; everything goes through
 * it.
 *
 *     const stn_api *api = stn_get_api(STN_ABI_VERSION);
 *     stn_scene_desc desc = {.struct_size = sizeof desc};
 *     stn_scene *scene = NULL;
 *     if (api->scene_create(&desc, &scene) < 0) puts(api->last_error(NULL));
 *
 * Conventions
 *   Units      SI throughout: metres, kilograms, seconds, radians. Hosts convert.
 *   Status     negative: error, nothing was changed (advance_to_frame: the scene stands at the last
 *              whole step); 0: done; positive: done, with news.
 *              last_error(scene) has the text of the last status that was not 0.
 *   Structs    begin with struct_size = sizeof the struct as the caller knows it. A smaller one is
 *              completed with zeros (zero is always the default); a larger one is taken if its
 *              unknown tail is zero. Reserved members must be zero.
 *   Ownership  the library copies every array, string and struct that it keeps. Texts it returns
 *              live as long as the entry says.
 *   Objects    64-bit ids that carry a generation; a stale id is an error, not a crash.
 *   Threads    each entry has a tag:
 *              [any]    may be called from any thread at any time;
 *              [scene]  from any thread, one call at a time for one scene; a second call that comes
 *                       while one is running returns STN_ERROR_BUSY and touches nothing.
 *              Different scenes are independent. Callbacks run on the thread that called, except
 *              stn_task, which parallel_for may run anywhere.
 *   Versions   within version 1 entries and struct members are appended, never moved or changed.
 */
#ifndef STICTION_STICTION_H
#define STICTION_STICTION_H

#include <stdint.h>

#if defined(_WIN32)
#define STN_EXPORT __declspec(dllexport)
#else
#define STN_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define STN_ABI_VERSION 1u

/* ---- Status ---- */

typedef int32_t stn_status;

#define STN_OK 0
#define STN_NOT_CONVERGED 1 /* stepped, but a contact missed the tolerance; see stn_statistics */
#define STN_CANCELLED 2     /* the scene stands at the last whole step */

#define STN_ERROR_INVALID_ARGUMENT (-1) /* NULL, NaN, infinity, wrong count, out of range, ... */
#define STN_ERROR_OUT_OF_MEMORY (-2)
#define STN_ERROR_STALE_ID (-3)     /* no object has this id (any more) */
#define STN_ERROR_WRONG_KIND (-4)   /* the object exists but does not have this */
#define STN_ERROR_UNKNOWN_NAME (-5) /* no such parameter, array, object or extension */
#define STN_ERROR_UNSUPPORTED (-6)  /* declared, not built yet; the text says so */
#define STN_ERROR_STRUCT_SIZE (-7)  /* too small, or an unknown tail is not zero */
#define STN_ERROR_BUFFER_TOO_SMALL (-8)
#define STN_ERROR_STATE_MISMATCH (-9) /* a saved state that is damaged or of another scene */
#define STN_ERROR_BUSY (-10)          /* another call on this scene is running */
#define STN_ERROR_IO (-11)            /* a file cannot be read or written */
#define STN_ERROR_PARSE (-12)         /* a file is wrong; the text has file and line */
#define STN_ERROR_DIVERGED (-13)      /* a step that would not be finite; not taken */

/* ---- Scalars ---- */

typedef struct stn_scene stn_scene; /* opaque; the caller's from create to destroy */
typedef uint64_t stn_id;

#define STN_SCENE_ID 0u /* in the parameter entries: the scene itself */

/* Object kinds; as bits in stn_parameter_info.kinds and stn_array_info.kinds. */
#define STN_KIND_SCENE 1u
#define STN_KIND_CLOTH 2u
#define STN_KIND_HAIR 4u
#define STN_KIND_COLLIDER 8u
#define STN_KIND_FORCE 16u
#define STN_KIND_RIGID 32u

/* Element formats of views. */
#define STN_FORMAT_F32 1u
#define STN_FORMAT_F64 2u
#define STN_FORMAT_U32 3u
#define STN_FORMAT_I32 4u

/* Log levels. */
#define STN_LOG_ERROR 1
#define STN_LOG_WARNING 2
#define STN_LOG_INFO 3
#define STN_LOG_DEBUG 4

/* State of a node's contact, as the array "contact_state" gives it. */
#define STN_CONTACT_NONE 0 /* touches nothing */
#define STN_CONTACT_TAKEOFF 1
#define STN_CONTACT_STICK 2
#define STN_CONTACT_SLIDE 3

/* ---- Arrays in and out ---- */

/* `count` elements of `components` numbers; element i starts at data + i * stride bytes (0:
 * packed). */
typedef struct stn_view {
    uint32_t struct_size;
    uint32_t format;
    const void *data;
    uint64_t count;
    uint32_t components;
    uint32_t reserved;
    int64_t stride;
} stn_view;

/* The same, for the library to write into. */
typedef struct stn_mut_view {
    uint32_t struct_size;
    uint32_t format;
    void *data;
    uint64_t count;
    uint32_t components;
    uint32_t reserved;
    int64_t stride;
} stn_mut_view;

/* ---- Host callbacks ---- */

typedef void (*stn_task)(void *task_user, uint32_t index);

typedef struct stn_host {
    uint32_t struct_size;
    uint32_t reserved;
    void *user; /* handed to every callback */
    /* Both or neither. NULL from alloc is survived: the call returns STN_ERROR_OUT_OF_MEMORY. */
    void *(*alloc)(void *user, uint64_t size, uint64_t alignment);
    void (*release)(void *user, void *memory, uint64_t size);
    void (*log)(void *user, int32_t level, const char *text);
    /* During long calls; fraction in [0, 1]. Not 0 cancels. The scene may not be called from
     * inside. */
    int32_t (*progress)(void *user, double fraction, const char *stage);
    /* Runs task(task_user, i) for i in [0, count) in any order on any threads, returns when all are
     * done. */
    void (*parallel_for)(void *user, uint32_t count, stn_task task, void *task_user);
} stn_host;

/* ---- Descriptors ---- */

typedef struct stn_scene_desc {
    uint32_t struct_size;
    uint32_t threads;     /* 0: one per core. Results do not depend on it. */
    const stn_host *host; /* NULL: malloc, silence, own threads */
    double start_frame;
} stn_scene_desc;

/* A place and an orientation: x_world = rotation(x_local) + position. Quaternion order is w, x, y,
 * z; all zero means no rotation. */
typedef struct stn_pose {
    uint32_t struct_size;
    uint32_t reserved;
    double position[3];
    double rotation[4];
} stn_pose;

/* Views may be NULL where marked optional. */
typedef struct stn_cloth_desc {
    uint32_t struct_size;
    uint32_t flags; /* none yet */
    const char *name;
    const stn_view *positions;      /* 3 numbers per vertex */
    const stn_view *triangles;      /* optional if masses are given: 3 indices each */
    const stn_view *velocities;     /* optional: 3 numbers per vertex */
    const stn_view *masses;         /* optional: kg per vertex; otherwise density * area */
    const stn_view *rest_positions; /* optional: 3 numbers per vertex; otherwise positions */
    const stn_view *uvs;            /* unsupported yet: 2 numbers per vertex, rest shape from UVs */
    const stn_view *seams;          /* unsupported yet: 2 vertex indices per sewing pair */
} stn_cloth_desc;

/* Strands become rods that bend and twist and do not stretch. A root rides on its surface, which
 * may be any collider and must stay as long as the hair; without one it follows the arrays
 * "root_position" and "root_rotation". Model, root_triangles, root_barycentrics and guides are
 * declared and return STN_ERROR_UNSUPPORTED yet. */
typedef struct stn_hair_desc {
    uint32_t struct_size;
    uint32_t model; /* 0: the library's choice */
    const char *name;
    const stn_view *points;            /* 3 numbers per point, strand by strand, root first */
    const stn_view *strand_sizes;      /* points in each strand */
    const stn_view *rest_points;       /* optional: the natural shape; without it the points */
    const stn_view *root_rotations;    /* optional: quaternion w, x, y, z per strand */
    stn_id surface;                    /* optional: the collider that the roots sit on */
    const stn_view *root_triangles;    /* optional, with a mesh: a triangle per strand, and */
    const stn_view *root_barycentrics; /* 3 weights per strand; without them the nearest point */
    const stn_view *guides;            /* optional: strands to simulate; the others follow */
} stn_hair_desc;

#define STN_SHAPE_PLANE 1u   /* through the pose's position, solid below local +z */
#define STN_SHAPE_SPHERE 2u  /* size[0]: radius */
#define STN_SHAPE_CAPSULE 3u /* along local z; size: radius, half length of the axis */
#define STN_SHAPE_BOX 4u     /* size: half extents */
#define STN_SHAPE_MESH 5u    /* positions, in its own coordinates, and triangles */

typedef struct stn_collider_desc {
    uint32_t struct_size;
    uint32_t shape;
    const char *name;
    const stn_pose *pose; /* NULL: at the origin */
    double size[3];
    const stn_view *positions; /* of a mesh: 3 numbers per vertex; it moves by the array "target" */
    const stn_view *triangles; /* of a mesh: 3 vertex indices, counterclockwise from outside */
} stn_collider_desc;

/* A studio's own field: count samples at once, forces in newtons per unit of what `per` says.
 * Called on the thread that steps, once in a step for every cloth and hair of the scene, at the
 * beginning of the step: seconds, and positions and velocities of nodes or of points along the
 * strands, 3 numbers each. forces come zeroed and must be left finite. */
typedef void (*stn_field)(void *user, double seconds, uint64_t count, const double *positions,
                          const double *velocities, double *forces);

#define STN_FORCE_WIND 1u       /* air that blows along the pose's +z */
#define STN_FORCE_TURBULENCE 2u /* air in eddies */
#define STN_FORCE_VORTEX 3u     /* air that turns about the pose's z */
#define STN_FORCE_POINT 4u      /* an acceleration away from the pose's position */
#define STN_FORCE_CUSTOM 5u

#define STN_FIELD_PER_MASS 0u /* newtons per kg: an acceleration, m/s^2 */
#define STN_FIELD_PER_DRAG 1u /* newtons per kg/s of drag: a velocity of the air, m/s */

/* Air acts by the parameters "drag" of hair and "cloth_drag" of cloth. A force is moved by
 * pose_set, as colliders are. A custom one has a field and field_user, or the signature and address
 * of a compiled function for one sample, with named arguments in any order:
 *     "void (double x, double y, double z, double t, double *force)"
 * x y z, vx vy vz, t (seconds) are double or float; position and velocity are const double * or
 * const float *, to 3 numbers; force is double * or float *, to 3 numbers to write, and needed;
 * user is void * and gets field_user. The function must live as long as the force. */
typedef struct stn_force_desc {
    uint32_t struct_size;
    uint32_t type;
    const char *name;
    const stn_pose *pose;
    stn_field field; /* STN_FORCE_CUSTOM: batch form, called directly */
    void *field_user;
    const char *signature; /* or the per-sample form: its declared signature ... */
    void *function;        /* ... and its address */
    uint32_t per;          /* of a custom force: STN_FIELD_PER_... */
    uint32_t reserved;
} stn_force_desc;

/* rigid_create is declared and returns STN_ERROR_UNSUPPORTED yet. */
typedef struct stn_rigid_desc {
    uint32_t struct_size;
    uint32_t shape;
    const char *name;
    const stn_pose *pose;
    double size[3];
    double mass;
    double velocity[3];
    double angular_velocity[3];
} stn_rigid_desc;

/* ---- What the library tells ---- */

typedef struct stn_object_info {
    uint32_t struct_size;
    uint32_t kind;
    stn_id id;
    const char *name; /* lives as long as the object */
    uint64_t nodes;
    uint64_t triangles;
    uint64_t strands;
    uint32_t shape; /* of colliders and rigid bodies: STN_SHAPE_..., of forces: STN_FORCE_... */
    uint32_t reserved;
    double size[3];
} stn_object_info;

#define STN_PARAMETER_REAL 1u
#define STN_PARAMETER_INTEGER 2u
#define STN_PARAMETER_VECTOR 3u /* 3 numbers */

#define STN_PARAMETER_KEYFRAMABLE 1u /* may change from frame to frame */

/* One row of the parameter table. Texts live for ever. */
typedef struct stn_parameter_info {
    uint32_t struct_size;
    uint32_t type;
    const char *name;
    const char *label; /* for a user interface */
    const char *unit;  /* "" if it has none */
    const char *doc;
    uint32_t kinds; /* which objects have it */
    uint32_t flags;
    uint32_t components;
    uint32_t reserved;
    double default_value[3];
    double minimum; /* every component lies in [minimum, maximum] */
    double maximum;
    double soft_minimum; /* a sensible range for sliders */
    double soft_maximum;
} stn_parameter_info;

#define STN_ARRAY_READ 1u
#define STN_ARRAY_WRITE 2u
#define STN_ARRAY_INTEGER 4u /* whole numbers; else reals */

#define STN_ELEMENT_NODE 1u
#define STN_ELEMENT_TRIANGLE 2u
#define STN_ELEMENT_STRAND 3u

/* One row of the table of per-element arrays. Texts live for ever. */
typedef struct stn_array_info {
    uint32_t struct_size;
    uint32_t kinds;
    const char *name;
    const char *unit;
    const char *doc;
    uint32_t components;
    uint32_t flags;
    uint32_t element; /* what there is one of per element: STN_ELEMENT_... */
    uint32_t reserved;
} stn_array_info;

typedef struct stn_time {
    uint32_t struct_size;
    uint32_t reserved;
    double frame;   /* at frame_rate frames a second; fractional between frames */
    double seconds; /* simulated since the start */
    uint64_t steps; /* taken since the start */
} stn_time;

/* Of the last step or advance call: counts of its last step, worst errors and summed times over
 * it. A step that was not taken (cancelled, failed) does not count. */
typedef struct stn_statistics {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t steps;
    uint64_t steps_not_converged;
    uint64_t nodes;
    uint64_t contacts;
    uint64_t stick;
    uint64_t slide;
    uint64_t takeoff;
    uint64_t local_failures;   /* one-contact problems without a solution to rounding */
    uint64_t iterations;       /* most for any node of any step */
    double residual;           /* m/s, worst contact: |d r - P_K(d r - u~)| */
    double fischer_burmeister; /* m/s, worst contact */
    double alart_curnier;      /* m/s, worst contact */
    double penetration;        /* m, deepest at the end of a step; 0 if none */
    double seconds_import;     /* targets and poses at the end of the step */
    double seconds_predict;    /* free motion */
    double seconds_collide;    /* contacts found */
    double seconds_assemble;   /* frames, gaps, friction */
    double seconds_solve;      /* exact Coulomb */
    double seconds_correct;    /* positions, penetration check */
    double seconds_total;
    uint64_t pieces; /* that the steps were taken in: more than steps in violent phases */
} stn_statistics;

/* ---- Self description ---- */

/* One row for every constant, struct, struct member and entry of this header, in order.
 *   kind       "const" | "struct" | "field" | "entry" | "callback"
 *   owner      the struct of a field or entry, else ""
 *   type       the C type; for entries and callbacks the signature, "void (void *, uint32_t)"
 *   offset     of a field or entry in its owner; the value of a constant
 *   size       of the struct, field or function pointer */
typedef struct stn_row {
    const char *kind;
    const char *owner;
    const char *name;
    const char *type;
    int64_t offset;
    uint64_t size;
} stn_row;

typedef struct stn_manifest {
    uint32_t struct_size;
    uint32_t version;
    const stn_row *rows;
    uint64_t count;
} stn_manifest;

/* ---- The table ---- */

#define STN_POSE_JUMP 1u /* pose_set: be there at once, do not move there */

typedef struct stn_api {
    uint32_t struct_size;
    uint32_t version;

    /* [any] Texts and tables that live for ever. */
    const stn_manifest *(*describe)(void);
    const char *(*library_version)(void);
    const char *(*status_name)(stn_status status);
    /* [any] A table of functions that may still change, or NULL. See docs/abi.md. */
    const void *(*get_extension)(const char *name);
    /* [scene] Text of the scene's last status that was not 0, "" if there was none; lives until the
     * next call on the scene. With NULL [any]: of this thread's last failed call that had no usable
     * scene. */
    const char *(*last_error)(const stn_scene *scene);

    /* [any] */
    stn_status (*scene_create)(const stn_scene_desc *desc, stn_scene **out);
    /* [scene] NULL is fine. From inside a callback: STN_ERROR_BUSY. */
    stn_status (*scene_destroy)(stn_scene *scene);

    /* [scene] Names must be unique in the scene; NULL or "" gives one. *out is 0 on failure. */
    stn_status (*cloth_create)(stn_scene *scene, const stn_cloth_desc *desc, stn_id *out);
    stn_status (*hair_create)(stn_scene *scene, const stn_hair_desc *desc, stn_id *out);
    stn_status (*collider_create)(stn_scene *scene, const stn_collider_desc *desc, stn_id *out);
    stn_status (*force_create)(stn_scene *scene, const stn_force_desc *desc, stn_id *out);
    stn_status (*rigid_create)(stn_scene *scene, const stn_rigid_desc *desc, stn_id *out);
    stn_status (*object_destroy)(stn_scene *scene, stn_id object);
    /* [scene] Objects in the order of creation; ids may be NULL to ask for the count alone. */
    stn_status (*object_list)(stn_scene *scene, stn_id *ids, uint64_t capacity, uint64_t *count);
    stn_status (*object_find)(stn_scene *scene, const char *name, stn_id *out);
    stn_status (*object_info)(stn_scene *scene, stn_id object, stn_object_info *out);

    /* [any] The table of parameters. */
    uint64_t (*parameter_count)(void);
    stn_status (*parameter_info)(uint64_t index, stn_parameter_info *out);
    /* [scene] count is the parameter's number of components. */
    stn_status (*parameter_set)(stn_scene *scene, stn_id object, const char *name,
                                const double *values, uint64_t count);
    stn_status (*parameter_get)(stn_scene *scene, stn_id object, const char *name, double *values,
                                uint64_t count);

    /* [any] The table of arrays. */
    uint64_t (*array_count)(void);
    stn_status (*array_info)(uint64_t index, stn_array_info *out);
    /* [scene] Whole arrays; set_at writes the named elements (one value, or one per index). */
    stn_status (*array_set)(stn_scene *scene, stn_id object, const char *name,
                            const stn_view *values);
    stn_status (*array_set_at)(stn_scene *scene, stn_id object, const char *name,
                               const stn_view *indices, const stn_view *values);
    stn_status (*array_get)(stn_scene *scene, stn_id object, const char *name,
                            const stn_mut_view *out);

    /* [scene] Where a collider or force will be at the end of the next step or advance call, moving
     * there evenly by less than half a turn; with STN_POSE_JUMP it is there at once. */
    stn_status (*pose_set)(stn_scene *scene, stn_id object, const stn_pose *pose, uint32_t flags);
    stn_status (*pose_get)(stn_scene *scene, stn_id object, stn_pose *out);
    /* [any] From a host's column-major float 4x4 matrix; scale, shear and mirroring are refused. */
    stn_status (*pose_from_matrix)(const float *matrix, stn_pose *out);

    /* [scene] One step of dt seconds. */
    stn_status (*step)(stn_scene *scene, double dt);
    /* [scene] Whole substeps up to `frame`, which must not lie behind; a frame less than a
     * millionth of a substep ahead is reached already. After a cancel, the same call goes on where
     * it stopped, with the same bits as an uninterrupted one. */
    stn_status (*advance_to_frame)(stn_scene *scene, double frame);
    stn_status (*time_get)(stn_scene *scene, stn_time *out);
    /* [any] Makes a running step or advance call stop soon; without one it does nothing. */
    stn_status (*cancel)(stn_scene *scene);
    stn_status (*statistics_get)(stn_scene *scene, stn_statistics *out);

    /* [scene] The whole state as one block of bytes. It loads into a scene with the same
     * objects. */
    stn_status (*state_size)(stn_scene *scene, uint64_t *bytes);
    stn_status (*state_save)(stn_scene *scene, void *buffer, uint64_t capacity, uint64_t *written);
    stn_status (*state_load)(stn_scene *scene, const void *buffer, uint64_t size);
    stn_status (*state_hash)(stn_scene *scene, uint64_t *out);
} stn_api;

/* [any] NULL if the library does not have this version. */
STN_EXPORT const stn_api *stn_get_api(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Scene files: a scene and its animation as JSON, read whole and checked whole before anything is
 * built.
 *
 * Lengths are in metres, masses in kilograms, times in frames, angles in degrees. Keys "//" are
 * comments. Parameters go by the names of the parameter table, with its units and ranges.
 * docs/scene_files.md is the reference for all other keys.
 *
 * An object is placed by "position" and "rotation", or moved by "motion": keyframes of the same
 * two. It starts where the motion has it at the first frame. Colliders and forces follow their
 * motion whole, of a cloth the pinned nodes do.
 */
#ifndef IO_SCENE_FILE_H
#define IO_SCENE_FILE_H

#include "base/arena.h"
#include "base/status.h"
#include "io/grid.h"
#include "io/motion.h"
#include "io/strand_shapes.h"
#include "scene/parameters.h"
#include "scene/scene.h"

typedef struct scene_settings {
    size_t count;
    int row[PARAMETER_ROWS]; /* of the parameter table */
    double value[PARAMETER_ROWS][3];
} scene_settings;

#define SCENE_FILE_NO_SURFACE SIZE_MAX

enum { SCENE_FILE_PULLS = 3 };

typedef struct scene_file_object {
    const char *name;
    uint32_t kind;
    unsigned line;
    motion motion; /* one key: it stands still */
    scene_settings settings;
    /* cloth, and of colliders meshes as far as the file they are from */
    size_t nodes, triangle_count, pin_count;
    grid grid;         /* no cells: it is none */
    double *positions; /* before it is placed, 3 per node */
    uint32_t *triangles;
    const char *mesh_path; /* the file they are from; NULL if from none */
    double *masses;        /* NULL: from the density */
    uint32_t *pins;
    v3 velocity;
    /* hair: nodes; positions, in the coordinates of the collider that holds the roots; and */
    strand_plan strands; /* of strands from a file their count alone */
    size_t surface;      /* number of that collider; SCENE_FILE_NO_SURFACE: none */
    uint32_t guides;     /* so many are simulated; 0: all */
    bool rest_straight;
    double *rest; /* where the points are by nature, NULL: where they are */
    uint32_t *strand_sizes;
    v3 pull[SCENE_FILE_PULLS]; /* of every strand: force at the root, force and moment at the tip */
    /* collider */
    uint32_t shape;
    double size[3];
    /* force */
    uint32_t force_type;
} scene_file_object;

typedef struct scene_file {
    allocator memory;
    arena store; /* everything below lies here */
    const char *path, *title;
    const char *output_folder; /* relative to the file's folder; NULL if it names none */
    uint32_t formats; /* of caches; bit i: cache_format_at(i) */
    bool write_obj, write_statistics;
    double first_frame, last_frame; /* whole numbers */
    uint32_t threads;
    scene_settings settings;
    scene_file_object *objects;
    size_t object_count;
    uint64_t hash; /* of the bytes of this file and of the meshes it names */
} scene_file;

status scene_file_read(const allocator *memory, const char *path, scene_file **out, error *err);
void scene_file_destroy(scene_file *f);

/* "a/b/" + "c.obj" from "a/b/scene.json" and "c.obj"; absolute names stay. NULL when memory ran
 * out. */
const char *scene_file_resolve(scene_file *f, const char *name);

/* "wind", ... */
const char *scene_force_word(uint32_t type);

/* Makes the objects in an empty scene that starts at first_frame; `ids` gets object_count ids.
 * After an error the scene has some of them. */
status scene_file_build(const scene_file *f, scene *s, uint64_t *ids, error *err);

/* Sets what moves by itself to where it will be at `frame`. */
status scene_file_animate(const scene_file *f, scene *s, const uint64_t *ids, double frame,
                          error *err);

#endif

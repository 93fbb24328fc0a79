/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readers of scene files share: scene_file.c reads the top of a file, scene_object.c what
 * all objects have and colliders, scene_cloth.c, scene_hair.c and scene_force.c what those have.
 */
#ifndef IO_SCENE_READER_H
#define IO_SCENE_READER_H

#include "io/json_source.h"
#include "io/scene_file.h"

extern const json_range scene_range_place; /* coordinates */
extern const json_range scene_range_size;  /* lengths of things */

typedef struct scene_reader {
    scene_file *file;
    json_source json;
    size_t nodes; /* of all objects so far */
    error *err;
} scene_reader;

/* Zeroed memory that lives as long as the scene file; NULL, with an error, when there is none. */
void *scene_reader_push(scene_reader *r, size_t count, size_t item_size);
const char *scene_reader_copy_text(scene_reader *r, const char *text);

/* Refuses keys that are neither in the list, which ends with NULL, nor parameters of the kind
 * (0: no parameters). */
status scene_reader_check_keys(const scene_reader *r, const json_node *object,
                               const char *const *fixed, uint32_t kind);

/* All parameters of the kind that the object names. */
status scene_reader_read_settings(const scene_reader *r, const json_node *object, uint32_t kind,
                                  scene_settings *out);

status scene_reader_read_v3(const scene_reader *r, const json_node *node, const json_range *range,
                            v3 *out);

/* One object, everything in it checked. */
status scene_reader_read_object(scene_reader *r, const json_node *node, scene_file_object *out);

/* What is particular to cloth, and its keys. */
status scene_reader_read_cloth(scene_reader *r, const json_node *object, scene_file_object *o);

/* The mesh of an object, from the file that a key names. */
status scene_reader_read_mesh(scene_reader *r, const json_node *node, scene_file_object *o);

status scene_reader_read_force(scene_reader *r, const json_node *object, scene_file_object *o);
status scene_reader_read_hair(scene_reader *r, const json_node *object, scene_file_object *o);

/* The parameters of the preset that hair names, but for those that the object has itself. */
status scene_reader_read_preset(const scene_reader *r, const json_node *object,
                                scene_settings *out);

/* Says how large the geometry is, if that many nodes are reasonable. */
status scene_reader_set_size(scene_reader *r, const json_node *node, scene_file_object *o,
                             size_t nodes, size_t triangles);

/* Makes the points of an object that is hair. */
status scene_reader_make_hair(scene_reader *r, scene_file_object *o);

/* Makes the nodes of an object that is a grid. */
status scene_reader_fill_grid(scene_reader *r, scene_file_object *o);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Wavefront OBJ meshes: vertices ("v") and faces ("f", with any of v, v/vt, v//vn, v/vt/vn and
 * negative indices). Polygons become fans around their first corner. Everything else in a file is
 * skipped.
 */
#ifndef IO_OBJ_H
#define IO_OBJ_H

#include "base/array.h"
#include "base/status.h"

typedef struct obj_mesh {
    array positions; /* double[3] */
    array triangles; /* uint32_t[3] */
    uint64_t hash;   /* of the file's bytes */
} obj_mesh;

void obj_mesh_destroy(obj_mesh *m);

/* On failure there is nothing to destroy. */
status obj_read(obj_mesh *m, const allocator *from, const char *path, error *err);

/* What is written; all numbers read back to the same bits. */
typedef struct obj_source {
    const char *name;
    const double *positions;
    size_t vertices;
    const uint32_t *triangles;
    size_t triangle_count;
} obj_source;

/* Replaces the file only once the new one is complete. */
status obj_write(const obj_source *source, const allocator *from, const char *path, error *err);

#endif

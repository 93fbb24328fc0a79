/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies as triangles with colours: cloth and meshes as they are, strands of hair as ribbons that
 * face the eye, the rest tessellated.
 */
#ifndef STICTION_PICTURE_MESH_H
#define STICTION_PICTURE_MESH_H

#include <stdbool.h>

#include "camera.h"

typedef struct mesh_vertex {
    vec3 position, normal;
    vec3 local; /* place in the body's own coordinates, where patterns live */
    vec3 color; /* linear */
} mesh_vertex;

typedef enum mesh_pattern {
    MESH_CHECKER, /* cubes of side `cell` in local coordinates, alternating */
    MESH_BALL     /* slices about local z, alternating and swapped at the equator */
} mesh_pattern;

typedef struct mesh {
    size_t vertex_count, triangle_count;
    mesh_vertex *vertices;
    uint32_t (*triangles)[3];
    mesh_pattern pattern;
    float cell;
    float contrast; /* how much darker the second tone is */
    float gloss;
    float fade_radius; /* fades out to nothing at this distance from fade_center; 0: solid */
    vec3 fade_center;
    bool casts_shadow;
} mesh;

/* cglm takes no const: neither do functions that hand vectors on to it.
 *
 * `rest` is the same body at the first moment: the pattern sticks to the cloth. Tinted: the
 * colour shows the contact state of each node. False: out of memory. */
bool mesh_from_cloth(mesh *out, const snapshot_body *body, const snapshot_body *rest,
                     const vec3 color, bool tinted);
bool mesh_from_hair(mesh *out, const snapshot_body *body, camera *view, const vec3 color);
bool mesh_from_sphere(mesh *out, const snapshot_body *body, const vec3 color);
bool mesh_from_capsule(mesh *out, const snapshot_body *body, const vec3 color);
bool mesh_from_solid(mesh *out, const snapshot_body *body, const vec3 color); /* boxes, meshes */
bool mesh_from_plane(mesh *out, const snapshot_body *body, camera *view, const vec3 color);
void mesh_free(mesh *m);

#endif

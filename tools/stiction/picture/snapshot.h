/* SPDX-License-Identifier: Apache-2.0
 *
 * What a scene looks like at one moment: a copy of shapes, places and contact states, read through
 * the ABI between frames and drawn later.
 */
#ifndef STICTION_PICTURE_SNAPSHOT_H
#define STICTION_PICTURE_SNAPSHOT_H

#include <stiction/stiction.h>

typedef struct snapshot_body {
    uint32_t kind, shape; /* STN_KIND_..., STN_SHAPE_... */
    double size[3];
    stn_pose pose; /* of colliders */
    uint64_t node_count, triangle_count, strand_count;
    float *nodes; /* 3 per node, in the world; colliders have some if they are boxes or meshes */
    uint32_t *triangles; /* 3 per triangle */
    uint32_t *states;    /* STN_CONTACT_... per node of cloth */
    uint32_t *strands;   /* nodes of each strand of hair */
    double thickness;    /* m: half of a strand's width */
} snapshot_body;

typedef struct snapshot {
    double frame, seconds;
    double gravity[3];
    uint64_t body_count;
    snapshot_body *bodies;
} snapshot;

/* On failure nothing is left to free. */
stn_status snapshot_take(const stn_api *api, stn_scene *scene, snapshot *out);
void snapshot_free(snapshot *s);

#endif
